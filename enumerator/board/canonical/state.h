/* The state of a search for a canonical form: what is decided about the image of a board.
 *
 *     line     a row or a column of the board: 0 … size - 1 are its rows, size … 2 size - 1 its columns
 *     slot     a column of the image; a slot of stacks is a stack of the image
 *     class    neighbouring slots whose columns, or stacks, may be exchanged: every order of them gives
 *              the same rows of the image so far
 *     strand   columns of several classes that keep the same place in theirs: these classes are tied
 *     label    a digit of the image
 *     free     a digit that has no label yet. The others are anchored to the cell where they came first
 *     linked   an anchored digit whose column has not got its slot yet: its label follows its column
 *
 * The board may be turned, that is, transposed. Digits and labels are counted from 0 here, and from 1
 * in cells, where 0 is an empty cell.
 */
#ifndef ENUMERATOR_CANONICAL_STATE_H
#define ENUMERATOR_CANONICAL_STATE_H

#include <assert.h>
#include <stddef.h>

#include "machine.h"

enum { CANON_SIDE = 64, CANON_FREE = 255, CANON_CHOICES = 3 * CANON_SIDE, CANON_LOOK_STEPS = 4096 };

/* The most children of the nodes on a path, in 2 gigabytes. Boards up to 25x25 were found to need less than a fifth. */
enum { CANON_MOST_STATES = 1 << 21 };

/* What a choice is that is no line: a stack by its first column, or a digit. */
enum CanonChoice { CANON_STACK = 128, CANON_DIGIT = 256 };

typedef struct {
    uint64_t cut;        /* the slots at which a class of columns begins */
    uint64_t stack_cut;  /* the slots of stacks at which a class of stacks begins */
    uint64_t label_cut;  /* the labels at which a class of free digits begins, and all labels that are taken */
    uint64_t used;       /* the rows that are placed */
    int depth;           /* the number of rows that are placed */
    int weight;          /* the rows that could have been placed instead of the last one, with the same result */
    int choices;
    uint8_t turned;
    uint8_t row[CANON_SIDE];          /* the rows that are placed, in order */
    uint8_t column[CANON_SIDE];       /* the column in a slot */
    uint8_t slot[CANON_SIDE];         /* the slot of a column; only its class is decided */
    uint8_t tied[CANON_SIDE];         /* the next column of the strand of a column, in a ring */
    uint8_t anchor_row[CANON_SIDE];   /* the row of the image where a digit came first; CANON_FREE */
    uint8_t anchor_column[CANON_SIDE]; /* its column there; CANON_FREE if its label is `place_of` for good */
    uint8_t digit_at[CANON_SIDE];     /* the digit of a label; among free digits, only their class is decided */
    uint8_t place_of[CANON_SIDE];     /* the inverse of `digit_at` */
    uint8_t choice_end[CANON_SIDE + 1]; /* the number of choices up to each row */
    uint16_t choice[CANON_CHOICES];   /* lines: rows and columns; others by the numbers of `CanonChoice` */
} CanonState;

/* The board, the image so far, and the best image. */
typedef struct {
    int size, height, width, square;
    uint8_t *cells[2];        /* the board, and the board turned */
    uint8_t stack_of[CANON_SIDE];     /* the slot of stacks of a slot: faster than dividing */
    uint64_t repeated[2 * CANON_SIDE];   /* the digits that a line holds twice, or more often */
    uint8_t kind[2 * CANON_SIDE];     /* equal for lines of which the first can stand for all */
    uint8_t *image, *least, *best;    /* digits: on the path; the least row of each node; of the best leaf */
    int has_least, has_best;
    CanonState leaf;          /* the best leaf */
    uint8_t labels[CANON_SIDE];       /* the label of each digit in the best leaf */
    int index[CANON_SIDE];    /* the size of the orbit of the best leaf's choice at each depth */
    CanonState *states;       /* the children of all nodes on the path */
    int top, room;
    uint8_t *generators;      /* for each: the image of every line, then of every digit */
    int found, generator_room;
    uint64_t nodes, steps, next_look; /* a step: a node, or a child that a generator is applied to */
    int (*look)(void *asker); /* called every CANON_LOOK_STEPS; it returns 0 to end the search. NULL: never */
    void *asker;
    int failed;               /* no memory, or ended by `look` */
} Canon;

/* Count some steps; return 0 if the search is to end. */
static inline int canon_step(Canon *c, uint64_t steps)
{
    if ((c->steps += steps) >= c->next_look) {
        c->next_look = c->steps + CANON_LOOK_STEPS;
        c->failed |= c->look && !c->look(c->asker);
    }
    return !c->failed;
}

/* Count a node; return 0 if the search is to end. */
static inline int canon_count(Canon *c)
{
    c->nodes++;
    return canon_step(c, 1);
}

static inline int canon_start_of(uint64_t cuts, int place)
{
    return 63 - __builtin_clzll(cuts & (~(uint64_t)0 >> (63 - place)));
}

/* Return the end of the class of a place, at most `end`. */
static inline int canon_end_of(uint64_t cuts, int place, int end)
{
    uint64_t later = place == 63 ? 0 : cuts >> (place + 1) << (place + 1);
    int next = later ? lowest64(later) : end;
    return next < end ? next : end;
}

/* Copy a state, without the room for more choices: a fifth of all time otherwise. */
static inline void canon_copy(CanonState *to, const CanonState *from)
{
    memcpy(to, from, offsetof(CanonState, choice) + (size_t)from->choices * sizeof(uint16_t));
}

static inline void canon_swap(CanonState *s, int one, int other)
{
    uint8_t a = s->column[one], b = s->column[other];
    s->column[one] = b, s->slot[b] = (uint8_t)one;
    s->column[other] = a, s->slot[a] = (uint8_t)other;
}

static inline void canon_swap_stacks(const Canon *c, CanonState *s, int one, int other)
{
    if (one != other)
        for (int i = 0; i < c->width; i++)
            canon_swap(s, one * c->width + i, other * c->width + i);
}

static inline void canon_cut(uint64_t *cuts, int place)
{
    if (place < 64)
        *cuts |= (uint64_t)1 << place;
}

/* Return the slot at which the class of a column begins. */
static inline int canon_class_of(const CanonState *s, int column)
{
    return canon_start_of(s->cut, s->slot[column]);
}

/* Exchange two columns of a class, with their strands. */
static inline void canon_swap_strands(CanonState *s, int one, int other)
{
    int first = s->column[one], column = first, by = other - one;
    if (!by)
        return;
    do {
        int next = s->tied[column], slot = s->slot[column];
        canon_swap(s, slot, slot + by);
        column = next;
    } while (column != first);
}

/* Cut a class, with those that are tied to it, behind the first `size` slots from its start on. */
static inline void canon_cut_class(const Canon *c, CanonState *s, int start, int size)
{
    int first = s->column[start], column = first;
    if (start + size >= canon_end_of(s->cut, start, c->size))
        return;
    do {
        canon_cut(&s->cut, s->slot[column] + size);
        column = s->tied[column];
    } while (column != first);
}

/* Return the column of a strand in the class that begins at a slot, -1 if there is none. */
static inline int canon_strand_in(const CanonState *s, int column, int start)
{
    int one = column;
    do {
        if (canon_class_of(s, one) == start)
            return one;
        one = s->tied[one];
    } while (one != column);
    return -1;
}

/* Tie the strands of two columns. */
static inline void canon_tie(CanonState *s, int one, int other)
{
    uint8_t next = s->tied[one];
    s->tied[one] = s->tied[other], s->tied[other] = next;
}

/* Return the least slot that a column can get, and whether it is its only one. */
static inline int canon_least_slot(const Canon *c, const CanonState *s, int column, int *only)
{
    int slot = s->slot[column], stack = c->stack_of[slot], inner = canon_start_of(s->cut, slot);
    int first = canon_start_of(s->stack_cut, stack);
    *only = canon_end_of(s->stack_cut, stack, c->height) == first + 1
            && canon_end_of(s->cut, slot, c->size) == inner + 1;
    return inner - (stack - first) * c->width;
}

/* Put a column into its least slot, and return the slot. */
static inline int canon_fix(const Canon *c, CanonState *s, int column)
{
    int stack = c->stack_of[s->slot[column]], first = canon_start_of(s->stack_cut, stack);
    canon_swap_stacks(c, s, first, stack);
    canon_cut(&s->stack_cut, first + 1);
    int start = canon_class_of(s, column);
    canon_swap_strands(s, start, s->slot[column]);
    canon_cut_class(c, s, start, 1);
    return start;
}

/* Give the free digit the least label that it can get, with its first cell; return the label from 1. */
static inline int canon_label(CanonState *s, int digit, int row, int column)
{
    int place = s->place_of[digit], start = canon_start_of(s->label_cut, place), other = s->digit_at[start];
    s->digit_at[start] = (uint8_t)digit, s->place_of[digit] = (uint8_t)start;
    s->digit_at[place] = (uint8_t)other, s->place_of[other] = (uint8_t)place;
    canon_cut(&s->label_cut, start + 1);
    s->anchor_row[digit] = (uint8_t)row, s->anchor_column[digit] = (uint8_t)column;
    return start + 1;
}

/* Return the label of a digit of a leaf, from 0. */
static inline int canon_final_label(const Canon *c, const CanonState *s, const uint8_t *image, int digit)
{
    if (s->anchor_column[digit] == CANON_FREE)
        return s->place_of[digit];
    return image[s->anchor_row[digit] * c->size + s->slot[s->anchor_column[digit]]] - 1;
}

/* Return the line of a row or column of the board as it is turned. */
static inline int canon_line(const Canon *c, int turned, int is_row, int number)
{
    return (turned == is_row ? c->size : 0) + number;
}

static inline void canon_choose(CanonState *s, int choice)
{
    assert(s->choices < CANON_CHOICES);
    s->choice[s->choices++] = (uint16_t)choice;
}

#endif
