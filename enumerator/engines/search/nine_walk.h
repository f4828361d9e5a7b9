/* The walk over 9×9 boards. Included by nine.h, once for each instruction set. */

#include "nine_rules.h"
#include "choose.h"

/* Remove the digits that a cell does not allow; `allowed` has a mask for each cell. Return 0 if a
 * digit is left without a place: nine_unit_rules would take its places for unchanged. */
static int VERSION(nine_restrict)(NineState *s, const uint64_t *allowed)
{
    int is_open = 1;
    for (int d = 0; d < 9; d++) {
        for (int cell = 0; cell < NINE_CELLS; cell++)
            if (!(allowed[cell] >> d & 1))
                s->places[d] &= ~nine.cell[nine_spot(cell)];
        is_open &= !nine_none(s->places[d]);
    }
    return is_open;
}

/* Begin a walk. `allowed` is NULL if every cell allows every digit. A walk for a verdict may find the
 * solutions in another order. `without` is a cell whose clue is left out, and whose digit is forbidden
 * there; -1: none. */
static void VERSION(nine_start)(NineWalk *w, const uint8_t *cells, const uint64_t *allowed, int is_verdict,
                                int without)
{
    static const Cells none[9];
    NineFrame *root = &w->stack[0];
    Cells given[9] = {{0}}, ruled[9] = {{0}}, full = {0};

    /* the cells with clues as bits, eight at a time: 81 unpredictable branches would take longer */
    uint64_t clues[2] = {0, (uint64_t)(cells[80] != 0) << 16};
    for (int i = 0; i < 10; i++) {
        uint64_t eight;
        memcpy(&eight, cells + 8 * i, 8);
        eight = (eight + 0x7f7f7f7f7f7f7f7f) >> 7 & NINE_BYTES;
        clues[i / 8] |= (eight * 0x0102040810204080 >> 56) << i % 8 * 8; /* byte j becomes bit j */
    }
    if (without >= 0)
        clues[without / 64] &= ~(1ull << without % 64);
    for (int half = 0; half < 2; half++)
        for (uint64_t left = clues[half]; left; left &= left - 1) {
            int cell = 64 * half + lowest64(left), spot = nine_spot(cell), d = cells[cell] - 1;
            given[d] |= nine.cell[spot];
            ruled[d] |= nine.peers[spot];
            full |= nine.cell[spot];
        }
    for (int d = 0; d < 9; d++) /* equal clues that are peers leave each other without candidates */
        root->state.places[d] = ((NINE_ALL & ~full) | given[d]) & ~ruled[d];
    root->state.done = full;
    w->depth = -1;
    w->hasty = 0;
    if (allowed && !VERSION(nine_restrict)(&root->state, allowed))
        return;
    if (without >= 0) {
        Cells *places = &root->state.places[cells[without] - 1];
        *places &= ~nine.cell[nine_spot(without)];
        if (nine_none(*places)) /* nine_unit_rules would take them for unchanged */
            return;
    }
    w->depth = 0;
    switch (VERSION(nine_propagate)(&root->state, none)) {
    case NINE_DEAD:
        w->depth = -1;
        break;
    case NINE_SOLVED: /* branch on a cell that is filled already: one digit to try */
        root->spot = 0;
        root->untried = nine_candidates(&root->state, 0);
        break;
    default:
        if (is_verdict && NINE_CELLS - nine_count(root->state.done) <= NINE_HASTY_OPEN_CELLS)
            w->hasty = NINE_HASTY_FRAMES;
        VERSION(nine_choose)(w, root);
    }
}

/* Visit at most *nodes nodes and find at most `limit` solutions; stop before continuing a frame
 * above `floor`. Write the solutions one after the other to `out`, unless it is NULL. Return their
 * number, and subtract the nodes visited from *nodes. Neither can overflow: a node has at most one
 * solution. */
NINE_HOT static uint64_t VERSION(nine_run)(NineWalk *w, uint64_t *nodes, uint64_t limit, uint8_t *out, int floor)
{
    uint64_t found = 0, left = *nodes;
    int depth = w->depth;

    while (depth >= floor && found < limit) {
        NineFrame *f = &w->stack[depth];
        if (!f->untried) {
            depth--;
            continue;
        }
        if (!left)
            break;
        left--;
        NineFrame *next = f + 1;
        int digit = lowest64(f->untried);
        f->untried &= f->untried - 1;
        CHECK(depth < NINE_CELLS);
        nine_place(&next->state, &f->state, f->spot, digit);
        switch (VERSION(nine_propagate)(&next->state, f->state.places)) {
        case NINE_SOLVED:
            if (out)
                nine_write(&next->state, out + found * NINE_CELLS);
            found++;
            break;
        case NINE_OPEN:
            VERSION(nine_choose)(w, next);
            depth++;
        }
    }
    while (depth >= 0 && !w->stack[depth].untried) /* so that depth is -1 if the walk is finished */
        depth--;
    w->depth = depth;
    *nodes = left;
    return found;
}

static const NineFunctions VERSION(nine_functions) = {VERSION(nine_start), VERSION(nine_run)};
