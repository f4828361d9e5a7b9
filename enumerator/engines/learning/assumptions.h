/* Walks over parts: digits that are assumed, and clauses of other learners. */
#ifndef ENUMERATOR_LEARNING_ASSUMPTIONS_H
#define ENUMERATOR_LEARNING_ASSUMPTIONS_H

#include "learning.h"

/* Add a clause of another learner, at level 0. */
static void take_clause(Learner *learner, const uint32_t *literals, uint32_t count, uint32_t glue)
{
    uint32_t kept[EXCHANGED_SIZE], kept_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (learner->value[literals[i]] > 0)
            return;
        if (!learner->value[literals[i]])
            kept[kept_count++] = literals[i];
    }
    if (!kept_count)
        learner->is_impossible = 1;
    else if (kept_count == 1)
        put_on_trail(learner, kept[0], 0, NO_REASON);
    else if (add_clause(learner, kept, kept_count, glue) == UINT32_MAX)
        learner->is_out_of_memory = 1;
    if (!propagate(learner))
        learner->is_impossible = 1;
}

/* Read the clauses that other learners have offered since the last time. */
static void take_clauses(Learner *learner)
{
    Exchange *exchange = learner->exchange;
    if (!exchange || exchange->learners < 2)
        return;
    lock_exchange(exchange);
    if (learner->read_round != exchange->round) {
        learner->read_round = exchange->round;
        learner->read_words = 0;
    }
    while (learner->read_words < exchange->used && !learner->is_impossible) {
        const uint32_t *from = exchange->words + learner->read_words;
        if (from[1] != learner->number)
            take_clause(learner, from + EXCHANGE_HEAD, from[0], from[2]);
        learner->read_words += EXCHANGE_HEAD + from[0];
    }
    release_flag(&exchange->lock);
}

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
    if (!learner->is_finished && conclude(learner))
        take_clauses(learner);
    learner->is_finished = learner->is_impossible;
    for (int cell = 0; cell < learner->cells && !learner->is_finished; cell++)
        if (cells[cell] && !assume_digit(learner, cell, cells[cell]))
            learner->is_finished = 1;
}

#endif
