/* The sum over a network with few values. See clues.h, and sum.pyx for the names G and F.

   Compiled for each instruction set, after clue_lines.h. */

/* A vector of the processor: compilers take wider ones apart entry by entry. */
#if LEVEL >= X86_64_V4
typedef ClueChunk VERSION(ClueVector);
#elif LEVEL >= X86_64_V3
typedef uint16_t VERSION(ClueVector) __attribute__((vector_size(32), may_alias));
#else
typedef uint16_t VERSION(ClueVector) __attribute__((vector_size(16), may_alias));
#endif
enum { VERSION(CLUE_VECTORS) = sizeof(ClueChunk) / sizeof(VERSION(ClueVector)) }; /* of a chunk */

/* Number the members of a set; return how many there are. They are followed by CLUE_PARTITIONS up to a whole chunk. */
static int VERSION(number)(const uint64_t *set, uint16_t *numbers, uint16_t *members)
{
    int count = 0;
    for (int word = 0; word < 5; word++)
        for (uint64_t left = set[word]; left; left &= left - 1) {
            numbers[word * 64 + lowest64(left)] = (uint16_t)count;
            members[count++] = (uint16_t)(word * 64 + lowest64(left));
        }
    for (int i = count; i % CLUE_CHUNK; i++)
        members[i] = CLUE_PARTITIONS; /* which is in no set */
    return count;
}

/* Write 1 for each partition of a chunk that is in a set, and 0 for the others. */
static inline void VERSION(have)(const uint64_t *set, const uint16_t *partitions, ClueChunk *out)
{
#if LEVEL >= X86_64_V4
    __m512i all = _mm512_loadu_si512(partitions);
    __m512i words = _mm512_permutexvar_epi16(_mm512_srli_epi16(all, 4), _mm512_load_si512(set));
    __m512i found = _mm512_srlv_epi16(words, _mm512_and_si512(all, _mm512_set1_epi16(15)));
    _mm512_store_si512(out, _mm512_and_si512(found, _mm512_set1_epi16(1)));
#else
    uint16_t *found = (uint16_t *)out;
    for (int i = 0; i < CLUE_CHUNK; i++)
        found[i] = (uint16_t)VERSION(has)(set, partitions[i]);
#endif
}

/* Return the entries of a chunk, which are 0 or 1, as bits. */
static inline uint32_t VERSION(bits)(const ClueChunk *chunk)
{
#if LEVEL >= X86_64_V4
    return _mm512_test_epi16_mask(_mm512_load_si512(chunk), _mm512_load_si512(chunk));
#else
    const uint16_t *entry = (const uint16_t *)chunk;
    uint32_t found = 0;
    for (int i = 0; i < CLUE_CHUNK; i++)
        found |= (uint32_t)entry[i] << i;
    return found;
#endif
}

/* Set up a band for the sum, and replace the partitions of y0, y1 and y2 there by numbers. */
static void VERSION(set_up)(ClueWork *work, int band, const ClueLine *line, const ClueLine *const *y, const int *stacks,
                            const ClueSet *const *across, const ClueSet *along)
{
    ClueBand *b = &work->bands[band];
    uint16_t number[CLUE_BOXES][CLUE_PARTITIONS], partition[CLUE_BOXES][CLUE_ROW];
    uint16_t row_of[CLUE_PARTITIONS], rows[CLUE_ROW], third_of[CLUE_PARTITIONS], thirds[CLUE_ROW];
    int row_count = VERSION(number)(line->seen[stacks[1]], row_of, rows);
    int third_count = VERSION(number)(line->seen[stacks[2]], third_of, thirds), used[CLUE_BOXES];
    for (int i = 0; i < CLUE_BOXES; i++) {
        used[i] = VERSION(number)(y[i]->seen[band], number[i], partition[i]);
        for (int j = 0; j < y[i]->count; j++)
            work->values[i][j].part[band] = number[i][work->values[i][j].part[band]];
    }
    b->zeros = used[0], b->ones = used[1], b->twos = used[2];
    b->chunks = (b->twos + CLUE_CHUNK - 1) / CLUE_CHUNK, b->count = line->count, b->rows = row_count, b->used = 1;
    for (int i = 0; i < b->count; i++) {
        const uint16_t *part = line->from[i].part;
        uint16_t row = row_of[part[stacks[1]]], third = third_of[part[stacks[2]]];
        b->values[i] = (ClueValue){{part[stacks[0]], row, third}, line->from[i].weight};
    }
    b->selected = -1;
    for (int i = 0; i < third_count; i++)
        for (int chunk = 0; chunk < b->chunks; chunk++)
            VERSION(have)(along[thirds[i]], &partition[2][chunk * CLUE_CHUNK], &b->row_of[i * b->chunks + chunk]);
    for (int i = 0; i < b->ones; i++) {
        memset(b->fits[i], 0, sizeof b->fits[i]);
        for (int j = 0; j < row_count; j += CLUE_CHUNK) {
            ClueChunk chunk;
            VERSION(have)(across[1][partition[1][i]], &rows[j], &chunk);
            b->fits[i][j >> 6] |= (uint64_t)VERSION(bits)(&chunk) << (j & 63);
        }
    }
    memset(b->is_known, 0, (size_t)b->zeros);
    for (int i = 0; i < b->zeros; i++)
        b->near[i] = across[0][partition[0][i]];
}

/* Make G of a band for a c0; return the steps. */
static uint64_t VERSION(select)(ClueBand *b, int zero)
{
    const uint64_t *near = b->near[zero];
    uint8_t is_present[64 * 5] = {0};
    int kept = 0, length = b->chunks * VERSION(CLUE_VECTORS);
    for (int i = 0; i < b->count; i++) { /* without branches: they are hard to predict */
        b->kept[kept] = (uint16_t)i;
        kept += VERSION(has)(near, b->values[i].part[0]);
    }
    memset(b->by_row, 0, (size_t)(b->rows * b->chunks) * sizeof(ClueChunk));
    for (int i = 0; i < kept; i++) {
        const ClueValue *value = &b->values[b->kept[i]];
        VERSION(ClueVector) *sum = (VERSION(ClueVector) *)&b->by_row[value->part[1] * b->chunks];
        const VERSION(ClueVector) *row = (const VERSION(ClueVector) *)&b->row_of[value->part[2] * b->chunks];
        is_present[value->part[1]] = 1;
        for (int j = 0; j < length; j++)
            sum[j] += value->weight * row[j];
    }
    VERSION(gather)(is_present, b->present);
    b->selected = zero;
    for (int j = 0; j < length && !b->is_known[zero]; j++) {
        VERSION(ClueVector) any = {0};
        for (int row = 0; row < b->rows; row++)
            any |= ((const VERSION(ClueVector) *)b->by_row)[row * length + j];
        ((VERSION(ClueVector) *)b->any)[zero * length + j] = any;
    }
    for (int one = 0; one < b->ones && !b->is_known[zero]; one++) {
        uint64_t common = 0;
        for (int word = 0; word < 5; word++)
            common |= b->fits[one][word] & b->present[word];
        b->places[zero * b->ones + one] = common ? 0 : -1;
    }
    b->is_known[zero] = 1;
    return (uint64_t)(b->count / 4 + (kept + b->rows) * b->chunks);
}

/* Make the row of F of a band for a c0 and a c1; return its place, or 0 if the pool is used up. */
static int VERSION(make_row)(ClueBand *b, int zero, int one, uint64_t *steps)
{
    int rows = 0, length = b->chunks * VERSION(CLUE_VECTORS);
    uint16_t row[CLUE_PARTITIONS];
    if (b->used + 2 * b->chunks > CLUE_POOL) {
        *steps = CLUE_ENDLESS;
        return 0;
    }
    if (b->selected != zero)
        *steps += VERSION(select)(b, zero);
    for (int word = 0; word < 5; word++)
        for (uint64_t left = b->fits[one][word] & b->present[word]; left; left &= left - 1)
            row[rows++] = (uint16_t)((word * 64 + lowest64(left)) * length);
    for (int j = 0; j < length; j++) {
        const VERSION(ClueVector) *by_row = (const VERSION(ClueVector) *)b->by_row + j;
        VERSION(ClueVector) sum = by_row[row[0]];
        for (int i = 1; i < rows; i++)
            sum += by_row[row[i]];
        ((VERSION(ClueVector) *)&b->pool[b->used])[j] = sum;
    }
    *steps += (uint64_t)(rows * b->chunks);
    b->used += b->chunks;
    return b->used - b->chunks;
}

/* Find the y2 that fit a y0. */
static void VERSION(find_columns)(ClueWork *work, const ClueValue *zero, int twos)
{
    ClueColumns *columns = &work->columns;
    const uint16_t *any[CLUE_BOXES];
    int count = 0;
    for (int band = 0; band < CLUE_BOXES; band++)
        any[band] = (const uint16_t *)&work->bands[band].any[zero->part[band] * work->bands[band].chunks];
    for (int i = 0; i < twos; i++) {
        ClueValue value = work->values[2][i];
        for (int band = 0; band < CLUE_BOXES; band++)
            columns->part[band][count] = value.part[band];
        columns->weight[count] = value.weight;
        count += (any[0][value.part[0]] != 0) & (any[1][value.part[1]] != 0) & (any[2][value.part[2]] != 0);
    }
    columns->count = count;
    for (int i = count; i % CLUE_CHUNK; i++)
        columns->part[0][i] = columns->part[1][i] = columns->part[2][i] = columns->weight[i] = 0;
}

#if LEVEL >= X86_64_V4
/* Return the entries of a row at 32 places. */
static inline __m512i VERSION(pick)(const uint16_t *row, int chunks, __m512i places)
{
    if (chunks == 1)
        return _mm512_permutexvar_epi16(places, _mm512_load_si512(row));
    __m512i found = _mm512_permutex2var_epi16(_mm512_load_si512(row), places, _mm512_load_si512(row + CLUE_CHUNK));
    for (int i = 2; i < chunks; i += 2) {
        const uint16_t *next = row + i * CLUE_CHUNK;
        __mmask32 here = _mm512_cmpeq_epi16_mask(_mm512_srli_epi16(places, 6), _mm512_set1_epi16((short)(i / 2)));
        found = _mm512_mask_mov_epi16(found, here, _mm512_permutex2var_epi16(_mm512_load_si512(next), places,
                                                                             _mm512_load_si512(next + CLUE_CHUNK)));
    }
    return found;
}
#endif

/* Return the sum over the columns of the products of their entries and weights. */
static uint64_t VERSION(sum_columns)(const ClueWork *work, const uint16_t *const *row)
{
    const ClueColumns *columns = &work->columns;
    uint64_t sum = 0;
#if LEVEL >= X86_64_V4
    __m512i total = _mm512_setzero_si512(), excess = total, low = _mm512_set1_epi64(0xffffffff);
    for (int i = 0; i < columns->count; i += CLUE_CHUNK) {
        __m512i entry[CLUE_BOXES];
        for (int band = 0; band < CLUE_BOXES; band++)
            entry[band] =
                VERSION(pick)(row[band], work->bands[band].chunks, _mm512_load_si512(columns->part[band] + i));
        __m512i two = _mm512_mullo_epi16(entry[0], entry[1]);
        __m512i third = _mm512_mullo_epi16(entry[2], _mm512_load_si512(columns->weight + i));
        __m512i both = _mm512_madd_epi16(two, third); /* a third is at most 12 · 1,728 */
        excess = _mm512_or_si512(excess, _mm512_mulhi_epu16(entry[0], entry[1]));
        excess = _mm512_or_si512(excess, _mm512_srli_epi16(two, 15));
        total = _mm512_add_epi64(total, _mm512_add_epi64(_mm512_and_si512(both, low), _mm512_srli_epi64(both, 32)));
    }
    if (!_mm512_test_epi16_mask(excess, excess)) /* no product of two was above 32,767 */
        return (uint64_t)_mm512_reduce_add_epi64(total);
#endif
    for (int i = 0; i < columns->count; i++) {
        int one = row[1][columns->part[1][i]], two = row[2][columns->part[2][i]];
        __asm__("" : "+r"(one)); /* no vectors: with AVX2 they are filled entry by entry, in twice the time */
        sum += (uint64_t)(row[0][columns->part[0][i]] * columns->weight[i]) * (uint64_t)(one * two);
    }
    return sum;
}

/* Return the sum over the y1 and y2 that fit a y0. */
static unsigned __int128 VERSION(sum_first)(ClueWork *work, const ClueValue *zero, int ones, uint64_t *steps,
                                            uint64_t most)
{
    unsigned __int128 sum = 0;
    int *places[CLUE_BOXES], count = 0;
    for (int band = 0; band < CLUE_BOXES; band++)
        places[band] = &work->bands[band].places[zero->part[band] * work->bands[band].ones];
    for (int i = 0; i < ones; i++) {
        const uint16_t *part = work->values[1][i].part;
        work->lanes[count] = (uint16_t)i;
        count += (places[0][part[0]] | places[1][part[1]] | places[2][part[2]]) >= 0;
    }
    for (int i = 0; i < count && *steps < most; i++) {
        const ClueValue *one = &work->values[1][work->lanes[i]];
        const uint16_t *row[CLUE_BOXES];
        for (int band = 0; band < CLUE_BOXES; band++) {
            int *place = &places[band][one->part[band]];
            if (!*place)
                *place = VERSION(make_row)(&work->bands[band], zero->part[band], one->part[band], steps);
            row[band] = (const uint16_t *)&work->bands[band].pool[*place];
        }
        sum += (unsigned __int128)VERSION(sum_columns)(work, row) * one->weight;
        *steps += (uint64_t)(2 + work->columns.count / 8);
    }
    return sum;
}

static int64_t VERSION(sum)(const ClueBoard *board, ClueWork *work, uint64_t budget)
{
    static const ClueSet missing[1] = {{1}};
    double product[2] = {1, 1}, values[2] = {0, 0}; /* of the bands, of the stacks */
    for (int line = 0; line < CLUE_LINES; line++) {
        product[line >= CLUE_BOXES] *= work->lines[line].count;
        values[line >= CLUE_BOXES] += work->lines[line].count;
    }
    int turned = product[0] < product[1], stacks[CLUE_BOXES] = {0, 1, 2};
    const ClueLine *bands = &work->lines[turned ? CLUE_BOXES : 0], *lines = &work->lines[turned ? 0 : CLUE_BOXES];
    const ClueLine *y[CLUE_BOXES];
    uint64_t steps = 0, most = 4 * budget;
    unsigned __int128 total = 0;
    double predicted = CLUE_STEPS * __builtin_sqrt(product[!turned] * values[turned] * __builtin_sqrt(values[turned]));
    if (predicted > (double)budget)
        return CLUE_COSTLY;
    for (int i = 1; i < CLUE_BOXES; i++) /* the fewest values first */
        for (int j = i; j > 0 && lines[stacks[j]].count < lines[stacks[j - 1]].count; j--) {
            int stack = stacks[j];
            stacks[j] = stacks[j - 1], stacks[j - 1] = stack;
        }
    for (int i = 0; i < CLUE_BOXES; i++) {
        y[i] = &lines[stacks[i]];
        memcpy(work->values[i], y[i]->from, (size_t)y[i]->count * sizeof(ClueValue));
    }
    for (int band = 0; band < CLUE_BOXES; band++) {
        const ClueSet *across[CLUE_BOXES], *along = missing;
        for (int i = 0; i < CLUE_BOXES; i++) {
            int is_missing = band >= (turned ? board->height : board->width) ||
                             stacks[i] >= (turned ? board->width : board->height);
            across[i] = is_missing ? missing : board->table[!turned]->across;
            along = is_missing ? missing : board->table[turned]->across; /* of the last: y2 */
        }
        VERSION(set_up)(work, band, &bands[band], y, stacks, across, along);
    }
    for (int i = 0; i < y[0]->count; i++) {
        const ClueValue *zero = &work->values[0][i];
        for (int band = 0; band < CLUE_BOXES; band++)
            if (!work->bands[band].is_known[zero->part[band]])
                steps += VERSION(select)(&work->bands[band], zero->part[band]);
        VERSION(find_columns)(work, zero, y[2]->count);
        steps += (uint64_t)y[2]->count / 4;
        if (work->columns.count)
            total += VERSION(sum_first)(work, zero, y[1]->count, &steps, most) * zero->weight;
        if (steps >= most)
            return CLUE_COSTLY;
    }
    return total > INT64_MAX ? CLUE_COSTLY : (int64_t)total;
}

static const ClueFunctions VERSION(clue_functions) = {
    VERSION(prepare), VERSION(share), VERSION(find_network), VERSION(sum),
};
