/* The canonical form of a board with pencil marks, by refinement, as in nauty (McKay 1981).
 *
 *     element  a row or column of the board, as a line of state.h; 2 size … 3 size - 1 are its digits;
 *              3 size is the board as it is, and 3 size + 1 the board turned
 *     colour   a number of 64 bits for each line and digit. Refinement gives two of them different colours
 *              if they hold different things; elements that a symmetry maps to each other stay equal
 *     node     some choices: an element of a class of equal colours gets a colour of its own
 *     trace    a number for what the colours of a node are
 *     leaf     a node where all colours are different. They order the lines and digits: that is an image
 *
 * The form is the least leaf: by its traces from the first choice on, then by its cells, then its marks. The
 * colours are sums of mixed numbers over all cells of a line or digit, so they do not depend on any order.
 *
 * Two leaves with the same image are an automorphism. As in search.h, the search goes on where their ways part,
 * and of elements that known automorphisms map to each other, one is visited. The memory is that of one path.
 */
#ifndef ENUMERATOR_CANONICAL_MARKS_H
#define ENUMERATOR_CANONICAL_MARKS_H

#include <assert.h>

#include "machine.h"

enum { MARKS_SIDE = 64, MARKS_ELEMENTS = 3 * MARKS_SIDE, MARKS_DEPTH = MARKS_ELEMENTS + 1, MARKS_LOOK_CELLS = 1 << 18 };

/* A way from the root: its choices, and the trace of each. */
typedef struct {
    int depth;
    uint8_t choice[MARKS_DEPTH];
    uint64_t trace[MARKS_DEPTH];
} MarksPath;

/* An image of the board: the line or digit at each place, and what its cells hold. */
typedef struct {
    uint8_t row[MARKS_SIDE], column[MARKS_SIDE], digit[MARKS_SIDE];
    uint8_t *cells;
    uint64_t *masks;   /* 0 for clues */
} MarksImage;

typedef struct {
    int size, height, width;
    uint8_t *cells;
    uint64_t *masks;
    MarksImage image, best;
    MarksPath path, best_path;
    int has_best;
    int index[MARKS_DEPTH];     /* the size of the orbit of the best leaf's choice at each depth */
    uint64_t (*colours)[MARKS_ELEMENTS];   /* of the node at each depth */
    uint8_t *generators;        /* for each: the image of every line, then of every digit */
    int found, room;
    uint64_t nodes, cells_read, next_look;
    int (*look)(void *asker);   /* called every MARKS_LOOK_CELLS cells; it returns 0 to end the search */
    void *asker;
    int failed;                 /* no memory, or ended by `look` */
} Marks;

static inline uint64_t marks_mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static inline int marks_turned(const Marks *m, const MarksPath *path) { return path->choice[0] == 3 * m->size + 1; }

/* Sort some colours. */
static void marks_sort(uint64_t *colours, int count)
{
    for (int at = 1; at < count; at++) {
        uint64_t one = colours[at];
        int to = at;
        for (; to && colours[to - 1] > one; to--)
            colours[to] = colours[to - 1];
        colours[to] = one;
    }
}

/* Write the colours of rows, of columns and of digits in order; return the number of different ones. */
static int marks_order(const Marks *m, const uint64_t *colours, uint64_t *sorted)
{
    int size = m->size, classes = 3;
    memcpy(sorted, colours, (size_t)(3 * size) * sizeof *sorted);
    for (int first = 0; first < 3 * size; first += size) {
        marks_sort(sorted + first, size);
        for (int i = first + 1; i < first + size; i++)
            classes += sorted[i] != sorted[i - 1];
    }
    return classes;
}

/* Add to the colour of each line what its cells and the lines beside it hold, and to that of a digit its cells. */
static void marks_refine_once(const Marks *m, uint64_t *colours)
{
    int size = m->size;
    uint64_t mixed[MARKS_ELEMENTS], sums[MARKS_ELEMENTS] = {0}, full = ~(uint64_t)0 >> (64 - size), total = 0, all = 0;
    for (int i = 0; i < 3 * size; i++)
        mixed[i] = marks_mix(colours[i]);
    const uint64_t *digits = mixed + 2 * size;
    uint64_t *digit_sums = sums + 2 * size;
    for (int i = 0; i < size; i++)
        total += digits[i];
    for (int row = 0, at = 0; row < size; row++)
        for (int column = 0; column < size; column++, at++) {
            uint64_t place = mixed[row] + mixed[size + column], mask = m->masks[at], value = 0;
            if (m->cells[at]) {
                int digit = m->cells[at] - 1;
                value = marks_mix(place + 3 * digits[digit]);
                digit_sums[digit] += 3 * value;
            } else {
                int is_most = 2 * __builtin_popcountll(mask) > size;
                uint64_t few = is_most ? full ^ mask : mask;
                for (uint64_t left = few; left; left &= left - 1)
                    value += digits[lowest64(left)];
                value = marks_mix(place + 5 * marks_mix(is_most ? total - value : value));
                for (uint64_t left = few; left; left &= left - 1)
                    digit_sums[lowest64(left)] += is_most ? 0 - value : value;
                all += is_most ? value : 0;
            }
            sums[row] += value, sums[size + column] += value;
        }
    for (int first = 0, group; first < 2 * size; first += group) {
        uint64_t beside = 0;
        group = first < size ? m->height : m->width;
        for (int i = first; i < first + group; i++)
            beside += marks_mix(colours[i] + sums[i]);
        for (int i = first; i < first + group; i++)
            colours[i] = marks_mix(colours[i] + sums[i]) + marks_mix(beside);
    }
    for (int i = 2 * size; i < 3 * size; i++)
        colours[i] = marks_mix(colours[i] + sums[i] + all);
}

/* Refine colours until they divide no class any more; return their trace. `sorted`: as by `marks_order`. */
static uint64_t marks_refine(Marks *m, uint64_t *colours, uint64_t *sorted)
{
    int before, classes = marks_order(m, colours, sorted);
    m->nodes++;
    do {
        before = classes;
        marks_refine_once(m, colours);
        classes = marks_order(m, colours, sorted);
        m->cells_read += (uint64_t)(m->size * m->size);
    } while (classes > before && classes < 3 * m->size);
    if (m->cells_read >= m->next_look) {
        m->next_look = m->cells_read + MARKS_LOOK_CELLS;
        m->failed |= m->look && !m->look(m->asker);
    }
    uint64_t trace = 0;
    for (int i = 0; i < 3 * m->size; i++)
        trace += marks_mix(sorted[i]);   /* in any order: rows may be columns of the image */
    return trace;
}

/* Write the elements of a class of more than one; return their number, 0 if there is none.
 *
 * It is the smallest class of rows, of columns or of digits, whichever have the fewest colours. What is chosen in
 * turn among these three tells most of the others apart: columns alone tell nothing about a solved board. */
static int marks_choose(const Marks *m, const uint64_t *colours, const uint64_t *sorted, uint8_t *members)
{
    int size = m->size, fewest = size, least = 0, count = 0;
    uint64_t chosen = 0;
    for (int first = 0; first < 3 * size; first += size) {
        int classes = 0, least_here = size + 1;
        uint64_t here = 0;
        for (int at = first, end; at < first + size; at = end, classes++) {
            for (end = at + 1; end < first + size && sorted[end] == sorted[at];)
                end++;
            if (end > at + 1 && end - at < least_here)
                least_here = end - at, here = sorted[at];
        }
        int order = classes != fewest ? classes - fewest : least_here - least;
        if (classes < size && (order < 0 || (order == 0 && here < chosen)))
            fewest = classes, least = least_here, chosen = here;
    }
    for (int i = 0; fewest < size && i < 3 * size; i++)
        if (colours[i] == chosen)
            members[count++] = (uint8_t)i;
    return count;
}

/* Add a generator, which is the identity at first; return NULL without memory. */
static uint8_t *marks_add_generator(Marks *m)
{
    int each = 3 * m->size;
    if (m->found == m->room) {
        int room = m->room ? 2 * m->room : 64;
        uint8_t *more = realloc(m->generators, (size_t)room * (size_t)each);
        if (!more) {
            m->failed = 1;
            return NULL;
        }
        m->generators = more, m->room = room;
    }
    uint8_t *g = m->generators + (size_t)m->found++ * (size_t)each;
    for (int i = 0; i < each; i++)
        g[i] = (uint8_t)i;
    return g;
}

/* Return the element that a generator maps another one to. */
static inline int marks_map(const Marks *m, const uint8_t *g, int element)
{
    if (element < 3 * m->size)
        return g[element];
    return g[0] < m->size ? element : 6 * m->size + 1 - element;
}

static int marks_root(const uint8_t *parent, int element)
{
    while (parent[element] != element)
        element = parent[element];
    return element;
}

/* Join the elements that generators `from` … map to each other, where these fix the choices before. */
static void marks_join(const Marks *m, int depth, int from, const uint8_t *members, int count, uint8_t *parent)
{
    for (int i = from; i < m->found; i++) {
        const uint8_t *g = m->generators + (size_t)i * (size_t)(3 * m->size);
        int is_fixing = 1;
        for (int at = 0; at < depth && is_fixing; at++)
            is_fixing = marks_map(m, g, m->path.choice[at]) == m->path.choice[at];
        for (int at = 0; at < count && is_fixing; at++) {
            int a = marks_root(parent, members[at]), b = marks_root(parent, marks_map(m, g, members[at]));
            parent[a > b ? a : b] = (uint8_t)(a > b ? b : a);
        }
    }
}

/* Write the lines from `first` on in the order of their groups, then of their colours. */
static void marks_write_lines(const Marks *m, const uint64_t *colours, int first, int group, uint8_t *lines)
{
    uint64_t least[MARKS_SIDE];
    int size = m->size;
    for (int i = 0; i < size; i++) {
        least[i] = ~(uint64_t)0;
        for (int other = i / group * group; other < (i / group + 1) * group; other++)
            if (colours[first + other] < least[i])
                least[i] = colours[first + other];
    }
    for (int at = 0; at < size; at++) {
        int to = at;
        for (; to; to--) {
            int other = lines[to - 1] - first;
            if (least[other] != least[at] ? least[other] < least[at] : colours[first + other] < colours[first + at])
                break;
            lines[to] = lines[to - 1];
        }
        lines[to] = (uint8_t)(first + at);
    }
}

/* Write the image that the colours of a leaf lead to. */
static void marks_write_image(Marks *m, const uint64_t *colours)
{
    MarksImage *image = &m->image;
    int size = m->size, turned = marks_turned(m, &m->path);
    uint8_t label[MARKS_SIDE];
    marks_write_lines(m, colours, 0, m->height, turned ? image->column : image->row);
    marks_write_lines(m, colours, size, m->width, turned ? image->row : image->column);
    for (int at = 0; at < size; at++) {
        int place = 0;
        for (int other = 0; other < size; other++)
            place += colours[2 * size + other] < colours[2 * size + at];
        image->digit[place] = (uint8_t)(2 * size + at), label[at] = (uint8_t)place;
    }
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            int row = turned ? image->column[j] : image->row[i], column = turned ? image->row[i] : image->column[j];
            int from = row * size + column - size, to = i * size + j;
            image->cells[to] = m->cells[from] ? (uint8_t)(label[m->cells[from] - 1] + 1) : 0;
            image->masks[to] = 0;
            for (uint64_t left = m->cells[from] ? 0 : m->masks[from]; left; left &= left - 1)
                image->masks[to] |= (uint64_t)1 << label[lowest64(left)];
        }
}

/* Compare the image of a leaf with the best one, if the traces are equal; return the depth to go on at. */
static int marks_visit_leaf(Marks *m, const uint64_t *colours, int depth, int is_equal)
{
    size_t cells = (size_t)(m->size * m->size);
    m->path.depth = depth;
    marks_write_image(m, colours);
    int order = -1;
    if (is_equal) {
        order = memcmp(m->image.cells, m->best.cells, cells);
        for (size_t i = 0; i < cells && !order; i++)
            order = m->image.masks[i] < m->best.masks[i] ? -1 : m->image.masks[i] > m->best.masks[i];
    }
    if (order < 0) {
        MarksImage old = m->best;
        m->best = m->image, m->image = old;
        m->best_path = m->path, m->has_best = 1;
    }
    if (order)
        return MARKS_DEPTH;
    uint8_t *g = marks_add_generator(m);
    if (!g)
        return 0;
    for (int i = 0; i < m->size; i++) {
        g[m->best.row[i]] = m->image.row[i], g[m->best.column[i]] = m->image.column[i];
        g[m->best.digit[i]] = m->image.digit[i];
    }
    for (depth = 0; m->path.choice[depth] == m->best_path.choice[depth];)
        depth++;
    return depth;
}

/* Give the chosen element of a node a colour of its own, or at the root, every element the colour of its kind. */
static void marks_single_out(const Marks *m, uint64_t *colours, const uint64_t *before, int element)
{
    int size = m->size;
    if (element >= 3 * size) {
        for (int i = 0; i < 3 * size; i++)
            colours[i] = (uint64_t)(i >= 2 * size ? 3 : (i >= size) == (element == 3 * size) ? 2 : 1);
        return;
    }
    memcpy(colours, before, (size_t)(3 * size) * sizeof *colours);
    colours[element] = marks_mix(colours[element] + 1);
}

/* Visit the node at a depth, whose traces equal those of the best leaf if `is_equal`; return the depth to go on at. */
static int marks_visit(Marks *m, int depth, const uint64_t *sorted, int is_equal)
{
    int size = m->size, count, joined = 0;
    uint8_t members[MARKS_SIDE], parent[MARKS_ELEMENTS + 2];
    const uint64_t *colours = m->colours[depth];
    if (!depth)
        for (count = 0; count <= (m->height == m->width); count++)
            members[count] = (uint8_t)(3 * size + count);
    else if (!(count = marks_choose(m, colours, sorted, members)))
        return marks_visit_leaf(m, colours, depth, is_equal);
    for (int i = 0; i < 3 * size + 2; i++)
        parent[i] = (uint8_t)i;
    for (int i = 0; i < count; i++) {
        marks_join(m, depth, joined, members, count, parent);
        joined = m->found;
        if (marks_root(parent, members[i]) != members[i])
            continue;
        uint64_t order[MARKS_ELEMENTS];
        marks_single_out(m, m->colours[depth + 1], colours, members[i]);
        uint64_t trace = marks_refine(m, m->colours[depth + 1], order);
        if (m->failed)
            return 0;
        m->path.choice[depth] = members[i], m->path.trace[depth] = trace;
        int is_same = is_equal && trace == m->best_path.trace[depth];
        if (is_equal && trace > m->best_path.trace[depth])
            continue;
        int next = marks_visit(m, depth + 1, order, is_same);
        is_equal = 1;
        if (next < depth || m->failed)
            return next;
    }
    int is_best = 1;
    for (int at = 0; at < depth && is_best; at++)
        is_best = m->path.choice[at] == m->best_path.choice[at];
    if (is_best) {
        marks_join(m, depth, joined, members, count, parent);
        int chosen = marks_root(parent, m->best_path.choice[depth]);
        m->index[depth] = 0;
        for (int i = 0; i < count; i++)
            m->index[depth] += marks_root(parent, members[i]) == chosen;
    }
    return MARKS_DEPTH;
}

/* Return 1 if two lines hold the same, cell by cell. */
static int marks_are_equal(const Marks *m, int one, int other)
{
    int size = m->size, step = one < size ? 1 : size;
    int a = one < size ? one * size : one - size, b = one < size ? other * size : other - size;
    for (int i = 0; i < size; i++, a += step, b += step)
        if (m->cells[a] != m->cells[b] || m->masks[a] != m->masks[b])
            return 0;
    return 1;
}

/* Add the exchanges of equal lines, of equal bands and stacks, and of digits that occur only together. */
static void marks_add_exchanges(Marks *m)
{
    int size = m->size;
    uint8_t *g;
    for (int first = 0, group; first < 2 * size; first += group) {
        group = first < size ? m->height : m->width;
        for (int i = first; i < first + group; i++)
            for (int other = i + 1; other < first + group; other++)
                if (marks_are_equal(m, i, other)) {
                    if ((g = marks_add_generator(m)))
                        g[i] = (uint8_t)other, g[other] = (uint8_t)i;
                    break;
                }
        for (int other = first + group; other < (first < size ? size : 2 * size); other += group) {
            int same = 0;
            while (same < group && marks_are_equal(m, first + same, other + same))
                same++;
            if (same < group)
                continue;
            if ((g = marks_add_generator(m)))
                for (int i = 0; i < group; i++)
                    g[first + i] = (uint8_t)(other + i), g[other + i] = (uint8_t)(first + i);
            break;
        }
    }
    for (int i = 0; i < size; i++)
        for (int other = i + 1; other < size; other++) {
            int at = 0;
            while (at < size * size && (m->cells[at] ? m->cells[at] != i + 1 && m->cells[at] != other + 1
                                                     : !((m->masks[at] >> i ^ m->masks[at] >> other) & 1)))
                at++;
            if (at < size * size)
                continue;
            if ((g = marks_add_generator(m)))
                g[2 * size + i] = (uint8_t)(2 * size + other), g[2 * size + other] = (uint8_t)(2 * size + i);
            break;
        }
}

/* Find the form of the board in `cells` and `masks`: `best`, with `best_path`, `index` and generators. */
static void marks_search(Marks *m)
{
    for (int i = 0; i < MARKS_DEPTH; i++)
        m->index[i] = 1;
    marks_add_exchanges(m);
    if (!m->failed)
        marks_visit(m, 0, NULL, 0);
}

#endif
