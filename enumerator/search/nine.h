/* The walk over 9×9 boards, on sets of cells.
 *
 * A set of cells is one 128-bit vector, the 81 cells in its two 64-bit halves:
 *
 *            bit 0 … 8   9 … 17   18 … 26 | 27 … 53                 | 54 … 63
 *     half 0     row 0   row 1    row 2   | rows 3 … 5 (band 1)     | unused
 *     half 1     row 6   row 7    row 8   | unused
 *                '------- band 0, 2 ------'
 *
 * A state keeps for each digit the set of cells where it may stand. The cheapest rule
 * works on all cells at once: some 25 ANDs and ORs tell which cells have no candidate, one, or more.
 *
 * Words
 *     open       a cell without a digit, or with one that its peers do not know of yet
 *     peers      of a cell: the 20 others of its row, column and box
 *     settle     draw conclusions until there are none
 *     frame      a settled state, the cell it branches on, and the digits not yet tried there
 *     node       a digit tried, and what follows from it
 *
 * Needs GCC's or Clang's vector extensions; knows nothing of Python.
 */
#ifndef ENUMERATOR_NINE_H
#define ENUMERATOR_NINE_H

#include "machine.h"

typedef uint64_t Cells __attribute__((vector_size(16)));

enum {
    NINE_CELLS = 81,
    NINE_HALF = 54, /* cells in half 0 */
    NINE_LINE = 0x1ff,
    NINE_BAND = 0x7ffffff,
    /* Hidden singles and locked candidates are looked for where more cells than this are open. Near the
     * leaves of a board with many solutions they find little and cost much; far from them, on a puzzle
     * with one solution, they save nearly everything. Solutions or puzzles a second, in millions:
     *
     *     open cells >        0       10      18      22      26      30      34      40      never
     *     published 1e        2.6     3.0     3.7     4.0     4.1     4.1     4.2     3.9     3.4
     *     17 clues            .36     .36     .36     .36     .35     .34     .32     .22     .001
     */
    NINE_DEEP = 26,
};

typedef struct {
    Cells places[9]; /* for each digit, where it may stand or stands */
    Cells done;      /* the cells whose digit has been taken from their peers */
} NineState;

typedef struct {
    NineState state;
    uint16_t untried; /* bit d: digit d is to be tried */
    uint8_t half, bit; /* the cell */
} NineFrame;

typedef struct {
    NineFrame stack[NINE_CELLS + 1]; /* each branch fills a cell, so at most 81 deep; one more is worked on */
    int depth;                       /* the topmost frame; -1: the walk is finished */
} NineWalk;

static struct {
    Cells cell[2][64], peers[2][64]; /* 64, so that a half and a bit are an index */
    uint32_t keep[512];              /* which cells of a band survive, from which of its nine triples are in use */
    uint16_t lone[512];              /* a line's cells, if it is one cell */
    uint8_t triples[512];            /* which of a line's three triples are in use */
} nine;

static const Cells NINE_ALL = {(1ull << NINE_HALF) - 1, NINE_BAND};

static inline int nine_none(Cells set) { return (set[0] | set[1]) == 0; }

static inline int nine_count(Cells set) { return popcount64(set[0]) + popcount64(set[1]); }

/* Builds the tables; once, before the first walk. */
static void nine_init(void)
{
    static const uint8_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

    for (int i = 0; i < NINE_CELLS; i++)
        nine.cell[i / NINE_HALF][i % NINE_HALF][i / NINE_HALF] = 1ull << i % NINE_HALF;
    for (int i = 0; i < NINE_CELLS; i++)
        for (int j = 0; j < NINE_CELLS; j++)
            if (i != j && (i / 9 == j / 9 || i % 9 == j % 9 || (i / 27 == j / 27 && i % 9 / 3 == j % 9 / 3)))
                nine.peers[i / NINE_HALF][i % NINE_HALF] |= nine.cell[j / NINE_HALF][j % NINE_HALF];
    for (unsigned set = 0; set < 512; set++) {
        nine.lone[set] = set & (set - 1) ? 0 : set;
        nine.triples[set] = (set & 7 ? 1 : 0) | (set & 070 ? 2 : 0) | (set & 0700 ? 4 : 0);
        /* A digit stands once in each line and each box of a band, so its triples are one of six. */
        unsigned kept = 0;
        for (int i = 0; i < 6; i++) {
            unsigned order = 1u << orders[i][0] | 010u << orders[i][1] | 0100u << orders[i][2];
            if ((set & order) == order)
                kept |= order;
        }
        for (int i = 0; i < 9; i++)
            if (kept >> i & 1)
                nine.keep[set] |= 7u << 3 * i;
    }
}

/* A state with a digit more; `to` and `from` may be the same. */
static inline void nine_place(NineState *to, const NineState *from, int half, int bit, int digit)
{
    Cells cell = nine.cell[half][bit], places = (from->places[digit] & ~nine.peers[half][bit]) | cell;
    for (int d = 0; d < 9; d++)
        to->places[d] = from->places[d] & ~cell;
    to->places[digit] = places;
    to->done = from->done | cell;
}

static inline unsigned nine_candidates(const NineState *s, int half, int bit)
{
    unsigned digits = 0;
    for (int d = 0; d < 9; d++)
        digits |= (unsigned)(s->places[d][half] >> bit & 1) << d;
    return digits;
}

/* Takes the digits of cells that have one candidate from their peers. A peer left without any candidate,
 * be it another of these cells, is found by the next look at all cells. */
static inline void nine_take(NineState *s, Cells single)
{
    const Cells *p = s->places;
    /* the digit of each of these cells in binary, since it is the only one there */
    Cells ones = p[1] | p[3] | p[5] | p[7], twos = p[2] | p[3] | p[6] | p[7];
    Cells fours = p[4] | p[5] | p[6] | p[7], eights = p[8];

    s->done |= single;
    for (int half = 0; half < 2; half++) {
        uint64_t one = ones[half], two = twos[half], four = fours[half], eight = eights[half];
        for (uint64_t left = single[half]; left; left &= left - 1) {
            int bit = lowest64(left);
            int digit = (one >> bit & 1) | (two >> bit & 1) << 1 | (four >> bit & 1) << 2 | (eight >> bit & 1) << 3;
            s->places[digit] &= ~nine.peers[half][bit];
        }
    }
}

enum { NINE_DEAD, NINE_SAME, NINE_NEWS, NINE_SOLVED, NINE_OPEN }; /* what comes of drawing conclusions */

/* Digit by digit: places ruled out because a digit is confined to a line of a box or a box of a line
 * (locked candidates), and cells that are the last place of a digit in a row, column or box. */
static int nine_deepen(NineState *s)
{
    int news = NINE_SAME;
    Cells taken = {0, 0};

    for (int d = 0; d < 9; d++) {
        if (nine_none(s->places[d] & ~s->done))
            continue;
        uint64_t low = s->places[d][0];
        uint32_t band[3] = {low & NINE_BAND, low >> 27, s->places[d][1]}, lone[3];
        uint32_t once = 0, twice = 0; /* columns with a place, with two */
        for (int b = 0; b < 3; b++) {
            uint32_t set = band[b];
            set &= nine.keep[nine.triples[set & NINE_LINE] | nine.triples[set >> 9 & NINE_LINE] << 3 |
                             nine.triples[set >> 18] << 6];
            if (!set)
                return NINE_DEAD;
            uint32_t r0 = set & NINE_LINE, r1 = set >> 9 & NINE_LINE, r2 = set >> 18;
            /* a box with one place has, by now, emptied the rest of that line: no need to look at boxes */
            lone[b] = nine.lone[r0] | nine.lone[r1] << 9 | (uint32_t)nine.lone[r2] << 18;
            twice |= once & r0, once |= r0;
            twice |= once & r1, once |= r1;
            twice |= once & r2, once |= r2;
            band[b] = set;
        }
        if (once != NINE_LINE)
            return NINE_DEAD;
        once &= ~twice;
        once |= once << 9 | once << 18;
        Cells places = {band[0] | (uint64_t)band[1] << 27, band[2]};
        Cells last = {(lone[0] | (band[0] & once)) | (uint64_t)(lone[1] | (band[1] & once)) << 27,
                      lone[2] | (band[2] & once)};
        last &= ~s->done;
        if (!nine_none(s->places[d] ^ places))
            news = NINE_NEWS;
        s->places[d] = places;
        if (!nine_none(last)) {
            if (!nine_none(last & taken)) /* the last place of two digits */
                return NINE_DEAD;
            taken |= last;
            news = NINE_NEWS;
            for (int other = 0; other < 9; other++)
                if (other != d)
                    s->places[other] &= ~last;
        }
    }
    return news;
}

static inline int nine_settle(NineState *s)
{
    for (;;) {
        const Cells *p = s->places;
        Cells ab = p[0] | p[1], de = p[3] | p[4], gh = p[6] | p[7];
        Cells abc = ab | p[2], def = de | p[5], ghi = gh | p[8], af = abc | def;
        Cells any = af | ghi;
        Cells many = (p[0] & p[1]) | (ab & p[2]) | (p[3] & p[4]) | (de & p[5]) | (p[6] & p[7]) | (gh & p[8]) |
                     (abc & def) | (af & ghi);
        if (!nine_none(NINE_ALL & ~any))
            return NINE_DEAD;
        Cells single = any & ~many & ~s->done;
        if (!nine_none(single)) {
            nine_take(s, single);
            continue;
        }
        if (nine_none(many))
            return NINE_SOLVED;
        if (nine_count(many) <= NINE_DEEP)
            return NINE_OPEN;
        int news = nine_deepen(s);
        if (news == NINE_SAME)
            return NINE_OPEN;
        if (news == NINE_DEAD)
            return NINE_DEAD;
    }
}

/* Branches on a cell with the fewest candidates (of those with four or more, on any): on the one that shares units with most of its like, but
 * near the leaves, where finding it makes the walk 10 % slower, on the first. */
static inline void nine_choose(NineFrame *f)
{
    Cells one = f->state.places[0], two = {0, 0}, three = {0, 0}, four = {0, 0}; /* at least so many candidates */
    for (int d = 1; d < 9; d++) {
        Cells places = f->state.places[d];
        four |= three & places, three |= two & places, two |= one & places, one |= places;
    }
    Cells fewest = two & ~three;
    if (nine_none(fewest))
        fewest = three & ~four;
    if (nine_none(fewest)) /* rare */
        fewest = four;
    f->half = !fewest[0];
    f->bit = lowest64(fewest[f->half]);
    if (nine_count(two) > NINE_DEEP) {
        int most = -1;
        for (int half = 0; half < 2; half++)
            for (uint64_t left = fewest[half]; left; left &= left - 1) {
                int bit = lowest64(left), like = nine_count(nine.peers[half][bit] & fewest);
                if (like > most)
                    most = like, f->half = half, f->bit = bit;
            }
    }
    f->untried = nine_candidates(&f->state, f->half, f->bit);
}

static void nine_start(NineWalk *w, const uint8_t *cells)
{
    NineFrame *root = &w->stack[0];
    for (int d = 0; d < 9; d++)
        root->state.places[d] = NINE_ALL;
    root->state.done = (Cells){0, 0};
    for (int i = 0; i < NINE_CELLS; i++)
        if (cells[i])
            nine_place(&root->state, &root->state, i / NINE_HALF, i % NINE_HALF, cells[i] - 1);
    w->depth = 0;
    switch (nine_settle(&root->state)) {
    case NINE_DEAD:
        w->depth = -1;
        break;
    case NINE_SOLVED: /* a branch of one digit, which is there already */
        root->half = root->bit = 0;
        root->untried = nine_candidates(&root->state, 0, 0);
        break;
    default:
        nine_choose(root);
    }
}

/* The digits that a state is sure of, 0 elsewhere. */
static void nine_write(const NineState *s, uint8_t *cells)
{
    memset(cells, 0, NINE_CELLS);
    for (int d = 0; d < 9; d++) {
        Cells sure = s->places[d] & s->done;
        for (int half = 0; half < 2; half++)
            for (uint64_t left = sure[half]; left; left &= left - 1)
                cells[half * NINE_HALF + lowest64(left)] = d + 1;
    }
}

/* Goes on for at most so many nodes, and until so many solutions are found; writes them one behind the
 * other if there is an `out`. Returns the solutions found, at most one a node, and lowers *nodes by the nodes visited:
 * neither can overflow. */
static uint64_t nine_run(NineWalk *w, uint64_t *nodes, uint64_t limit, uint8_t *out)
{
    uint64_t found = 0, left = *nodes;
    int depth = w->depth;

    while (depth >= 0 && found < limit) {
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
        nine_place(&next->state, &f->state, f->half, f->bit, digit);
        switch (nine_settle(&next->state)) {
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
    while (depth >= 0 && !w->stack[depth].untried) /* so that a finished walk is seen to be finished */
        depth--;
    w->depth = depth;
    *nodes = left;
    return found;
}

/* How many boards are not visited yet. Writes them, those that come first, first, if there is an `out`; if there are
 * `shares`, of each its share of the tree, as if every branch of a frame had as much below it as the others. */
static uint64_t nine_rest(const NineWalk *w, uint8_t *out, double *shares)
{
    uint64_t boards = 0;
    double share[NINE_CELLS + 1], above = 1;
    for (int depth = 0; depth <= w->depth; depth++) {
        const NineFrame *f = &w->stack[depth];
        above = share[depth] = above / popcount64(nine_candidates(&f->state, f->half, f->bit));
    }
    for (int depth = w->depth; depth >= 0; depth--) {
        const NineFrame *f = &w->stack[depth];
        for (unsigned left = f->untried; left; left &= left - 1, boards++) {
            if (shares)
                shares[boards] = share[depth];
            if (out) {
                nine_write(&f->state, out + boards * NINE_CELLS);
                out[boards * NINE_CELLS + f->half * NINE_HALF + f->bit] = lowest64(left) + 1;
            }
        }
    }
    return boards;
}

#endif
