/* From a board to variables and groups, and back to boards. */
#ifndef ENUMERATOR_LEARNING_CANDIDATES_H
#define ENUMERATOR_LEARNING_CANDIDATES_H

#include "clauses.h"
#include "heap.h"

/* Return cell number `i` of a unit: rows first, then columns, then boxes. */
static inline int cell_of_unit(const Learner *learner, int unit, int i)
{
    int size = learner->size, height = learner->height, width = learner->width, which = unit % size;
    if (unit < size)
        return which * size + i;
    if (unit < 2 * size)
        return i * size + which;
    return (which / height * height + i / width) * size + which % height * width + i % width;
}

/* Remove digits until no cell with one candidate and no digit with one place concludes anything more.
 * Return 0 at a contradiction. */
static int apply_singles(const Learner *learner, uint64_t *candidates)
{
    int size = learner->size, is_changed = 1;
    uint64_t full = ~(uint64_t)0 >> (64 - size);
    while (is_changed) {
        is_changed = 0;
        for (int unit = 0; unit < 3 * size; unit++) {
            uint64_t once = 0, twice = 0, placed = 0;
            for (int i = 0; i < size; i++) {
                uint64_t digits = candidates[cell_of_unit(learner, unit, i)];
                if (!digits || (!(digits & (digits - 1)) && (placed & digits)))
                    return 0;
                if (!(digits & (digits - 1)))
                    placed |= digits;
            }
            for (int i = 0; i < size; i++) {
                uint64_t *digits = &candidates[cell_of_unit(learner, unit, i)];
                if ((*digits & (*digits - 1)) && (*digits & placed)) {
                    *digits &= ~placed;
                    is_changed = 1;
                    if (!*digits)
                        return 0;
                }
                twice |= once & *digits;
                once |= *digits;
            }
            if (once != full)
                return 0;
            once &= ~twice;
            for (int i = 0; i < size; i++) {
                uint64_t *digits = &candidates[cell_of_unit(learner, unit, i)], single = *digits & once;
                if (single & (single - 1))
                    return 0; /* two digits have no other place */
                if (single && single != *digits) {
                    *digits = single;
                    is_changed = 1;
                }
            }
        }
    }
    return 1;
}

/* Allocate the arrays for `variables` variables. Return 0 if memory is short. */
static int allocate(Learner *learner, uint32_t variables)
{
    size_t v = variables + 1, cells = (size_t)learner->cells;
#define ARRAY(name, count) ((learner->name = calloc((count), sizeof *learner->name)) != NULL)
    return ARRAY(cell_of, v) && ARRAY(digit_of, v) && ARRAY(groups_of, v) && ARRAY(left, 4 * cells + 1) &&
           ARRAY(first, 4 * cells + 1) && ARRAY(members, GROUPS_OF_VARIABLE * v) && ARRAY(value, 2 * v) &&
           ARRAY(fact, v) && ARRAY(trail, v) &&
           ARRAY(starts, cells + 1) && ARRAY(levels, cells + 1) && ARRAY(watchers, 2 * v) && ARRAY(units, v) &&
           ARRAY(activity, v) && ARRAY(heap, v) && ARRAY(heap_place, v) && ARRAY(mark, v) && ARRAY(marked, 2 * v) &&
           ARRAY(analysed, v) && ARRAY(learnt, v) && ARRAY(block, 2 * v) && ARRAY(extra, v) && ARRAY(before, v) &&
           ARRAY(level_stamp, cells + 2) && ARRAY(glue_stamp, cells + 2);
#undef ARRAY
}

static void learning_free(Learner *learner)
{
    if (learner->watchers)
        for (uint32_t literal = 0; literal < 2 * (learner->variables + 1); literal++)
            free(learner->watchers[literal].items);
    void *arrays[] = {learner->fixed,    learner->cell_of,  learner->digit_of,    learner->groups_of,  learner->left,
                      learner->first,    learner->members,  learner->value,    learner->fact,        learner->trail,      learner->starts,
                      learner->levels,   learner->words,    learner->clauses,     learner->watchers,   learner->units,
                      learner->activity, learner->heap,     learner->heap_place,  learner->mark,       learner->marked,
                      learner->analysed, learner->learnt,   learner->block,       learner->extra,      learner->before,
                      learner->level_stamp, learner->glue_stamp};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    memset(learner, 0, sizeof *learner);
}

/* Add a group of the variables at `count` places: their numbers plus one, or 0. Add none if all are 0. */
static void add_group(Learner *learner, const uint32_t *places, int count, uint32_t *used)
{
    uint32_t *left = &learner->left[learner->groups];
    learner->first[learner->groups] = *used;
    for (int i = 0; i < count; i++)
        if (places[i]) {
            uint32_t variable = places[i] - 1;
            learner->members[(*used)++] = variable;
            *left = (*left ^ variable) + ONE_LEFT;
        }
    if (*left)
        learner->groups++;
    learner->first[learner->groups] = *used;
}

/* Make the groups of cells, then those of rows, columns and boxes. `number` has the variable of each
 * candidate, plus one; 0: none. */
static void make_groups(Learner *learner, const uint32_t *number)
{
    int size = learner->size;
    uint32_t used = 0, places[64];
    for (int cell = 0; cell < learner->cells; cell++)
        add_group(learner, number + cell * size, size, &used);
    for (int unit = 0; unit < 3 * size; unit++)
        for (int digit = 0; digit < size; digit++) {
            for (int i = 0; i < size; i++)
                places[i] = number[cell_of_unit(learner, unit, i) * size + digit];
            add_group(learner, places, size, &used);
        }
    CHECK(used == GROUPS_OF_VARIABLE * learner->variables);
    for (uint32_t group = 0; group < learner->groups; group++) {
        CHECK(group_size(learner, group) >= 2);
        for (uint32_t i = 0; i < group_size(learner, group); i++) {
            uint16_t *mine = learner->groups_of[members_of(learner, group)[i]];
            while (*mine != UINT16_MAX)
                mine++;
            *mine = (uint16_t)group;
        }
    }
}

/* Begin a walk over a board. `allowed` has the pencil marks of each cell, or is NULL. Return 0 if
 * memory is short. */
static int learning_start(Learner *learner, const uint8_t *cells, int height, int width, const uint64_t *allowed)
{
    uint32_t variables = 0;
    int size = height * width, is_possible = 1;
    uint64_t full = ~(uint64_t)0 >> (64 - size);
    memset(learner, 0, sizeof *learner);
    learner->height = height, learner->width = width, learner->size = size, learner->cells = size * size;
    uint64_t *candidates = calloc((size_t)learner->cells, sizeof *candidates);
    uint32_t *number = calloc((size_t)learner->cells * size, sizeof *number);
    learner->fixed = calloc((size_t)learner->cells, 1);
    if (candidates && number && learner->fixed) {
        for (int cell = 0; cell < learner->cells; cell++) {
            candidates[cell] = cells[cell] ? (uint64_t)1 << (cells[cell] - 1) : full;
            if (allowed)
                candidates[cell] &= allowed[cell];
        }
        is_possible = apply_singles(learner, candidates);
        for (int cell = 0; is_possible && cell < learner->cells; cell++) {
            uint64_t digits = candidates[cell];
            if (!(digits & (digits - 1)))
                learner->fixed[cell] = (uint8_t)(lowest64(digits) + 1);
            else
                for (; digits; digits &= digits - 1)
                    number[cell * size + lowest64(digits)] = ++variables;
        }
    }
    learner->variables = variables;
    int is_allocated = candidates && number && learner->fixed && allocate(learner, variables);
    if (is_allocated) {
        memset(learner->groups_of, 0xff, variables * sizeof *learner->groups_of);
        for (int place = 0; place < learner->cells * size; place++)
            if (number[place]) {
                learner->cell_of[number[place] - 1] = (uint16_t)(place / size);
                learner->digit_of[number[place] - 1] = (uint8_t)(place % size + 1);
            }
        make_groups(learner, number);
        fill_heap(learner);
        learner->most_words = MOST_WORDS;
        learner->next_reduction = REDUCTION_CONFLICTS;
        learner->is_finished = learner->is_impossible = !is_possible;
    }
    free(candidates);
    free(number);
    return is_allocated;
}

/* Write the digits that the first `trailed` literals of the trail place, and those that hold anyway. */
static void write_board(const Learner *learner, uint32_t trailed, uint8_t *out)
{
    memcpy(out, learner->fixed, (size_t)learner->cells);
    for (uint32_t i = 0; i < trailed; i++) {
        uint32_t literal = learner->trail[i], variable = variable_of(literal);
        if (literal == true_literal(variable))
            out[learner->cell_of[variable]] = learner->digit_of[variable];
    }
}

#endif
