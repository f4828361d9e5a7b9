/* The rules for boards of every shape: sets of digits and sets of places, and a trail.
 *
 * Each candidate, a digit in a cell, is a bit in four sets: one of the cell and three of the digit.
 * A set is one 64-bit word.
 *
 *     candidates[cell]        the digits that may stand in the cell
 *     places[row + digit]     the cells of the row where the digit may stand, by their order in it
 *     places[column + digit]  … of the column
 *     places[box + digit]     … of the box
 *
 *     4×4, digit 2 (bit 1) removed from cell 6:
 *
 *         row 0   . . | . .      candidates[6]               1110  ->  1100
 *         row 1   . . | x .      places[row 1 + digit]       1111  ->  1011   cell 6 is bit 2 of its row,
 *                 ----+----      places[column 2 + digit]    1111  ->  1101   bit 1 of its column,
 *         row 2   . . | . .      places[box 1 + digit]       1111  ->  1011   bit 2 of its box
 *         row 3   . . | . .
 *
 * A set left with one bit is a single: naked for a cell, hidden for a unit. A set left without is a
 * contradiction. Both are found when the bit is cleared, and no unit is searched for them. So a
 * node takes time for what it changes, whatever the size of the board.
 *
 *     trail      | at the parent: all examined |  removed, examined  |  removed, not yet  |
 *                0                             level.changes         examined             changes
 *
 *     order      |     clues     |  placed in the order of conclusions  |      unused     |
 *                0                                                      placed            cells
 *
 *     queue      |  placed, or skipped because the cell had its digit   |   singles to place    |
 *                0                                                      head                    tail
 *
 * The trail lists the candidates removed. It serves two purposes: backtracking puts them back, and
 * the rules beyond singles examine only units that have lost one. Players know the rules as
 *
 *     locked candidates    a digit confined to one line of a box is removed from the rest of the line,
 *                          and a digit confined to one box of a line from the rest of the box
 *     naked pairs          two digits that are the only candidates of two cells of a unit are
 *                          removed from its other cells
 *
 * Terms
 *     unit       a row, column or box; its first cell's index among the places is unit * size
 *     candidate  packed into a number: cell << 6 | digit, with digits from 0
 *     open       a cell without a digit
 *
 * Bounds: a path removes each candidate once, so the trail holds at most size³. A set becomes a
 * single once, so the queue holds at most 4 size² and the digit tried.
 *
 * Shares no rule with nine_rules.h: each of the two walks tests the other. Does not depend on Python.
 */
#ifndef ENUMERATOR_GENERAL_RULES_H
#define ENUMERATOR_GENERAL_RULES_H

#include "machine.h"

enum { ROW, COLUMN, BOX, CELL, NONE }; /* the kinds of sets */

typedef struct {
    uint64_t mask[3];  /* its bit in the sets of its row, column and box */
    uint16_t first[3]; /* the index of its row, column and box among the places */
    uint8_t unit[3];   /* the number of its row, column and box among the units */
    uint8_t bit[3];    /* the number of the bit in `mask` */
} GeneralSite;         /* of a cell */

typedef struct {
    int height, width, size, cells;
    uint64_t line_part[2][64]; /* of a row or column, for each bit: the bits in the same box */
    uint64_t box_part[2][64];  /* of a box, for each bit: the bits in the same row or column */
    GeneralSite *sites;
    uint16_t *members; /* the cells of all units, in the order of bits */
} GeneralShape;

typedef struct {
    const GeneralShape *shape;
    int rules_above;          /* locked candidates and naked pairs where more cells are open */
    int placed, head, tail;   /* of `order` and `queue` */
    int changes, examined;    /* of `trail` */
    uint64_t *candidates, *places;
    uint64_t *open;           /* the cells that are open, 64 in a word */
    uint32_t *trail, *queue, *order;
    uint8_t *digits;          /* of the cells in `order`, from 1 */
} GeneralState;

static inline uint64_t bit64(int i) { return (uint64_t)1 << i; }

/* Return a set of `count` bits, 1 to 64. */
static inline uint64_t all64(int count) { return ~(uint64_t)0 >> (64 - count); }

static inline int general_open(const GeneralState *s) { return s->shape->cells - s->placed; }

static inline uint32_t *general_queue(const GeneralState *s, int i)
{
    CHECK(i >= 0 && i <= 4 * s->shape->cells);
    return &s->queue[i];
}

/* Remove a candidate; return 0 at a contradiction. A single in its set of this `kind` is not queued:
 * it is being placed. */
static inline __attribute__((always_inline)) int general_remove(GeneralState *s, int cell, int digit, int kind)
{
    const GeneralSite *site = &s->shape->sites[cell];
    CHECK(s->changes < s->shape->cells * s->shape->size && s->candidates[cell] & bit64(digit));
    s->trail[s->changes++] = cell << 6 | digit;
    uint64_t left = s->candidates[cell] &= ~bit64(digit);
    if (kind != CELL && !(left & (left - 1))) {
        if (!left)
            return 0;
        *general_queue(s, s->tail++) = cell << 6 | lowest64(left);
    }
    for (int each = ROW; each <= BOX; each++) {
        left = s->places[site->first[each] + digit] &= ~site->mask[each];
        if (each != kind && !(left & (left - 1))) {
            if (!left)
                return 0;
            *general_queue(s, s->tail++) = s->shape->members[site->first[each] + lowest64(left)] << 6 | digit;
        }
    }
    return 1;
}

/* Remove a digit from some cells of a unit; return 0 at a contradiction. */
static inline __attribute__((always_inline)) int general_remove_all(GeneralState *s, int first, uint64_t bits,
                                                                    int digit, int kind)
{
    for (; bits; bits &= bits - 1)
        if (!general_remove(s, s->shape->members[first + lowest64(bits)], digit, kind))
            return 0;
    return 1;
}

/* Place a digit: remove the other candidates of the cell, and the digit from its peers. Return 0 at
 * a contradiction. */
static inline int general_place(GeneralState *s, int cell, int digit)
{
    const GeneralSite *site = &s->shape->sites[cell];
    s->open[cell >> 6] &= ~bit64(cell & 63);
    s->order[s->placed++] = cell << 6 | digit;
    s->digits[cell] = digit + 1;
    for (uint64_t left = s->candidates[cell] & ~bit64(digit); left; left &= left - 1)
        if (!general_remove(s, cell, lowest64(left), CELL))
            return 0;
    const uint64_t *places = s->places + digit;
    int row = site->first[ROW], column = site->first[COLUMN], box = site->first[BOX];
    return general_remove_all(s, row, places[row] & ~site->mask[ROW], digit, ROW) &&
           general_remove_all(s, column, places[column] & ~site->mask[COLUMN], digit, COLUMN) &&
           general_remove_all(s, box, places[box] & ~site->mask[BOX], digit, BOX);
}

/* Apply the rule of locked candidates to a digit in a unit; return 0 at a contradiction. */
static inline int general_locked(GeneralState *s, int kind, int first, int digit)
{
    const GeneralShape *shape = s->shape;
    uint64_t places = s->places[first + digit], rest;
    int bit = lowest64(places);
    const GeneralSite *site = &shape->sites[shape->members[first + bit]]; /* one of the places */
    if (kind != BOX) {
        if (places & ~shape->line_part[kind][bit])
            return 1;
        rest = s->places[site->first[BOX] + digit] & ~shape->box_part[kind][site->bit[BOX]];
        return general_remove_all(s, site->first[BOX], rest, digit, NONE);
    }
    for (int line = ROW; line <= COLUMN; line++) {
        if (places & ~shape->box_part[line][bit])
            continue;
        rest = s->places[site->first[line] + digit] & ~shape->line_part[line][site->bit[line]];
        if (!general_remove_all(s, site->first[line], rest, digit, NONE))
            return 0;
    }
    return 1;
}

/* Apply the rule of naked pairs to a cell, if it has two candidates; return 0 at a contradiction. */
static int general_pair(GeneralState *s, int cell)
{
    const GeneralSite *site = &s->shape->sites[cell];
    uint64_t pair = s->candidates[cell];
    if (popcount64(pair) != 2)
        return 1;
    int one = lowest64(pair), two = lowest64(pair & (pair - 1));
    for (int kind = ROW; kind <= BOX; kind++) {
        int first = site->first[kind];
        const uint64_t *places = s->places + first;
        for (uint64_t both = places[one] & places[two] & ~site->mask[kind]; both; both &= both - 1) {
            if (s->candidates[s->shape->members[first + lowest64(both)]] != pair)
                continue;
            uint64_t others = ~(site->mask[kind] | (both & -both));
            if (!general_remove_all(s, first, places[one] & others, one, NONE) ||
                !general_remove_all(s, first, places[two] & others, two, NONE))
                return 0;
            break;
        }
    }
    return 1;
}

/* Place all singles and, where many cells are open, examine all changes; return 0 at a
 * contradiction. */
static __attribute__((noinline)) int general_propagate(GeneralState *s)
{
    for (;;) {
        while (s->head < s->tail) {
            uint32_t single = *general_queue(s, s->head++);
            int cell = single >> 6;
            if (s->open[cell >> 6] >> (cell & 63) & 1 && !general_place(s, cell, single & 63))
                return 0;
        }
        if (s->examined == s->changes || general_open(s) <= s->rules_above)
            return 1;
        int cell = s->trail[s->examined] >> 6, digit = s->trail[s->examined] & 63;
        s->examined++;
        for (int kind = ROW; kind <= BOX; kind++)
            if (!general_locked(s, kind, s->shape->sites[cell].first[kind], digit))
                return 0;
        if (!general_pair(s, cell))
            return 0;
    }
}

/* Put back the candidates removed since there were `changes`, and open the cells filled since there
 * were `placed`. */
static inline void general_undo(GeneralState *s, int changes, int placed)
{
    while (s->changes > changes) {
        s->changes--;
        int cell = s->trail[s->changes] >> 6, digit = s->trail[s->changes] & 63;
        const GeneralSite *site = &s->shape->sites[cell];
        s->candidates[cell] |= bit64(digit);
        for (int kind = ROW; kind <= BOX; kind++)
            s->places[site->first[kind] + digit] |= site->mask[kind];
    }
    while (s->placed > placed) {
        int cell = s->order[--s->placed] >> 6;
        s->open[cell >> 6] |= bit64(cell & 63);
    }
    s->examined = changes;
    s->head = s->tail = 0;
}

/* Fill in a board: the candidates that its clues leave, and which cells are open. Return 0 if there
 * are two equal clues in a unit, or a cell without candidates. `allowed` is NULL if every cell allows
 * every digit. */
static int general_read(GeneralState *s, const uint8_t *cells, const uint64_t *allowed)
{
    const GeneralShape *shape = s->shape;
    const GeneralSite *site = shape->sites;
    uint64_t used[3 * 64]; /* the clues of each unit */
    memset(used, 0, 3 * shape->size * sizeof *used);
    memset(s->open, 0, (shape->cells + 63) / 64 * sizeof *s->open);
    s->placed = s->head = s->tail = s->changes = s->examined = 0;
    for (int cell = 0; cell < shape->cells; cell++, site++) {
        if (!cells[cell]) {
            s->open[cell >> 6] |= bit64(cell & 63);
            continue;
        }
        uint64_t *row = &used[site->unit[ROW]], *column = &used[site->unit[COLUMN]], *box = &used[site->unit[BOX]];
        uint64_t digit = bit64(cells[cell] - 1);
        if ((*row | *column | *box) & digit || (allowed && !(allowed[cell] & digit)))
            return 0;
        *row |= digit, *column |= digit, *box |= digit;
        s->candidates[cell] = digit;
        s->digits[cell] = cells[cell];
        s->order[s->placed++] = cell << 6 | (cells[cell] - 1);
    }
    for (int word = 0; word < (shape->cells + 63) / 64; word++)
        for (uint64_t left = s->open[word]; left; left &= left - 1) {
            int cell = word << 6 | lowest64(left);
            site = &shape->sites[cell];
            uint64_t digits = all64(shape->size) &
                              ~(used[site->unit[ROW]] | used[site->unit[COLUMN]] | used[site->unit[BOX]]);
            s->candidates[cell] = allowed ? digits & allowed[cell] : digits;
            if (!s->candidates[cell])
                return 0;
        }
    return 1;
}

/* Find the places of all digits, and apply all rules; return 0 at a contradiction. */
static int general_begin(GeneralState *s)
{
    const GeneralShape *shape = s->shape;
    int size = shape->size, cells = shape->cells;
    uint64_t all = all64(size), total = 0;
    for (int cell = 0; cell < cells; cell++)
        total += popcount64(s->candidates[cell]);
    /* bits are set one by one; on a board with few clues, those that are no candidates are cleared */
    uint64_t inverted = 2 * total > (uint64_t)cells * size ? all : 0;
    for (int i = 0; i < 3 * cells; i++)
        s->places[i] = inverted;
    for (int cell = 0; cell < cells; cell++) {
        const GeneralSite *site = &shape->sites[cell];
        uint64_t candidates = s->candidates[cell];
        if (!(candidates & (candidates - 1)))
            *general_queue(s, s->tail++) = cell << 6 | lowest64(candidates);
        for (uint64_t left = candidates ^ inverted; left; left &= left - 1)
            for (int kind = ROW; kind <= BOX; kind++)
                s->places[site->first[kind] + lowest64(left)] ^= site->mask[kind];
    }
    for (int first = 0; first < 3 * cells; first += size)
        for (int digit = 0; digit < size; digit++) {
            uint64_t places = s->places[first + digit];
            if (!places)
                return 0;
            if (!(places & (places - 1)))
                *general_queue(s, s->tail++) = shape->members[first + lowest64(places)] << 6 | digit;
        }
    if (!general_propagate(s))
        return 0;
    if (general_open(s) <= s->rules_above)
        return 1;
    for (int unit = 0; unit < 3 * size; unit++)
        for (int digit = 0, kind = unit / size; digit < size; digit++)
            if (s->places[unit * size + digit] != all && !general_locked(s, kind, unit * size, digit))
                return 0;
    for (int cell = 0; cell < cells; cell++)
        if (!general_pair(s, cell))
            return 0;
    return general_propagate(s);
}

#endif
