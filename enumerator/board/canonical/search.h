/* The search for the least image of a board, and its automorphisms.
 *
 * A node has some rows of the image. Its children are all ways to the least next row. The first leaf is
 * the best so far. A leaf with the same image is an automorphism: it maps the best leaf to this one.
 * Then the node where their ways part is taken up again, because what lies between is symmetric. Of
 * children that known automorphisms map to each other, one is visited.
 *
 * The order of the group is the product of two kinds of numbers: at each node on the way to the best
 * leaf, the number of children that automorphisms map to the next one; and the orders that the leaf
 * left open. A line that equals another one of its band, and a band without clues, count as often as
 * there are, and are visited once.
 */
#ifndef ENUMERATOR_CANONICAL_SEARCH_H
#define ENUMERATOR_CANONICAL_SEARCH_H

#include "rows.h"

static inline int canon_generator_size(const Canon *c) { return 3 * c->size; }

/* Add the automorphism that maps the best leaf to another one. */
static void canon_add_generator(Canon *c, const CanonState *s)
{
    int size = c->size, each = canon_generator_size(c);
    if (c->found == c->generator_room) {
        int room = c->generator_room ? 2 * c->generator_room : 16;
        uint8_t *more = realloc(c->generators, (size_t)room * (size_t)each);
        if (!more) {
            c->failed = 1;
            return;
        }
        c->generators = more, c->generator_room = room;
    }
    uint8_t *g = c->generators + (size_t)c->found++ * (size_t)each, digit_of[CANON_SIDE];
    const CanonState *best = &c->leaf;
    for (int i = 0; i < size; i++) {
        g[canon_line(c, best->turned, 1, best->row[i])] = (uint8_t)canon_line(c, s->turned, 1, s->row[i]);
        g[canon_line(c, best->turned, 0, best->column[i])] = (uint8_t)canon_line(c, s->turned, 0, s->column[i]);
        digit_of[canon_final_label(c, s, c->best, i)] = (uint8_t)i;
    }
    for (int i = 0; i < size; i++)
        g[2 * size + i] = digit_of[c->labels[i]];
}

/* Return 1 if a generator maps a choice to another one. */
static int canon_maps_choice(const Canon *c, const uint8_t *g, int one, int other)
{
    const uint8_t *digits = g + 2 * c->size;
    if (one < CANON_STACK || other < CANON_STACK)
        return one < CANON_STACK && g[one] == other;
    if (one < CANON_DIGIT || other < CANON_DIGIT)
        return one < CANON_DIGIT && other < CANON_DIGIT
               && g[one - CANON_STACK] / c->width == (other - CANON_STACK) / c->width;
    if (one < CANON_MASK || other < CANON_MASK)
        return one < CANON_MASK && digits[one - CANON_DIGIT] == other - CANON_DIGIT;
    uint64_t mask = c->masks[0][one - CANON_MASK], image = 0;
    for (; mask; mask &= mask - 1)
        image |= (uint64_t)1 << digits[lowest64(mask)];
    return image == c->masks[0][other - CANON_MASK];
}

/* Return 1 if a generator fixes the first choices of a state, one by one. */
static int canon_fixes(const Canon *c, const uint8_t *g, const CanonState *s, int choices)
{
    for (int i = 0; i < choices; i++)
        if (!canon_maps_choice(c, g, s->choice[i], s->choice[i]))
            return 0;
    return 1;
}

/* Return 1 if a generator maps the choices of a child, from `first` on, to those of another child. */
static int canon_maps(const Canon *c, const uint8_t *g, const CanonState *from, const CanonState *to, int first)
{
    if (from->choices != to->choices || c->kind[g[from->choice[first]]] != c->kind[to->choice[first]])
        return 0;
    for (int i = first + 1; i < from->choices; i++)
        if (!canon_maps_choice(c, g, from->choice[i], to->choice[i]))
            return 0;
    return 1;
}

static int canon_root(const int *parent, int child)
{
    while (parent[child] != child)
        child = parent[child];
    return child;
}

/* Join the children that generators `from` … map to each other, where these fix the choices before them. */
static void canon_join(const Canon *c, const CanonState *s, int base, int end, int from, int *parent)
{
    int first = s->choices;
    for (int i = from; i < c->found; i++) {
        const uint8_t *g = c->generators + (size_t)i * (size_t)canon_generator_size(c);
        if (!canon_fixes(c, g, s, first))
            continue;
        for (int one = base; one < end; one++)
            for (int other = base; other < end; other++)
                if (canon_maps(c, g, &c->states[one], &c->states[other], first)) {
                    int a = canon_root(parent, one - base), b = canon_root(parent, other - base);
                    parent[a > b ? a : b] = a > b ? b : a;
                    break;
                }
    }
}

/* Compare the best leaf with another one; return the depth at which the search goes on. */
static int canon_visit_leaf(Canon *c, const CanonState *s, int is_equal)
{
    int size = c->size, cells = size * size;
    if (!is_equal) {
        memcpy(c->best, c->image, (size_t)cells);
        if (c->has_marks)
            memcpy(c->best_masks, c->image_masks, (size_t)cells * sizeof(uint64_t));
        canon_copy(&c->leaf, s);
        c->has_best = 1;
        for (int i = 0; i < size; i++)
            c->labels[i] = (uint8_t)canon_final_label(c, s, c->best, i);
        return size;
    }
    canon_add_generator(c, s);
    int depth = 0;
    while (depth < size && s->choice_end[depth + 1] == c->leaf.choice_end[depth + 1]
           && !memcmp(s->choice, c->leaf.choice, s->choice_end[depth + 1] * sizeof(uint16_t)))
        depth++;
    return depth;
}

/* Collect the children of a node: all ways to the least next row. */
static void canon_expand(Canon *c, const CanonState *s, int base, int order)
{
    int size = c->size, height = c->height, inside = s->depth % height != 0;
    uint8_t seen[2 * CANON_SIDE];
    int seen_at[2 * CANON_SIDE], seen_count = 0, weights[2 * CANON_SIDE];
    for (int turned = s->depth ? s->turned : 0; turned <= (s->depth ? s->turned : c->square); turned++)
        for (int number = 0; number < size; number++) {
            if (s->used >> number & 1)
                continue;
            int band = number / height;
            uint64_t rows = ((height == 64 ? 0 : (uint64_t)1 << height) - 1) << band * height;
            if (inside ? band != s->row[s->depth - 1] / height : (s->used & rows) != 0)
                continue;
            int line = canon_line(c, turned, 1, number), at = 0;
            while (at < seen_count && seen[at] != c->kind[line])
                at++;
            if (at == seen_count) {
                seen[seen_count] = c->kind[line];
                weights[seen_count] = 0, seen_at[seen_count++] = line;
            }
            weights[at]++;
        }
    c->has_least = order == 0;
    for (int i = 0; i < seen_count; i++) {
        int turned = seen_at[i] >= size, number = seen_at[i] % size;
        CanonState next;
        canon_copy(&next, s);
        next.turned = (uint8_t)turned;
        next.row[s->depth] = (uint8_t)number;
        next.used |= (uint64_t)1 << number;
        next.weight = weights[i];
        canon_choose(&next, seen_at[i]);
        CanonRow row = {c, c->cells[turned] + number * size, c->has_marks ? c->masks[turned] + number * size : NULL,
                        s->depth, base, c->has_marks || c->repeats[seen_at[i]]};
        canon_fill(&row, &next, 0, c->has_least ? 0 : -1);
        if (c->failed)
            return;
    }
}

/* Visit a node, whose rows equal those of the best leaf if `is_equal`; return the depth to go on at. */
static int canon_visit(Canon *c, int number, int is_equal)
{
    CanonState s;
    canon_copy(&s, &c->states[number]);
    int size = c->size, depth = s.depth, base = c->top, at = depth * size;
    if (depth == size)
        return canon_visit_leaf(c, &s, is_equal);
    if (is_equal) {
        memcpy(c->least + at, c->best + at, (size_t)size);
        if (c->has_marks)
            memcpy(c->least_masks + at, c->best_masks + at, (size_t)size * sizeof(uint64_t));
    }
    canon_expand(c, &s, base, is_equal ? 0 : -1);
    int end = c->top, joined = 0, result = size;
    if (end == base || c->failed)
        return size;
    is_equal = is_equal && !memcmp(c->least + at, c->best + at, (size_t)size)
               && (!c->has_marks
                   || !memcmp(c->least_masks + at, c->best_masks + at, (size_t)size * sizeof(uint64_t)));
    memcpy(c->image + at, c->least + at, (size_t)size);
    if (c->has_marks)
        memcpy(c->image_masks + at, c->least_masks + at, (size_t)size * sizeof(uint64_t));
    int few[64], *parent = end - base <= 64 ? few : malloc((size_t)(end - base) * sizeof(int));
    if (!parent) {
        c->failed = 1;
        return size;
    }
    for (int i = 0; i < end - base; i++)
        parent[i] = i;
    for (int child = base; child < end && !c->failed; child++) {
        if (end - base > 1 && joined < c->found) {
            canon_join(c, &s, base, end, joined, parent);
            joined = c->found;
        }
        if (canon_root(parent, child - base) != child - base)
            continue;
        int next = canon_visit(c, child, is_equal);
        is_equal = 1;
        c->top = end;
        if (next < depth) {
            result = next;
            break;
        }
    }
    if (result == size && !memcmp(s.choice, c->leaf.choice, s.choice_end[depth] * sizeof(uint16_t))
        && s.choice_end[depth] == c->leaf.choice_end[depth]) {
        if (end - base > 1 && joined < c->found)
            canon_join(c, &s, base, end, joined, parent);
        int chosen = 0, orbit = 0, last = c->leaf.choice_end[depth + 1];
        for (int child = base; child < end; child++)
            if (c->states[child].choices == last && !memcmp(c->states[child].choice, c->leaf.choice, (size_t)last * sizeof(uint16_t)))
                chosen = canon_root(parent, child - base);
        for (int child = base; child < end; child++)
            orbit += canon_root(parent, child - base) == chosen ? c->states[child].weight : 0;
        c->index[depth] = orbit;
    }
    if (parent != few)
        free(parent);
    return result;
}

/* Mark equal lines of a band, bands without clues, and lines that hold a digit twice. */
static void canon_mark_lines(Canon *c)
{
    int size = c->size, kinds = 0;
    for (int turned = 0; turned <= 1; turned++) {
        int group = turned ? c->width : c->height, empty_kind = -1;
        const uint8_t *cells = c->cells[turned];
        const uint64_t *masks = c->has_marks ? c->masks[turned] : NULL;
        uint64_t full = ~(uint64_t)0 >> (64 - size);
        for (int first = 0; first < size; first += group) {
            int is_empty = 1;
            for (int i = first * size; i < (first + group) * size && is_empty; i++)
                is_empty = !cells[i] && (!masks || masks[i] == full);
            for (int number = first; number < first + group; number++) {
                const uint8_t *line = cells + number * size;
                int name = turned * size + number, same = first;
                uint64_t seen = 0;
                c->repeats[name] = 0;
                for (int i = 0; i < size; i++)
                    if (line[i]) {
                        uint64_t bit = (uint64_t)1 << (line[i] - 1);
                        c->repeats[name] |= (seen & bit) != 0;
                        seen |= bit;
                    }
                while (memcmp(line, cells + same * size, (size_t)size)
                       || (masks && memcmp(masks + number * size, masks + same * size, (size_t)size * sizeof(uint64_t))))
                    same++;
                c->kind[name] = same < number ? c->kind[turned * size + same] : (uint8_t)kinds++;
                if (is_empty) {
                    empty_kind = empty_kind < 0 ? c->kind[name] : empty_kind;
                    c->kind[name] = (uint8_t)empty_kind;
                }
            }
        }
    }
}

/* Find the least image of the board in `cells[0]` and `masks[0]`. The other images are scratch. */
static void canon_search(Canon *c)
{
    int size = c->size;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            c->cells[1][j * size + i] = c->cells[0][i * size + j];
            if (c->has_marks)
                c->masks[1][j * size + i] = c->masks[0][i * size + j];
        }
    for (int i = 0; i < size; i++)
        c->stack_of[i] = (uint8_t)(i / c->width);
    canon_mark_lines(c);
    c->has_best = c->found = c->failed = 0, c->nodes = 0, c->next_look = CANON_LOOK_NODES;
    CanonState *s = &c->states[0];
    memset(s, 0, sizeof *s);
    for (int i = 0; i < size; i++) {
        s->column[i] = s->slot[i] = s->tied[i] = s->digit_at[i] = s->place_of[i] = (uint8_t)i;
        s->anchor_row[i] = s->anchor_column[i] = CANON_FREE;
    }
    for (int i = 0; i < size; i += c->width)
        canon_cut(&s->cut, i);
    s->stack_cut = s->label_cut = 1;
    c->top = 1;
    canon_visit(c, 0, 0);
}

/* Return the slots at which a class begins that is tied to one before it. */
static uint64_t canon_tied_slots(const Canon *c)
{
    uint64_t tied = 0;
    for (int slot = 0; slot < c->size; slot++)
        for (int one = c->leaf.tied[c->leaf.column[slot]]; one != c->leaf.column[slot]; one = c->leaf.tied[one])
            if (c->leaf.slot[one] < slot)
                tied |= (uint64_t)1 << slot;
    return tied;
}

/* Add the automorphisms that a leaf leaves open: exchanges of neighbours in classes, and of equal rows. */
static void canon_add_open(Canon *c)
{
    int size = c->size, height = c->height;
    const CanonState best = c->leaf;
    for (int slot = 0; slot + 1 < size; slot++)
        if (!(best.cut >> (slot + 1) & 1)) {
            CanonState s = best;
            canon_swap_strands(&s, slot, slot + 1);
            canon_add_generator(c, &s);
        }
    for (int stack = 0; stack + 1 < height; stack++)
        if (!(best.stack_cut >> (stack + 1) & 1)) {
            CanonState s = best;
            canon_swap_stacks(c, &s, stack, stack + 1);
            canon_add_generator(c, &s);
        }
    for (int label = 0; label + 1 < size; label++)
        if (!(best.label_cut >> (label + 1) & 1)) {
            CanonState s = best;
            int one = s.digit_at[label], other = s.digit_at[label + 1];
            s.place_of[one] = (uint8_t)(label + 1), s.place_of[other] = (uint8_t)label;
            canon_add_generator(c, &s);
        }
    for (int depth = 0; depth + 1 < size; depth++) {
        int one = canon_line(c, best.turned, 1, best.row[depth]), other = canon_line(c, best.turned, 1, best.row[depth + 1]);
        if (c->kind[one] != c->kind[other])
            continue;
        CanonState s = best;
        int band = depth / height, step = 1, from = depth;
        if ((depth + 1) / height != band)
            step = height, from = band * height;
        for (int i = 0; i < step; i++)
            s.row[from + i] = best.row[from + step + i], s.row[from + step + i] = best.row[from + i];
        canon_add_generator(c, &s);
    }
}

#endif
