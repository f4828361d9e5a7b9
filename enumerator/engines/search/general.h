/* The walk over boards of every shape, by sets that are kept in two ways.
 *
 * Each cell has the set of its candidates; each digit has, in each row, column and box, the set of
 * its places. A candidate removed is a bit cleared in four words. A word that is left with one bit
 * is a single, naked or hidden; one without is a contradiction. So a node costs as much as it
 * changes, however large the board is. The trail lists the candidates removed, to put them back.
 *
 * Shares no rule with nine.h. Does not depend on Python.
 */
#ifndef ENUMERATOR_GENERAL_H
#define ENUMERATOR_GENERAL_H

#include "machine.h"

enum { ROW, COLUMN, BOX, CELL };

#ifndef RULES_ABOVE
#define RULES_ABOVE 40
#endif

typedef struct {
    uint16_t first[3]; /* the index of its row, column and box among the places: unit * size */
    uint8_t bit[3];    /* its position there */
} GeneralSite;

typedef struct {
    uint64_t untried;
    int branches, cell, changes, placed;
} GeneralLevel;

typedef struct {
    int height, width, size, cells;
    int rules_above;
    int depth;
    int placed;
    int changes, examined;
    int head, tail;
    uint64_t *candidates;
    uint64_t *places;
    uint64_t *open;
    uint64_t line_part[2][64], box_part[2][64];
    GeneralSite *sites;
    uint16_t *members;
    uint32_t *trail;
    uint32_t *queue;
    uint16_t *order;
    uint8_t *digits;
    GeneralLevel *stack;
} GeneralWalk;

static inline uint64_t bit64(int i) { return (uint64_t)1 << i; }

static inline uint64_t all64(int n) { return ~(uint64_t)0 >> (64 - n); }

static size_t general_carve(GeneralWalk *w, char *block)
{
    size_t used = 0, cells = w->cells, size = w->size;
#define CARVE(field, count) \
    (w->field = (void *)(block + used), used += ((count) * sizeof *w->field + 63) / 64 * 64)
    CARVE(candidates, cells);
    CARVE(places, 3 * cells);
    CARVE(open, (cells + 63) / 64);
    CARVE(sites, cells);
    CARVE(members, 3 * cells);
    CARVE(queue, 4 * cells + 1);
    CARVE(order, cells);
    CARVE(digits, cells);
    CARVE(stack, cells + 1);
    CARVE(trail, cells * size);
#undef CARVE
    return used;
}

static GeneralWalk *general_new(int height, int width, int rules_above)
{
    GeneralWalk shape = {.height = height, .width = width, .size = height * width, .rules_above = rules_above};
    shape.cells = shape.size * shape.size;
    size_t need = general_carve(&shape, NULL);
    GeneralWalk *w = malloc(sizeof *w + need + 64);
    if (!w)
        return NULL;
    *w = shape;
    general_carve(w, (char *)(w + 1));
    int size = w->size;
    for (int row = 0, cell = 0; row < size; row++)
        for (int column = 0; column < size; column++, cell++) {
            int box = row / height * height + column / width;
            GeneralSite *s = &w->sites[cell];
            *s = (GeneralSite){{row * size, (size + column) * size, (2 * size + box) * size},
                               {column, row, row % height * width + column % width}};
            for (int kind = ROW; kind <= BOX; kind++)
                w->members[s->first[kind] + s->bit[kind]] = cell;
        }
    uint64_t in_column = 0;
    for (int i = 0; i < height; i++)
        in_column |= bit64(i * width);
    for (int i = 0; i < size; i++) {
        w->line_part[ROW][i] = all64(width) << i / width * width;
        w->line_part[COLUMN][i] = all64(height) << i / height * height;
        w->box_part[ROW][i] = all64(width) << i / width * width;
        w->box_part[COLUMN][i] = in_column << i % width;
    }
    return w;
}

static inline void general_enqueue(GeneralWalk *w, int cell, int digit)
{
    CHECK(w->tail <= 4 * w->cells);
    w->queue[w->tail++] = cell << 6 | digit;
}

static inline __attribute__((always_inline)) int general_remove(GeneralWalk *w, int cell, int digit, int certain)
{
    const GeneralSite *s = &w->sites[cell];
    CHECK(w->changes < w->cells * w->size);
    w->trail[w->changes++] = cell << 6 | digit;
    uint64_t left = w->candidates[cell] &= ~bit64(digit);
    if (certain != CELL && !(left & (left - 1))) {
        if (!left)
            return 0;
        general_enqueue(w, cell, lowest64(left));
    }
    for (int kind = ROW; kind <= BOX; kind++) {
        left = w->places[s->first[kind] + digit] &= ~bit64(s->bit[kind]);
        if (certain != kind && !(left & (left - 1))) {
            if (!left)
                return 0;
            general_enqueue(w, w->members[s->first[kind] + lowest64(left)], digit);
        }
    }
    return 1;
}

static inline int general_place(GeneralWalk *w, int cell, int digit)
{
    const GeneralSite *s = &w->sites[cell];
    w->open[cell >> 6] &= ~bit64(cell & 63);
    w->order[w->placed++] = cell;
    w->digits[cell] = digit + 1;
    for (uint64_t left = w->candidates[cell] & ~bit64(digit); left; left &= left - 1)
        if (!general_remove(w, cell, lowest64(left), CELL))
            return 0;
#define REMOVE_FROM(kind) \
    for (uint64_t left = w->places[s->first[kind] + digit] & ~bit64(s->bit[kind]); left; left &= left - 1) \
        if (!general_remove(w, w->members[s->first[kind] + lowest64(left)], digit, kind)) \
            return 0;
    REMOVE_FROM(ROW)
    REMOVE_FROM(COLUMN)
    REMOVE_FROM(BOX)
    return 1;
}

static int general_remove_all(GeneralWalk *w, int first, uint64_t places, int digit)
{
    for (; places; places &= places - 1)
        if (!general_remove(w, w->members[first + lowest64(places)], digit, -1))
            return 0;
    return 1;
}

/* locked candidates */
static inline int general_examine(GeneralWalk *w, int first, int kind, int digit)
{
    uint64_t places = w->places[first + digit];
    int i = lowest64(places);
    const GeneralSite *s = &w->sites[w->members[first + i]];
    if (kind != BOX) {
        if (places & ~w->line_part[kind][i])
            return 1;
        return general_remove_all(w, s->first[BOX], w->places[s->first[BOX] + digit] & ~w->box_part[kind][s->bit[BOX]],
                                  digit);
    }
    for (int line = ROW; line <= COLUMN; line++)
        if (!(places & ~w->box_part[line][i]) &&
            !general_remove_all(w, s->first[line],
                                w->places[s->first[line] + digit] & ~w->line_part[line][s->bit[line]], digit))
            return 0;
    return 1;
}

/* naked pairs */
static int general_pair(GeneralWalk *w, int cell)
{
    uint64_t pair = w->candidates[cell];
    const GeneralSite *s = &w->sites[cell];
    int a = lowest64(pair), b = 63 - __builtin_clzll(pair);
    for (int kind = ROW; kind <= BOX; kind++) {
        const uint64_t *places = w->places + s->first[kind];
        for (uint64_t both = places[a] & places[b] & ~bit64(s->bit[kind]); both; both &= both - 1) {
            int other = lowest64(both);
            if (w->candidates[w->members[s->first[kind] + other]] != pair)
                continue;
            uint64_t rest = ~(bit64(other) | bit64(s->bit[kind]));
            if (!general_remove_all(w, s->first[kind], places[a] & rest, a) ||
                !general_remove_all(w, s->first[kind], places[b] & rest, b))
                return 0;
            break;
        }
    }
    return 1;
}

static __attribute__((noinline)) int general_propagate(GeneralWalk *w)
{
    for (;;) {
        while (w->head < w->tail) {
            uint32_t next = w->queue[w->head++];
            int cell = next >> 6;
            if (w->open[cell >> 6] >> (cell & 63) & 1 && !general_place(w, cell, next & 63))
                return 0;
        }
        if (w->cells - w->placed <= w->rules_above || w->examined == w->changes)
            return 1;
        uint32_t change = w->trail[w->examined++];
        int cell = change >> 6, digit = change & 63;
        const GeneralSite *s = &w->sites[cell];
        for (int kind = ROW; kind <= BOX; kind++)
            if (!general_examine(w, s->first[kind], kind, digit))
                return 0;
        if (popcount64(w->candidates[cell]) == 2 && !general_pair(w, cell))
            return 0;
    }
}

static void general_choose(GeneralWalk *w)
{
    GeneralLevel *level = &w->stack[w->depth];
    int best = 0, fewest = 65;
    for (int i = 0; i < (w->cells + 63) / 64; i++)
        for (uint64_t left = w->open[i]; left; left &= left - 1) {
            int cell = i << 6 | lowest64(left), count = popcount64(w->candidates[cell]);
            if (count < fewest) {
                fewest = count, best = cell;
                if (count == 2)
                    goto found;
            }
        }
found:
    level->cell = best;
    level->untried = w->candidates[best];
    level->branches = popcount64(level->untried);
    level->changes = w->changes;
    level->placed = w->placed;
}

static inline void general_undo(GeneralWalk *w, const GeneralLevel *level)
{
    while (w->changes > level->changes) {
        uint32_t change = w->trail[--w->changes];
        int cell = change >> 6, digit = change & 63;
        const GeneralSite *s = &w->sites[cell];
        w->candidates[cell] |= bit64(digit);
        for (int kind = ROW; kind <= BOX; kind++)
            w->places[s->first[kind] + digit] |= bit64(s->bit[kind]);
    }
    while (w->placed > level->placed) {
        int cell = w->order[--w->placed];
        w->open[cell >> 6] |= bit64(cell & 63);
    }
    w->examined = w->changes;
    w->head = w->tail = 0;
}

/* Fill in the board; return 0 if it contradicts. */
static int general_begin(GeneralWalk *w, const uint8_t *cells, const uint64_t *allowed)
{
    int size = w->size;
    uint64_t used[3 * 64] = {0}, full = all64(size);
    w->placed = w->changes = w->examined = w->head = w->tail = 0;
    memset(w->places, 0, 3 * w->cells * sizeof *w->places);
    memset(w->open, 0, (w->cells + 63) / 64 * sizeof *w->open);
    for (int row = 0, cell = 0; row < size; row++)
        for (int column = 0; column < size; column++, cell++)
            if (cells[cell]) {
                int box = 2 * size + row / w->height * w->height + column / w->width;
                uint64_t digit = bit64(cells[cell] - 1);
                if ((used[row] | used[size + column] | used[box]) & digit || (allowed && !(allowed[cell] & digit)))
                    return 0;
                used[row] |= digit, used[size + column] |= digit, used[box] |= digit;
            }
    for (int row = 0, cell = 0; row < size; row++)
        for (int column = 0; column < size; column++, cell++) {
            const GeneralSite *s = &w->sites[cell];
            uint64_t digits;
            if (cells[cell]) {
                w->order[w->placed++] = cell;
                w->digits[cell] = cells[cell];
                digits = bit64(cells[cell] - 1);
            } else {
                int box = 2 * size + row / w->height * w->height + column / w->width;
                digits = full & ~(used[row] | used[size + column] | used[box]);
                if (allowed)
                    digits &= allowed[cell];
                if (!digits)
                    return 0;
                w->open[cell >> 6] |= bit64(cell & 63);
                if (!(digits & (digits - 1)))
                    general_enqueue(w, cell, lowest64(digits));
            }
            w->candidates[cell] = digits;
            for (; digits; digits &= digits - 1)
                for (int kind = ROW; kind <= BOX; kind++)
                    w->places[s->first[kind] + lowest64(digits)] |= bit64(s->bit[kind]);
        }
    for (int first = 0; first < 3 * w->cells; first += size)
        for (int digit = 0; digit < size; digit++) {
            uint64_t places = w->places[first + digit];
            if (!places)
                return 0;
            if (!(places & (places - 1)))
                general_enqueue(w, w->members[first + lowest64(places)], digit);
        }
    if (!general_propagate(w))
        return 0;
    if (w->cells - w->placed > w->rules_above) {
        for (int first = 0; first < 3 * w->cells; first += size)
            for (int digit = 0; digit < size; digit++)
                if (!general_examine(w, first, first / w->cells, digit))
                    return 0;
        for (int cell = 0; cell < w->cells; cell++)
            if (popcount64(w->candidates[cell]) == 2 && !general_pair(w, cell))
                return 0;
    }
    return general_propagate(w);
}

static void general_start(GeneralWalk *w, const uint8_t *cells, const uint64_t *allowed)
{
    w->depth = 0;
    if (general_begin(w, cells, allowed))
        general_choose(w);
    else
        w->depth = -1;
}

static void general_write(const GeneralWalk *w, int placed, uint8_t *out)
{
    if (placed == w->cells) {
        memcpy(out, w->digits, w->cells);
        return;
    }
    memset(out, 0, w->cells);
    for (int i = 0; i < placed; i++)
        out[w->order[i]] = w->digits[w->order[i]];
}

static __attribute__((noinline)) uint64_t general_run(GeneralWalk *w, uint64_t *nodes, uint64_t limit, uint8_t *out, int floor)
{
    uint64_t found = 0, left = *nodes;
    while (w->depth >= floor && found < limit) {
        GeneralLevel *level = &w->stack[w->depth];
        if (!level->untried) {
            w->depth--;
            continue;
        }
        if (!left)
            break;
        left--;
        general_undo(w, level);
        general_enqueue(w, level->cell, lowest64(level->untried));
        level->untried &= level->untried - 1;
        if (!general_propagate(w))
            continue;
        if (w->placed == w->cells) {
            if (out)
                general_write(w, w->cells, out + found * w->cells);
            found++;
        } else {
            w->depth++;
            general_choose(w);
        }
    }
    while (w->depth >= 0 && !w->stack[w->depth].untried)
        w->depth--;
    *nodes = left;
    return found;
}

static int general_floor_for(const GeneralWalk *w, double part)
{
    double share = 1, visited = 0;
    for (int depth = 0; depth <= w->depth; depth++) {
        const GeneralLevel *level = &w->stack[depth];
        share /= level->branches;
        visited += share * (level->branches - popcount64(level->untried) - (depth < w->depth));
    }
    int depth = 0;
    for (share = 1; depth <= w->depth && share > part * visited; depth++)
        share /= w->stack[depth].branches;
    return depth;
}

static uint64_t general_rest(const GeneralWalk *w, uint8_t *out, double *shares)
{
    uint64_t boards = 0;
    double share = 1;
    for (int depth = 0; depth <= w->depth; depth++)
        share /= w->stack[depth].branches;
    for (int depth = w->depth; depth >= 0; depth--) {
        const GeneralLevel *level = &w->stack[depth];
        for (uint64_t left = level->untried; left; left &= left - 1, boards++) {
            if (shares)
                shares[boards] = share;
            if (out) {
                general_write(w, level->placed, out + boards * w->cells);
                out[boards * w->cells + level->cell] = lowest64(left) + 1;
            }
        }
        share *= level->branches;
    }
    return boards;
}

static void general_write_top(const GeneralWalk *w, uint8_t *out) { general_write(w, w->placed, out); }

static int general_open_cells(const GeneralWalk *w) { return w->cells - w->placed; }

static __attribute__((noinline, cold)) double general_keep_one(GeneralWalk *w, uint64_t random, int *branches)
{
    GeneralLevel *level = &w->stack[w->depth];
    const GeneralSite *s = &w->sites[level->cell];
    double odds[64], probability;
    *branches = 0;
    for (uint64_t left = level->untried; left; left &= left - 1) {
        const uint64_t *places = w->places + lowest64(left);
        odds[(*branches)++] = digit_odds(popcount64(places[s->first[ROW]]), popcount64(places[s->first[COLUMN]]),
                                         popcount64(places[s->first[BOX]]));
    }
    for (int skipped = choose(odds, *branches, random, &probability); skipped; skipped--)
        level->untried &= level->untried - 1;
    level->untried &= -level->untried;
    return probability;
}

#endif
