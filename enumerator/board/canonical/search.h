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

/* Return what a choice is mapped to by a generator, or a number for what it is without one. */
static inline int canon_map_choice(const Canon *c, const uint8_t *g, int choice)
{
    if (choice < CANON_STACK)
        return g ? g[choice] : choice;
    if (choice < CANON_DIGIT)
        return CANON_STACK + (g ? g[choice - CANON_STACK] : choice - CANON_STACK) / c->width;
    return CANON_DIGIT + (g ? g[2 * c->size + choice - CANON_DIGIT] : choice - CANON_DIGIT);
}

/* Return 1 if a generator fixes the first choices of a state, one by one. */
static int canon_fixes(const Canon *c, const uint8_t *g, const CanonState *s, int choices)
{
    for (int i = 0; i < choices; i++)
        if (canon_map_choice(c, g, s->choice[i]) != canon_map_choice(c, NULL, s->choice[i]))
            return 0;
    return 1;
}

/* The children of a node: those that automorphisms map to each other, and a table to find them by their choices. */
typedef struct {
    const Canon *c;
    int base, count, first;   /* the first child; the choices before the children */
    int joined;               /* the generators that are taken into account */
    int *parent;              /* of each child, in a tree of those that are joined */
    int *table;               /* children by a hash of their choices, -1: none; made for the first generator */
    int room;
} CanonChildren;

/* Write the last choices of a child as a generator maps them; return their hash. Of a row, its kind counts. */
static inline uint32_t canon_map_child(const CanonChildren *all, const uint8_t *g, int child, uint16_t *choices)
{
    const Canon *c = all->c;
    const CanonState *s = &c->states[all->base + child];
    uint32_t hash = 0;
    for (int i = all->first; i < s->choices; i++) {
        int to = canon_map_choice(c, g, s->choice[i]);
        choices[i - all->first] = (uint16_t)(i == all->first ? c->kind[to] : to);
        hash = (hash ^ choices[i - all->first]) * 0x9e3779b1u;
        hash ^= hash >> 15;
    }
    return hash;
}

/* Return the place in the table of a child with the given choices, or of none. */
static int canon_place(const CanonChildren *all, uint32_t hash, int count, const uint16_t *choices)
{
    uint16_t own[CANON_CHOICES];
    int at = (int)(hash & (uint32_t)(all->room - 1));
    for (;; at = (at + 1) & (all->room - 1)) {
        int child = all->table[at];
        if (child < 0)
            return at;
        if (all->c->states[all->base + child].choices != all->first + count)
            continue;
        canon_map_child(all, NULL, child, own);
        if (!memcmp(own, choices, (size_t)count * sizeof *own))
            return at;
    }
}

/* Make the table; return 0 without memory, or if the search is to end. */
static int canon_make_table(Canon *c, CanonChildren *all)
{
    uint16_t choices[CANON_CHOICES];
    for (all->room = 4; all->room < 2 * all->count;)
        all->room *= 2;
    all->table = malloc((size_t)all->room * sizeof(int));
    if (!all->table)
        return 0;
    memset(all->table, 255, (size_t)all->room * sizeof(int));
    for (int child = 0; child < all->count && canon_step(c, 1); child++) {
        uint32_t hash = canon_map_child(all, NULL, child, choices);
        int at = canon_place(all, hash, all->c->states[all->base + child].choices - all->first, choices);
        if (all->table[at] < 0)
            all->table[at] = child;
    }
    return !c->failed;
}

static int canon_root(int *parent, int child)
{
    for (; parent[child] != child; child = parent[child])
        parent[child] = parent[parent[child]];
    return child;
}

/* Join the children that new generators map to each other, where these fix the choices before them. */
static void canon_join(Canon *c, const CanonState *s, CanonChildren *all)
{
    uint16_t choices[CANON_CHOICES];
    for (; all->count > 1 && all->joined < c->found; all->joined++) {
        const uint8_t *g = c->generators + (size_t)all->joined * (size_t)canon_generator_size(c);
        if (!canon_fixes(c, g, s, all->first))
            continue;
        if (!all->table && !canon_make_table(c, all)) {
            c->failed = 1;
            return;
        }
        for (int child = 0; child < all->count && canon_step(c, 1); child++) {
            uint32_t hash = canon_map_child(all, g, child, choices);
            int other = all->table[canon_place(all, hash, c->states[all->base + child].choices - all->first, choices)];
            if (other >= 0) {
                int a = canon_root(all->parent, child), b = canon_root(all->parent, other);
                all->parent[a > b ? a : b] = a > b ? b : a;
            }
        }
    }
}

/* Compare the best leaf with another one; return the depth at which the search goes on. */
static int canon_visit_leaf(Canon *c, const CanonState *s, int is_equal)
{
    int size = c->size, cells = size * size;
    if (!is_equal) {
        memcpy(c->best, c->image, (size_t)cells);
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
        CanonRow row = {c, c->cells[turned] + number * size, s->depth, base, c->repeated[seen_at[i]]};
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
    if (is_equal)
        memcpy(c->least + at, c->best + at, (size_t)size);
    canon_expand(c, &s, base, is_equal ? 0 : -1);
    int end = c->top, result = size;
    if (end == base || c->failed)
        return size;
    is_equal = is_equal && !memcmp(c->least + at, c->best + at, (size_t)size);
    memcpy(c->image + at, c->least + at, (size_t)size);
    int few[64], count = end - base;
    CanonChildren all = {c, base, count, s.choices, 0, few, NULL, 0};
    if (count > 64 && !(all.parent = malloc((size_t)count * sizeof(int)))) {
        c->failed = 1;
        return size;
    }
    for (int i = 0; i < count; i++)
        all.parent[i] = i;
    for (int child = 0; child < count && !c->failed; child++) {
        canon_join(c, &s, &all);
        if (c->failed || canon_root(all.parent, child) != child)
            continue;
        int next = canon_visit(c, base + child, is_equal);
        is_equal = 1;
        c->top = end;
        if (next < depth) {
            result = next;
            break;
        }
    }
    if (result == size && !memcmp(s.choice, c->leaf.choice, s.choice_end[depth] * sizeof(uint16_t))
        && s.choice_end[depth] == c->leaf.choice_end[depth]) {
        canon_join(c, &s, &all);
        int chosen = 0, orbit = 0, last = c->leaf.choice_end[depth + 1];
        for (int child = 0; child < count; child++)
            if (c->states[base + child].choices == last
                && !memcmp(c->states[base + child].choice, c->leaf.choice, (size_t)last * sizeof(uint16_t)))
                chosen = canon_root(all.parent, child);
        for (int child = 0; child < count; child++)
            orbit += canon_root(all.parent, child) == chosen ? c->states[base + child].weight : 0;
        c->index[depth] = orbit;
    }
    if (all.parent != few)
        free(all.parent);
    free(all.table);
    return result;
}

/* Mark equal lines of a band, bands without clues, and digits that a line holds twice. */
static void canon_mark_lines(Canon *c)
{
    int size = c->size, kinds = 0;
    for (int turned = 0; turned <= 1; turned++) {
        int group = turned ? c->width : c->height, empty_kind = -1;
        const uint8_t *cells = c->cells[turned];
        for (int first = 0; first < size; first += group) {
            int is_empty = 1;
            for (int i = first * size; i < (first + group) * size && is_empty; i++)
                is_empty = !cells[i];
            for (int number = first; number < first + group; number++) {
                const uint8_t *line = cells + number * size;
                int name = turned * size + number, same = first;
                uint64_t seen = 0;
                c->repeated[name] = 0;
                for (int i = 0; i < size; i++)
                    if (line[i]) {
                        uint64_t bit = (uint64_t)1 << (line[i] - 1);
                        c->repeated[name] |= seen & bit;
                        seen |= bit;
                    }
                while (memcmp(line, cells + same * size, (size_t)size))
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

/* Find the least image of the board in `cells[0]`. The other images are scratch. */
static void canon_search(Canon *c)
{
    int size = c->size;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            c->cells[1][j * size + i] = c->cells[0][i * size + j];
    for (int i = 0; i < size; i++)
        c->stack_of[i] = (uint8_t)(i / c->width);
    canon_mark_lines(c);
    c->has_best = c->found = c->failed = 0, c->nodes = c->steps = 0, c->next_look = CANON_LOOK_STEPS;
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
