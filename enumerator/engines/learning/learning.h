/* A walk over the solutions of a board that learns a clause from each conflict.
 *
 * Terms: see state.h; and
 *     decision   a variable that is tried as true: a digit in a cell
 *     conflict   a group or a clause that cannot hold any more; it is turned into a clause
 *     held       a level is held if a solution was found below an earlier digit, or below its present
 *                one. It is left by trying its next digit, and never jumped over
 *     assumed    a level that a part of the tree brings with it: it has one digit
 *
 *     levels 1 … assumed   the digits of a part
 *     levels up to held    each tries the digits of its cell one after the other, like a plain walk
 *     levels above         as in a SAT solver: jumped over after a conflict, dropped by a restart
 *
 * Below the held levels no solution has been found, so whatever is dropped there is not counted
 * twice. A digit of a held level is finished when a conflict needs no decision above it. So every
 * solution is found once, without clauses that exclude those found before: memory does not grow with
 * their number (Gebser, Kaufmann, Neumann and Schaub, "Conflict-driven answer set enumeration",
 * LPNMR 2007). What is left is a list of boards: for each level, the board before it with a digit that
 * was not tried.
 *
 * A clause holds in every solution of the board, whatever was decided, so it is always right to keep
 * it and always right to forget it. After a jump to a held level, a concluded literal has the level
 * of the jump although an earlier one would do: the conclusion may be missed later, a conflict never.
 *
 * Counters have 64 bits. The effort of a walk is its conflicts and decisions. A billion a second would take 584
 * years to overflow them.
 */
#ifndef ENUMERATOR_LEARNING_H
#define ENUMERATOR_LEARNING_H

#include "candidates.h"
#include "checks.h"
#include "conflicts.h"
#include "exchange.h"

enum {
    /* Restart when the glue of the last 32 conflicts or so is so many percent of that of the last
     * 8,192. Conflicts on eight 25×25 puzzles, in thousands:
     *
     *     percent     110     115     120
     *     conflicts   225     223     226
     */
    RESTART_PERCENT = 115,
    FAST_CONFLICTS = 32,
    SLOW_CONFLICTS = 8192,
    GLUE_ONE = 1 << 16, /* averages of glue are in units of 1 / GLUE_ONE */
};

/* Read the trail: let groups conclude. Return 0 at a conflict. */
static int ask_groups(Learner *learner)
{
    int8_t *value = learner->value;
    while (learner->read < learner->trailed) {
        uint32_t literal = learner->trail[learner->read++], variable = variable_of(literal);
        const uint16_t *groups = learner->groups_of[variable];
        if (literal == true_literal(variable)) {
            uint32_t reason = make_reason(BY_VARIABLE, variable);
            for (int k = 0; k < GROUPS_OF_VARIABLE; k++) {
                const uint32_t *members = members_of(learner, groups[k]), count = group_size(learner, groups[k]);
                uint32_t *trail = learner->trail, end = learner->trailed, placed = 0;
                for (uint32_t i = 0; i < count; i++) { /* no branches: they could not be predicted */
                    int known = value[true_literal(members[i])];
                    trail[end] = false_literal(members[i]);
                    end += !known;
                    placed += known > 0;
                }
                if (placed > 1) {
                    uint32_t i = 0;
                    while (members[i] == variable || value[true_literal(members[i])] <= 0)
                        i++;
                    learner->conflict = reason;
                    learner->conflict_variable = members[i];
                    return 0;
                }
                while (learner->trailed < end)
                    put_on_trail(learner, trail[learner->trailed], learner->depth, reason);
            }
        } else {
            uint32_t empty = NO_REASON;
            for (int k = 0; k < GROUPS_OF_VARIABLE; k++) { /* all four: `return_to` restores them */
                uint32_t left = learner->left[groups[k]] = (learner->left[groups[k]] - ONE_LEFT) ^ variable;
                if (left < 2 * ONE_LEFT) {
                    uint32_t last = true_literal(left - ONE_LEFT), reason = make_reason(BY_GROUP, groups[k]);
                    if (!value[last])
                        put_on_trail(learner, last, learner->depth, reason);
                    else if (value[last] < 0)
                        empty = reason;
                }
            }
            if (empty) {
                learner->conflict = empty;
                return 0;
            }
        }
    }
    return 1;
}

/* Let the clauses that watch a literal which is false now conclude. Return 0 at a conflict. */
static int ask_clauses(Learner *learner, uint32_t literal)
{
    const int8_t *value = learner->value;
    uint32_t *words = learner->words;
    WatchList *list = &learner->watchers[literal];
    Watcher *from = list->items, *to = from, *end = from + list->count;
    int is_consistent = 1;
    while (from < end) {
        Watcher watcher = *from++;
        *to++ = watcher;
        if (value[watcher.blocker] > 0)
            continue;
        uint32_t *literals = words + watcher.clause + 2, size = words[watcher.clause], k = 2;
        uint32_t other = literals[0] ^ literals[1] ^ literal;
        if (value[other] > 0) {
            to[-1].blocker = other;
            continue;
        }
        while (k < size && value[literals[k]] < 0)
            k++;
        if (k < size && watch(learner, literals[k], watcher.clause, other)) {
            literals[0] = other;
            literals[1] = literals[k];
            literals[k] = literal;
            to--;
        } else if (k < size) { /* memory is short: the clause stays where it is, and misses something */
            learner->is_out_of_memory = 1;
        } else if (value[other] < 0) {
            learner->conflict = make_reason(BY_CLAUSE, watcher.clause);
            is_consistent = 0;
            break;
        } else
            put_on_trail(learner, other, learner->depth, make_reason(BY_CLAUSE, watcher.clause));
    }
    while (from < end)
        *to++ = *from++;
    list->count = (uint32_t)(to - list->items);
    return is_consistent;
}

/* Draw all conclusions. Return 0 at a conflict. */
static int propagate(Learner *learner)
{
    for (;;) {
        if (!ask_groups(learner))
            return 0;
        if (learner->searched == learner->trailed)
            return 1;
        if (!ask_clauses(learner, opposite(learner->trail[learner->searched++])))
            return 0;
    }
}

/* Return to the end of level `depth`. What was learnt for all levels is put on the trail again. */
static void return_to(Learner *learner, uint32_t depth)
{
    if (learner->depth > depth) {
        while (learner->trailed > learner->starts[depth]) {
            uint32_t literal = learner->trail[--learner->trailed], variable = variable_of(literal);
            if (learner->trailed < learner->read && literal == false_literal(variable))
                for (int k = 0; k < GROUPS_OF_VARIABLE; k++) {
                    uint32_t *left = &learner->left[learner->groups_of[variable][k]];
                    *left = (*left ^ variable) + ONE_LEFT;
                }
            learner->value[literal] = learner->value[opposite(literal)] = 0;
            put_in_heap(learner, variable);
        }
        learner->read = learner->searched = learner->trailed;
        learner->depth = depth;
    }
    for (uint32_t i = 0; i < learner->unit_count; i++)
        if (!learner->value[learner->units[i]])
            put_on_trail(learner, learner->units[i], 0, NO_REASON);
    if (!depth)
        learner->unit_count = 0;
}

static inline int member_value(const Learner *learner, const Level *level, int member)
{
    return learner->value[true_literal(members_of(learner, level->group)[member])];
}

/* Try a member of the group of a level, on top of the trail. */
static void decide(Learner *learner, int member)
{
    Level *level = &learner->levels[learner->depth];
    level->untried &= ~((uint64_t)1 << member);
    learner->starts[learner->depth++] = learner->trailed;
    learner->decisions++;
    put_on_trail(learner, true_literal(members_of(learner, level->group)[member]), learner->depth, NO_REASON);
}

/* Set up a level for the cell of the most active variable; return the member of that variable. */
static int open_level(Learner *learner, Level *level)
{
    uint32_t best = most_active(learner);
    int member = 0;
    level->group = learner->groups_of[best][0];
    level->untried = 0;
    for (int i = 0; i < (int)group_size(learner, level->group); i++) {
        if (members_of(learner, level->group)[i] == best)
            member = i;
        if (!member_value(learner, level, i))
            level->untried |= (uint64_t)1 << i;
    }
    level->branches = (uint32_t)popcount64(level->untried);
    return member;
}

/* Return the most active untried member of a level that is open; -1 if there is none. */
static int best_untried(const Learner *learner, Level *level)
{
    int best = -1;
    for (uint64_t left = level->untried; left; left &= left - 1) {
        int member = lowest64(left);
        const uint32_t *members = members_of(learner, level->group);
        if (member_value(learner, level, member))
            level->untried &= ~((uint64_t)1 << member); /* a clause excludes it */
        else if (best < 0 || learner->activity[members[member]] > learner->activity[members[best]])
            best = member;
    }
    return best;
}

/* Note the glue of a clause. The averages are integers, so that they are the same on all machines. */
static void note_glue(Learner *learner, uint32_t glue)
{
    int64_t now = (int64_t)glue * GLUE_ONE, seen = (int64_t)learner->conflicts;
    learner->fast_glue += (now - learner->fast_glue) / (seen < FAST_CONFLICTS ? seen : FAST_CONFLICTS);
    learner->slow_glue += (now - learner->slow_glue) / (seen < SLOW_CONFLICTS ? seen : SLOW_CONFLICTS);
}

static int is_restart_due(const Learner *learner)
{
    return learner->depth > learner->held && learner->conflicts >= learner->last_restart + 2 &&
           100 * learner->fast_glue > RESTART_PERCENT * learner->slow_glue;
}

/* Return the last level of the literals of the conflict. It may be an earlier one than that of the walk:
 * what was learnt for all levels is put on the trail late. */
static uint32_t conflict_level(const Learner *learner)
{
    uint32_t level = 0, reason = learner->conflict;
    for (uint32_t i = 0; i < reason_size(learner, reason); i++) {
        uint32_t other = learner->fact[variable_of(reason_literal(learner, reason, i))].level;
        level = other > level ? other : level;
    }
    if ((reason & 3) == BY_VARIABLE && learner->fact[learner->conflict_variable].level > level)
        level = learner->fact[learner->conflict_variable].level;
    return level;
}

/* Turn a conflict into a clause and return to where it concludes something, or to the held levels. */
static void learn(Learner *learner)
{
    learner->conflicts++;
    learner->is_in_conflict = 0;
    uint32_t to = analyse(learner), count = learner->learnt_count, first = learner->learnt[0];
    uint32_t glue = count > 1 ? count_levels(learner, learner->learnt, count) - 1 : 0;
    CHECK(is_clause_implied(learner, learner->learnt, count));
    note_glue(learner, glue);
    learner->is_next_due = learner->depth == learner->held;
    if (learner->is_next_due)
        to = learner->held - 1;
    else if (to < learner->held)
        to = learner->held;
    if (count == 1)
        learner->units[learner->unit_count++] = first;
    return_to(learner, to);
    if (count > 1) {
        uint32_t clause = add_clause(learner, learner->learnt, count, glue);
        if (clause == UINT32_MAX)
            learner->is_out_of_memory = 1;
        else if (!learner->value[first])
            put_on_trail(learner, first, learner->depth, make_reason(BY_CLAUSE, clause));
    }
    offer_clause(learner, learner->learnt, count, glue);
}

/* End the walk over a part whose assumed digits contradict each other, and learn why. */
static void refute_part(Learner *learner)
{
    learner->is_finished = 1;
    learner->is_in_conflict = 0;
    if (!learner->depth) {
        learner->is_impossible = 1;
        return;
    }
    analyse(learner);
    uint32_t count = learner->learnt_count, glue = count_levels(learner, learner->learnt, count);
    CHECK(is_clause_implied(learner, learner->learnt, count));
    if (count == 1)
        learner->units[learner->unit_count++] = learner->learnt[0];
    return_to(learner, 0);
    if (count > 1 && add_clause(learner, learner->learnt, count, glue) == UINT32_MAX)
        learner->is_out_of_memory = 1;
    offer_clause(learner, learner->learnt, count, glue);
}

/* Draw all conclusions, unless a conflict is to be dealt with, and leave held levels that have no digit
 * left. Return 0 if the walk cannot go on: it is finished, or memory is short.
 *
 * There is a solution below the present digits of all held levels but the last. So a conflict needs the
 * last held level, or it refutes a part. */
static int conclude(Learner *learner)
{
    while (!learner->is_finished && !learner->is_out_of_memory) {
        if (!learner->is_in_conflict)
            learner->is_in_conflict = !propagate(learner);
        if (learner->is_in_conflict) {
            uint32_t level = conflict_level(learner);
            CHECK(!learner->is_next_due && (level >= learner->held || learner->held == learner->assumed));
            return_to(learner, level);
            if (level > learner->assumed)
                return 1;
            refute_part(learner);
        } else if (!learner->is_next_due || best_untried(learner, &learner->levels[learner->depth]) >= 0)
            return 1;
        else if (--learner->held == learner->assumed)
            learner->is_finished = 1;
        else
            return_to(learner, learner->held - 1);
    }
    return 0;
}

static inline int is_solved(const Learner *learner)
{
    return learner->trailed == learner->variables && !learner->is_in_conflict && !learner->is_next_due;
}

/* Hold all levels: there is a solution below their present digits. */
static void hold_levels(Learner *learner)
{
    learner->held = learner->depth;
    learner->is_finished = learner->depth == learner->assumed;
    if (!learner->is_finished) {
        learner->is_next_due = 1;
        return_to(learner, learner->depth - 1);
    }
}

/* Take at most `effort` decisions and conflicts, and find at most `limit` solutions. Write them to
 * `out`, unless NULL. Stop before trying another digit of a level above `floor`. Subtract what was spent
 * from `effort`, and return the number of solutions found. The state at the end depends on what was
 * spent alone: everything that costs nothing is done before. */
static uint64_t learning_run(Learner *learner, uint64_t *effort, uint64_t limit, uint8_t *out, int floor)
{
    uint64_t found = 0;
    if (!*effort)
        return 0;
    while (conclude(learner) && found < limit && (*effort || is_solved(learner))) {
        if (is_solved(learner)) {
            if (out)
                write_board(learner, learner->trailed, out + found * (uint64_t)learner->cells);
            found++;
            hold_levels(learner);
        } else if (!learner->is_in_conflict && !learner->is_next_due && is_restart_due(learner)) {
            learner->last_restart = learner->conflicts;
            return_to(learner, learner->held);
            take_clauses(learner);
        } else {
            if (learner->is_in_conflict)
                learn(learner);
            else if (learner->is_next_due) {
                if (learner->held <= (uint32_t)floor)
                    break;
                learner->is_next_due = 0;
                decide(learner, best_untried(learner, &learner->levels[learner->depth]));
            } else {
                if (learner->conflicts >= learner->next_reduction || learner->used_words > learner->most_words)
                    forget_clauses(learner);
                decide(learner, open_level(learner, &learner->levels[learner->depth]));
            }
            --*effort;
        }
    }
    return found;
}

#endif
