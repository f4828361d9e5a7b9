/* The walk over boards of every shape: a stack of levels, the cell to branch on, boards in and out.
 *
 *     stack      |  levels with many open cells   |  at most 64 open, and `rules_above`   |
 *                0                                leaf                                    depth
 *                   one state, and a trail           a frame each
 *                   general_rules.h                  general_leaves.h
 *
 * Terms
 *     level      the cell that is branched on, and the digits not yet tried there
 *     node       a digit tried, and the conclusions drawn from it
 *     share      of a branch in the tree: the product of 1 / branches over the levels from the root
 *
 * Sources
 *     Golomb and Baumert, "Backtrack programming", J. ACM 12 (1965): branch on the fewest choices.
 *     Knuth, "Dancing links" (2000): sets of choices and sets of places are one thing, exact cover.
 */
#ifndef ENUMERATOR_GENERAL_H
#define ENUMERATOR_GENERAL_H

#include "general_leaves.h"
#include "choose.h"

enum {
    /* Locked candidates and naked pairs are looked for where more cells than this are open. With
     * fewer, and at most LEAF_CELLS, the walk near the leaves takes over: it has naked singles only.
     * Seconds (nodes), least of several:
     *
     *     open cells >                 10              26              40              50              64
     *     published 1d                 0.51 (2.1 M)    0.22 (2.2 M)    0.17 (2.4 M)    0.18 (2.4 M)    0.25 (2.8 M)
     *     boards/16x16-many            0.045 (66 k)    0.041 (66 k)    0.039 (68 k)    0.037 (73 k)    0.035 (90 k)
     *     16×16, 99,573 solutions      0.39 (388 k)    0.37 (388 k)    0.36 (390 k)    0.36 (396 k)    0.35 (442 k)
     */
    RULES_ABOVE = 40,
};

typedef struct {
    uint64_t untried;
    int branches; /* the number of digits there were to try */
    int cell;     /* of the board; in a level near the leaves, `leaf_cell` is its number there */
    int leaf_cell;
    int changes, placed; /* of the state when this level was reached */
} GeneralLevel;

typedef struct {
    GeneralState state;
    int depth; /* the topmost level; -1: the walk is finished */
    int leaf;  /* the first level near the leaves; above the depth if there is none */
    GeneralLevel *stack;
    Leaves *leaves;
} GeneralWalk;

/* Set pointers to arrays in `block`, one behind the other; return the bytes needed. */
#define CARVE(field, count) \
    (field = (void *)((uintptr_t)block + used), used += ((size_t)(count) * sizeof *field + 63) / 64 * 64)

static size_t general_carve_shape(GeneralShape *shape, void *block)
{
    size_t used = 0;
    CARVE(shape->sites, shape->cells);
    CARVE(shape->members, 3 * shape->cells);
    return used;
}

static size_t general_carve_walk(GeneralWalk *w, const GeneralShape *shape, void *block)
{
    size_t used = 0;
    CARVE(w->state.candidates, shape->cells);
    CARVE(w->state.places, 3 * shape->cells);
    CARVE(w->state.open, (shape->cells + 63) / 64);
    CARVE(w->state.order, shape->cells + 1); /* a solved board is tried once more */
    CARVE(w->state.digits, shape->cells);
    CARVE(w->state.queue, 4 * shape->cells + 1);
    CARVE(w->stack, shape->cells + 1);
    CARVE(w->leaves, 1);
    CARVE(w->state.trail, shape->cells * shape->size); /* last, since few walks need much of it */
    return used;
}

#undef CARVE

/* Make the tables of a shape; NULL if there is no memory. */
static GeneralShape *general_new_shape(int height, int width)
{
    int size = height * width, cells = size * size;
    GeneralShape plan = {.height = height, .width = width, .size = size, .cells = cells};
    GeneralShape *shape = malloc(sizeof *shape + general_carve_shape(&plan, NULL));
    if (!shape)
        return NULL;
    *shape = plan;
    general_carve_shape(shape, shape + 1);
    for (int cell = 0; cell < cells; cell++) {
        int row = cell / size, column = cell % size, box = row / height * height + column / width;
        int units[3] = {row, size + column, 2 * size + box};
        int bits[3] = {column, row, row % height * width + column % width};
        for (int kind = ROW; kind <= BOX; kind++) {
            GeneralSite *site = &shape->sites[cell];
            site->unit[kind] = units[kind];
            site->first[kind] = units[kind] * size;
            site->bit[kind] = bits[kind];
            site->mask[kind] = bit64(bits[kind]);
            shape->members[site->first[kind] + bits[kind]] = cell;
        }
    }
    uint64_t first_column = 0; /* of a box */
    for (int i = 0; i < height; i++)
        first_column |= bit64(i * width);
    for (int i = 0; i < size; i++) {
        shape->line_part[ROW][i] = shape->box_part[ROW][i] = all64(width) << i / width * width;
        shape->line_part[COLUMN][i] = all64(height) << i / height * height;
        shape->box_part[COLUMN][i] = first_column << i % width;
    }
    return shape;
}

/* Make a walk; NULL if there is no memory. `shape` must outlive it. */
static GeneralWalk *general_new(const GeneralShape *shape, int rules_above)
{
    GeneralWalk plan = {.state = {.shape = shape, .rules_above = rules_above}};
    GeneralWalk *w = malloc(sizeof *w + general_carve_walk(&plan, shape, NULL));
    if (w) {
        *w = plan;
        general_carve_walk(w, shape, w + 1);
    }
    return w;
}

/* Return whether the walk near the leaves takes over. It needs an open cell. */
static inline int general_is_near(const GeneralState *s)
{
    int open = general_open(s);
    return open && open <= LEAF_CELLS && open <= s->rules_above;
}

/* Make the level at `depth`, to which all rules have been applied. */
static inline void general_enter(GeneralWalk *w)
{
    GeneralState *s = &w->state;
    GeneralLevel *level = &w->stack[w->depth];
    CHECK(w->depth <= s->shape->cells);
    if (w->depth < w->leaf && general_is_near(s)) {
        w->leaf = w->depth;
        leaves_begin(w->leaves, s);
    }
    if (w->depth >= w->leaf) {
        const LeafFrame *f = &w->leaves->frames[w->depth - w->leaf];
        level->leaf_cell = leaves_choose(f);
        level->cell = w->leaves->cell[level->leaf_cell];
        level->untried = f->candidates[level->leaf_cell];
    } else { /* if the board is solved: a cell that is filled already, with one digit to try */
        level->cell = general_choose(s);
        level->untried = s->candidates[level->cell];
    }
    level->branches = popcount64(level->untried);
    level->changes = s->changes;
    level->placed = s->placed;
}

/* Begin a walk. `allowed` is NULL if every cell allows every digit. */
static void general_start(GeneralWalk *w, const uint8_t *cells, const uint64_t *allowed)
{
    GeneralState *s = &w->state;
    w->depth = -1;
    w->leaf = s->shape->cells + 1;
    if (!general_read(s, cells, allowed))
        return;
    if (general_is_near(s)) { /* the places of digits are not needed */
        LeafFrame *f = &w->leaves->frames[0];
        if (!leaves_propagate(w->leaves, f, leaves_begin(w->leaves, s), s->order + s->placed))
            return;
        s->placed = s->shape->cells - popcount64(f->open);
        w->leaf = 0;
    } else if (general_open(s) && !general_begin(s))
        return;
    w->depth = 0;
    general_enter(w);
}

/* Visit a node: try a digit on the topmost level; return 0 at a contradiction. */
static inline int general_try(GeneralWalk *w, GeneralLevel *level, int digit)
{
    GeneralState *s = &w->state;
    if (w->depth >= w->leaf) {
        LeafFrame *f = &w->leaves->frames[w->depth - w->leaf];
        CHECK(w->depth - w->leaf < LEAF_CELLS);
        s->placed = level->placed;
        if (!leaves_try(w->leaves, f, level->leaf_cell, digit, s->order + level->placed))
            return 0;
        s->placed += popcount64(f[0].open & ~f[1].open);
        return 1;
    }
    w->leaf = s->shape->cells + 1;
    general_undo(s, level->changes, level->placed); /* cells filled near the leaves are open already */
    *general_queue(s, s->tail++) = level->cell << 6 | digit;
    return general_propagate(s);
}

/* Write a solution: copy all digits, then write those filled near the leaves over them. Writing each
 * cell by itself would take as long as a node. */
static inline void general_write_solution(const GeneralWalk *w, uint8_t *out)
{
    const GeneralState *s = &w->state;
    memcpy(out, s->digits, s->shape->cells);
    if (w->depth >= w->leaf)
        for (int i = w->leaves->placed; i < s->shape->cells; i++)
            out[s->order[i] >> 6] = (s->order[i] & 63) + 1;
}

/* Write the board of a level, 0 for open cells. */
static void general_write(const GeneralWalk *w, const GeneralLevel *level, uint8_t *out)
{
    memset(out, 0, w->state.shape->cells);
    for (int i = 0; i < level->placed; i++)
        out[w->state.order[i] >> 6] = (w->state.order[i] & 63) + 1;
}

/* Visit at most *nodes nodes and find at most `limit` solutions; stop before continuing a level
 * above `floor`. Write the solutions one after the other to `out`, unless it is NULL. Return their
 * number, and subtract the nodes visited from *nodes. Neither can overflow: a node has at most one
 * solution. */
static __attribute__((noinline, aligned(64))) uint64_t general_run(GeneralWalk *w, uint64_t *nodes, uint64_t limit,
                                                                   uint8_t *out, int floor)
{
    uint64_t found = 0, left = *nodes;
    int cells = w->state.shape->cells;
    while (w->depth >= floor && found < limit) {
        GeneralLevel *level = &w->stack[w->depth];
        if (!level->untried) {
            w->depth--;
            continue;
        }
        if (!left)
            break;
        left--;
        int digit = lowest64(level->untried);
        level->untried &= level->untried - 1;
        if (!general_try(w, level, digit))
            continue;
        if (w->state.placed < cells) {
            w->depth++;
            general_enter(w);
            continue;
        }
        if (out)
            general_write_solution(w, out + found * cells);
        found++;
    }
    while (w->depth >= 0 && !w->stack[w->depth].untried) /* so that depth is -1 if the walk is finished */
        w->depth--;
    *nodes = left;
    return found;
}

/* Return the first level whose share is at most `part` times the share that has been visited; the
 * depth + 1 if there is none. */
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

/* Return the number of levels. Write the number of branches of each to `branches`, unless NULL. */
static uint32_t general_branches(const GeneralWalk *w, uint32_t *branches)
{
    for (int depth = 0; branches && depth <= w->depth; depth++)
        branches[depth] = (uint32_t)w->stack[depth].branches;
    return (uint32_t)(w->depth + 1);
}

/* Return the number of boards not visited yet. Write them, the next one first, to `out`, and the
 * level of each to `levels`, unless these are NULL. */
static uint64_t general_rest(const GeneralWalk *w, uint8_t *out, uint32_t *levels)
{
    uint64_t boards = 0, cells = w->state.shape->cells;
    for (int depth = w->depth; depth >= 0; depth--) {
        const GeneralLevel *level = &w->stack[depth];
        for (uint64_t left = level->untried; left; left &= left - 1, boards++) {
            if (levels)
                levels[boards] = (uint32_t)depth;
            if (out) {
                general_write(w, level, out + boards * cells);
                out[boards * cells + level->cell] = lowest64(left) + 1;
            }
        }
    }
    return boards;
}

/* The three functions below need an unfinished walk whose topmost level has not been tried. */

static int general_open_cells(const GeneralWalk *w)
{
    return w->depth < 0 ? 0 : w->state.shape->cells - w->stack[w->depth].placed;
}

static void general_write_top(const GeneralWalk *w, uint8_t *out)
{
    general_write(w, &w->stack[w->depth], out);
}

/* Keep one random untried digit, and return its probability. Write the number there were. */
static __attribute__((noinline, cold)) double general_keep_one(GeneralWalk *w, uint64_t random, int *branches)
{
    GeneralLevel *level = &w->stack[w->depth];
    const GeneralSite *site = &w->state.shape->sites[level->cell];
    double odds[64], probability;
    if (!(level->untried & (level->untried - 1))) { /* a full board, too, where no cell is open */
        *branches = 1;
        return 1;
    }
    *branches = 0;
    for (uint64_t left = level->untried; left; left &= left - 1) {
        int digit = lowest64(left), counts[3];
        for (int kind = ROW; kind <= BOX; kind++)
            counts[kind] = w->depth < w->leaf
                               ? popcount64(w->state.places[site->first[kind] + digit])
                               : popcount64(w->leaves->frames[w->depth - w->leaf].places[digit] &
                                            w->leaves->frames[w->depth - w->leaf].open &
                                            w->leaves->units[site->unit[kind]]);
        odds[(*branches)++] = digit_odds(counts[ROW], counts[COLUMN], counts[BOX]);
    }
    for (int skipped = choose(odds, *branches, random, &probability); skipped; skipped--)
        level->untried &= level->untried - 1;
    level->untried &= -level->untried;
    return probability;
}

#endif
