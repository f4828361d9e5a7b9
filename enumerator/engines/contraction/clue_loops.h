/* The values of lines with and without a clue, the networks of them, and their sums. See clues.h.

   Compiled for each instruction set. */

/* A vector of the processor: compilers take wider ones apart entry by entry. */
#if LEVEL >= X86_64_V4
typedef ClueChunk VERSION(ClueVector);
#elif LEVEL >= X86_64_V3
typedef uint16_t VERSION(ClueVector) __attribute__((vector_size(32), may_alias));
#else
typedef uint16_t VERSION(ClueVector) __attribute__((vector_size(16), may_alias));
#endif
enum { VERSION(CLUE_VECTORS) = sizeof(ClueChunk) / sizeof(VERSION(ClueVector)) }; /* of a chunk */

/* Set the masks of a box of a line by the clues in it, but for the one in a cell. */
static void VERSION(set_masks)(const ClueBoard *board, int line, int box, int without, uint8_t *mask)
{
    int is_stack = line >= CLUE_BOXES, side = board->height * board->width;
    int band = is_stack ? box : line, stack = is_stack ? line - CLUE_BOXES : box;
    const ClueTable *table = board->table[is_stack];
    memset(mask, (1 << table->orders) - 1, CLUE_ROW);
    if (band >= board->width || stack >= board->height)
        return; /* a box that is missing has one partition, in any order */
    for (int i = 0; i < side; i++) {
        int row = i / board->width, column = i % board->width;
        int cell = (band * board->height + row) * side + stack * board->width + column, digit = board->cells[cell];
        if (!digit || cell == without)
            continue;
        const uint8_t *part = table->part_of[digit - 1];
        const uint8_t(*orders)[CLUE_BOXES] = table->orders_with;
        int at = is_stack ? column : row;
        uint8_t zero = orders[0][at], one = orders[1][at], two = orders[2][at];
        for (int p = 0; p < CLUE_ROW; p++)
            mask[p] &= part[p] == 0 ? zero : part[p] == 1 ? one : two;
    }
}

/* Find the changes of columns that turn each arrangement into one that a mask allows. */
static void VERSION(change_masks)(const ClueTable *table, const uint8_t *mask, uint8_t *changes)
{
    for (int p = 0; p < CLUE_ROW; p += (int)sizeof(ClueBytes)) {
        ClueBytes has_order[CLUE_ORDERS], all = *(const ClueBytes *)(mask + p);
        for (int order = 0; order < table->orders; order++)
            has_order[order] = (ClueBytes)((all & (uint8_t)(1 << order)) != 0);
        for (int order = 0; order < table->orders; order++) {
            ClueBytes found = {0};
            for (int change = 0; change < table->orders; change++)
                found |= has_order[table->changed[order][change]] & (uint8_t)(1 << change);
            *(ClueBytes *)(changes + order * CLUE_ROW + p) = found;
        }
    }
}

/* Find the values of a line whose arrangements the masks of its boxes allow; return their number. */
static int VERSION(find_values)(const ClueTable *table, const uint8_t *const masks[CLUE_BOXES], ClueValue *values)
{
    int order[CLUE_BOXES] = {0, 1, 2}, some[CLUE_BOXES], count = 0, each = table->each;
    for (int box = 0; box < CLUE_BOXES; box++) {
        some[box] = 0;
        for (int p = 0; p < table->partitions; p++)
            some[box] += masks[box][p] != 0;
        if (box >= table->boxes)
            some[box] = CLUE_PARTITIONS + 1; /* a box that is missing is never the first */
    }
    for (int i = 1; i < CLUE_BOXES; i++) /* the box with the fewest partitions is the first */
        for (int j = i; j > 0 && some[order[j]] < some[order[j - 1]]; j--) {
            int box = order[j];
            order[j] = order[j - 1], order[j - 1] = box;
        }
    const uint8_t *first_mask = masks[order[0]];
    uint8_t second_mask[CLUE_ORDERS * CLUE_ROW], third_mask[CLUE_ORDERS * CLUE_ROW];
    VERSION(change_masks)(table, masks[order[1]], second_mask);
    VERSION(change_masks)(table, masks[order[2]], third_mask);
    for (int first = 0; first < table->partitions; first++) {
        if (!first_mask[first])
            continue;
        const CluePair *pairs = table->pairs + first * each;
        uint16_t kept[64];
        unsigned mask = first_mask[first];
        int some_kept = 0, begin = count;
        for (int i = 0; i < each; i++) { /* without branches: they are hard to predict */
            kept[some_kept] = (uint16_t)i;
            some_kept += (mask & second_mask[pairs[i].second] & third_mask[pairs[i].third]) != 0;
        }
        for (int i = 0; i < some_kept; i++) {
            const CluePair *pair = &pairs[kept[i]];
            ClueValue *value = &values[count];
            uint16_t second = pair->second % CLUE_ROW;
            uint16_t weight = (uint16_t)popcount64(mask & second_mask[pair->second] & third_mask[pair->third]);
            if (second == first && count > begin && value[-1].part[order[1]] == first) {
                value[-1].weight += weight; /* three equal partitions can be put side by side in two ways */
                continue;
            }
            CHECK(count < CLUE_VALUES);
            value->part[order[0]] = (uint16_t)first;
            value->part[order[1]] = second;
            value->part[order[2]] = pair->third % CLUE_ROW;
            value->weight = weight;
            count++;
        }
    }
    return count;
}

/* Make a set of the places of bytes that are 1 and not 0. */
static void VERSION(gather)(const uint8_t *bytes, uint64_t *set)
{
    memset(set, 0, sizeof(ClueSet));
    for (int i = 0; i < 64 * 5 / 8; i++) {
        uint64_t eight;
        memcpy(&eight, bytes + 8 * i, 8);
        set[i / 8] |= (eight * 0x0102040810204080 >> 56) << i % 8 * 8; /* a bit of each byte */
    }
}

/* Find the partitions that the values of a line give to each box. */
static void VERSION(see)(ClueLine *line)
{
    uint8_t seen[CLUE_BOXES][64 * 5];
    memset(line->seen, 0, sizeof line->seen);
    if (line->count < 50) {
        for (int i = 0; i < line->count; i++)
            for (int box = 0; box < CLUE_BOXES; box++) {
                int part = line->from[i].part[box];
                line->seen[box][part >> 6] |= (uint64_t)1 << (part & 63);
            }
        return;
    }
    memset(seen, 0, sizeof seen);
    for (int i = 0; i < line->count; i++)
        for (int box = 0; box < CLUE_BOXES; box++)
            seen[box][line->from[i].part[box]] = 1;
    for (int box = 0; box < CLUE_BOXES; box++)
        VERSION(gather)(seen[box], line->seen[box]);
}

static void VERSION(prepare)(ClueBoard *board)
{
    for (int line = 0; line < CLUE_LINES; line++) {
        int is_stack = line >= CLUE_BOXES, number = line % CLUE_BOXES;
        ClueLine *one = &board->lines[line];
        const uint8_t *masks[CLUE_BOXES];
        for (int box = 0; box < CLUE_BOXES; box++) {
            VERSION(set_masks)(board, line, box, -1, board->masks[line][box]);
            masks[box] = board->masks[line][box];
        }
        one->from = one->room = board->values[line], one->count = 1, board->values[line][0] = (ClueValue){{0, 0, 0}, 1};
        if (number < (is_stack ? board->height : board->width))
            one->count = VERSION(find_values)(board->table[is_stack], masks, one->room);
        VERSION(see)(one);
    }
}

/* Find the partitions across that are compatible with one of a set; return 0 as soon as all in `wanted` are. */
static int VERSION(spread)(const ClueSet *across, const uint64_t *set, const uint64_t *wanted, uint64_t *found)
{
    ClueSet all = {0};
    for (int word = 0; word < 5; word++) {
        uint64_t missing = 0;
        for (uint64_t left = set[word]; left; left &= left - 1)
            for (int i = 0; i < CLUE_WORDS; i++)
                all[i] |= across[word * 64 + lowest64(left)][i];
        for (int i = 0; i < 5; i++)
            missing |= wanted[i] & ~all[i];
        if (!missing)
            return 0;
    }
    memcpy(found, all, sizeof all);
    return 1;
}

static inline int VERSION(has)(const uint64_t *set, int part) { return set[part >> 6] >> (part & 63) & 1; }

/* Drop the values whose partitions in a box are not in a set. */
static void VERSION(keep)(ClueLine *line, int box, const uint64_t *set)
{
    int count = 0;
    for (int i = 0; i < line->count; i++) { /* without branches: they are hard to predict */
        line->room[count] = line->from[i];
        count += VERSION(has)(set, line->from[i].part[box]);
    }
    line->from = line->room, line->count = count;
}

/* Drop the values of the lines in `which` that have no partner in a box that they share with a line in `which`,
   until all have one; return 0 if a line has none left. Lines in `known` have such partners among each other, and lines
   that are not have them in the lines in `known`. */
static int VERSION(drop)(const ClueBoard *board, ClueLine *lines, unsigned which, unsigned known)
{
    unsigned stale[CLUE_LINES]; /* bit i: the line across in box i has changed */
    for (int line = 0; line < CLUE_LINES; line++)
        stale[line] = ~(line < CLUE_BOXES ? known >> CLUE_BOXES : known) & 7;
    for (int again = 1; again;) {
        again = 0;
        for (int line = 0; line < CLUE_LINES; line++) {
            int is_stack = line >= CLUE_BOXES, number = line % CLUE_BOXES, lost = 0;
            ClueLine *one = &lines[line];
            ClueSet allowed;
            if (!(which >> line & 1) || !stale[line])
                continue;
            for (int box = 0; box < board->table[is_stack]->boxes; box++) {
                int other = is_stack ? box : CLUE_BOXES + box;
                if (!(which >> other & 1) || !(stale[line] >> box & 1))
                    continue;
                if (!VERSION(spread)(board->table[!is_stack]->across, lines[other].seen[number], one->seen[box], allowed))
                    continue;
                VERSION(keep)(one, box, allowed);
                lost = 1;
            }
            stale[line] = 0;
            if (!lost)
                continue;
            if (!one->count)
                return 0;
            VERSION(see)(one);
            again = 1;
            for (int box = 0; box < CLUE_BOXES; box++)
                stale[is_stack ? box : CLUE_BOXES + box] |= 1u << number;
        }
    }
    return 1;
}

/* The lines of a board of this shape that are not missing, but for those through a box. */
static unsigned VERSION(lines_beside)(const ClueBoard *board, int band, int stack)
{
    unsigned lines = ((1u << board->width) - 1) | ((1u << board->height) - 1) << CLUE_BOXES;
    return band < 0 ? lines : lines & ~(1u << band | 1u << (CLUE_BOXES + stack));
}

static void VERSION(share)(const ClueBoard *board, ClueWork *work, int band, int stack)
{
    for (int line = 0; line < CLUE_LINES; line++) {
        work->shared[line] = board->lines[line];
        work->shared[line].room = work->shared_room[line];
    }
    /* a line without values remains one: find_network sees it */
    VERSION(drop)(board, work->shared, VERSION(lines_beside)(board, band, stack), 0);
}

/* Find the values of a line through a box without the clue in a cell, so far as the shared lines allow them. */
static void VERSION(find_without)(const ClueBoard *board, ClueWork *work, int line, int box, int cell)
{
    int is_stack = line >= CLUE_BOXES, number = line % CLUE_BOXES;
    const ClueTable *table = board->table[is_stack];
    const uint8_t *masks[CLUE_BOXES];
    static const ClueSet every = {-1, -1, -1, -1, -1}; /* never all are found: bits above CLUE_PARTITIONS are not */
    for (int i = 0; i < CLUE_BOXES; i++) {
        masks[i] = work->masks[i];
        if (i == box) {
            VERSION(set_masks)(board, line, box, cell, work->masks[i]);
        } else if (i < table->boxes) {
            ClueSet allowed;
            const ClueLine *other = &work->shared[is_stack ? i : CLUE_BOXES + i];
            VERSION(spread)(board->table[!is_stack]->across, other->seen[number], every, allowed);
            for (int p = 0; p < CLUE_ROW; p++)
                work->masks[i][p] = VERSION(has)(allowed, p) ? board->masks[line][i][p] : 0;
        } else {
            masks[i] = board->masks[line][i];
        }
    }
    ClueLine *one = &work->lines[line];
    one->count = VERSION(find_values)(table, masks, one->room);
    one->from = one->room;
    VERSION(see)(one);
}

static int VERSION(find_network)(const ClueBoard *board, ClueWork *work, int cell)
{
    int side = board->height * board->width;
    for (int line = 0; line < CLUE_LINES; line++) {
        work->lines[line] = work->shared[line];
        work->lines[line].room = work->room[line];
    }
    int band = cell < 0 ? -1 : cell / side / board->height, stack = cell < 0 ? -1 : cell % side / board->width;
    if (cell >= 0) {
        VERSION(find_without)(board, work, band, stack, cell);
        VERSION(find_without)(board, work, CLUE_BOXES + stack, band, cell);
    }
    for (int line = 0; line < CLUE_LINES; line++)
        if (!work->lines[line].count)
            return 0;
    return VERSION(drop)(board, work->lines, VERSION(lines_beside)(board, -1, -1), VERSION(lines_beside)(board, band, stack));
}

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
        b->values[i] = (ClueValue){{part[stacks[0]], row_of[part[stacks[1]]], third_of[part[stacks[2]]]}, line->from[i].weight};
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
            entry[band] = VERSION(pick)(row[band], work->bands[band].chunks, _mm512_load_si512(columns->part[band] + i));
        __m512i two = _mm512_mullo_epi16(entry[0], entry[1]);
        __m512i third = _mm512_mullo_epi16(entry[2], _mm512_load_si512(columns->weight + i));
        __m512i both = _mm512_madd_epi16(two, third); /* a third is at most 12 · 1,728 */
        excess = _mm512_or_si512(excess, _mm512_or_si512(_mm512_mulhi_epu16(entry[0], entry[1]), _mm512_srli_epi16(two, 15)));
        total = _mm512_add_epi64(total, _mm512_add_epi64(_mm512_and_si512(both, low), _mm512_srli_epi64(both, 32)));
    }
    if (!_mm512_test_epi16_mask(excess, excess)) /* no product of two was above 32,767 */
        return (uint64_t)_mm512_reduce_add_epi64(total);
#endif
    for (int i = 0; i < columns->count; i++) {
        int one = row[1][columns->part[1][i]], two = row[2][columns->part[2][i]];
        __asm__("" : "+r"(one)); /* no vectors: with AVX2 they are put together entry by entry, and take twice as long */
        sum += (uint64_t)(row[0][columns->part[0][i]] * columns->weight[i]) * (uint64_t)(one * two);
    }
    return sum;
}

/* Return the sum over the y1 and y2 that fit a y0. */
static unsigned __int128 VERSION(sum_first)(ClueWork *work, const ClueValue *zero, int ones, uint64_t *steps, uint64_t most)
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
    if (CLUE_STEPS * __builtin_sqrt(product[!turned] * values[turned] * __builtin_sqrt(values[turned])) > (double)budget)
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
