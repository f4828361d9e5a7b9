/* The solutions that a symmetry fixes, counted as exact covers.
 *
 *     placement   a digit in a cell. A symmetry maps placements to placements
 *     option      an orbit of placements: a fixed solution has all of them or none
 *     item        an orbit of what must be covered once: a cell; or a digit in a row, column or box
 *
 * An option whose placements contradict each other is left out. The others cover each thing of their
 * items exactly once. So fixed solutions are the choices of options that cover each item once.
 *
 * Some digits may be exchanged without any change of the problem. They form groups, and come in cycles
 * of the symmetry. Of a group's digits that are in no cycle used so far, a cell gets only the first one:
 * the others lead to as many solutions. While there is such a choice, only cells are branched on. So
 * every leaf stands for the same number of solutions: for the exchanges of digits that there are.
 *
 * The leaves below a node depend on its open items alone. So their number is kept in a table, by the
 * whole set of covered items: it is compared bit by bit. On the empty 9x9 board, the table saves 599 of
 * 600 nodes of one class of symmetries, 214 of 215 of the one that fixes most solutions, and few of others.
 *
 * All searches of one problem use one table, at the same time if they run in several threads. An entry has a
 * version, which is odd while somebody writes it. Who reads it compares the version before and after: an entry
 * that was written meanwhile counts as absent. Who finds it being written does not write.
 */
#ifndef ENUMERATOR_FIXED_H
#define ENUMERATOR_FIXED_H

#include "machine.h"

enum {
    FIXED_SIDE = 64,
    FIXED_KEPT_ITEMS = 8,        /* the leaves below a node with fewer open items are not kept */
};

typedef struct {
    int size, height, width;
    int options, items, cells;   /* the first `cells` items are cells */
    int is_void;                 /* an item has no option */
    uint32_t *item_of;           /* the items of an option, four places each */
    uint8_t *place_of;           /* its place in each of them */
    uint8_t *covers;             /* their number */
    uint8_t *digit;              /* the digit of an option in the first cell of its orbit, from 0 */
    uint32_t *option_at;         /* the option at a place of an item, 64 places each */
    uint64_t *start;             /* the places of an item with an option */
    uint8_t cycle[FIXED_SIDE];   /* the cycle of a digit */
    uint8_t group[FIXED_SIDE];   /* the group of a digit */
    uint8_t kind[FIXED_SIDE];    /* the kind of a cycle: those of a kind may be exchanged */
    uint8_t length[FIXED_SIDE];  /* the digits of a cycle of a kind in each of its groups */
    uint8_t cycles[FIXED_SIDE];  /* the cycles of a kind */
} Fixed;

typedef unsigned __int128 FixedCount;

typedef struct {
    int item, trail, chosen;
    int is_whole;                /* nothing below was given away */
    uint64_t left;               /* the places that were not tried yet */
    FixedCount before;           /* the leaves found before */
} FixedFrame;

/* The leaves below nodes, by their sets of covered items. */
typedef struct {
    size_t entries;              /* a power of two */
    int words;                   /* of a set of items */
    uint64_t *at;                /* for each entry its version, 0 if it is empty; the set; the leaves, high and low */
} FixedTable;

/* A search in progress. */
typedef struct {
    const Fixed *f;
    FixedTable *table;
    uint64_t *live;              /* the places of an item whose options are possible */
    uint32_t *order, *where;     /* the items; the first `open` of `order` are not covered yet */
    int open;
    uint32_t *trail, *chosen, *queue, *path;
    int trailed, choices, queued, depth, given;
    int is_open;                 /* the node that was reached last is to be expanded */
    FixedFrame *frames;
    uint32_t used[FIXED_SIDE];   /* the options chosen of each cycle of digits */
    uint8_t unused[FIXED_SIDE];  /* the cycles of each kind that are not used */
    int exchanges;               /* the kinds with a choice between digits of cycles that are not used */
    int words;                   /* of a set of items */
    uint64_t *set;               /* the items that are covered */
    uint64_t *random;            /* a number for each item; those of the covered items make the hash */
    uint64_t hash;
    FixedCount found;
    uint64_t nodes;
    int has_overflow;
} FixedSearch;

/* ------------------------------------------------------------------------------------ the problem */

static inline int fixed_image_of_cell(const Fixed *f, const uint8_t *lines, int cell)
{
    int size = f->size, row = lines[cell / size], column = lines[size + cell % size];
    return row < size ? row * size + column - size : column * size + row - size;
}

static inline int fixed_box(const Fixed *f, int cell)
{
    return cell / f->size / f->height * f->height + cell % f->size / f->width;
}

/* Write what a placement covers: its cell, and its digit in its row, column and box. */
static inline void fixed_covered(const Fixed *f, int cell, int digit, int *covered)
{
    int size = f->size, cells = size * size;
    covered[0] = cell;
    covered[1] = cells + cell / size * size + digit;
    covered[2] = cells + (size + cell % size) * size + digit;
    covered[3] = cells + (2 * size + fixed_box(f, cell)) * size + digit;
}

/* Number the orbits of what must be covered; write the orbit of each. */
static void fixed_number_items(Fixed *f, const uint8_t *lines, const uint8_t *digits, uint32_t *item)
{
    int size = f->size, cells = size * size, total = 4 * cells;
    memset(item, 0xff, (size_t)total * sizeof *item);
    for (int cell = 0; cell < cells; cell++) {
        if (item[cell] != UINT32_MAX)
            continue;
        for (int at = cell; item[at] == UINT32_MAX; at = fixed_image_of_cell(f, lines, at))
            item[at] = (uint32_t)f->items;
        f->items++;
    }
    f->cells = f->items;
    for (int one = cells; one < total; one++) {
        if (item[one] != UINT32_MAX)
            continue;
        for (int at = one; item[at] == UINT32_MAX;) {
            int unit = (at - cells) / size, digit = (at - cells) % size, image;
            item[at] = (uint32_t)f->items;
            if (unit < 2 * size)
                image = lines[unit];
            else {
                int box = unit - 2 * size;
                int cell = box / f->height * f->height * size + box % f->height * f->width;
                image = 2 * size + fixed_box(f, fixed_image_of_cell(f, lines, cell));
            }
            at = cells + image * size + digits[digit];
        }
        f->items++;
    }
}

/* Make the options of a symmetry: `lines` and `digits` are the images of lines and of digits.
 *
 * `seen` has room for all placements and `stamp` for all that must be covered. */
static void fixed_make_options(Fixed *f, const uint8_t *lines, const uint8_t *digits, const uint64_t *allowed,
                               const uint32_t *item, uint8_t *seen, uint32_t *stamp)
{
    int size = f->size, cells = size * size, covered[4];
    uint32_t orbit = 0;
    for (int first = 0; first < cells * size; first++) {
        if (seen[first])
            continue;
        int is_valid = 1, cell = first / size, digit = first % size;
        orbit++;
        while (!seen[cell * size + digit]) {
            seen[cell * size + digit] = 1;
            is_valid &= (int)(allowed[cell] >> digit & 1);
            fixed_covered(f, cell, digit, covered);
            for (int i = 0; i < 4; i++) {
                is_valid &= stamp[covered[i]] != orbit;
                stamp[covered[i]] = orbit;
            }
            cell = fixed_image_of_cell(f, lines, cell), digit = digits[digit];
        }
        if (!is_valid)
            continue;
        int option = f->options++, covers = 0;
        fixed_covered(f, first / size, first % size, covered);
        for (int i = 0; i < 4; i++) {
            uint32_t one = item[covered[i]];
            int known = 0;
            for (int j = 0; j < covers; j++)
                known |= f->item_of[4 * option + j] == one;
            if (known)
                continue;
            int place = popcount64(f->start[one]);
            f->start[one] |= (uint64_t)1 << place;
            f->option_at[one * 64 + (uint32_t)place] = (uint32_t)option;
            f->item_of[4 * option + covers] = one;
            f->place_of[4 * option + covers++] = (uint8_t)place;
        }
        f->covers[option] = (uint8_t)covers;
        f->digit[option] = (uint8_t)(first % size);
    }
    for (int i = 0; i < f->items; i++)
        f->is_void |= !f->start[i];
}

/* ------------------------------------------------------------------------------------- the search */

static inline int fixed_is_exchange(const FixedSearch *s, int kind)
{
    return s->unused[kind] * s->f->length[kind] > 1;
}

/* Note that an option with a digit is chosen, or not any more. */
static inline void fixed_use(FixedSearch *s, int digit, int is_chosen)
{
    int cycle = s->f->cycle[digit], kind = s->f->kind[cycle];
    int changes = is_chosen ? !s->used[cycle]++ : !--s->used[cycle];
    if (!changes)
        return;
    s->exchanges -= fixed_is_exchange(s, kind);
    s->unused[kind] = (uint8_t)(s->unused[kind] + (is_chosen ? -1 : 1));
    s->exchanges += fixed_is_exchange(s, kind);
}

/* Put an item into the set of covered items, or take it out. */
static inline void fixed_flip(FixedSearch *s, uint32_t item)
{
    s->set[item / 64] ^= (uint64_t)1 << item % 64;
    s->hash ^= s->random[item];
}

/* Choose an option; return 0 if an item is left without one. */
static int fixed_choose(FixedSearch *s, uint32_t option)
{
    const Fixed *f = s->f;
    int possible = 1, covers = f->covers[option];
    const uint32_t *items = f->item_of + 4 * option;
    s->nodes++;
    s->chosen[s->choices++] = option;
    fixed_use(s, f->digit[option], 1);
    for (int i = 0; i < covers; i++) {
        uint32_t at = s->where[items[i]], last = s->order[--s->open];
        s->order[at] = last, s->where[last] = at;
        s->order[s->open] = items[i], s->where[items[i]] = (uint32_t)s->open;
        fixed_flip(s, items[i]);
    }
    for (int i = 0; i < covers; i++) {
        const uint32_t *at = f->option_at + 64 * (size_t)items[i];
        for (uint64_t left = s->live[items[i]] & ~((uint64_t)1 << f->place_of[4 * option + (uint32_t)i]); left; left &= left - 1) {
            uint32_t other = at[lowest64(left)];
            s->trail[s->trailed++] = other;
            for (int j = 0; j < f->covers[other]; j++) {
                uint32_t item = f->item_of[4 * other + (uint32_t)j];
                uint64_t live = s->live[item] &= ~((uint64_t)1 << f->place_of[4 * other + (uint32_t)j]);
                if (s->where[item] >= (uint32_t)s->open)
                    continue;
                if (!live)
                    possible = 0;
                else if (!(live & (live - 1)))
                    s->queue[s->queued++] = item;
            }
        }
    }
    return possible;
}

/* Take back all options from a number of choices on. */
static void fixed_undo(FixedSearch *s, int trail, int choices)
{
    const Fixed *f = s->f;
    while (s->trailed > trail) {
        uint32_t other = s->trail[--s->trailed];
        for (int j = 0; j < f->covers[other]; j++)
            s->live[f->item_of[4 * other + (uint32_t)j]] |= (uint64_t)1 << f->place_of[4 * other + (uint32_t)j];
    }
    while (s->choices > choices) {
        uint32_t option = s->chosen[--s->choices];
        fixed_use(s, f->digit[option], 0);
        s->open += f->covers[option];
        for (int i = 0; i < f->covers[option]; i++)
            fixed_flip(s, f->item_of[4 * option + (uint32_t)i]);
    }
    s->queued = 0;
}

static inline uint32_t fixed_first_option(const Fixed *f, int item, uint64_t places)
{
    return f->option_at[64 * (size_t)item + (size_t)lowest64(places)];
}

/* Choose all options that are forced; return 0 if there is no solution. */
static int fixed_force(FixedSearch *s, int possible)
{
    while (possible && s->queued) {
        uint32_t item = s->queue[--s->queued];
        if (s->where[item] < (uint32_t)s->open)
            possible = s->live[item] && fixed_choose(s, fixed_first_option(s->f, (int)item, s->live[item]));
    }
    s->queued = 0;
    return possible;
}

static inline int fixed_take(FixedSearch *s, uint32_t option)
{
    return fixed_force(s, fixed_choose(s, option));
}

/* Return the places of a cell that must be tried: of digits that may be exchanged, one. */
static uint64_t fixed_places(const FixedSearch *s, uint32_t item)
{
    const Fixed *f = s->f;
    uint64_t kept = 0, groups = 0;
    for (uint64_t left = s->live[item]; left; left &= left - 1) {
        int place = lowest64(left), digit = f->digit[f->option_at[64 * (size_t)item + (size_t)place]];
        uint64_t group = (uint64_t)1 << f->group[digit];
        if (!s->used[f->cycle[digit]]) {
            if (groups & group)
                continue;
            groups |= group;
        }
        kept |= (uint64_t)1 << place;
    }
    return kept;
}

/* Find the first item with the fewest options, to branch on; return its places.
 *
 * The first one: so the same sets of items are left more often. That saves up to three quarters of all nodes. */
static uint64_t fixed_branch(const FixedSearch *s, int *item)
{
    uint64_t best = 0;
    int least = FIXED_SIDE + 1, enough = s->exchanges ? 1 : 2, end = s->exchanges ? s->f->cells : s->f->items;
    for (int one = 0; one < end && least > enough; one++) {
        if (s->where[one] >= (uint32_t)s->open)
            continue;
        uint64_t places = s->exchanges ? fixed_places(s, (uint32_t)one) : s->live[one];
        int count = popcount64(places);
        if (count < least)
            least = count, best = places, *item = one;
    }
    return best;
}

/* ------------------------------------------------------------------------------------- the table */

/* Make a table with about a number of bytes, or with fewer if there is no memory; return 0 if there is none at all.
 *
 * The system gives memory to the entries that are used. */
static int fixed_make_table(FixedTable *table, int items, size_t bytes)
{
    table->words = items / 64 + 1;
    size_t each = ((size_t)table->words + 3) * sizeof(uint64_t);
    for (table->entries = 1; 2 * table->entries * each <= bytes;)
        table->entries *= 2;
    while (!(table->at = calloc(table->entries, each)) && table->entries > 1)
        table->entries /= 2;
    return table->at != NULL;
}

/* Return the entry for the present set of covered items. Another set may have it. */
static inline uint64_t *fixed_entry(const FixedSearch *s)
{
    return s->table->at + (s->hash & (s->table->entries - 1)) * ((size_t)s->words + 3);
}

static inline uint64_t fixed_read(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }

static inline void fixed_write(uint64_t *word, uint64_t value) { __atomic_store_n(word, value, __ATOMIC_RELAXED); }

/* Find the leaves below the present node; return 0 if they are not known. */
static inline int fixed_look(const FixedSearch *s, FixedCount *leaves)
{
    if (s->open < FIXED_KEPT_ITEMS)
        return 0;
    const uint64_t *entry = fixed_entry(s);
    uint64_t version = __atomic_load_n(entry, __ATOMIC_ACQUIRE);
    if (!version || version & 1)
        return 0;
    for (int word = 0; word < s->words; word++)
        if (fixed_read(++entry) != s->set[word])
            return 0;
    *leaves = (FixedCount)fixed_read(entry + 1) << 64 | fixed_read(entry + 2);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return fixed_read(entry - s->words) == version;
}

/* Keep the leaves below the present node. */
static inline void fixed_keep(const FixedSearch *s, FixedCount leaves)
{
    if (s->open < FIXED_KEPT_ITEMS)
        return;
    uint64_t *entry = fixed_entry(s), version = fixed_read(entry);
    if (version & 1 || !__atomic_compare_exchange_n(entry, &version, version + 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        return;
    __atomic_thread_fence(__ATOMIC_RELEASE);
    for (int word = 0; word < s->words; word++)
        fixed_write(entry + 1 + word, s->set[word]);
    fixed_write(entry + 1 + s->words, (uint64_t)(leaves >> 64));
    fixed_write(entry + 2 + s->words, (uint64_t)leaves);
    __atomic_store_n(entry, version + 2, __ATOMIC_RELEASE);
}

static inline void fixed_add(FixedSearch *s, FixedCount leaves)
{
    s->has_overflow |= __builtin_add_overflow(s->found, leaves, &s->found) || s->found + 1 == 0;
}

/* ------------------------------------------------------------------------------------ the walk */

/* Return 1 if an option covers no item that is covered, and excludes none that is chosen. */
static int fixed_is_possible(const FixedSearch *s, uint32_t option)
{
    const Fixed *f = s->f;
    for (uint32_t at = 4 * option; at < 4 * option + f->covers[option]; at++)
        if (s->where[f->item_of[at]] >= (uint32_t)s->open || !(s->live[f->item_of[at]] >> f->place_of[at] & 1))
            return 0;
    return 1;
}

/* Prepare a search with the first `given` options in `path`; return 0 if they are not possible together. */
static int fixed_begin(FixedSearch *s, const Fixed *f, int given)
{
    uint64_t seed = 1;
    s->f = f, s->given = given, s->open = f->items;
    memcpy(s->live, f->start, (size_t)f->items * sizeof *s->live);
    memcpy(s->unused, f->cycles, sizeof s->unused);
    for (int kind = 0; kind < f->size; kind++)
        s->exchanges += fixed_is_exchange(s, kind);
    for (int i = 0; i < f->items; i++) {
        s->random[i] = next_random(&seed);
        s->order[i] = s->where[i] = (uint32_t)i;
        if (!(f->start[i] & (f->start[i] - 1)))
            s->queue[s->queued++] = (uint32_t)i;
    }
    s->is_open = fixed_force(s, !f->is_void);
    for (int i = 0; i < given && s->is_open; i++) {
        if (!fixed_is_possible(s, s->path[i]))
            return 0;
        s->is_open = fixed_take(s, s->path[i]);
    }
    return 1;
}

/* Go to the next node from one without a child; return 0 if there is none. */
static int fixed_next(FixedSearch *s)
{
    while (s->depth) {
        FixedFrame *frame = &s->frames[s->depth - 1];
        fixed_undo(s, frame->trail, frame->chosen);
        if (frame->left) {
            uint32_t option = fixed_first_option(s->f, frame->item, frame->left);
            frame->left &= frame->left - 1;
            s->path[s->given + s->depth - 1] = option;
            s->is_open = fixed_take(s, option);
            return 1;
        }
        if (frame->is_whole)
            fixed_keep(s, s->found - frame->before);
        s->depth--;
    }
    return 0;
}

/* Search for about `budget` nodes, from where it stopped; return 1 if the search is finished. */
static int fixed_run(FixedSearch *s, uint64_t budget)
{
    uint64_t end = s->nodes + budget;
    for (;;) {
        FixedCount leaves = 1;
        if (s->is_open && s->open && !fixed_look(s, &leaves)) {
            if (s->nodes >= end)
                return 0;
            FixedFrame *frame = &s->frames[s->depth++];
            frame->trail = s->trailed, frame->chosen = s->choices;
            frame->before = s->found, frame->is_whole = 1;
            frame->left = fixed_branch(s, &frame->item);
        } else if (s->is_open)
            fixed_add(s, leaves);
        if (!fixed_next(s)) {
            s->is_open = 0;
            return 1;
        }
    }
}

static inline uint64_t fixed_found_high(const FixedSearch *s) { return (uint64_t)(s->found >> 64); }

static inline uint64_t fixed_found_low(const FixedSearch *s) { return (uint64_t)s->found; }

/* Find the first node with a choice that was not tried; return its depth, -1 if there is none. */
static int fixed_find_left(const FixedSearch *s)
{
    for (int depth = 0; depth < s->depth; depth++)
        if (s->frames[depth].left)
            return depth;
    return -1;
}

#endif
