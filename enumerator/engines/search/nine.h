/* The walk over 9×9 boards, on sets of cells.
 *
 * A set of cells is one 128-bit vector. Each band (three rows) has a lane of 32 bits; the fourth lane is empty:
 *
 *     bit        0 … 8   9 … 17   18 … 26   27 … 31
 *     lane 0     row 0   row 1    row 2     unused
 *     lane 1     row 3   row 4    row 5     unused
 *     lane 2     row 6   row 7    row 8     unused
 *
 * A state keeps for each digit the set of cells where it may stand. The cheapest rule
 * works on all cells at once: some 25 ANDs and ORs tell which cells have no candidate, one, or more.
 * The others work on all rows, boxes and columns of a digit at once.
 *
 * Words
 *     spot       of a cell: its bit among the 128
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

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "nine.h needs a little-endian machine"
#endif

#if defined(__SSE4_1__)
#include <smmintrin.h>
#endif

typedef uint32_t Cells __attribute__((vector_size(16)));
typedef uint64_t Halves __attribute__((vector_size(16))); /* the same, to go through its cells one by one */
typedef uint64_t Half __attribute__((may_alias));         /* one of them, in memory */

enum {
    NINE_CELLS = 81,
    NINE_SPOTS = 96,
    NINE_BAND = 0x7ffffff,
    /* Hidden singles and locked candidates are looked for where more cells than this are open. Near the
     * leaves of a board with many solutions they find little and cost much; far from them, on a puzzle
     * with one solution, they save nearly everything. Solutions or puzzles a second, in millions:
     *
     *     open cells >        0       10      18      22      26      30      34      40      never
     *     published 1e        2.9     3.9     4.6     4.9     4.8     4.8     4.7     4.8     3.6
     *     17 clues            .52     .52     .53     .53     .53     .50     .45     .33     .0004
     *     hardest             .021    .021    .021    .021    .021    .020    .019    .015
     */
    NINE_DEEP = 26,
    /* A branch on a cell with few candidates is worth the more, the more places in its peers it rules out; one in
     * a peer that has as few candidates counts as so many more. Nodes for a puzzle:
     *
     *     weight              0       1       2       3       4       8
     *     17 clues            3.29    3.08    2.90    2.84    2.81    2.86
     *     hardest             173     154     149     152     158     180
     *     magic tour          24.5    21.1    19.4    18.9    19.1    20.3
     */
    NINE_WEIGHT = 3,
    /* So many cells are weighed against each other. Puzzles a second, in thousands:
     *
     *     cells               1       4       7       10      14      all
     *     17 clues            421     450     458     467     475     466
     *     hardest             13.7    18.7    20.3    20.3    20.1    20.2
     *     several solutions   538     492     448     413     391     387
     */
    NINE_WEIGHED = 10,
};

typedef struct {
    Cells places[9]; /* for each digit, where it may stand or stands */
    Cells done;      /* the cells whose digit has been taken from their peers */
} NineState;

typedef struct {
    NineState state;
    uint16_t untried; /* bit d: digit d is to be tried */
    uint8_t spot;     /* the cell */
} NineFrame;

typedef struct {
    NineFrame stack[NINE_CELLS + 1]; /* each branch fills a cell, so at most 81 deep; one more is worked on */
    int depth;                       /* the topmost frame; -1: the walk is finished */
} NineWalk;

static struct {
    Cells cell[NINE_SPOTS], peers[NINE_SPOTS];
} nine;

static const Cells NINE_ALL = {NINE_BAND, NINE_BAND, NINE_BAND, 0};
static const uint64_t NINE_BYTES = 0x0101010101010101;

static inline int nine_none(Cells set)
{
#if defined(__SSE4_1__)
    return _mm_testz_si128((__m128i)set, (__m128i)set);
#else
    Halves halves = (Halves)set;
    return (halves[0] | halves[1]) == 0;
#endif
}

static inline int nine_count(Cells set)
{
    Halves halves = (Halves)set;
    return popcount64(halves[0]) + popcount64(halves[1]);
}

static inline int nine_spot(int cell) { return cell + cell / 27 * 5; }

/* Builds the tables; once, before the first walk. */
static void nine_init(void)
{
    for (int i = 0; i < NINE_CELLS; i++)
        nine.cell[nine_spot(i)][i / 27] = 1u << i % 27;
    for (int i = 0; i < NINE_CELLS; i++)
        for (int j = 0; j < NINE_CELLS; j++)
            if (i != j && (i / 9 == j / 9 || i % 9 == j % 9 || (i / 27 == j / 27 && i % 9 / 3 == j % 9 / 3)))
                nine.peers[nine_spot(i)] |= nine.cell[nine_spot(j)];
}

/* A state with a digit more. */
static inline void nine_place(NineState *to, const NineState *from, int spot, int digit)
{
    Cells cell = nine.cell[spot], places = (from->places[digit] & ~nine.peers[spot]) | cell;
    for (int d = 0; d < 9; d++)
        to->places[d] = from->places[d] & ~cell;
    to->places[digit] = places;
    to->done = from->done | cell;
}

static inline unsigned nine_candidates(const NineState *s, int spot)
{
    unsigned digits = 0;
    for (int d = 0; d < 9; d++)
        digits |= (s->places[d][spot >> 5] >> (spot & 31) & 1) << d;
    return digits;
}

/* Takes the digits of cells of one half from their peers; the digits are given in binary. */
static inline void nine_take_half(NineState *s, const Cells *peers, uint64_t left, uint64_t one, uint64_t two,
                                  uint64_t four, uint64_t eight)
{
    for (; left; left &= left - 1) {
        int bit = lowest64(left);
        int digit = (one >> bit & 1) | (two >> bit & 1) << 1 | (four >> bit & 1) << 2 | (eight >> bit & 1) << 3;
        s->places[digit] &= ~peers[bit];
    }
}

/* Takes the digits of cells that have one candidate from their peers. A peer left without any candidate,
 * be it another of these cells, is found by the next look at all cells. */
static inline void nine_take(NineState *s, Cells single)
{
    const Cells *p = s->places;
    /* the digit of each of these cells in binary, since it is the only one there */
    Halves ones = (Halves)(p[1] | p[3] | p[5] | p[7]), twos = (Halves)(p[2] | p[3] | p[6] | p[7]);
    Halves fours = (Halves)(p[4] | p[5] | p[6] | p[7]), eights = (Halves)p[8], halves = (Halves)single;

    s->done |= single;
    if (halves[0]) /* else do not even fetch the others */
        nine_take_half(s, nine.peers, halves[0], ones[0], twos[0], fours[0], eights[0]);
    if (halves[1])
        nine_take_half(s, nine.peers + 64, halves[1], ones[1], twos[1], fours[1], eights[1]);
}

enum { NINE_DEAD, NINE_SAME, NINE_NEWS, NINE_SOLVED, NINE_OPEN }; /* what comes of drawing conclusions */

/* The lane of the next band, and of the one after, in each lane of a band. */
#if defined(__clang__) || __GNUC__ >= 12
#define NINE_NEXT_BAND(set) __builtin_shufflevector(set, set, 1, 2, 0, 3)
#define NINE_AFTER_BAND(set) __builtin_shufflevector(set, set, 2, 0, 1, 3)
#else
#define NINE_NEXT_BAND(set) __builtin_shuffle(set, (Cells){1, 2, 0, 3})
#define NINE_AFTER_BAND(set) __builtin_shuffle(set, (Cells){2, 0, 1, 3})
#endif

/* Digit by digit: places ruled out because a digit is confined to a line of a box or a box of a line
 * (locked candidates), and cells that are the last place of a digit in a row, column or box.
 *
 * Both follow from the triples, three cells side by side in a box, where the digit may stand. In a band it stands in
 * three of the nine, one in each row and each box, as the ones of a permutation: a triple is out unless one of the two
 * permutations through it is possible, that is, the other two rows have the other two boxes in either order.
 * Likewise in a stack (three boxes below each other) for the nine columns of three cells.
 *
 * `before` are places that have been looked at: a digit with the same places now has nothing to tell.
 * Writes those that it has looked at to `seen`, which may be `before`. */
static inline int nine_deepen(NineState *s, const Cells *before, Cells *seen)
{
    Cells last[9], taken = {0}, clash = {0}, empty = {0}, news = {0};
    unsigned changed = 0;

    for (int d = 0; d < 9; d++) {
        Cells places = s->places[d];
        changed |= (unsigned)!nine_none(places ^ before[d]) << d;
        seen[d] = places;
        last[d] = (Cells){0};
    }
    for (; changed; changed &= changed - 1) {
        int d = lowest64(changed);
        Cells places = s->places[d];

        /* Triples: bit 9 r + 3 b of a lane stands for row r of box b. */
        Cells second = places >> 1, third = places >> 2;
        Cells used = (places | second | third) & 0111111111;
        Cells twice = (places & second) | ((places | second) & third);
        Cells next = (used >> 3 & 0011011011) | (used << 6 & 0100100100); /* of the next box in the same row */
        Cells after = (used >> 6 & 0001001001) | (used << 3 & 0110110110);
        /* A box with one place will, by the next time, have emptied the rest of its row: no need to look at boxes. */
        Cells lone = used & ~(twice | next | after);
        used &= ((next >> 9 | next << 18) & (after >> 18 | after << 9)) |
                ((after >> 9 | after << 18) & (next >> 18 | next << 9));
        empty |= (Cells)(used == 0);
        places &= (used << 3) - used; /* all three cells of a triple */
        lone = (lone << 3) - lone;

        /* Columns of three: bit c of a lane stands for column c of the band. */
        second = places >> 9, third = places >> 18;
        used = (places | second | third) & 0777;
        twice = (places & second) | ((places | second) & third);
        next = (used >> 1 & 0333) | (used << 2 & 0444); /* the next column in the same box */
        after = (used >> 2 & 0111) | (used << 1 & 0666);
        used &= (NINE_NEXT_BAND(next) & NINE_AFTER_BAND(after)) | (NINE_NEXT_BAND(after) & NINE_AFTER_BAND(next));
        places &= used | used << 9 | used << 18;
        used &= ~(twice | NINE_NEXT_BAND(used) | NINE_AFTER_BAND(used));
        lone = (lone | used | used << 9 | used << 18) & places;

        s->places[d] = places;
        last[d] = lone;
        clash |= taken & lone; /* the last place of two digits */
        taken |= lone;
    }
    empty[3] = 0; /* no band */
    if (!nine_none(clash | empty))
        return NINE_DEAD;
    for (int d = 0; d < 9; d++) {
        Cells places = s->places[d] & (~taken | last[d]);
        news |= places ^ seen[d];
        s->places[d] = places;
    }
    return nine_none(news) ? NINE_SAME : NINE_NEWS;
}

/* `before`: places that nothing more follows from for a digit alone; those of the state this one comes from, which has
 * been settled, or none. */
static inline int nine_settle(NineState *s, const Cells *before)
{
    Cells seen[9];
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
        int news = nine_deepen(s, before, seen);
        before = seen;
        if (news == NINE_SAME)
            return NINE_OPEN;
        if (news == NINE_DEAD)
            return NINE_DEAD;
    }
}

/* Branches on a cell with the fewest candidates (of those with four or more, on any): on the one that rules out most,
 * but near the leaves, where finding it makes the walk slower, on the first. */
static inline void nine_choose(NineFrame *f)
{
    Cells one = f->state.places[0], two = {0}, three = {0}, four = {0}; /* at least so many candidates */
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
    if (nine_count(two) > NINE_DEEP) {
        int best = 0; /* what a branch on a cell is worth, and the cell's spot */
        for (int i = 0; i < NINE_WEIGHED && (low | high); i++) {
            int spot = low ? lowest64(low) : 64 + lowest64(high), worth = 0;
            const Half *peers = (const Half *)&nine.peers[spot];
            uint64_t low_peers = peers[0] & few[0], high_peers = peers[1] & few[1];
            for (unsigned left = nine_candidates(&f->state, spot); left; left &= left - 1) {
                const Half *places = (const Half *)&f->state.places[lowest64(left)];
                worth += popcount64(places[0] & peers[0]) + popcount64(places[1] & peers[1]) +
                         NINE_WEIGHT * (popcount64(places[0] & low_peers) + popcount64(places[1] & high_peers));
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

static void nine_start(NineWalk *w, const uint8_t *cells)
{
    static const Cells none[9];
    NineFrame *root = &w->stack[0];
    Cells given[9] = {{0}}, ruled[9] = {{0}}, full = {0};

    /* the cells with clues as bits, found eight at a time: 81 branches that nobody can foresee would take longer */
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
    for (int d = 0; d < 9; d++) /* equal clues that are peers rule each other out, and leave cells without candidate */
        root->state.places[d] = ((NINE_ALL & ~full) | given[d]) & ~ruled[d];
    root->state.done = full;
    w->depth = 0;
    switch (nine_settle(&root->state, none)) {
    case NINE_DEAD:
        w->depth = -1;
        break;
    case NINE_SOLVED: /* a branch of one digit, which is there already */
        root->spot = 0;
        root->untried = nine_candidates(&root->state, 0);
        break;
    default:
        nine_choose(root);
    }
}

/* The digits that a state is sure of, 0 elsewhere. */
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

/* Goes on for at most so many nodes, until so many solutions are found, and until there is nothing left to try but at
 * levels above `floor`; writes the solutions one behind the other if there is an `out`. Returns the solutions found, at
 * most one a node, and lowers *nodes by the nodes visited: neither can overflow. */
static uint64_t nine_run(NineWalk *w, uint64_t *nodes, uint64_t limit, uint8_t *out, int floor)
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
        switch (nine_settle(&next->state, f->state.places)) {
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

/* The first level below which there seems to be no more than such a part of what has been visited, as if every branch
 * of a frame had as much below it as the others; one more than there are levels, if there is none. */
static int nine_level(const NineWalk *w, double part)
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

/* How many boards are not visited yet. Writes them, those that come first, first, if there is an `out`; if there are
 * `shares`, of each its share of the tree, as if every branch of a frame had as much below it as the others. */
static uint64_t nine_rest(const NineWalk *w, uint8_t *out, double *shares)
{
    uint64_t boards = 0;
    double share[NINE_CELLS + 1], above = 1;
    for (int depth = 0; depth <= w->depth; depth++) {
        const NineFrame *f = &w->stack[depth];
        above = share[depth] = above / popcount64(nine_candidates(&f->state, f->spot));
    }
    for (int depth = w->depth; depth >= 0; depth--) {
        const NineFrame *f = &w->stack[depth];
        for (unsigned left = f->untried; left; left &= left - 1, boards++) {
            if (shares)
                shares[boards] = share[depth];
            if (out) {
                nine_write(&f->state, out + boards * NINE_CELLS);
                out[boards * NINE_CELLS + f->spot - f->spot / 32 * 5] = lowest64(left) + 1;
            }
        }
    }
    return boards;
}

#endif
