/* The values of lines with and without a clue, and those that are left in a network. See clues.h.

   Compiled for each instruction set. */

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
                const ClueSet *across = board->table[!is_stack]->across;
                if (!VERSION(spread)(across, lines[other].seen[number], one->seen[box], allowed))
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
    unsigned all = VERSION(lines_beside)(board, -1, -1), known = VERSION(lines_beside)(board, band, stack);
    return VERSION(drop)(board, work->lines, all, known);
}
