/* What is left of a walk: boards, and their shares of the tree.
 *
 * A share is the product of 1 / branches over the levels, as if all branches of a level had equally
 * much below them. Only what is below held levels is known to be visited. */
#ifndef ENUMERATOR_LEARNING_PARTS_H
#define ENUMERATOR_LEARNING_PARTS_H

#include "assumptions.h"

/* Return the number of levels that have, or had, digits to try. */
static inline uint32_t level_count(const Learner *learner)
{
    return learner->is_next_due && !learner->is_in_conflict ? learner->held : learner->depth;
}

/* Return the length of the trail before a level. */
static inline uint32_t trail_before(const Learner *learner, uint32_t level)
{
    return level < learner->depth ? learner->starts[level] : learner->trailed;
}

/* Return the untried members of a level that were open before it. */
static uint64_t open_untried(const Learner *learner, uint32_t at)
{
    const Level *level = &learner->levels[at];
    uint64_t open = level->untried;
    for (uint64_t left = open; left; left &= left - 1) {
        uint32_t variable = members_of(learner, level->group)[lowest64(left)];
        if (learner->value[true_literal(variable)] && learner->fact[variable].position < trail_before(learner, at))
            open &= ~(left & -left);
    }
    return open;
}

/* Write a part for each of some members of a level. Return their number. */
static uint64_t write_branches(const Learner *learner, uint32_t trailed, uint32_t group, uint64_t members,
                               double share, uint8_t *out, double *shares)
{
    uint64_t count = 0;
    for (; members; members &= members - 1, count++) {
        if (out) {
            uint32_t variable = members_of(learner, group)[lowest64(members)];
            write_board(learner, trailed, out + count * (uint64_t)learner->cells);
            out[count * (uint64_t)learner->cells + learner->cell_of[variable]] = learner->digit_of[variable];
        }
        if (shares)
            shares[count] = share;
    }
    return count;
}

/* Write the parts, the next one first: the branches of the next decision, then what is untried, the
 * last level first. Return their number. Write no boards if `out` is NULL, no shares if `shares` is. */
static uint64_t learning_rest(Learner *learner, uint8_t *out, double *shares)
{
    uint64_t count = 0, cells = (uint64_t)learner->cells;
    uint32_t levels = level_count(learner);
    double share = 1;
    if (learner->is_finished)
        return 0;
    for (uint32_t i = 0; i < levels; i++)
        share /= learner->levels[i].branches;
    if (!learner->is_next_due && !learner->is_in_conflict) {
        if (learner->trailed == learner->variables) {
            if (out)
                write_board(learner, learner->trailed, out);
            if (shares)
                shares[0] = share;
            count = 1;
        } else {
            Level next;
            open_level(learner, &next);
            count = write_branches(learner, learner->trailed, next.group, next.untried, share / next.branches, out, shares);
        }
    }
    for (uint32_t i = levels; i-- > 0;) {
        count += write_branches(learner, trail_before(learner, i), learner->levels[i].group, open_untried(learner, i), share,
                                out ? out + count * cells : NULL, shares ? shares + count : NULL);
        share *= learner->levels[i].branches;
    }
    return count;
}

/* Return the first level whose share is at most `part` of the share visited so far. */
static int learning_floor_for(const Learner *learner, double part)
{
    double share = 1, visited = 0;
    uint32_t depth = 0;
    for (uint32_t i = 0; i < learner->held; i++) {
        const Level *level = &learner->levels[i];
        int is_tried = learner->is_next_due && i + 1 == learner->held;
        share /= level->branches;
        visited += share * ((int)level->branches - popcount64(level->untried) - !is_tried);
    }
    for (share = 1; depth < learner->held && share > part * visited; depth++)
        share /= learner->levels[depth].branches;
    return (int)depth;
}

#endif
