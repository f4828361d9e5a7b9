/* The walk over 9×9 boards: a stack of states, the cell to branch on, boards in and out.
 *
 * Terms
 *     frame      a level of the stack: a state to which all rules have been applied, the cell it
 *                branches on, and the digits not yet tried there
 *     node       a digit tried, and the conclusions drawn from it
 *     share      of a branch in the tree: the product of 1 / branches over the frames from the root,
 *                as if all branches of a frame had equally much below them
 *
 * Sources
 *     Golomb and Baumert, "Backtrack programming", J. ACM 12 (1965): branch on the fewest choices.
 *     Knuth, "Estimating the efficiency of backtrack programs", Math. Comp. 29 (1975): shares; his
 *         estimate multiplies the numbers of branches along a path.
 *     nine_rules.h lists the sources of its rules, nine_sets.h defines the terms spot and open.
 */
#ifndef ENUMERATOR_NINE_H
#define ENUMERATOR_NINE_H

#include "nine_sets.h"

typedef struct {
    NineState state;
    uint16_t untried; /* bit d: digit d is to be tried */
    uint8_t spot;     /* the cell */
} NineFrame;

typedef struct {
    NineFrame stack[NINE_CELLS + 1]; /* each branch fills a cell: at most 81 levels, and the next state */
    int depth;                       /* the topmost frame; -1: the walk is finished */
    int hasty; /* the number of frames still to be made that branch on the first cell with the fewest candidates */
} NineWalk;

/* What is compiled for each instruction set. nine_walk.h describes both functions. */
typedef struct {
    void (*start)(NineWalk *walk, const uint8_t *cells, const uint64_t *allowed, int is_verdict, int without);
    uint64_t (*run)(NineWalk *walk, uint64_t *nodes, uint64_t limit, uint8_t *out, int floor);
} NineFunctions;

#define KERNEL "nine_walk.h"
#include "versions.h"

static const NineFunctions *const nine_versions[] = VERSIONS(nine_functions);

/* The three functions below need an unfinished walk, and use its topmost frame. */

static int nine_open_cells(const NineWalk *w)
{
    return w->depth < 0 ? 0 : NINE_CELLS - nine_count(w->stack[w->depth].state.done);
}

/* Keep one random untried digit, and return its probability. Write the number there were. */
static __attribute__((noinline, cold)) double nine_keep_one(NineWalk *w, uint64_t random, int *branches)
{
    NineFrame *f = &w->stack[w->depth];
    if (!(f->untried & (f->untried - 1))) { /* a full board, too, which has no spot */
        *branches = 1;
        return 1;
    }
    int lane = f->spot / 32, row = f->spot % 32 / 9, column = f->spot % 32 % 9;
    uint32_t of_row = 0x1ffu << 9 * row, of_column = 0x40201u << column, of_box = 0x1c0e07u << column / 3 * 3;
    double odds[9], probability;
    *branches = 0;
    for (unsigned left = f->untried; left; left &= left - 1) {
        Cells places = f->state.places[lowest64(left)];
        Cells in_column = places & (Cells){of_column, of_column, of_column, 0};
        odds[(*branches)++] =
            digit_odds(popcount64(places[lane] & of_row), nine_count(in_column), popcount64(places[lane] & of_box));
    }
    for (int skipped = choose(odds, *branches, random, &probability); skipped; skipped--)
        f->untried &= f->untried - 1;
    f->untried &= -f->untried;
    return probability;
}

static __attribute__((noinline, cold)) void nine_write_top(const NineWalk *w, uint8_t *out)
{
    nine_write(&w->stack[w->depth].state, out);
}

/* Return the first level whose share is at most `part` times the share that has been visited; the
 * depth + 1 if there is none. */
static int nine_floor_for(const NineWalk *w, double part)
{
    double share[NINE_CELLS + 2], visited = 0;
    share[0] = 1;
    for (int depth = 0; depth <= w->depth; depth++) {
        const NineFrame *f = &w->stack[depth];
        int branches = popcount64(nine_candidates(&f->state, f->spot));
        share[depth + 1] = share[depth] / branches;
        visited += share[depth + 1] * (branches - popcount64(f->untried) - (depth < w->depth));
    }
    int depth = 0;
    while (depth <= w->depth && share[depth] > part * visited)
        depth++;
    return depth;
}

/* Return the number of frames. Write the number of branches of each to `branches`, unless NULL. */
static uint32_t nine_branches(const NineWalk *w, uint32_t *branches)
{
    for (int depth = 0; branches && depth <= w->depth; depth++) {
        const NineFrame *f = &w->stack[depth];
        branches[depth] = (uint32_t)popcount64(nine_candidates(&f->state, f->spot));
    }
    return (uint32_t)(w->depth + 1);
}

/* Return the number of boards not visited yet. Write them, the next one first, to `out`, and the
 * frame of each to `levels`, unless these are NULL. */
static uint64_t nine_rest(const NineWalk *w, uint8_t *out, uint32_t *levels)
{
    uint64_t boards = 0;
    for (int depth = w->depth; depth >= 0; depth--) {
        const NineFrame *f = &w->stack[depth];
        for (unsigned left = f->untried; left; left &= left - 1, boards++) {
            if (levels)
                levels[boards] = (uint32_t)depth;
            if (out) {
                nine_write(&f->state, out + boards * NINE_CELLS);
                out[boards * NINE_CELLS + f->spot - f->spot / 32 * 5] = lowest64(left) + 1;
            }
        }
    }
    return boards;
}

#endif
