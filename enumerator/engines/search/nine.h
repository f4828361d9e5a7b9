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
 *     nine_rules.h lists the sources of its sets and rules, and defines the terms spot and open.
 */
#ifndef ENUMERATOR_NINE_H
#define ENUMERATOR_NINE_H

#include "nine_rules.h"

enum {
    /* The worth of a branch on a cell is the number of places in its peers that it rules out. A
     * place in a peer with equally few candidates counts 1 + NINE_PEER_WEIGHT. Nodes per puzzle:
     *
     *     weight              0       1       2       3       4       8
     *     17 clues            3.29    3.08    2.90    2.84    2.81    2.86
     *     hardest             173     154     149     152     158     180
     *     magic tour          24.5    21.1    19.4    18.9    19.1    20.3
     */
    NINE_PEER_WEIGHT = 3,
    /* The number of cells whose worth is compared. Puzzles per second, in thousands:
     *
     *     cells               1       4       7       10      14      all
     *     17 clues            421     450     458     467     475     466
     *     hardest             13.7    18.7    20.3    20.3    20.1    20.2
     *     several solutions   538     492     448     413     391     387
     */
    NINE_COMPARED_CELLS = 10,
};

static const uint64_t NINE_BYTES = 0x0101010101010101; /* 1 in each of eight bytes */

typedef struct {
    NineState state;
    uint16_t untried; /* bit d: digit d is to be tried */
    uint8_t spot;     /* the cell */
} NineFrame;

typedef struct {
    NineFrame stack[NINE_CELLS + 1]; /* each branch fills a cell: at most 81 levels, and the next state */
    int depth;                       /* the topmost frame; -1: the walk is finished */
} NineWalk;

/* Choose a cell with the fewest candidates; all cells with four or more candidates are treated
 * alike. Far from the leaves, choose the one that rules out most places. Near them, choose the
 * first: comparing would make the walk slower. */
static inline void nine_choose(NineFrame *f)
{
    Cells one = f->state.places[0], two = {0}, three = {0}, four = {0}; /* at least that many candidates */
    for (int d = 1; d < 9; d++) {
        Cells places = f->state.places[d];
        four |= three & places, three |= two & places, two |= one & places, one |= places;
    }
    Cells fewest = two & ~three;
    if (nine_none(fewest))
        fewest = three & ~four;
    if (nine_none(fewest)) /* rare */
        fewest = four;

    Halves few = (Halves)fewest;
    uint64_t low = few[0], high = few[1];
    f->spot = low ? lowest64(low) : 64 + lowest64(high);
    if (nine_count(two) > NINE_RULES_ABOVE) {
        int best = 0; /* the worth of a branch on a cell, and the cell's spot in the lowest 7 bits */
        for (int i = 0; i < NINE_COMPARED_CELLS && (low | high); i++) {
            int spot = low ? lowest64(low) : 64 + lowest64(high), worth = 0;
            const Half *peers = (const Half *)&nine.peers[spot];
            uint64_t low_peers = peers[0] & few[0], high_peers = peers[1] & few[1];
            for (unsigned left = nine_candidates(&f->state, spot); left; left &= left - 1) {
                const Half *places = (const Half *)&f->state.places[lowest64(left)];
                worth += popcount64(places[0] & peers[0]) + popcount64(places[1] & peers[1]) +
                         NINE_PEER_WEIGHT * (popcount64(places[0] & low_peers) + popcount64(places[1] & high_peers));
            }
            worth = worth << 7 | spot;
            best = worth > best ? worth : best;
            high = low ? high : high & (high - 1);
            low = low ? low & (low - 1) : 0;
        }
        f->spot = best & 127;
    }
    f->untried = nine_candidates(&f->state, f->spot);
}

/* Remove the digits that a cell does not allow; `allowed` has a mask for each cell. Return 0 if a
 * digit is left without a place: nine_unit_rules would take its places for unchanged. */
static int nine_restrict(NineState *s, const uint64_t *allowed)
{
    int is_open = 1;
    for (int d = 0; d < 9; d++) {
        for (int cell = 0; cell < NINE_CELLS; cell++)
            if (!(allowed[cell] >> d & 1))
                s->places[d] &= ~nine.cell[nine_spot(cell)];
        is_open &= !nine_none(s->places[d]);
    }
    return is_open;
}

/* Begin a walk. `allowed` is NULL if every cell allows every digit. */
static void nine_start(NineWalk *w, const uint8_t *cells, const uint64_t *allowed)
{
    static const Cells none[9];
    NineFrame *root = &w->stack[0];
    Cells given[9] = {{0}}, ruled[9] = {{0}}, full = {0};

    /* the cells with clues as bits, eight at a time: 81 unpredictable branches would take longer */
    uint64_t clues[2] = {0, (uint64_t)(cells[80] != 0) << 16};
    for (int i = 0; i < 10; i++) {
        uint64_t eight;
        memcpy(&eight, cells + 8 * i, 8);
        eight = (eight + 0x7f7f7f7f7f7f7f7f) >> 7 & NINE_BYTES;
        clues[i / 8] |= (eight * 0x0102040810204080 >> 56) << i % 8 * 8; /* byte j becomes bit j */
    }
    for (int half = 0; half < 2; half++)
        for (uint64_t left = clues[half]; left; left &= left - 1) {
            int cell = 64 * half + lowest64(left), spot = nine_spot(cell), d = cells[cell] - 1;
            given[d] |= nine.cell[spot];
            ruled[d] |= nine.peers[spot];
            full |= nine.cell[spot];
        }
    for (int d = 0; d < 9; d++) /* equal clues that are peers leave each other without candidates */
        root->state.places[d] = ((NINE_ALL & ~full) | given[d]) & ~ruled[d];
    root->state.done = full;
    w->depth = -1;
    if (allowed && !nine_restrict(&root->state, allowed))
        return;
    w->depth = 0;
    switch (nine_propagate(&root->state, none)) {
    case NINE_DEAD:
        w->depth = -1;
        break;
    case NINE_SOLVED: /* branch on a cell that is filled already: one digit to try */
        root->spot = 0;
        root->untried = nine_candidates(&root->state, 0);
        break;
    default:
        nine_choose(root);
    }
}

/* Write the digits of the cells that are done, 0 elsewhere. */
static void nine_write(const NineState *s, uint8_t *cells)
{
    const Cells *p = s->places;
    /* the digits, from 1, in binary */
    Cells binary[4] = {p[0] | p[2] | p[4] | p[6] | p[8], p[1] | p[2] | p[5] | p[6], p[3] | p[4] | p[5] | p[6],
                       p[7] | p[8]};
    uint64_t low[4], high[4]; /* cells 0 … 63, 64 … 80 */
    for (int k = 0; k < 4; k++) {
        Cells sure = binary[k] & s->done;
        low[k] = sure[0] | (uint64_t)sure[1] << 27 | (uint64_t)sure[2] << 54;
        high[k] = sure[2] >> 10;
    }
    for (int i = 0; i < 10; i++) {
        uint64_t eight = 0;
        for (int k = 0; k < 4; k++) {
            uint64_t bits = (i < 8 ? low[k] >> 8 * i : high[k] >> (8 * i - 64)) & 0xff;
            bits = bits * NINE_BYTES & 0x8040201008040201; /* byte j keeps bit j */
            eight |= ((bits + 0x7f7f7f7f7f7f7f7f) >> 7 & NINE_BYTES) << k;
        }
        memcpy(cells + 8 * i, &eight, 8);
    }
    cells[80] = high[0] >> 16 | high[1] >> 16 << 1 | high[2] >> 16 << 2 | high[3] >> 16 << 3;
}

/* Visit at most *nodes nodes and find at most `limit` solutions; stop before continuing a frame
 * above `floor`. Write the solutions one after the other to `out`, unless it is NULL. Return their
 * number, and subtract the nodes visited from *nodes. Neither can overflow: a node has at most one
 * solution. */
NINE_HOT static uint64_t nine_run(NineWalk *w, uint64_t *nodes, uint64_t limit, uint8_t *out, int floor)
{
    uint64_t found = 0, left = *nodes;
    int depth = w->depth;

    while (depth >= floor && found < limit) {
        NineFrame *f = &w->stack[depth];
        if (!f->untried) {
            depth--;
            continue;
        }
        if (!left)
            break;
        left--;
        NineFrame *next = f + 1;
        int digit = lowest64(f->untried);
        f->untried &= f->untried - 1;
        CHECK(depth < NINE_CELLS);
        nine_place(&next->state, &f->state, f->spot, digit);
        switch (nine_propagate(&next->state, f->state.places)) {
        case NINE_SOLVED:
            if (out)
                nine_write(&next->state, out + found * NINE_CELLS);
            found++;
            break;
        case NINE_OPEN:
            nine_choose(next);
            depth++;
        }
    }
    while (depth >= 0 && !w->stack[depth].untried) /* so that depth is -1 if the walk is finished */
        depth--;
    w->depth = depth;
    *nodes = left;
    return found;
}

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
