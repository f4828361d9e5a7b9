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

/* Boards that are written one after another, each from a trail that is no longer than that of the one before. */
typedef struct {
    uint8_t *out;     /* NULL: they are counted only */
    uint64_t count;
    uint32_t trailed; /* the length of the last one's trail */
    uint32_t cell;    /* the cell of its branch */
    uint8_t before;   /* what that cell held */
} Boards;

/* Write the board of a part of the trail and one digit more. The last board is changed where the trails differ:
 * to write each from its trail takes a minute for the 39,000 parts of an empty 64×64 board. */
static void write_next(const Learner *learner, Boards *boards, uint32_t trailed, uint32_t cell, uint8_t digit)
{
    uint64_t cells = (uint64_t)learner->cells;
    uint8_t *board = boards->out + boards->count * cells;
    if (boards->count) {
        memcpy(board, board - cells, cells);
        board[boards->cell] = boards->before;
        for (uint32_t i = trailed; i < boards->trailed; i++) {
            uint32_t literal = learner->trail[i], variable = variable_of(literal), at = learner->cell_of[variable];
            if (literal == true_literal(variable))
                board[at] = learner->fixed[at];
        }
    } else {
        write_board(learner, trailed, board);
    }
    boards->trailed = trailed;
    boards->cell = cell;
    boards->before = board[cell];
    board[cell] = digit;
}

/* Write a part for each of some members of a level. */
static void write_branches(const Learner *learner, uint32_t trailed, uint32_t group, uint64_t members, Boards *boards)
{
    for (; members; members &= members - 1, boards->count++)
        if (boards->out) {
            uint32_t variable = members_of(learner, group)[lowest64(members)];
            write_next(learner, boards, trailed, learner->cell_of[variable], learner->digit_of[variable]);
        }
}

/* Write the parts above the held levels: the branches of the next decision, then what is untried, the
 * last level first. */
static void write_free_parts(Learner *learner, Boards *boards)
{
    if (learner->is_next_due)
        return;
    if (!learner->is_in_conflict && learner->trailed == learner->variables) {
        if (boards->out)
            write_board(learner, learner->trailed, boards->out);
        boards->trailed = learner->trailed;
        boards->cell = 0;
        boards->before = boards->out ? boards->out[0] : 0;
        boards->count = 1;
    } else if (!learner->is_in_conflict) {
        Level next;
        open_level(learner, &next);
        write_branches(learner, learner->trailed, next.group, next.untried, boards);
    }
    for (uint32_t i = learner->depth; i-- > learner->held;)
        write_branches(learner, trail_before(learner, i), learner->levels[i].group, open_untried(learner, i), boards);
}

/* Return the number of held levels, and one more if there are parts above them. Write the number of
 * branches of each to `branches`, unless NULL. */
static uint32_t learning_branches(Learner *learner, uint32_t *branches)
{
    if (learner->is_finished)
        return 0;
    Boards free_parts = {0};
    write_free_parts(learner, &free_parts);
    for (uint32_t i = 0; branches && i < learner->held; i++)
        branches[i] = learner->levels[i].branches;
    if (branches && free_parts.count)
        branches[learner->held] = (uint32_t)free_parts.count;
    return learner->held + (free_parts.count > 0);
}

/* Write the parts, the next one first. Return their number. Write no boards if `out` is NULL, no levels
 * if `levels` is. */
static uint64_t learning_rest(Learner *learner, uint8_t *out, uint32_t *levels)
{
    if (learner->is_finished)
        return 0;
    Boards boards = {.out = out};
    write_free_parts(learner, &boards);
    for (uint64_t i = 0; levels && i < boards.count; i++)
        levels[i] = learner->held;
    for (uint32_t i = learner->held; i-- > 0;) {
        uint64_t first = boards.count;
        write_branches(learner, trail_before(learner, i), learner->levels[i].group, open_untried(learner, i), &boards);
        for (uint64_t j = first; levels && j < boards.count; j++)
            levels[j] = i;
    }
    return boards.count;
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
