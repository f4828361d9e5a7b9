/* Clauses that learners on the same board pass to each other.
 *
 * A part of a tree is walked as the whole board with digits that are assumed. So all learners of a
 * board have the same variables, what one of them learns holds for all, and what it has learnt from one part helps
 * it with the next. Short clauses go into a buffer that all learners read between two parts. When the
 * buffer is full, it begins anew: clauses that were not read are lost, which is always right.
 *
 *     words    | size  learner  glue  literal … | size  learner  glue  literal … |
 */
#ifndef ENUMERATOR_LEARNING_EXCHANGE_H
#define ENUMERATOR_LEARNING_EXCHANGE_H

#include <sched.h>

#include "clauses.h"

enum {
    EXCHANGE_WORDS = 1 << 18, /* 1 MB */
    EXCHANGED_SIZE = 12,
    EXCHANGED_GLUE = 2,
    EXCHANGE_HEAD = 3,
};

typedef struct Exchange {
    int lock;
    uint32_t learners, used;
    uint64_t round; /* the number of times that the buffer has begun anew */
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
    if (!exchange || exchange->learners < 2 || count > EXCHANGED_SIZE || (glue > EXCHANGED_GLUE && count > 2))
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

#endif
