/* Sets of cells of a 9×9 board, and states made of them.
 *
 * A set of cells is one 128-bit vector. Each band (three rows) has a lane of 32 bits; the fourth
 * lane is empty:
 *
 *     bit        0 … 8   9 … 17   18 … 26   27 … 31
 *     lane 0     row 0   row 1    row 2     unused
 *     lane 1     row 3   row 4    row 5     unused
 *     lane 2     row 6   row 7    row 8     unused
 *
 * A state keeps for each digit the set of cells where it may stand.
 *
 * Terms
 *     spot       of a cell: its bit among the 128
 *     open       a cell without a digit, or with one that has not been removed from its peers yet
 *     peers      of a cell: the 20 others of its row, column and box
 *
 * Needs the vector extensions of GCC or Clang. Does not depend on Python.
 */
#ifndef ENUMERATOR_NINE_SETS_H
#define ENUMERATOR_NINE_SETS_H

#include "machine.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "nine_sets.h needs a little-endian machine"
#endif

#if defined(__SSE4_1__)
#include <smmintrin.h>
#endif

typedef uint32_t Cells __attribute__((vector_size(16)));
typedef uint64_t Halves __attribute__((vector_size(16))); /* the same, to visit its cells one by one */
typedef uint64_t Half __attribute__((may_alias));         /* one of the two, in memory */

enum {
    NINE_CELLS = 81,
    NINE_SPOTS = 96,
    NINE_BAND = 0x7ffffff, /* the 27 cells of a band */
    /* Hidden singles and locked candidates are looked for where more cells than this are open. Near
     * the leaves of a board with many solutions they find little and cost much; far from them, on a
     * puzzle with one solution, they save nearly everything. Solutions or puzzles a second, in
     * millions:
     *
     *     open cells >        0       10      18      22      26      30      34      40      never
     *     published 1e        2.9     3.9     4.6     4.9     4.8     4.8     4.7     4.8     3.6
     *     17 clues            .52     .52     .53     .53     .53     .50     .45     .33     .0004
     *     hardest             .021    .021    .021    .021    .021    .020    .019    .015
     */
    NINE_RULES_ABOVE = 26,
};

/* A function that is not inlined and begins a cache line. Its alignment changed the time of
 * published 1e by up to 3 %. */
#define NINE_HOT __attribute__((noinline, aligned(64)))

typedef struct {
    Cells places[9]; /* for each digit, where it may stand or stands */
    Cells done;      /* the cells whose digit has been removed from their peers */
} NineState;

static struct {
    Cells cell[NINE_SPOTS], peers[NINE_SPOTS];
} nine;

static const uint64_t NINE_BYTES = 0x0101010101010101; /* 1 in each of eight bytes */
static const Cells NINE_ALL = {NINE_BAND, NINE_BAND, NINE_BAND, 0};

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

/* Build the tables; called once, before the first walk. */
static void nine_init(void)
{
    for (int i = 0; i < NINE_CELLS; i++)
        nine.cell[nine_spot(i)][i / 27] = 1u << i % 27;
    for (int i = 0; i < NINE_CELLS; i++)
        for (int j = 0; j < NINE_CELLS; j++)
            if (i != j && (i / 9 == j / 9 || i % 9 == j % 9 || (i / 27 == j / 27 && i % 9 / 3 == j % 9 / 3)))
                nine.peers[nine_spot(i)] |= nine.cell[nine_spot(j)];
}

/* Copy a state, with one digit more. */
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

/* Results of the rules. nine_unit_rules returns one of the first three, nine_propagate NINE_DEAD,
 * NINE_SOLVED or NINE_OPEN. */
enum { NINE_DEAD, NINE_UNCHANGED, NINE_CHANGED, NINE_SOLVED, NINE_OPEN };

/* In each lane of a band, the lane of the next band, and of the one after. */
#if defined(__clang__) || __GNUC__ >= 12
#define NINE_NEXT_BAND(set) __builtin_shufflevector(set, set, 1, 2, 0, 3)
#define NINE_AFTER_BAND(set) __builtin_shufflevector(set, set, 2, 0, 1, 3)
#else
#define NINE_NEXT_BAND(set) __builtin_shuffle(set, (Cells){1, 2, 0, 3})
#define NINE_AFTER_BAND(set) __builtin_shuffle(set, (Cells){2, 0, 1, 3})
#endif

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

#endif
