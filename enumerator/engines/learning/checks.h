/* A checker of learnt clauses, for the build with all checks.
 *
 * A clause is implied if the opposites of its literals lead to a contradiction (reverse unit
 * propagation: Goldberg and Novikov, "Verification of proofs of unsatisfiability for CNF formulas",
 * DATE 2003). The checker shares nothing with the walk but groups and clauses: it reads all of them,
 * again and again, until nothing changes. */
#ifndef ENUMERATOR_LEARNING_CHECKS_H
#define ENUMERATOR_LEARNING_CHECKS_H

#include "clauses.h"

#ifdef ENUMERATOR_CHECKED

static void set_value(int8_t *value, uint32_t literal)
{
    value[literal] = 1;
    value[opposite(literal)] = -1;
}

/* Apply a clause; or a group, as far as one of its variables is true. Return 1 if something has
 * changed, 0 if not, -1 at a contradiction. */
static int apply_clause(int8_t *value, const uint32_t *literals, uint32_t count)
{
    uint32_t open = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++) {
        if (value[literals[i]] > 0 || (!value[literals[i]] && open != UINT32_MAX))
            return 0;
        if (!value[literals[i]])
            open = literals[i];
    }
    if (open == UINT32_MAX)
        return -1;
    set_value(value, open);
    return 1;
}

static int apply_group(const Learner *learner, int8_t *value, uint32_t group)
{
    uint32_t literals[64], count = group_size(learner, group), true_count = 0, is_changed = 0;
    for (uint32_t i = 0; i < count; i++) {
        literals[i] = true_literal(members_of(learner, group)[i]);
        true_count += value[literals[i]] > 0;
    }
    if (true_count > 1)
        return -1;
    if (!true_count)
        return apply_clause(value, literals, count);
    for (uint32_t i = 0; i < count; i++)
        if (!value[literals[i]]) {
            set_value(value, opposite(literals[i]));
            is_changed = 1;
        }
    return (int)is_changed;
}

/* Return 1 if the groups, the other clauses and the facts of level 0 imply a clause. */
static int is_clause_implied(const Learner *learner, const uint32_t *literals, uint32_t count)
{
    int8_t *value = calloc(2 * (size_t)learner->variables, 1);
    int result = 1, is_implied_clause;
    if (!value)
        return 1;
    for (uint32_t i = 0; i < learner->trailed; i++)
        if (!learner->fact[variable_of(learner->trail[i])].level)
            set_value(value, learner->trail[i]);
    for (uint32_t i = 0; i < learner->unit_count; i++)
        set_value(value, learner->units[i]);
    for (uint32_t i = 0; i < count; i++)
        set_value(value, opposite(literals[i]));
    while (result == 1) {
        result = 0;
        for (uint32_t group = 0; group < learner->groups && result >= 0; group++) {
            int change = apply_group(learner, value, group);
            result = change < 0 ? -1 : result | change;
        }
        for (uint32_t i = 0; i < learner->clause_count && result >= 0; i++) {
            uint32_t clause = learner->clauses[i];
            int change = apply_clause(value, literals_of(learner, clause), clause_size(learner, clause));
            result = change < 0 ? -1 : result | change;
        }
    }
    is_implied_clause = result < 0;
    free(value);
    return is_implied_clause;
}

#endif
#endif
