/* What is left of a walk: boards, and their shares of the tree.
 *
 * The share of a digit of a held level is the product of 1 / branches over the levels up to it, as if all
 * branches of a level had equally much below them. Above the held levels nothing is known to be
 * visited: the boards there share equally what the last held level has, as if they were the branches of
 * one more level. So the share that is visited never falls, whatever is jumped over. */
#ifndef ENUMERATOR_LEARNING_PARTS_H
#define ENUMERATOR_LEARNING_PARTS_H

#include "assumptions.h"

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
                               uint32_t level, uint8_t *out, uint32_t *levels)
{
    uint64_t count = 0;
    for (; members; members &= members - 1, count++) {
        if (out) {
            uint32_t variable = members_of(learner, group)[lowest64(members)];
            write_board(learner, trailed, out + count * (uint64_t)learner->cells);
            out[count * (uint64_t)learner->cells + learner->cell_of[variable]] = learner->digit_of[variable];
        }
        if (levels)
            levels[count] = level;
    }
    return count;
}

/* Write the parts above the held levels: the branches of the next decision, then what is untried, the
 * last level first. Return their number. */
static uint64_t write_free_parts(Learner *learner, uint8_t *out)
{
    uint64_t count = 0, cells = (uint64_t)learner->cells;
    if (learner->is_next_due)
        return 0;
    if (!learner->is_in_conflict && learner->trailed == learner->variables) {
        if (out)
            write_board(learner, learner->trailed, out);
        count = 1;
    } else if (!learner->is_in_conflict) {
        Level next;
        open_level(learner, &next);
        count = write_branches(learner, learner->trailed, next.group, next.untried, 0, out, NULL);
    }
    for (uint32_t i = learner->depth; i-- > learner->held;)
        count += write_branches(learner, trail_before(learner, i), learner->levels[i].group, open_untried(learner, i), 0,
                                out ? out + count * cells : NULL, NULL);
    return count;
}

/* Return the number of held levels, and one more if there are parts above them. Write the number of
 * branches of each to `branches`, unless NULL. */
static uint32_t learning_branches(Learner *learner, uint32_t *branches)
{
    if (learner->is_finished)
        return 0;
    uint64_t free_parts = write_free_parts(learner, NULL);
    for (uint32_t i = 0; branches && i < learner->held; i++)
        branches[i] = learner->levels[i].branches;
    if (branches && free_parts)
        branches[learner->held] = (uint32_t)free_parts;
    return learner->held + (free_parts > 0);
}

/* Write the parts, the next one first. Return their number. Write no boards if `out` is NULL, no levels
 * if `levels` is. */
static uint64_t learning_rest(Learner *learner, uint8_t *out, uint32_t *levels)
{
    if (learner->is_finished)
        return 0;
    uint64_t count = write_free_parts(learner, out);
    for (uint64_t i = 0; levels && i < count; i++)
        levels[i] = learner->held;
    for (uint32_t i = learner->held; i-- > 0;)
        count += write_branches(learner, trail_before(learner, i), learner->levels[i].group, open_untried(learner, i), i,
                                out ? out + count * (uint64_t)learner->cells : NULL, levels ? levels + count : NULL);
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
