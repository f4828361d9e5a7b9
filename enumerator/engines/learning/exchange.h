/* Clauses that learners on the same board pass to each other.
 *
 * A part of a tree is walked as the whole board with digits that are assumed. So all learners of a
 * board have the same variables, what one of them learns holds for all, and what it has learnt from one
 * part helps it with the next. Short clauses go into a buffer that all learners read between two parts
 * and at restarts. When the buffer is full, it begins anew: clauses that were not read are lost, which is
 * always right.
 *
 *     words    | size  learner  glue  literal … | size  learner  glue  literal … |
 */
#ifndef ENUMERATOR_LEARNING_EXCHANGE_H
#define ENUMERATOR_LEARNING_EXCHANGE_H

#include <sched.h>

#include "clauses.h"
#include "heap.h"

enum {
    EXCHANGE_WORDS = 1 << 18, /* 1 MB */
    EXCHANGED_SIZE = 20,
    EXCHANGED_GLUE = 3,
    EXCHANGE_HEAD = 3,
};

typedef struct Exchange {
    int lock;
    uint32_t learners, used;
    uint64_t round; /* the number of times that the buffer has begun anew */
    double *activity; /* of the last learner that ended a part, for learners that are new; or NULL */
    uint32_t words[EXCHANGE_WORDS];
} Exchange;

static inline void lock_exchange(Exchange *exchange)
{
    while (!acquire_flag(&exchange->lock))
        sched_yield();
}

/* Pass a clause to other learners, if it is short. */
static void offer_clause(Learner *learner, const uint32_t *literals, uint32_t count, uint32_t glue)
{
    Exchange *exchange = learner->exchange;
    if (!exchange || count > EXCHANGED_SIZE || (glue > EXCHANGED_GLUE && count > 2))
        return;
    lock_exchange(exchange);
    if (exchange->used + EXCHANGE_HEAD + count > EXCHANGE_WORDS) {
        exchange->used = 0;
        exchange->round++;
    }
    uint32_t *to = exchange->words + exchange->used;
    to[0] = count, to[1] = learner->number, to[2] = glue;
    memcpy(to + EXCHANGE_HEAD, literals, count * sizeof *literals);
    exchange->used += EXCHANGE_HEAD + count;
    release_flag(&exchange->lock);
}

/* Move the literal that is to be watched first of those from `at` on to place `at`: one that is not
 * false; otherwise one of the last level. */
static void move_best(const Learner *learner, uint32_t *literals, uint32_t count, uint32_t at)
{
    uint32_t best = at, best_level = 0;
    for (uint32_t i = at; i < count; i++) {
        int is_false = learner->value[literals[i]] < 0;
        uint32_t level = is_false ? learner->fact[variable_of(literals[i])].level : UINT32_MAX;
        if (level > best_level)
            best = i, best_level = level;
    }
    uint32_t literal = literals[best];
    literals[best] = literals[at];
    literals[at] = literal;
}

/* Add a clause of another learner. The walk must be at its last held level. */
static void take_clause(Learner *learner, const uint32_t *literals, uint32_t count, uint32_t glue)
{
    uint32_t kept[EXCHANGED_SIZE], kept_count = 0, reason = NO_REASON;
    for (uint32_t i = 0; i < count; i++) {
        int is_fact = learner->value[literals[i]] && !learner->fact[variable_of(literals[i])].level;
        if (is_fact && learner->value[literals[i]] > 0)
            return;
        if (!is_fact)
            kept[kept_count++] = literals[i];
    }
    if (!kept_count) {
        learner->is_finished = learner->is_impossible = 1;
        return;
    }
    move_best(learner, kept, kept_count, 0);
    if (kept_count == 1)
        learner->units[learner->unit_count++] = kept[0];
    else {
        move_best(learner, kept, kept_count, 1);
        uint32_t clause = add_clause(learner, kept, kept_count, glue);
        if (clause == UINT32_MAX) {
            learner->is_out_of_memory = 1;
            return;
        }
        reason = make_reason(BY_CLAUSE, clause);
    }
    if (learner->value[kept[0]] < 0 && learner->held == learner->assumed)
        learner->is_finished = 1; /* it refutes the part */
    if (!learner->value[kept[0]] && (kept_count == 1 || learner->value[kept[1]] < 0))
        put_on_trail(learner, kept[0], kept_count == 1 ? 0 : learner->depth, reason);
}

/* Read the clauses that other learners have offered since the last time. */
static void take_clauses(Learner *learner)
{
    Exchange *exchange = learner->exchange;
    if (!exchange)
        return;
    lock_exchange(exchange);
    if (learner->read_round != exchange->round) {
        learner->read_round = exchange->round;
        learner->read_words = 0;
    }
    while (learner->read_words < exchange->used && !learner->is_finished && !learner->is_out_of_memory) {
        const uint32_t *from = exchange->words + learner->read_words;
        if (from[1] != learner->number)
            take_clause(learner, from + EXCHANGE_HEAD, from[0], from[2]);
        learner->read_words += EXCHANGE_HEAD + from[0];
    }
    release_flag(&exchange->lock);
}

/* Leave the activities to learners that are new. */
static void learning_leave(Learner *learner)
{
    Exchange *exchange = learner->exchange;
    lock_exchange(exchange);
    if (!exchange->activity)
        exchange->activity = calloc(learner->variables + 1, sizeof *exchange->activity);
    for (uint32_t i = 0; exchange->activity && i < learner->variables; i++)
        exchange->activity[i] = learner->activity[i] / learner->step;
    release_flag(&exchange->lock);
}

/* Join the learners of an exchange, with the activities of another one. */
static void learning_join(Learner *learner, Exchange *exchange)
{
    lock_exchange(exchange);
    learner->exchange = exchange;
    learner->number = exchange->learners++;
    for (uint32_t i = 0; exchange->activity && i < learner->variables; i++)
        learner->activity[i] = exchange->activity[i];
    release_flag(&exchange->lock);
    uint64_t random = learner->number;
    for (uint32_t i = 0; learner->number && i < learner->variables; i++) /* another order than the first one's */
        learner->activity[i] += (double)(next_random(&random) >> 40) * 0x1p-24 * 1e-3;
    for (uint32_t place = learner->heap_size / 2; place-- > 0;)
        move_down(learner, place);
}

static void exchange_free(Exchange *exchange)
{
    if (exchange)
        free(exchange->activity);
    free(exchange);
}

#endif
