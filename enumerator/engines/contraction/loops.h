/* Included by sum.h, once for each instruction set. */

/* sum += weight · row */
static void VERSION(add_row)(cell *restrict sum, const cell *restrict row, int weight, int length) {
    for (int i = 0; i < length; i++) sum[i] += weight * row[i];
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

#if LEVEL >= X86_64_V3
/* Call a loop with 1, 2, 3 or 4 vectors of lanes, as a constant: the compiler can unroll it. */
#define FOR_VECTORS(function, ...) \
    switch (lanes / LANES) { \
    case 1: return function(1, __VA_ARGS__); \
    case 2: return function(2, __VA_ARGS__); \
    case 3: return function(3, __VA_ARGS__); \
    default: return function(4, __VA_ARGS__); \
    }
#define INLINE static inline __attribute__((always_inline))

/* total += times · the sum of all lanes; both have at most 32 bits. */
INLINE __m256i VERSION(add_wide)(__m256i total, __m256i lanes, __m256i times) {
    total = _mm256_add_epi64(total, _mm256_mul_epu32(lanes, times));
    return _mm256_add_epi64(total, _mm256_mul_epu32(_mm256_srli_epi64(lanes, 32), times));
}

INLINE uint64_t VERSION(horizontal_sum)(__m256i total) {
    return (uint64_t)_mm256_extract_epi64(total, 0) + (uint64_t)_mm256_extract_epi64(total, 1)
         + (uint64_t)_mm256_extract_epi64(total, 2) + (uint64_t)_mm256_extract_epi64(total, 3);
}

INLINE uint64_t VERSION(columns)(
    const int vectors, const cell *a, const cell *b, const Pair *pairs, const Run *runs, int count, const cell *factors,
    uint32_t safe) {
    __m256i total = _mm256_setzero_si256();
    for (int r = 0; r < count; r++) {
        int factor = (int)factor_of(&runs[r], factors);
        if (!factor) continue;
        for (uint32_t p = runs[r].first; p < runs[r].last;) {
            uint32_t end = runs[r].last - p > safe ? p + safe : runs[r].last;
            __m256i even = _mm256_setzero_si256(), odd = _mm256_setzero_si256();
            for (; p < end; p++) {
                const __m256i *x = (const __m256i *)a + pairs[p].a * vectors, *y = (const __m256i *)b + pairs[p].b * vectors;
                for (int v = 0; v < vectors; v++) {
                    __m256i products = _mm256_madd_epi16(x[v], y[v]);
                    if (v & 1) odd = _mm256_add_epi32(odd, products);
                    else even = _mm256_add_epi32(even, products);
                }
            }
            total = VERSION(add_wide)(total, _mm256_add_epi32(even, odd), _mm256_set1_epi32(factor));
        }
    }
    return VERSION(horizontal_sum)(total);
}

/* A lane of the sum of 4 vectors is at most 2 · 4 · 12 · 1,728 · 1,728 < 2^32. */
INLINE uint64_t VERSION(rows)(
    const int vectors, const cell *a, const cell *b, const Pair *pairs, const Run *runs, int count,
    const uint32_t *factors) {
    __m256i total = _mm256_setzero_si256();
    for (int r = 0; r < count; r++) {
        const __m256i *row = (const __m256i *)a + runs[r].column * vectors;
        __m256i x[4];
        for (int v = 0; v < vectors; v++) x[v] = row[v];
        for (uint32_t p = runs[r].first; p < runs[r].last; p++) {
            const __m256i *y = (const __m256i *)b + pairs[p].b * vectors;
            __m256i sum = _mm256_madd_epi16(x[0], y[0]);
            for (int v = 1; v < vectors; v++) sum = _mm256_add_epi32(sum, _mm256_madd_epi16(x[v], y[v]));
            total = VERSION(add_wide)(total, sum, _mm256_set1_epi32((int)factors[pairs[p].a]));
        }
    }
    return VERSION(horizontal_sum)(total);
}

/* Return the sum over runs of weight · factors[column] · (the sum of the dot products of their
   pairs). The dot products of `safe` pairs can be added in 32 bits. */
static uint64_t VERSION(by_column)(const cell *a, const cell *b, int lanes, const Pair *pairs, const Run *runs,
                                       int count, const cell *factors, uint32_t safe) {
    FOR_VECTORS(VERSION(columns), a, b, pairs, runs, count, factors, safe)
}

/* Return the same sum in row order, over all pairs, each with its factor. */
static uint64_t VERSION(by_row)(const cell *a, const cell *b, int lanes, const Pair *pairs, const Run *runs,
                                    int count, const uint32_t *factors) {
    FOR_VECTORS(VERSION(rows), a, b, pairs, runs, count, factors)
}
#undef INLINE
#undef FOR_VECTORS

#else
static uint64_t VERSION(by_column)(const cell *a, const cell *b, int lanes, const Pair *pairs, const Run *runs,
                                       int count, const cell *factors, uint32_t safe) {
    uint64_t total = 0;
    (void)safe; /* not needed: every dot product is added in 64 bits */
    for (int r = 0; r < count; r++) {
        uint64_t factor = factor_of(&runs[r], factors), sum = 0;
        if (!factor) continue;
        for (uint32_t p = runs[r].first; p < runs[r].last; p++) {
            const cell *x = a + pairs[p].a * lanes, *y = b + pairs[p].b * lanes;
            uint32_t dot = 0; /* at most 64 · 12 · 1,728 · 1,728 < 2^32 */
            for (int k = 0; k < lanes; k++) dot += (uint32_t)(x[k] * y[k]);
            sum += dot;
        }
        total += factor * sum;
    }
    return total;
}
#endif

static const Loops VERSION(loops) = {
    VERSION(add_row), VERSION(interleave), VERSION(by_column),
#if LEVEL >= X86_64_V3
    VERSION(by_row),
#endif
};
