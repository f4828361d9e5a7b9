/* Learnt clauses: where they are kept, which are watched by what, and which are forgotten.
 *
 *     words   | size  head  literal literal … | size  head  literal … | …
 *                     head: glue, life, and flags
 *
 * Terms
 *     clause    literals of which at least one is true in every solution
 *     watched   the first two literals of a clause. While neither is false, the clause concludes
 *               nothing, and is not read (Moskewicz and others, "Chaff", DAC 2001)
 *     glue      the number of levels of a clause's literals when it was learnt or last used. Few
 *               levels are a sign of a good clause (Audemard and Simon, "Predicting learnt clauses
 *               quality in modern SAT solvers", IJCAI 2009)
 *     life      the number of reductions that a clause survives without being used
 *
 * Memory is bounded. A reduction forgets three quarters of the clauses that were not used lately, and
 * is due after some hundred conflicts, and whenever the clauses fill MOST_WORDS. Clauses that are
 * reasons stay: at most one for each literal of the trail.
 */
#ifndef ENUMERATOR_LEARNING_CLAUSES_H
#define ENUMERATOR_LEARNING_CLAUSES_H

#include "state.h"

enum {
    MOST_WORDS = 1 << 24, /* 64 MB */
    KEPT_GLUE = 2,        /* clauses of so few levels are kept */
    LASTING_GLUE = 4,     /* clauses of so few levels have two lives */
    REDUCTION_CONFLICTS = 100,
    /* The most conflicts between two reductions once a solution is found. A long count meets new regions
     * all the time, and clauses of earlier ones are read in vain. Seconds for a 25×25 board with 2,728,910
     * solutions, and for six rearrangements of one with 152,172:
     *
     *     conflicts   1,500   2,000   3,000   no bound
     *     2,728,910   48              43      66
     *     6 · 152,172         31.5            34.4
     */
    COUNTING_CONFLICTS = 2000,
    KEPT_PART = 4, /* one of so many clauses that were not used lately is kept */
    SORTED_GLUE = 64,  /* glue and size beyond these are taken for these */
    SORTED_SIZE = 256,
};

enum { GLUE_BITS = 0xffff, LIFE = 1 << 16, LIVES = 3 << 16, IS_REASON = 1 << 20, IS_FORGOTTEN = 1 << 21 };

static inline uint32_t clause_size(const Learner *learner, uint32_t clause) { return learner->words[clause]; }
static inline uint32_t *head_of(const Learner *learner, uint32_t clause) { return &learner->words[clause + 1]; }
static inline uint32_t *literals_of(const Learner *learner, uint32_t clause) { return &learner->words[clause + 2]; }
static inline uint32_t glue_of(const Learner *learner, uint32_t clause) { return *head_of(learner, clause) & GLUE_BITS; }

static inline uint32_t head_for(uint32_t glue) { return glue | (glue <= LASTING_GLUE ? 2 * LIFE : LIFE); }

/* Make room for `count` more items in an array that has `used`. Return 0 if memory is short. */
static int make_room(void **items, uint32_t *room, uint64_t used, uint64_t count, size_t item_size)
{
    if (used + count <= *room)
        return 1;
    uint64_t larger = *room + *room / 2 + count + 16;
    void *grown = larger >> 30 ? NULL : realloc(*items, larger * item_size);
    if (!grown)
        return 0;
    *items = grown;
    *room = (uint32_t)larger;
    return 1;
}

static inline int watch(Learner *learner, uint32_t literal, uint32_t clause, uint32_t blocker)
{
    WatchList *list = &learner->watchers[literal];
    if (list->count == list->room && !make_room((void **)&list->items, &list->room, list->count, 1, sizeof(Watcher)))
        return 0;
    list->items[list->count++] = (Watcher){clause, blocker};
    return 1;
}

/* Return the number of levels of literals that are on the trail, without level 0. */
static uint32_t count_levels(Learner *learner, const uint32_t *literals, uint32_t count)
{
    uint32_t levels = 0;
    learner->glue_now++;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t level = learner->fact[variable_of(literals[i])].level;
        if (level && learner->glue_stamp[level] != learner->glue_now) {
            learner->glue_stamp[level] = learner->glue_now;
            levels++;
        }
    }
    return levels;
}

/* Give a clause that is used new lives, and a smaller glue if it has fewer levels now. */
static void renew_clause(Learner *learner, uint32_t clause)
{
    uint32_t *head = head_of(learner, clause), glue = *head & GLUE_BITS;
    if (glue <= KEPT_GLUE)
        return;
    uint32_t now = count_levels(learner, literals_of(learner, clause), clause_size(learner, clause));
    *head = (*head & ~(uint32_t)(GLUE_BITS | LIVES)) | head_for(now < glue ? now : glue);
}

/* Keep a clause of at least two literals and watch the first two. Return its place, or UINT32_MAX if
 * memory is short. */
static uint32_t add_clause(Learner *learner, const uint32_t *literals, uint32_t count, uint32_t glue)
{
    uint32_t clause = learner->used_words;
    if (!make_room((void **)&learner->words, &learner->room_words, clause, count + 2, sizeof *learner->words) ||
        !make_room((void **)&learner->clauses, &learner->clause_room, learner->clause_count, 1,
                   sizeof *learner->clauses) ||
        !watch(learner, literals[0], clause, literals[1]))
        return UINT32_MAX;
    if (!watch(learner, literals[1], clause, literals[0])) {
        learner->watchers[literals[0]].count--;
        return UINT32_MAX;
    }
    learner->words[clause] = count;
    *head_of(learner, clause) = head_for(glue);
    memcpy(literals_of(learner, clause), literals, count * sizeof *literals);
    learner->used_words += count + 2;
    learner->clauses[learner->clause_count++] = clause;
    return clause;
}

/* Move all clauses that are not forgotten together, and watch them anew. */
static void compact(Learner *learner)
{
    uint32_t kept = 0, used = 0;
    for (uint32_t literal = 0; literal < 2 * learner->variables; literal++)
        learner->watchers[literal].count = 0;
    for (uint32_t i = 0; i < learner->clause_count; i++) {
        uint32_t clause = learner->clauses[i], words = clause_size(learner, clause) + 2;
        uint32_t first = literals_of(learner, clause)[0], second = literals_of(learner, clause)[1];
        if (*head_of(learner, clause) & IS_FORGOTTEN)
            continue;
        if (*head_of(learner, clause) & IS_REASON) {
            Fact *fact = &learner->fact[variable_of(learner->value[first] > 0 ? first : second)];
            CHECK(fact->reason == make_reason(BY_CLAUSE, clause));
            fact->reason = make_reason(BY_CLAUSE, used);
            *head_of(learner, clause) &= ~(uint32_t)IS_REASON;
        }
        memmove(learner->words + used, learner->words + clause, words * sizeof *learner->words);
        learner->clauses[kept++] = used;
        WatchList *one = &learner->watchers[first], *two = &learner->watchers[second];
        one->items[one->count++] = (Watcher){used, second}; /* there is room: it was there before */
        two->items[two->count++] = (Watcher){used, first};
        used += words;
    }
    learner->clause_count = kept;
    learner->used_words = used;
}

static inline uint32_t rank_of(const Learner *learner, uint32_t clause)
{
    uint32_t glue = glue_of(learner, clause), size = clause_size(learner, clause);
    return (glue < SORTED_GLUE ? glue : SORTED_GLUE - 1) * SORTED_SIZE + (size < SORTED_SIZE ? size : SORTED_SIZE - 1);
}

/* Return 1 if a clause may be forgotten. Where memory is full, every clause may that is no reason. */
static inline int may_go(const Learner *learner, uint32_t clause, int is_full)
{
    uint32_t head = *head_of(learner, clause);
    if (head & (IS_REASON | IS_FORGOTTEN))
        return 0;
    return is_full || (!(head & LIVES) && (head & GLUE_BITS) > KEPT_GLUE && clause_size(learner, clause) > 2);
}

/* Mark the clauses that are reasons, and those that hold anyway. */
static void mark_clauses(Learner *learner)
{
    for (uint32_t i = 0; i < learner->trailed; i++) {
        Fact *fact = &learner->fact[variable_of(learner->trail[i])];
        if ((fact->reason & 3) == BY_CLAUSE)
            *head_of(learner, fact->reason >> 2) |= IS_REASON;
    }
    for (uint32_t i = 0; i < learner->clause_count; i++) {
        uint32_t clause = learner->clauses[i], *literals = literals_of(learner, clause);
        if (*head_of(learner, clause) & IS_REASON)
            continue;
        for (uint32_t k = 0; k < clause_size(learner, clause); k++)
            if (learner->value[literals[k]] > 0 && !learner->fact[variable_of(literals[k])].level)
                *head_of(learner, clause) |= IS_FORGOTTEN;
    }
}

/* Forget clauses that hold anyway, and most of those that were not used lately: those of many levels
 * first, then the long ones, then the old ones. */
static void forget_clauses(Learner *learner)
{
    uint32_t counts[SORTED_GLUE * SORTED_SIZE] = {0}, candidates = 0, kept, rank = 0;
    int is_full = learner->used_words > learner->most_words;
    mark_clauses(learner);
    for (uint32_t i = 0; i < learner->clause_count; i++)
        if (may_go(learner, learner->clauses[i], is_full)) {
            counts[rank_of(learner, learner->clauses[i])]++;
            candidates++;
        }
    for (kept = candidates / KEPT_PART; rank < SORTED_GLUE * SORTED_SIZE - 1 && kept >= counts[rank]; rank++)
        kept -= counts[rank];
    for (uint32_t i = learner->clause_count; i-- > 0;) {
        uint32_t clause = learner->clauses[i], *head = head_of(learner, clause);
        if (!may_go(learner, clause, is_full))
            *head -= *head & LIVES ? LIFE : 0;
        else if (rank_of(learner, clause) > rank || (rank_of(learner, clause) == rank && !kept))
            *head |= IS_FORGOTTEN;
        else
            kept -= rank_of(learner, clause) == rank;
    }
    compact(learner);
    learner->reductions++;
    uint64_t conflicts = REDUCTION_CONFLICTS * (learner->reductions + 1);
    if (learner->held > learner->assumed && conflicts > COUNTING_CONFLICTS)
        conflicts = COUNTING_CONFLICTS;
    learner->next_reduction = learner->conflicts + conflicts;
    if (learner->most_words < 2 * learner->used_words)
        learner->most_words = 2 * learner->used_words; /* reasons only: at most one for each literal of the trail */
}

#endif
