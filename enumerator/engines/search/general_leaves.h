/* The walk near the leaves: at most 64 open cells, whatever the shape.
 *
 * The open cells are numbered. A set of cells is one word, and so is the set of a digit's places on
 * the whole board:
 *
 *     16×16, 5 open cells:        . . . . | . . . . | 0 . . .        peers[0]    11010
 *                                 . . . . | . . . . | . 1 . 2        peers[1]    00101
 *     filled cells are left out   . . . . | . . . . | . . . .        peers[2]    …
 *                                 . 3 . . | . . . . | 4 . . .
 *
 * Only naked singles are looked for: a digit placed is removed from the cells of
 * places[digit] & peers[cell], and those left with one candidate are next. A frame holds some size +
 * 64 words at most, so each level has its own, and nothing is undone.
 *
 * Bounds: a level fills at least one cell, so there are at most 64 levels, and the next frame.
 */
#ifndef ENUMERATOR_GENERAL_LEAVES_H
#define ENUMERATOR_GENERAL_LEAVES_H

#include "general_rules.h"

enum { LEAF_CELLS = 64 };

typedef struct {
    uint64_t open;                   /* the cells that are open */
    uint64_t candidates[LEAF_CELLS]; /* of each cell: its digits */
    uint64_t places[64];             /* of each digit: the cells where it may stand */
} LeafFrame;

typedef struct {
    int size, count;           /* the number of digits, and of cells that were open at first */
    int placed;                /* the number of cells of the board that were not */
    uint16_t cell[LEAF_CELLS]; /* of each open cell: its number on the board */
    uint64_t peers[LEAF_CELLS];
    uint64_t units[3 * 64]; /* of each unit: its open cells */
    LeafFrame frames[LEAF_CELLS + 1];
} Leaves;

/* Place the digits of `singles`, cells with one candidate, and those that follow; return 0 at a
 * contradiction. Append them to `order`: as many as cells are no longer open. */
static inline int leaves_propagate(const Leaves *l, LeafFrame *f, uint64_t singles, uint32_t *order)
{
    while (singles) {
        int i = lowest64(singles);
        uint64_t single = f->candidates[i], left;
        int digit = lowest64(single);
        singles &= singles - 1;
        f->open &= ~bit64(i);
        *order++ = l->cell[i] << 6 | digit;
        left = f->places[digit] & l->peers[i] & f->open;
        f->places[digit] &= ~l->peers[i];
        for (; left; left &= left - 1) {
            uint64_t *candidates = &f->candidates[lowest64(left)];
            *candidates &= ~single;
            if (!(*candidates & (*candidates - 1))) {
                if (!*candidates)
                    return 0;
                singles |= left & -left;
            }
        }
    }
    return 1;
}

/* Number the open cells of a state, and write the first frame. Return the cells with one candidate. */
static uint64_t leaves_begin(Leaves *l, const GeneralState *s)
{
    LeafFrame *f = &l->frames[0];
    uint64_t singles = 0;
    const GeneralSite *sites = s->shape->sites;
    l->size = s->shape->size;
    l->count = 0;
    l->placed = s->placed;
    memset(l->units, 0, 3 * l->size * sizeof *l->units);
    memset(f->places, 0, l->size * sizeof *f->places);
    for (int word = 0; word < (s->shape->cells + 63) / 64; word++)
        for (uint64_t left = s->open[word]; left; left &= left - 1) {
            int cell = word << 6 | lowest64(left), i = l->count++;
            CHECK(i < LEAF_CELLS);
            l->cell[i] = cell;
            for (int kind = ROW; kind <= BOX; kind++)
                l->units[sites[cell].unit[kind]] |= bit64(i);
            uint64_t digits = f->candidates[i] = s->candidates[cell];
            singles |= (uint64_t)!(digits & (digits - 1)) << i;
            for (; digits; digits &= digits - 1)
                f->places[lowest64(digits)] |= bit64(i);
        }
    for (int i = 0; i < l->count; i++) {
        const uint8_t *unit = sites[l->cell[i]].unit;
        l->peers[i] = (l->units[unit[ROW]] | l->units[unit[COLUMN]] | l->units[unit[BOX]]) & ~bit64(i);
    }
    f->open = all64(l->count);
    return singles;
}

/* Write the next frame, with a digit in cell `i` and its conclusions; return 0 at a contradiction. */
static inline int leaves_try(const Leaves *l, LeafFrame *f, int i, int digit, uint32_t *order)
{
    LeafFrame *next = f + 1;
    next->open = f->open;
    for (int j = 0; j < l->count; j++)
        next->candidates[j] = f->candidates[j];
    for (int d = 0; d < l->size; d++)
        next->places[d] = f->places[d];
    next->candidates[i] = bit64(digit);
    return leaves_propagate(l, next, bit64(i), order);
}

#endif
