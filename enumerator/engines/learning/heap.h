/* The order of decisions: a heap of variables by their activity.
 *
 * A variable is active if it often takes part in conflicts, lately more than before: each conflict
 * adds a step to the activity of its variables, and the steps grow (Moskewicz, Madigan, Zhao, Zhang
 * and Malik, "Chaff", DAC 2001; the growing step is from Eén and Sörensson, "An extensible
 * SAT-solver", SAT 2003). Sums only, and no product that is added at once: such a product may be
 * rounded differently by another machine, and the order of a list must not depend on the machine.
 */
#ifndef ENUMERATOR_LEARNING_HEAP_H
#define ENUMERATOR_LEARNING_HEAP_H

#include "state.h"

/* The steps grow by this factor with each conflict. Conflicts on eight 25×25 puzzles, in thousands:
 *
 *     factor      1.01    1.015   1.02
 *     conflicts   220     223     247
 */
static const double ACTIVITY_GROWTH = 1.0152;

/* The step of a variable that is false, as a fraction of that of a true one. Conflicts, as above:
 *
 *     fraction    0       0.1     0.25    0.5     1
 *     conflicts   258     240     220     223     243
 */
static const double FALSE_STEP = 0.5;

static const double MOST_ACTIVITY = 1e100;

static void move_up(Learner *learner, uint32_t place)
{
    uint32_t *heap = learner->heap, variable = heap[place];
    double activity = learner->activity[variable];
    while (place && activity > learner->activity[heap[(place - 1) / 2]]) {
        heap[place] = heap[(place - 1) / 2];
        learner->heap_place[heap[place]] = (int32_t)place;
        place = (place - 1) / 2;
    }
    heap[place] = variable;
    learner->heap_place[variable] = (int32_t)place;
}

static void move_down(Learner *learner, uint32_t place)
{
    uint32_t *heap = learner->heap, variable = heap[place], below;
    double activity = learner->activity[variable];
    while ((below = 2 * place + 1) < learner->heap_size) {
        if (below + 1 < learner->heap_size &&
            learner->activity[heap[below + 1]] > learner->activity[heap[below]])
            below++;
        if (learner->activity[heap[below]] <= activity)
            break;
        heap[place] = heap[below];
        learner->heap_place[heap[place]] = (int32_t)place;
        place = below;
    }
    heap[place] = variable;
    learner->heap_place[variable] = (int32_t)place;
}

static inline void put_in_heap(Learner *learner, uint32_t variable)
{
    if (learner->heap_place[variable] < 0) {
        learner->heap[learner->heap_size] = variable;
        move_up(learner, learner->heap_size++);
    }
}

static inline void take_first(Learner *learner)
{
    learner->heap_place[learner->heap[0]] = -1;
    if (--learner->heap_size) {
        learner->heap[0] = learner->heap[learner->heap_size];
        move_down(learner, 0);
    }
}

/* Return the most active variable that is open. There must be one. It stays in the heap. */
static uint32_t most_active(Learner *learner)
{
    while (learner->value[true_literal(learner->heap[0])])
        take_first(learner);
    return learner->heap[0];
}

static void add_activity(Learner *learner, uint32_t variable)
{
    double step = learner->value[true_literal(variable)] > 0 ? learner->step : learner->false_step;
    learner->activity[variable] += step;
    if (learner->heap_place[variable] >= 0)
        move_up(learner, (uint32_t)learner->heap_place[variable]);
}

/* Let the next steps be greater. All activities are made smaller before they overflow. */
static void grow_steps(Learner *learner)
{
    learner->step *= ACTIVITY_GROWTH;
    if (learner->step > MOST_ACTIVITY) {
        for (uint32_t variable = 0; variable < learner->variables; variable++)
            learner->activity[variable] *= 1 / MOST_ACTIVITY;
        learner->step *= 1 / MOST_ACTIVITY;
    }
    learner->false_step = learner->step * FALSE_STEP;
}

/* Fill the heap. At first, the variables of cells with few candidates are the most active. */
static void fill_heap(Learner *learner)
{
    learner->step = 1, learner->false_step = FALSE_STEP;
    for (uint32_t variable = 0; variable < learner->variables; variable++) {
        learner->activity[variable] = 1e-3 / group_size(learner, learner->groups_of[variable][0]);
        learner->heap_place[variable] = -1;
        put_in_heap(learner, variable);
    }
}

#endif
