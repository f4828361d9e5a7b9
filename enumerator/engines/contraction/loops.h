/* Included by sum.h, once for each instruction set. */

/* sum += weight · row */
static void VERSION(add_row)(cell *restrict sum, const cell *restrict row, int weight, int length) {
    for (int i = 0; i < length; i++) sum[i] += weight * row[i];
}

/* any |= row. Return the largest entry of the row; none is below 0. */
static int VERSION(merge_row)(cell *restrict any, const cell *restrict row, int length) {
    cell largest = 0;
    for (int i = 0; i < length; i++) {
        any[i] |= row[i];
        if (row[i] > largest) largest = row[i];
    }
    return largest;
}

/* out[i][k] = weights[k] · rows[k][i]: a row for each lane, transposed. Lanes and length are
   multiples of 8. */
static void VERSION(interleave)(cell *restrict out, int lanes, const cell *const *rows, const uint16_t *weights,
                                    int length) {
#if LEVEL >= X86_64_V3
    for (int k = 0; k < lanes; k += 8) {
        for (int i = 0; i < length; i += 8) {
            __m128i r[8], s[8];
            for (int j = 0; j < 8; j++)
                r[j] = _mm_mullo_epi16(_mm_loadu_si128((const __m128i *)(rows[k + j] + i)), _mm_set1_epi16(weights[k + j]));
            for (int j = 0; j < 4; j++) {
                s[2 * j] = _mm_unpacklo_epi16(r[j], r[j + 4]);
                s[2 * j + 1] = _mm_unpackhi_epi16(r[j], r[j + 4]);
            }
            for (int j = 0; j < 4; j++) {
                r[2 * j] = _mm_unpacklo_epi16(s[j], s[j + 4]);
                r[2 * j + 1] = _mm_unpackhi_epi16(s[j], s[j + 4]);
            }
            for (int j = 0; j < 4; j++) {
                s[2 * j] = _mm_unpacklo_epi16(r[j], r[j + 4]);
                s[2 * j + 1] = _mm_unpackhi_epi16(r[j], r[j + 4]);
            }
            for (int j = 0; j < 8; j++) _mm_store_si128((__m128i *)(out + (i + j) * lanes + k), s[j]);
        }
    }
#else
    for (int i = 0; i < length; i++)
        for (int k = 0; k < lanes; k++) out[i * lanes + k] = weights[k] * rows[k][i];
#endif
}

/* Return the sum over runs of weight · factors[column] · (the sum of the dot products of their pairs). */
static uint64_t VERSION(by_column)(const cell *a, const cell *b, int lanes, const Pair *pairs, const Run *runs,
                                       int count, const cell *factors) {
    uint64_t total = 0;
    for (int r = 0; r < count; r++) {
        uint64_t factor = factor_of(&runs[r], factors), sum = 0;
        if (!factor) continue;
        for (uint32_t p = runs[r].first; p < runs[r].last; p++) {
            const cell *x = a + pairs[p].a / BATCH * lanes, *y = b + pairs[p].b / BATCH * lanes;
            uint32_t dot = 0; /* at most 64 · 12 · 1,728 · 1,728 < 2^32 */
            for (int k = 0; k < lanes; k++) dot += (uint32_t)(x[k] * y[k]);
            sum += dot;
        }
        total += factor * sum;
    }
    return total;
}

#if LEVEL >= X86_64_V3
#define INLINE static inline __attribute__((always_inline))

/* A vector of bytes, and a vector of 32-bit sums: one for each slot. dot4 adds the products of the four
   bytes of a slot: two of them in 16 bits first, at most 2 · 127 · 127 < 2^15. */
#if LEVEL >= X86_64_V4
#define VECTOR __m512i
#define ZERO _mm512_setzero_si512()
#define LOAD(from) _mm512_load_si512(from)
#define STORE(to, value) _mm512_store_si512(to, value)
#define ADD(x, y) _mm512_add_epi32(x, y)
#define ADD_LONG(x, y) _mm512_add_epi64(x, y)
#define MULTIPLY(x, y) _mm512_mul_epu32(x, y)
#define ALL_LONG(x) _mm512_set1_epi64(x)
#define ODD(x) _mm512_srli_epi64(x, 32)
#define LOW(x, y) _mm512_unpacklo_epi8(x, y)
#define HIGH(x, y) _mm512_unpackhi_epi8(x, y)
#define FACTORS(from, weight) \
    _mm512_mullo_epi32(_mm512_cvtepi16_epi32(_mm256_loadu_si256((const __m256i *)(from))), _mm512_set1_epi32(weight))
#define DOT4(sum, x, y) ADD(sum, _mm512_madd_epi16(_mm512_maddubs_epi16(x, y), _mm512_set1_epi16(1)))
#define LOWER_LONG(x) _mm512_cvtepu32_epi64(_mm512_castsi512_si256(x))
#define UPPER_LONG(x) _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(x, 1))
#define FIRST(x, y) _mm512_shuffle_i64x2(x, y, 0x88)
#define SECOND(x, y) _mm512_shuffle_i64x2(x, y, 0xdd)
INLINE VECTOR VERSION(two_rows)(const cell *one, const cell *two) {
    __m512i low = _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)one));
    return _mm512_inserti64x4(low, _mm256_loadu_si256((const __m256i *)two), 1);
}
INLINE VECTOR VERSION(bytes_of)(const cell *const *rows, int i) {
    return _mm512_packs_epi16(VERSION(two_rows)(rows[0] + i, rows[16] + i), VERSION(two_rows)(rows[32] + i, rows[48] + i));
}
#else
#define VECTOR __m256i
#define ZERO _mm256_setzero_si256()
#define LOAD(from) _mm256_load_si256((const __m256i *)(from))
#define STORE(to, value) _mm256_store_si256((__m256i *)(to), value)
#define ADD(x, y) _mm256_add_epi32(x, y)
#define ADD_LONG(x, y) _mm256_add_epi64(x, y)
#define MULTIPLY(x, y) _mm256_mul_epu32(x, y)
#define ALL_LONG(x) _mm256_set1_epi64x(x)
#define ODD(x) _mm256_srli_epi64(x, 32)
#define LOW(x, y) _mm256_unpacklo_epi8(x, y)
#define HIGH(x, y) _mm256_unpackhi_epi8(x, y)
#define FACTORS(from, weight) \
    _mm256_mullo_epi32(_mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)(from))), _mm256_set1_epi32(weight))
#define DOT4(sum, x, y) ADD(sum, _mm256_madd_epi16(_mm256_maddubs_epi16(x, y), _mm256_set1_epi16(1)))
#define LOWER_LONG(x) _mm256_cvtepu32_epi64(_mm256_castsi256_si128(x))
#define UPPER_LONG(x) _mm256_cvtepu32_epi64(_mm256_extracti128_si256(x, 1))
#define FIRST(x, y) _mm256_permute2x128_si256(x, y, 0x20)
#define SECOND(x, y) _mm256_permute2x128_si256(x, y, 0x31)
INLINE VECTOR VERSION(bytes_of)(const cell *const *rows, int i) {
    return _mm256_packs_epi16(_mm256_loadu_si256((const __m256i *)(rows[0] + i)),
                              _mm256_loadu_si256((const __m256i *)(rows[16] + i)));
}
#endif
enum { VERSION(WIDTH) = sizeof(VECTOR) };
#define PIECES (BATCH / VERSION(WIDTH))

/* out[i][k] = the byte of rows[k][i]: BATCH rows, transposed. Length is a multiple of 16. Each 16 bytes of
   r[j] are eight columns of row j and the same of another row, so halves are put together at the end. */
static void VERSION(pack)(uint8_t *restrict out, const cell *const *rows, int length) {
    for (int k = 0; k < BATCH; k += VERSION(WIDTH))
        for (int i = 0; i < length; i += 16) {
            VECTOR r[16], s[16];
            for (int j = 0; j < 16; j++) r[j] = VERSION(bytes_of)(rows + k + j, i);
            for (int round = 0; round < 2; round++) { /* each step doubles the rows that are together */
                for (int j = 0; j < 8; j++) s[2 * j] = LOW(r[j], r[j + 8]), s[2 * j + 1] = HIGH(r[j], r[j + 8]);
                for (int j = 0; j < 8; j++) r[2 * j] = LOW(s[j], s[j + 8]), r[2 * j + 1] = HIGH(s[j], s[j + 8]);
            }
            for (int j = 0; j < 8; j++) {
                STORE(out + (i + j) * BATCH + k, FIRST(r[j], r[j + 8]));
                STORE(out + (i + j + 8) * BATCH + k, SECOND(r[j], r[j + 8]));
            }
        }
}

/* Fill `total` with the sums of the dot products of a run, for each slot. Four pairs at a time do not wait
   for each other. A run has fewer than 2^15 pairs and a pair adds at most 4 · 127 · 127, so 32 bits do. */
INLINE void VERSION(sum_run)(VECTOR *total, const uint8_t *a, const uint8_t *b, const Pair *pair, const Pair *end) {
    VECTOR sum[4][PIECES];
    CHECK(end - pair < 1 << 15);
    for (int i = 0; i < 4; i++)
        for (int v = 0; v < PIECES; v++) sum[i][v] = ZERO;
#define ADD_PAIR(i) \
    for (int v = 0; v < PIECES; v++) \
        sum[i][v] = DOT4(sum[i][v], LOAD(a + pair[i].a + v * VERSION(WIDTH)), LOAD(b + pair[i].b + v * VERSION(WIDTH)));
    for (; end - pair >= 4; pair += 4) {
        ADD_PAIR(0) ADD_PAIR(1) ADD_PAIR(2) ADD_PAIR(3)
    }
    switch (end - pair) {
    case 3: ADD_PAIR(2) /* fall through */
    case 2: ADD_PAIR(1) /* fall through */
    case 1: ADD_PAIR(0)
    }
    for (int v = 0; v < PIECES; v++) total[v] = ADD(ADD(sum[0][v], sum[1][v]), ADD(sum[2][v], sum[3][v]));
}

/* Fill sums[slot] with the sum over runs of weight · factors[column][slot] · (the sum of the dot
   products of their pairs in this slot). Return the number of pairs; runs whose factors are all 0 are
   skipped. */
static uint64_t VERSION(by_slot)(const uint8_t *a, const uint8_t *b, const Pair *pairs, const Run *runs, int count,
                                     const cell *factors, uint64_t *sums) {
    uint64_t visited = 0;
    VECTOR even[PIECES], odd[PIECES], total[PIECES];
    for (int v = 0; v < PIECES; v++) even[v] = odd[v] = ZERO;
    for (int r = 0; r < count; r++) {
        const cell *factor = factors + runs[r].column * SLOTS;
        __m256i all = _mm256_loadu_si256((const __m256i *)factor);
        if (_mm256_testz_si256(all, all)) continue;
        visited += runs[r].last - runs[r].first;
        VERSION(sum_run)(total, a, b, pairs + runs[r].first, pairs + runs[r].last);
        for (int v = 0; v < PIECES; v++) {
            VECTOR times = FACTORS(factor + v * (SLOTS / PIECES), runs[r].weight);
            even[v] = ADD_LONG(even[v], MULTIPLY(total[v], times));
            odd[v] = ADD_LONG(odd[v], MULTIPLY(ODD(total[v]), ODD(times)));
        }
    }
    for (int v = 0; v < PIECES; v++) {
        uint64_t found[2][BATCH / 8] __attribute__((aligned(64)));
        STORE(found[0], even[v]), STORE(found[1], odd[v]);
        for (int slot = 0; slot < SLOTS / PIECES; slot++) sums[v * (SLOTS / PIECES) + slot] = found[slot & 1][slot / 2];
    }
    return visited;
}

/* sums[unit][slot] += times · the sum of the dot products of the run's pairs in this slot. Runs whose factors
   are all 0 are skipped. */
static void VERSION(by_run)(const uint8_t *a, const uint8_t *b, const Pair *pairs, const Run *runs, int count,
                                const cell *factors, uint32_t times, uint64_t *sums) {
    const VECTOR factor = ALL_LONG(times);
    for (int r = 0; r < count; r++) {
        __m256i all = _mm256_loadu_si256((const __m256i *)(factors + runs[r].column * SLOTS));
        if (_mm256_testz_si256(all, all)) continue;
        VECTOR total[PIECES];
        VERSION(sum_run)(total, a, b, pairs + runs[r].first, pairs + runs[r].last);
        for (int v = 0; v < PIECES; v++) {
            uint64_t *sum = sums + runs[r].unit * SLOTS + v * (SLOTS / PIECES), *next = sum + SLOTS / PIECES / 2;
            STORE(sum, ADD_LONG(LOAD(sum), MULTIPLY(LOWER_LONG(total[v]), factor)));
            STORE(next, ADD_LONG(LOAD(next), MULTIPLY(UPPER_LONG(total[v]), factor)));
        }
    }
}
#undef INLINE
#undef VECTOR
#undef ZERO
#undef LOAD
#undef STORE
#undef ADD
#undef ADD_LONG
#undef MULTIPLY
#undef ALL_LONG
#undef ODD
#undef LOW
#undef HIGH
#undef FACTORS
#undef FIRST
#undef SECOND
#undef DOT4
#undef ADD_PAIR
#undef PIECES
#undef LOWER_LONG
#undef UPPER_LONG
#else
static void VERSION(pack)(uint8_t *restrict out, const cell *const *rows, int length) {
    for (int k = 0; k < BATCH; k++)
        for (int i = 0; i < length; i++) out[i * BATCH + k] = (uint8_t)(rows[k][i] < MAX_BYTE ? rows[k][i] : MAX_BYTE);
}

static void VERSION(by_run)(const uint8_t *a, const uint8_t *b, const Pair *pairs, const Run *runs, int count,
                                const cell *factors, uint32_t times, uint64_t *sums) {
    for (int r = 0; r < count; r++) {
        int used = 0;
        uint64_t *sum = sums + runs[r].unit * SLOTS;
        for (int slot = 0; slot < SLOTS; slot++) used |= factors[runs[r].column * SLOTS + slot];
        for (uint32_t p = runs[r].first; used && p < runs[r].last; p++)
            for (int k = 0; k < BATCH; k++)
                sum[k / SLOT] += (uint64_t)(a[pairs[p].a + k] * b[pairs[p].b + k]) * times;
    }
}
#endif

/* Fill `sum` with the sum of some rows. 32 numbers at a time stay in registers. */
static void VERSION(add_rows)(uint64_t *sum, const uint64_t *rows, const uint16_t *numbers, int count,
                                  int length) {
    typedef uint64_t longs __attribute__((vector_size(64), aligned(8)));
    int i = 0;
    for (; i + 32 <= length; i += 32) {
        longs total[4] = {{0}, {0}, {0}, {0}};
        for (int k = 0; k < count; k++) {
            const longs *row = (const longs *)(rows + (size_t)numbers[k] * length + i);
            total[0] += row[0], total[1] += row[1], total[2] += row[2], total[3] += row[3];
        }
        for (int v = 0; v < 4; v++) ((longs *)(sum + i))[v] = total[v];
    }
    for (int j = i; j < length; j++) sum[j] = 0;
    for (int k = 0; k < count; k++)
        for (int j = i; j < length; j++) sum[j] += rows[(size_t)numbers[k] * length + j];
}

/* Multiply the sums of a batch, by unit and slot, with times[slot] and with twice[column][slot], unless these
   are NULL. Add them up in two ways: over units of a column, to by_column[column][slot]; and over the slots of a
   part, `copies` times, to by_part[part][unit]. ends[part] is the last slot of a part + 1. */
static void VERSION(fold)(uint64_t *restrict sums, const uint16_t *columns, int count, const uint64_t *times,
                              const cell *twice, uint64_t *restrict by_column, const uint8_t *ends, int parts,
                              uint64_t *const *by_part, uint64_t copies) {
    for (int r = 0; r < count; r++, sums += SLOTS) {
        uint64_t *column = by_column + columns[r] * SLOTS, before[SLOTS + 1] = {0}; /* the sums of the slots before */
        for (int slot = 0; slot < SLOTS; slot++) before[slot + 1] = before[slot] + sums[slot];
        if (!before[SLOTS]) continue;
        if (times || twice) {
            for (int slot = 0; slot < SLOTS; slot++) {
                if (times) sums[slot] *= times[slot];
                if (twice) sums[slot] *= (uint64_t)twice[columns[r] * SLOTS + slot];
                before[slot + 1] = before[slot] + sums[slot];
            }
        }
        for (int slot = 0; slot < SLOTS; slot++) column[slot] += sums[slot];
        for (int part = 0, slot = 0; part < parts; slot = ends[part++])
            by_part[part][r] += (before[ends[part]] - before[slot]) * copies;
    }
}

/* sum[i] += copies · numbers[places[i]] */
static void VERSION(add_picked)(uint64_t *restrict sum, const uint64_t *restrict numbers, const uint16_t *restrict places,
                                    int count, uint64_t copies) {
    if (copies == 1)
        for (int i = 0; i < count; i++) sum[i] += numbers[places[i]];
    else
        for (int i = 0; i < count; i++) sum[i] += numbers[places[i]] * copies;
}

static const Loops VERSION(loops) = {
    VERSION(add_row), VERSION(merge_row), VERSION(interleave), VERSION(by_column), VERSION(pack), VERSION(by_run),
    VERSION(add_rows), VERSION(fold), VERSION(add_picked),
#if LEVEL >= X86_64_V3
    VERSION(by_slot),
#endif
};
