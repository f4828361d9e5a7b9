/* The next row of an image: the least text that a row of the board can become, and all ways to it.
 *
 * A row is filled slot by slot. Where several columns of a class can bring the least value, each of
 * them is tried, but not if every order of them gives the same text: empty cells, and digits that are
 * free. These remain a class, and the labels of the digits follow the columns later.
 */
#ifndef ENUMERATOR_CANONICAL_ROWS_H
#define ENUMERATOR_CANONICAL_ROWS_H

#include "state.h"

enum CanonKind { CANON_EMPTY, CANON_FIXED, CANON_LINKED, CANON_NEW };

/* A row that is being filled. `base`: the first child of its node. */
typedef struct {
    Canon *c;
    const uint8_t *cells;
    int depth, base;
    uint64_t repeated;       /* the digits that occur twice in the row, or more often */
} CanonRow;

static void canon_fill(const CanonRow *row, CanonState *s, int slot, int order);

/* Compare a value with the least row so far. Return the new order, or 1 to give up. */
static inline int canon_compare(uint64_t value, uint64_t least, int order)
{
    return order < 0 || value == least ? order : value < least ? -1 : 1;
}

static inline int canon_emit(const CanonRow *row, int slot, int value, int order)
{
    Canon *c = row->c;
    int at = row->depth * c->size + slot;
    c->image[at] = (uint8_t)value;
    return canon_compare((uint64_t)value, c->least[at], order);
}

/* Return the least value that the cell of a column can get, and its kind. */
static inline int canon_value(const CanonRow *row, const CanonState *s, int column, int *kind)
{
    const Canon *c = row->c;
    int digit = row->cells[column] - 1, only;
    if (digit < 0) {
        *kind = CANON_EMPTY;
        return 0;
    }
    if (s->anchor_row[digit] == CANON_FREE) {
        *kind = CANON_NEW;
        return canon_start_of(s->label_cut, s->place_of[digit]) + 1;
    }
    *kind = CANON_FIXED;
    if (s->anchor_column[digit] == CANON_FREE)
        return s->place_of[digit] + 1;
    int slot = canon_least_slot(c, s, s->anchor_column[digit], &only);
    if (!only)
        *kind = CANON_LINKED;
    return c->image[s->anchor_row[digit] * c->size + slot];
}

/* Return the same for a column that is put into the first slot of its class, which alone has its stack. */
static inline int canon_value_first(const CanonRow *row, const CanonState *s, int column, int *kind)
{
    int value = canon_value(row, s, column, kind);
    if (*kind != CANON_LINKED)
        return value;
    int digit = row->cells[column] - 1, anchor = s->anchor_column[digit], start = canon_class_of(s, anchor);
    int beside = canon_strand_in(s, column, start);
    if (beside < 0)
        return value;
    return row->c->image[s->anchor_row[digit] * row->c->size + start + (anchor != beside)];
}

/* Give the cell of a column its value, and return it. `is_alone`: the column has its slot for good. */
static inline int canon_take(const CanonRow *row, CanonState *s, int column, int is_alone)
{
    int digit = row->cells[column] - 1;
    if (digit < 0)
        return 0;
    if (s->anchor_row[digit] == CANON_FREE)
        return canon_label(s, digit, row->depth, is_alone ? CANON_FREE : column);
    if (s->anchor_column[digit] == CANON_FREE)
        return s->place_of[digit] + 1;
    int slot = canon_fix(row->c, s, s->anchor_column[digit]);
    int value = row->c->image[s->anchor_row[digit] * row->c->size + slot];
    s->anchor_column[digit] = CANON_FREE, s->place_of[digit] = (uint8_t)(value - 1);
    return value;
}

/* Return 1 if a digit that comes for the first time occurs in the row again. */
static inline int canon_recurs(const CanonRow *row, int column)
{
    return (int)(row->repeated >> (row->cells[column] - 1) & 1);
}

/* Write the value of each column of some slots; return 1 if their order must be chosen for the row.
 *
 * That is so for a linked digit, and for a new one that occurs in the row again: the sooner it comes, the less its
 * label is there. */
static inline int canon_are_open(const CanonRow *row, const CanonState *s, int first, int end, uint8_t *values)
{
    int is_open = 0;
    for (int slot = first; slot < end; slot++) {
        int kind, column = s->column[slot], value = canon_value(row, s, column, &kind);
        values[column] = (uint8_t)value;
        is_open |= kind == CANON_LINKED || (kind == CANON_NEW && canon_recurs(row, column));
    }
    return is_open;
}

/* Choose each stack of the class that begins at a slot of stacks, and go on with the row. */
static void canon_choose_stack(const CanonRow *row, CanonState *s, int stack, int end, int order)
{
    Canon *c = row->c;
    for (int one = stack; one < end; one++) {
        CanonState next;
        canon_copy(&next, s);
        int first = s->column[one * c->width] / c->width * c->width;
        canon_choose(&next, CANON_STACK + canon_line(c, s->turned, 0, first));
        canon_swap_stacks(c, &next, stack, one);
        canon_cut(&next.stack_cut, stack + 1);
        canon_fill(row, &next, stack * c->width, order);
        order = 0;
    }
}

/* Compare the values of the columns of two stacks, slot by slot. */
static inline int canon_compare_stacks(const Canon *c, const CanonState *s, int one, int other, const uint8_t *values)
{
    for (int i = 0; i < c->width; i++) {
        int a = values[s->column[one * c->width + i]], b = values[s->column[other * c->width + i]];
        if (a != b)
            return a - b;
    }
    return 0;
}

/* Sort the columns of each class of a stack by their values, then the stacks; those of equal values stay classes. */
static void canon_arrange(const Canon *c, CanonState *s, int stack, int end, const uint8_t *values)
{
    int width = c->width;
    for (int start = stack * width, next; start < end * width; start = next) {
        next = canon_end_of(s->cut, start, end * width);
        for (int at = start + 1; at < next; at++)
            for (int to = at; to > start && values[s->column[to - 1]] > values[s->column[to]]; to--)
                canon_swap(s, to - 1, to);
    }
    for (int one = stack + 1; one < end; one++)
        for (int to = one; to > stack && canon_compare_stacks(c, s, to - 1, to, values) > 0; to--)
            canon_swap_stacks(c, s, to - 1, to);
    for (int one = stack; one < end; one++) {
        if (one > stack && canon_compare_stacks(c, s, one - 1, one, values))
            canon_cut(&s->stack_cut, one);
        for (int slot = one * width + 1; slot < (one + 1) * width; slot++)
            if (values[s->column[slot]] != values[s->column[slot - 1]])
                canon_cut(&s->cut, slot);
    }
}

/* Move the columns in some slots of a class to its front, as a class; return its end. */
static int canon_gather(const Canon *c, CanonState *s, int slot, int end, uint64_t places)
{
    int to = slot;
    for (int at = slot; at < end; at++)
        if (places >> at & 1)
            canon_swap_strands(s, to++, at);
    canon_cut_class(c, s, slot, to - slot);
    return to;
}

/* Find out how the columns in some slots of a class, with linked digits of the same value, are to be placed:
 * 0 if one must be chosen to be the first, 1 if every order gives the same, 2 if their anchors must follow
 * them. The anchors are in one class, and all different. */
static int canon_can_tie(const CanonRow *row, const CanonState *s, uint64_t places)
{
    uint64_t anchors = 0;
    int alike = 1, others = 1;
    for (uint64_t left = places; left; left &= left - 1) {
        int column = s->column[lowest64(left)], anchor = s->anchor_column[row->cells[column] - 1];
        int stack = row->c->stack_of[s->slot[anchor]];
        if (canon_start_of(s->stack_cut, stack) != stack
            || canon_end_of(s->stack_cut, stack, row->c->height) != stack + 1 || (anchors >> anchor & 1))
            return 0;
        anchors |= (uint64_t)1 << anchor;
        int beside = canon_strand_in(s, column, canon_class_of(s, anchor));
        alike &= beside == anchor;
        others &= beside < 0;
    }
    return alike ? 1 : others ? 2 : 0;
}

/* Tie the columns of a class to their anchors, which become a class in the same order. */
static void canon_tie_class(const CanonRow *row, CanonState *s, int slot, int end)
{
    int start = canon_class_of(s, s->anchor_column[row->cells[s->column[slot]] - 1]);
    for (int at = slot; at < end; at++)
        canon_swap_strands(s, start + at - slot, s->slot[s->anchor_column[row->cells[s->column[at]] - 1]]);
    canon_cut_class(row->c, s, start, end - slot);
    for (int at = slot; at < end; at++)
        canon_tie(s, s->column[at], s->column[start + at - slot]);
}

/* Fill the slots from one to another, whose columns may stay in any order; return the order. */
static int canon_fill_alike(const CanonRow *row, CanonState *s, int slot, int end, int order)
{
    int is_alone = end == slot + 1;
    for (; slot < end; slot++)
        if ((order = canon_emit(row, slot, canon_take(row, s, s->column[slot], is_alone), order)) > 0)
            return 1;
    return order;
}

/* Fill the slots of stacks that are arranged; return the order. */
static int canon_fill_stacks(const CanonRow *row, CanonState *s, int slot, int end, int order)
{
    for (; slot < end; slot++)
        if ((order = canon_emit(row, slot, canon_take(row, s, s->column[slot], 0), order)) > 0)
            return 1;
    return order;
}

/* Try each of some groups of columns that may come first in a class: one column with a linked digit, or all columns
 * with a new one. */
static void canon_choose_columns(const CanonRow *row, const CanonState *s, int slot, int end, uint64_t places, int is_new,
                                 int order)
{
    for (uint64_t left = places; left;) {
        int at = lowest64(left), column = s->column[at], digit = row->cells[column];
        uint64_t group = (uint64_t)1 << at;
        CanonState next;
        canon_copy(&next, s);
        canon_choose(&next, is_new ? CANON_DIGIT + digit - 1 : canon_line(row->c, s->turned, 0, column));
        if (is_new) {
            for (int other = at + 1; other < end; other++)
                group |= (uint64_t)(row->cells[s->column[other]] == digit) << other;
            canon_label(&next, digit - 1, row->depth, CANON_FREE);
        }
        left &= ~group;
        int to = canon_gather(row->c, &next, slot, end, group);
        int so_far = canon_fill_alike(row, &next, slot, to, order);
        if (so_far <= 0) {
            canon_fill(row, &next, to, so_far);
            order = 0;
        }
    }
}

/* Return those of some new digits of a class that come first; `times`: how often each of them occurs in the class.
 *
 * These are the digits that occur most often in it, as 11 is less than 12. If each of them occurs once, these are the digits that
 * occur again later in the row, in any order: there, their labels must be the least. */
static uint64_t canon_first_new(const CanonRow *row, const CanonState *s, uint64_t places, int *times)
{
    uint64_t first = 0, recurring = 0;
    uint8_t counts[CANON_SIDE] = {0};
    *times = 1;
    for (uint64_t left = places; left; left &= left - 1) {
        int column = s->column[lowest64(left)], digit = row->cells[column] - 1;
        if (!canon_recurs(row, column))
            continue;
        recurring |= left & -left;
        if (++counts[digit] > *times)
            *times = counts[digit];
    }
    if (*times == 1)
        return recurring ? recurring : places;
    for (uint64_t left = recurring; left; left &= left - 1)
        if (counts[row->cells[s->column[lowest64(left)]] - 1] == *times)
            first |= left & -left;
    return first;
}

/* Fill the slots of a class from `slot` on that have the same least value; return the next slot, -1 to end. */
static int canon_fill_class(const CanonRow *row, CanonState *s, int slot, int end, int *order)
{
    int least = 255, kind_of_least = 0, times = 1;
    uint64_t places = 0;
    for (int at = slot; at < end; at++) {
        int kind, value = canon_value_first(row, s, s->column[at], &kind);
        if (value > least)
            continue;
        if (value < least)
            least = value, kind_of_least = kind, places = 0;
        places |= (uint64_t)1 << at;
    }
    int is_linked = kind_of_least == CANON_LINKED && (places & (places - 1));
    int ties = is_linked ? canon_can_tie(row, s, places) : 0;
    if (ties) {
        end = canon_gather(row->c, s, slot, end, places);
        if (ties == 2)
            canon_tie_class(row, s, slot, end);
        for (int at = slot; at < end; at++)
            if ((*order = canon_emit(row, at, least + at - slot, *order)) > 0)
                return -1;
        return end;
    }
    if (kind_of_least == CANON_NEW && row->repeated)
        places = canon_first_new(row, s, places, &times);
    if (is_linked || times > 1) {
        canon_choose_columns(row, s, slot, end, places, times > 1, *order);
        return -1;
    }
    end = canon_gather(row->c, s, slot, end, places);
    *order = canon_fill_alike(row, s, slot, end, *order);
    return *order > 0 ? -1 : end;
}

/* Keep a state whose row is at least as good as all others of its node. */
static void canon_keep(const CanonRow *row, const CanonState *s, int order)
{
    Canon *c = row->c;
    size_t at = (size_t)row->depth * (size_t)c->size, size = (size_t)c->size;
    if (order < 0) {
        memcpy(c->least + at, c->image + at, size);
        c->has_least = 1;
        c->top = row->base;
    }
    if (c->top == c->room) {
        CanonState *more = NULL;
        if (c->room < CANON_MOST_STATES)
            more = realloc(c->states, (size_t)c->room * 2 * sizeof(CanonState));
        if (!more) {
            c->failed = 1;
            return;
        }
        c->states = more, c->room *= 2;
    }
    CanonState *kept = &c->states[c->top++];
    canon_copy(kept, s);
    kept->depth++;
    kept->choice_end[kept->depth] = (uint8_t)kept->choices;
}

/* Fill a row from a slot on, where `order` is 0 if it equals the least so far, and -1 if it is less. */
static void canon_fill(const CanonRow *row, CanonState *s, int slot, int order)
{
    Canon *c = row->c;
    uint8_t values[CANON_SIDE];
    if (!canon_count(c))
        return;
    while (slot < c->size) {
        int stack = c->stack_of[slot], end = canon_end_of(s->stack_cut, stack, c->height);
        if (end - stack > 1) {
            if (canon_are_open(row, s, slot, end * c->width, values)) {
                canon_choose_stack(row, s, stack, end, order);
                return;
            }
            canon_arrange(c, s, stack, end, values);
            if ((order = canon_fill_stacks(row, s, slot, end * c->width, order)) > 0)
                return;
            slot = end * c->width;
            continue;
        }
        int last = canon_end_of(s->cut, slot, (stack + 1) * c->width);
        if (last - slot > 1) {
            if ((slot = canon_fill_class(row, s, slot, last, &order)) < 0)
                return;
            continue;
        }
        if ((order = canon_emit(row, slot, canon_take(row, s, s->column[slot], 1), order)) > 0)
            return;
        slot++;
    }
    canon_keep(row, s, order);
}

#endif
