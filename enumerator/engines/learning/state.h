/* The state of a walk that learns: candidates as variables, groups, the trail.
 *
 * Terms
 *     variable   a candidate: "this digit stands in this cell". Only candidates that are left by
 *                single candidates and single places are variables, some 2,000 on a 25×25 puzzle
 *     literal    a variable or its negation: 2 · variable if true, 2 · variable + 1 if false
 *     group      variables of which exactly one is true: the digits of a cell; the places of a
 *                digit in a row, a column or a box. Every variable is in four groups
 *     trail      the literals that are true now, in the order in which they were concluded
 *     level      of a literal: the number of decisions before it on the trail; 0 needs none
 *     reason     why a literal is true: another one of its group, the rest of its group, a learnt
 *                clause; or none, because it was decided
 *
 *         level 0          level 1              level 2
 *     | conclusions | decision conclusions | decision conclusions …      the trail
 *     0             starts[0]              starts[1]
 *
 * A group knows how many of its variables are not false, and the XOR of their numbers. When one is
 * left, the XOR is its number: no list is searched, and no clause is watched.
 *
 * All arrays are as long as the number of variables, of groups or of cells, which are at most 64³,
 * 4 · 64² and 64². Literals and trail positions so fit 32 bits.
 */
#ifndef ENUMERATOR_LEARNING_STATE_H
#define ENUMERATOR_LEARNING_STATE_H

#include "machine.h"

enum { GROUPS_OF_VARIABLE = 4 };

/* A reason is a kind, in the two lowest bits, and a number. */
enum { NO_REASON, BY_VARIABLE, BY_GROUP, BY_CLAUSE };

static inline uint32_t make_reason(int kind, uint32_t number) { return number << 2 | (uint32_t)kind; }

/* What a group knows is one word: the number of its variables that are left, times ONE_LEFT, and the
 * XOR of their numbers, which are below 64³. Small words matter: they stay in the cache. */
enum { ONE_LEFT = 1 << 18 };

/* What is known of a variable that is on the trail. */
typedef struct {
    uint32_t level, reason, position;
} Fact;

typedef struct {
    uint32_t clause;   /* its place in `words` */
    uint32_t blocker;  /* another literal of it: while that is true, the clause need not be read */
} Watcher;

typedef struct {
    Watcher *items;
    uint32_t count, room;
} WatchList;

/* A level of the stack: a cell, and the digits of it that were not tried. */
typedef struct {
    uint64_t untried;  /* bit i: member i of the group of the cell */
    uint32_t group;
    uint32_t branches; /* the members that could be tried when this level was reached */
} Level;

typedef struct {
    int height, width, size, cells;
    uint8_t *fixed; /* the digits that hold in every solution; 0 elsewhere */

    uint32_t variables, groups;
    uint16_t *cell_of;
    uint8_t *digit_of;
    uint16_t (*groups_of)[GROUPS_OF_VARIABLE]; /* the group of the cell is the first */
    uint32_t *left;    /* of each group: how many are left, and their XOR */
    uint32_t *first;   /* of each group: its place in `members`; that of the next group is the end */
    uint32_t *members; /* of all groups */

    int8_t *value; /* of each literal: 1 true, -1 false, 0 open */
    Fact *fact;
    uint32_t *trail, *starts;
    uint32_t trailed, read, searched, depth; /* read: groups know it; searched: so do clauses */

    Level *levels;       /* level i + 1 of the trail is levels[i] */
    uint32_t assumed;    /* the levels of a part: its digits are assumed, and never changed */
    uint32_t held;       /* the levels that are not jumped over: assumed, or with solutions below them */
    int is_next_due;     /* the next digit of level `held` is to be tried */
    int is_in_conflict;  /* `conflict` is to be dealt with */
    int is_finished, is_impossible, is_out_of_memory; /* impossible: without any part, too */
    uint32_t conflict, conflict_variable; /* a reason; and the other variable, if by a variable */

    uint32_t *words; /* the clauses: see clauses.h */
    uint32_t used_words, room_words, most_words;
    uint32_t *clauses, clause_count, clause_room;
    WatchList *watchers;
    uint32_t *units, unit_count; /* learnt facts that are to be repeated after a jump */

    double *activity, step, false_step;
    uint32_t *heap, heap_size;
    int32_t *heap_place;

    uint8_t *mark;
    uint32_t *marked, marked_count, *analysed, analysed_count, *learnt, learnt_count;
    uint32_t *block, *extra, *before;
    uint64_t *level_stamp, stamp, *glue_stamp, glue_now;

    uint64_t conflicts, decisions, reductions, next_reduction, last_restart;
    int64_t fast_glue, slow_glue;

    struct Exchange *exchange; /* of clauses with other learners on the same board; NULL: none */
    uint32_t number;           /* of this learner in the exchange */
    uint64_t read_round;
    uint32_t read_words;
} Learner;

static inline uint32_t opposite(uint32_t literal) { return literal ^ 1; }
static inline uint32_t variable_of(uint32_t literal) { return literal >> 1; }
static inline uint32_t true_literal(uint32_t variable) { return 2 * variable; }
static inline uint32_t false_literal(uint32_t variable) { return 2 * variable + 1; }

static inline const uint32_t *members_of(const Learner *learner, uint32_t group)
{
    return learner->members + learner->first[group];
}

static inline uint32_t group_size(const Learner *learner, uint32_t group)
{
    return learner->first[group + 1] - learner->first[group];
}

static inline void put_on_trail(Learner *learner, uint32_t literal, uint32_t level, uint32_t reason)
{
    CHECK(!learner->value[literal]);
    learner->value[literal] = 1;
    learner->value[opposite(literal)] = -1;
    learner->fact[variable_of(literal)] = (Fact){level, reason, learner->trailed};
    learner->trail[learner->trailed++] = literal;
}

#endif
