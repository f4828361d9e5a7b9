/* From a conflict to a clause.
 *
 * A conflict is a group, two variables or a clause that cannot hold. Its literals are replaced by
 * their reasons, the last on the trail first, until one literal of the last level is left:
 *
 *     level 4     decision ──► a ──► b ──► conflict      `a` alone implies it, with literals of
 *                                └──► c ──┘   ▲          earlier levels: the clause says that they
 *     level 2     d ──────────────────────────┘          are not all true
 *
 * (the first unique implication point: Marques-Silva and Sakallah, "GRASP", IEEE Trans. Comp. 48
 * (1999); Zhang, Madigan, Moskewicz and Malik, ICCAD 2001). Then the clause is made shorter:
 *
 *     redundant   a literal that the others imply is dropped (Sörensson and Biere, "Minimizing
 *                 learned clauses", SAT 2009)
 *     shrunk      the literals of a level are replaced by the one literal of that level that implies
 *                 them, if that adds no level (Feng and Bacchus, "Clause size reduction with all-UIP
 *                 learning", SAT 2020; Fleury and Biere, SAT 2021)
 *     excluded    "v is not true" makes "u is true" superfluous for every other u of v's groups: where
 *                 v is true, u is false anyway
 *
 * Eight 25×25 puzzles: literals of a clause, conflicts in thousands, time relative to the last line.
 *
 *     redundant only                      44      326     1.8
 *     … and shrunk, no new literal        25      286     1.3
 *     … and shrunk, as it is              16      266     1.2
 *     … and false variables half a step   16      223     1
 */
#ifndef ENUMERATOR_LEARNING_CONFLICTS_H
#define ENUMERATOR_LEARNING_CONFLICTS_H

#include "clauses.h"
#include "heap.h"

enum { IN_CLAUSE = 1, IMPLIED = 2, NOT_IMPLIED = 4, IN_BLOCK = 8, IS_EXTRA = 16, MOST_RECURSION = 500 };

/* A reason consists of literals that are all false; its own variable, which it concludes, is skipped. */
static inline uint32_t reason_size(const Learner *learner, uint32_t reason)
{
    uint32_t kind = reason & 3, number = reason >> 2;
    return kind == BY_VARIABLE ? 1 : kind == BY_GROUP ? group_size(learner, number) : clause_size(learner, number);
}

static inline uint32_t reason_literal(const Learner *learner, uint32_t reason, uint32_t i)
{
    uint32_t kind = reason & 3, number = reason >> 2;
    if (kind == BY_VARIABLE)
        return false_literal(number);
    return kind == BY_GROUP ? true_literal(members_of(learner, number)[i]) : literals_of(learner, number)[i];
}

/* Return 1 if a false literal is implied by others of the clause. All literals of its reason are, or
 * are in the clause; a level that is not in the clause cannot be implied. */
static int is_implied(Learner *learner, uint32_t variable, int depth)
{
    Fact fact = learner->fact[variable];
    uint8_t mark = learner->mark[variable];
    if (!fact.level || mark & IMPLIED || (mark & IN_CLAUSE && depth))
        return 1;
    if (fact.reason == NO_REASON || mark & NOT_IMPLIED || learner->level_stamp[fact.level] != learner->stamp ||
        depth == MOST_RECURSION)
        return 0;
    int result = 1;
    for (uint32_t i = 0; result && i < reason_size(learner, fact.reason); i++) {
        uint32_t other = variable_of(reason_literal(learner, fact.reason, i));
        result = other == variable || is_implied(learner, other, depth + 1);
    }
    learner->marked[learner->marked_count++] = variable;
    learner->mark[variable] |= result ? IMPLIED : NOT_IMPLIED;
    return result;
}

/* Add a false literal to the clause that is made; return 1 if it is of the last level. */
static inline uint32_t take_literal(Learner *learner, uint32_t literal)
{
    uint32_t variable = variable_of(literal), level = learner->fact[variable].level;
    CHECK(learner->value[literal] < 0);
    if (learner->mark[variable] || !level)
        return 0;
    learner->mark[variable] = IN_CLAUSE;
    learner->analysed[learner->analysed_count++] = variable;
    if (level == learner->depth)
        return 1;
    learner->level_stamp[level] = learner->stamp;
    learner->learnt[learner->learnt_count++] = literal;
    return 0;
}

/* Make the clause: the first literal is of the last level, all others are of earlier ones. */
static void resolve(Learner *learner)
{
    uint32_t reason = learner->conflict, variable = UINT32_MAX, open = 0, at = learner->trailed;
    learner->learnt_count = 1;
    if ((reason & 3) == BY_VARIABLE)
        open += take_literal(learner, false_literal(learner->conflict_variable));
    for (;;) {
        if ((reason & 3) == BY_CLAUSE)
            renew_clause(learner, reason >> 2);
        for (uint32_t i = 0, count = reason_size(learner, reason); i < count; i++) {
            uint32_t literal = reason_literal(learner, reason, i);
            if (variable_of(literal) != variable)
                open += take_literal(learner, literal);
        }
        do {
            variable = variable_of(learner->trail[--at]);
        } while (!learner->mark[variable] || learner->fact[variable].level != learner->depth);
        if (!--open)
            break;
        reason = learner->fact[variable].reason;
    }
    learner->learnt[0] = opposite(learner->trail[at]);
}

static void drop_implied(Learner *learner)
{
    uint32_t kept = 1;
    for (uint32_t i = 1; i < learner->learnt_count; i++)
        if (!is_implied(learner, variable_of(learner->learnt[i]), 0))
            learner->learnt[kept++] = learner->learnt[i];
    learner->learnt_count = kept;
}

/* Sort literals that are false by their place on the trail, the last one first (Shell 1959). The places
 * are sorted instead of the literals: each is read once. */
static void sort_by_position(const Learner *learner, uint32_t *literals, uint32_t count)
{
    static const uint32_t gaps[] = {3905, 1577, 701, 301, 132, 57, 23, 10, 4, 1}; /* Ciura 2001 */
    for (uint32_t i = 0; i < count; i++)
        literals[i] = learner->fact[variable_of(literals[i])].position;
    for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++)
        for (uint32_t gap = gaps[g], i = gap; i < count; i++) {
            uint32_t position = literals[i], j = i;
            for (; j >= gap && literals[j - gap] < position; j -= gap)
                literals[j] = literals[j - gap];
            literals[j] = position;
        }
    for (uint32_t i = 0; i < count; i++)
        literals[i] = opposite(learner->trail[literals[i]]);
}

/* Find the literal that implies all literals of a block, which are of one level. New literals of
 * other levels are written to `extra`. Return UINT32_MAX if there would be a new level. */
static uint32_t find_point(Learner *learner, const uint32_t *block, uint32_t open, uint32_t *extra_count)
{
    uint32_t level = learner->fact[variable_of(block[0])].level, at = learner->fact[variable_of(block[0])].position;
    uint32_t first = learner->marked_count, point = UINT32_MAX;
    int is_possible = 1;
    for (uint32_t i = 0; i < open; i++) {
        learner->mark[variable_of(block[i])] |= IN_BLOCK;
        learner->marked[learner->marked_count++] = variable_of(block[i]);
    }
    for (; is_possible; at--) {
        uint32_t variable = variable_of(learner->trail[at]), reason = learner->fact[variable].reason;
        if (!(learner->mark[variable] & IN_BLOCK))
            continue;
        if (open-- == 1) {
            point = opposite(learner->trail[at]);
            break;
        }
        for (uint32_t i = 0, count = reason_size(learner, reason); is_possible && i < count; i++) {
            uint32_t literal = reason_literal(learner, reason, i), other = variable_of(literal);
            uint32_t other_level = learner->fact[other].level;
            if (other == variable || !other_level)
                continue;
            if (other_level == level) {
                if (!(learner->mark[other] & IN_BLOCK)) {
                    learner->mark[other] |= IN_BLOCK;
                    learner->marked[learner->marked_count++] = other;
                    open++;
                }
            } else if (!(learner->mark[other] & IS_EXTRA) && !is_implied(learner, other, 1)) {
                is_possible = learner->level_stamp[other_level] == learner->stamp;
                if (is_possible) {
                    learner->mark[other] |= IS_EXTRA;
                    learner->extra[(*extra_count)++] = literal;
                }
            }
        }
    }
    for (uint32_t i = first; i < learner->marked_count; i++)
        learner->mark[learner->marked[i]] &= (uint8_t)~IN_BLOCK;
    return point;
}

/* Replace the literals of each level by one that implies them, where that makes the clause shorter. */
static void shrink(Learner *learner)
{
    uint32_t *block = learner->block, count = learner->learnt_count - 1, kept = 1, end;
    memcpy(block, learner->learnt + 1, count * sizeof *block);
    sort_by_position(learner, block, count);
    for (uint32_t i = 0; i < count; i = end) {
        uint32_t level = learner->fact[variable_of(block[i])].level, extra_count = 0, point = UINT32_MAX;
        for (end = i + 1; end < count && learner->fact[variable_of(block[end])].level == level; end++)
            ;
        if (end - i > 1)
            point = find_point(learner, block + i, end - i, &extra_count);
        int is_shorter = point != UINT32_MAX && extra_count + 1 < end - i;
        for (uint32_t k = 0; k < extra_count; k++) {
            uint32_t variable = variable_of(learner->extra[k]);
            learner->mark[variable] = (uint8_t)((learner->mark[variable] & ~IS_EXTRA) | (is_shorter ? IN_CLAUSE : 0));
            learner->marked[learner->marked_count++] = variable;
        }
        if (is_shorter) {
            learner->learnt[kept++] = point;
            memcpy(block + count, learner->extra, extra_count * sizeof *block);
            count += extra_count;
            sort_by_position(learner, block + end, count - end);
        } else {
            memmove(learner->learnt + kept, block + i, (end - i) * sizeof *block);
            kept += end - i;
        }
    }
    learner->learnt_count = kept;
}

/* Drop "u is true" where the clause also says "v is not true" for another variable of u's groups. */
static void drop_excluded(Learner *learner)
{
    uint32_t *learnt = learner->learnt, kept = 1;
    for (uint32_t i = 1; i < learner->learnt_count; i++)
        learner->mark[variable_of(learnt[i])] = learnt[i] == true_literal(variable_of(learnt[i]));
    for (uint32_t i = 0; i < learner->learnt_count; i++) {
        uint32_t variable = variable_of(learnt[i]);
        for (int k = 0; learnt[i] == false_literal(variable) && k < GROUPS_OF_VARIABLE; k++) {
            uint32_t group = learner->groups_of[variable][k];
            for (uint32_t m = 0; m < group_size(learner, group); m++)
                learner->mark[members_of(learner, group)[m]] = 0;
        }
    }
    for (uint32_t i = 1; i < learner->learnt_count; i++) {
        uint32_t variable = variable_of(learnt[i]);
        if (learner->mark[variable] || learnt[i] == false_literal(variable))
            learnt[kept++] = learnt[i];
        learner->mark[variable] = 0;
    }
    learner->learnt_count = kept;
}

/* Learn from the conflict. `learnt` gets a clause, whose first literal is concluded at the level of the
 * second, the last one of the others. Return that level; 0 for a clause of one literal. */
static uint32_t analyse(Learner *learner)
{
    learner->stamp++;
    learner->analysed_count = learner->marked_count = 0;
    resolve(learner);
    drop_implied(learner);
    shrink(learner);
    for (uint32_t i = 0; i < learner->marked_count; i++)
        learner->mark[learner->marked[i]] = 0;
    for (uint32_t i = 0; i < learner->analysed_count; i++)
        learner->mark[learner->analysed[i]] = 0;
    drop_excluded(learner);
    for (uint32_t i = 0; i < learner->analysed_count; i++)
        add_activity(learner, learner->analysed[i]);
    grow_steps(learner);
    if (learner->learnt_count == 1)
        return 0;
    uint32_t last = 1;
    for (uint32_t i = 2; i < learner->learnt_count; i++)
        if (learner->fact[variable_of(learner->learnt[i])].level > learner->fact[variable_of(learner->learnt[last])].level)
            last = i;
    uint32_t literal = learner->learnt[last];
    learner->learnt[last] = learner->learnt[1];
    learner->learnt[1] = literal;
    return learner->fact[variable_of(literal)].level;
}

#endif
