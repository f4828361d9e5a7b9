/* Walks over parts: digits that are assumed. */
#ifndef ENUMERATOR_LEARNING_ASSUMPTIONS_H
#define ENUMERATOR_LEARNING_ASSUMPTIONS_H

#include "learning.h"

/* Return the variable of a digit in a cell; UINT32_MAX if it is not a candidate. */
static uint32_t find_variable(const Learner *learner, int cell, int digit)
{
    uint32_t low = 0, high = learner->variables; /* variables are in the order of cells, then digits */
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        int is_before = learner->cell_of[middle] < cell ||
                        (learner->cell_of[middle] == cell && learner->digit_of[middle] < digit);
        low = is_before ? middle + 1 : low;
        high = is_before ? high : middle;
    }
    return low < learner->variables && learner->cell_of[low] == cell && learner->digit_of[low] == digit ? low : UINT32_MAX;
}

/* Assume the digit of a cell as a level of its own. Return 0 if that is a contradiction. */
static int assume_digit(Learner *learner, int cell, int digit)
{
    if (learner->fixed[cell])
        return learner->fixed[cell] == digit;
    uint32_t variable = find_variable(learner, cell, digit);
    if (variable == UINT32_MAX || learner->value[true_literal(variable)] < 0)
        return 0;
    if (learner->value[true_literal(variable)] > 0)
        return 1;
    learner->levels[learner->depth] = (Level){0, learner->groups_of[variable][0], 1};
    learner->starts[learner->depth++] = learner->trailed;
    put_on_trail(learner, true_literal(variable), learner->depth, NO_REASON);
    learner->assumed = learner->held = learner->depth;
    return conclude(learner);
}

/* Begin a walk over a part of the board: `cells` are the board with more digits. */
static void learning_assume(Learner *learner, const uint8_t *cells)
{
    learner->is_next_due = learner->is_in_conflict = 0;
    return_to(learner, 0);
    learner->assumed = learner->held = 0;
    learner->is_finished = learner->is_impossible;
    take_clauses(learner);
    conclude(learner);
    for (int cell = 0; cell < learner->cells && !learner->is_finished; cell++)
        if (cells[cell] && !assume_digit(learner, cell, cells[cell]))
            learner->is_finished = 1;
}

#endif
