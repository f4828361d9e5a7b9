"""The values that the clues of a board leave to its bands and stacks.

**Statement.** A clue d in row i and column j of a box says two things: d is in part i of the box's
row partition, and in part j of its column partition. The first concerns the band alone, the second
the stack alone. So a board is six variables, three bands and three stacks, and nine conditions, one
for each box: the partitions that its band and its stack give to the box are compatible. The number
of solutions is

    N  =  Σ over a value for each band and stack, compatible in all nine boxes, of the product of
          their six weights

The **weight** of a value is the number of its arrangements that the clues allow. Compatibility does
not depend on the order of columns within a stack, or of rows within a band.

A value without a compatible partner in one of its boxes adds nothing, and is dropped. This may
remove the last partner of other values. The network consists of the values that remain when no more
can be dropped (*arc consistency*).
"""

cimport cython
from cpython cimport array
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from enumerator.engines.contraction.limits cimport ARRANGEMENTS, BOXES, PARTITIONS, WORDS

cdef extern from "machine.h":
    int lowest64(uint64_t bits) noexcept nogil

import array
from functools import lru_cache

from enumerator.engines.contraction.tables import compatibility_tables, line_table

cdef struct Remaining:
    # a line while its values are dropped
    int count
    uint16_t *values
    uint16_t *weights
    uint64_t seen[BOXES][WORDS]  # by box: the partitions of the values
    bint stale[BOXES]            # by box: True if the line across has changed
    bint dropped

cdef array.array SHORTS = array.array("H")
cdef array.array LONGS = array.array("Q")


class Line:
    """The remaining values of a band or a stack, three partitions each, and their weights.

    `table` and `required` are the arguments of `line_with_clues` that made the line.
    """

    __slots__ = ("_arrangements", "required", "table", "values", "weights")

    def __init__(self, values, weights, table=None, required=None):
        self.values, self.weights = values, weights
        self.table, self.required = table, required
        self._arrangements = None

    def __len__(self):
        return len(self.weights)

    @property
    def divisor(self):
        """The greatest common divisor of the weights."""
        cdef array.array weights = self.weights
        cdef uint32_t seen = 0
        cdef int number, divisor = 0
        for number in range(len(weights)):
            seen |= <uint32_t> 1 << weights.data.as_ushorts[number]  # at most 12
        while seen:
            divisor = gcd(divisor, lowest64(seen))
            seen &= seen - 1
        return divisor or 1

    def arrangements(self):
        """Return all arrangements of the values, as two arrays.

        The arrangements of value v begin at starts[v]. Arrangement i is three numbers, which begin
        at ways[3 · i].
        """
        if self.table is None:
            return array.array("I", [0, 1]), array.array("H", [0, 0, 0])
        if self._arrangements is None:
            self._arrangements = self._find_arrangements()
        return self._arrangements

    def _find_arrangements(self):
        cdef uint32_t[::1] place = array.array("I", bytes(4 * (len(self) + 1)))
        cdef uint16_t[::1] way
        cdef const uint16_t[::1] value = self.values, weight = self.weights, all_values = self.table.values
        cdef int32_t[::1] remaining = array.array("i", [-1]) * (len(self.table.values) // BOXES)
        cdef ArrangementIterator iterator = ArrangementIterator(self.table, self.required)
        cdef int number, at = 0, i, total = 0
        for number in range(remaining.shape[0]):  # both are in the same order
            if at < weight.shape[0] and all_values[number * BOXES] == value[at * BOXES] and (
                all_values[number * BOXES + 1] == value[at * BOXES + 1]
            ):
                remaining[number] = at
                place[at] = total
                total += weight[at]
                at += 1
        ways = array.clone(SHORTS, total * BOXES, zero=False)
        way = ways
        while iterator.next():
            at = remaining[iterator.value]
            if at >= 0:
                for i in range(BOXES):
                    way[place[at] * BOXES + i] = iterator.arrangement[i]
                place[at] += 1
        starts = array.array("I", [0])
        starts.extend(place[:weight.shape[0]])
        return starts, ways


MISSING_LINE = Line(array.array("H", [0, 0, 0]), array.array("H", [1]))
"""The third line of a shape that has only two."""


class Network:
    """The lines of a board of height × width boxes; `cells` are bytes, 0 for an empty cell."""

    def __init__(self, const uint8_t[::1] cells not None, int height, int width):
        cdef int side = height * width, row, column, digit
        if not (2 <= height <= 3 and 2 <= width <= 3 and cells.shape[0] == side * side):
            raise ValueError(f"{cells.shape[0]} cells in {height}x{width} boxes: that has no network here")
        self.height, self.width, self.digits = height, width, 0
        rows = [[[0] * height for _ in range(BOXES)] for _ in range(BOXES)]
        columns = [[[0] * width for _ in range(BOXES)] for _ in range(BOXES)]
        for row in range(side):
            for column in range(side):
                digit = cells[row * side + column]
                if digit > side:
                    raise ValueError(f"cell {row * side + column} holds {digit}: it must be 0 to {side}")
                if digit:
                    self.digits |= 1 << digit - 1
                    band, stack = row // height, column // width
                    rows[band][stack][row % height] |= 1 << digit - 1
                    columns[stack][band][column % width] |= 1 << digit - 1
        across, down = line_table(height, width), line_table(width, height)
        self.bands = [line_with_clues(across, rows[band]) if band < width else MISSING_LINE for band in range(BOXES)]
        self.stacks = [
            line_with_clues(down, columns[stack]) if stack < height else MISSING_LINE for stack in range(BOXES)
        ]
        self.prune()

    @property
    def solvable(self):
        """True if every line has a value left. If not, there is no solution.

        A network where every line has a value may still have no solution.
        """
        return all(len(line) for line in (*self.bands, *self.stacks))

    def transposed(self):
        """Return the network of the transposed board: its stacks are the bands of this one."""
        other = Network.__new__(Network)
        other.height, other.width, other.digits = self.width, self.height, self.digits
        other.bands, other.stacks = self.stacks, self.bands
        return other

    def prune(self):
        """Drop values without a partner in a box until every value has one."""
        cdef Remaining lines[2 * BOXES]
        cdef const uint64_t[::1] by_row = compatibility_tables(self.width, self.height).bits
        cdef const uint64_t[::1] by_column = compatibility_tables(self.height, self.width).bits
        cdef int bands = self.width, stacks = self.height, number
        cdef array.array values, weights
        every = [*self.bands[:bands], *self.stacks[:stacks]]
        copies = [(line.values[:], line.weights[:]) for line in every]
        for number, (values, weights) in enumerate(copies):
            lines[number].count = len(weights)
            lines[number].values, lines[number].weights = values.data.as_ushorts, weights.data.as_ushorts
        drop_values(lines, bands, stacks, &by_row[0], &by_column[0])
        for number, (values, weights) in enumerate(copies):
            if lines[number].dropped:
                array.resize(values, lines[number].count * BOXES)
                array.resize(weights, lines[number].count)
                every[number].values, every[number].weights = values, weights


@cython.final
cdef class ArrangementIterator:
    """An iterator over the arrangements of a line with the digits `required[box][column]`."""

    cdef const uint16_t[::1] triples
    cdef const uint16_t[::1] triple_values
    cdef const uint8_t[::1] permuted_orders
    cdef uint8_t allowed[BOXES][ARRANGEMENTS]
    cdef int number, change, orders
    cdef int value  # the number, in the table, of the value that is arranged
    cdef int arrangement[BOXES]

    def __cinit__(self, table, required):
        self.triples, self.triple_values = table.triples, table.triple_values
        self.permuted_orders, self.orders = table.permuted_orders, table.orders
        self.number, self.change = 0, -1
        find_allowed(table, required, self.allowed)

    cdef bint next(self) noexcept:
        """Advance; return False at the end."""
        cdef int box, arrangement
        while True:
            self.change += 1
            if self.change == self.orders:
                self.change = 0
                self.number += 1
            if self.number >= self.triple_values.shape[0]:
                return False
            for box in range(BOXES):
                arrangement = self.triples[self.number * BOXES + box]
                arrangement += (
                    self.permuted_orders[arrangement % self.orders * self.orders + self.change]
                    - arrangement % self.orders
                )
                if not self.allowed[box][arrangement]:
                    break
                self.arrangement[box] = arrangement
            else:
                self.value = self.triple_values[self.number]
                return True


cdef int find_allowed(table, required, uint8_t (*allowed)[ARRANGEMENTS]) except -1:
    """Set `allowed` to 1 for each box and arrangement with the digits `required[box][column]`."""
    cdef const uint16_t[::1] sets = table.sets
    cdef int parts = table.count, arrangements = table.partitions * table.orders, box, number, column, digits
    memset(allowed, 1, BOXES * ARRANGEMENTS)
    for box in range(parts):
        for column in range(parts):
            digits = required[box][column]
            if digits:
                for number in range(arrangements):
                    if digits & ~sets[number * parts + column]:
                        allowed[box][number] = 0
    return 0


def line_with_clues(table, required):
    """Return the line whose boxes have the digits `required[box][column]` in their columns."""
    line = known_line(table, tuple([tuple(box) for box in required]))
    return Line(line.values, line.weights, table, required)


@lru_cache(maxsize=16)
def known_line(table, required):
    """Return a line with clues, before values are dropped.

    Boards that differ by a clue share four of their six lines.
    """
    cdef uint8_t allowed[BOXES][ARRANGEMENTS]
    cdef const uint16_t[::1] triples = table.triples, value = table.triple_values, rearranged = table.rearranged
    cdef array.array counts = array.clone(SHORTS, len(table.values) // BOXES, zero=True)
    cdef uint16_t[::1] count = counts
    cdef int orders = table.orders, partitions = table.partitions, first, change, number
    cdef int each = len(table.triple_values) // partitions  # of the triples, in the order of their first partition
    find_allowed(table, required, allowed)
    for first in range(partitions):
        for change in range(orders):
            if allowed[0][rearranged[first * orders * orders + change]]:
                for number in range(first * each, first * each + each):
                    if (
                        allowed[1][rearranged[triples[number * BOXES + 1] * orders + change]]
                        and allowed[2][rearranged[triples[number * BOXES + 2] * orders + change]]
                    ):
                        count[value[number]] += 1  # at most orders · 2 = 12: one or two triples belong to a value
    return nonzero_values(table.values, counts)


cdef object nonzero_values(const uint16_t[::1] values, const uint16_t[::1] weights):
    """Return a line of the values whose weights are not 0."""
    cdef int number, box, found = 0
    cdef array.array some_values = array.clone(SHORTS, values.shape[0], zero=False)
    cdef array.array some_weights = array.clone(SHORTS, weights.shape[0], zero=False)
    cdef uint16_t[::1] value = some_values, weight = some_weights
    for number in range(weights.shape[0]):
        if weights[number]:
            for box in range(BOXES):
                value[found * BOXES + box] = values[number * BOXES + box]
            weight[found] = weights[number]
            found += 1
    return Line(some_values[:found * BOXES], some_weights[:found])


cdef int gcd(int one, int other) noexcept:
    """Return the greatest common divisor."""
    while other:
        one, other = other, one % other
    return one


cdef void drop_values(
    Remaining *lines, int bands, int stacks, const uint64_t *by_row, const uint64_t *by_column
) noexcept nogil:
    """Drop the values of the bands and stacks that have no partner in a box, until all have one."""
    cdef int number, box, first
    cdef bint again = True
    for number in range(bands + stacks):
        lines[number].dropped = False
        mark_partitions(&lines[number])
        for box in range(BOXES):
            lines[number].stale[box] = True
    while again:
        again = False
        for number in range(bands + stacks):
            first = bands if number < bands else 0  # of the lines across
            if drop_unsupported(
                &lines[number], number - bands + first, lines + first, stacks if first else bands,
                by_row if first else by_column,
            ):
                again = True


cdef void mark_partitions(Remaining *line) noexcept nogil:
    """Set the bits in `seen` of the partitions that the values give to each box."""
    cdef int at, box, part
    memset(line.seen, 0, sizeof(line.seen))
    for at in range(line.count):
        for box in range(BOXES):
            part = line.values[at * BOXES + box]
            line.seen[box][part >> 6] |= <uint64_t> 1 << (part & 63)


cdef bint drop_unsupported(
    Remaining *line, int place, Remaining *across, int boxes, const uint64_t *partners
) noexcept nogil:
    """Drop the values without a partner in one of the lines `across`; return True if any.

    The line is box `place` of those lines.
    """
    cdef uint64_t lost[BOXES][WORDS]
    cdef uint64_t bits
    cdef const uint64_t *partner
    cdef const uint64_t *seen
    cdef int box, word, at, count = 0
    cdef bint dropped = False
    cdef const uint16_t *value
    memset(lost, 0, sizeof(lost))
    for box in range(boxes):
        if not line.stale[box]:
            continue
        line.stale[box] = False
        seen = across[box].seen[place]
        for word in range(WORDS):
            bits = line.seen[box][word]
            while bits:
                partner = partners + (word * 64 + lowest64(bits)) * WORDS
                if not (
                    partner[0] & seen[0] | partner[1] & seen[1] | partner[2] & seen[2]
                    | partner[3] & seen[3] | partner[4] & seen[4]
                ):
                    lost[box][word] |= <uint64_t> 1 << lowest64(bits)
                    dropped = True
                bits &= bits - 1
    if not dropped:
        return False
    for at in range(line.count):
        value = line.values + at * BOXES
        if not (
            lost[0][value[0] >> 6] >> (value[0] & 63) & 1
            or lost[1][value[1] >> 6] >> (value[1] & 63) & 1
            or lost[2][value[2] >> 6] >> (value[2] & 63) & 1
        ):
            for box in range(BOXES):
                line.values[count * BOXES + box] = value[box]
            line.weights[count] = line.weights[at]
            count += 1
    line.count, line.dropped = count, True
    mark_partitions(line)
    for box in range(boxes):
        across[box].stale[place] = True
    return True


def images(line, const uint16_t[::1] image not None, boxes):
    """Return the number of the image of each value; None if an image is not in the line.

    Partition p becomes image[p], and box b of the result is box boxes[b] of the value. Boxes beyond
    those in `boxes` stay as they are.
    """
    cdef const uint16_t[::1] value = line.values, weight = line.weights
    cdef int count = len(line), number, box, at, named = len(boxes)
    cdef uint16_t moved[BOXES]
    cdef int source[BOXES]
    cdef array.array finder = array.clone(SHORTS, PARTITIONS * PARTITIONS, zero=True)
    cdef array.array found = array.clone(SHORTS, count, zero=False)
    cdef uint16_t[::1] find = finder, target = found
    for number in range(count):
        find[value[number * BOXES] * PARTITIONS + value[number * BOXES + 1]] = number + 1
    for box in range(BOXES):
        source[box] = boxes[box] if box < named else box
    for number in range(count):
        for box in range(BOXES):
            at = value[number * BOXES + source[box]]
            moved[box] = image[at] if box < named else at
        at = find[moved[0] * PARTITIONS + moved[1]]
        if at == 0 or weight[at - 1] != weight[number] or value[at * BOXES - 1] != moved[2]:
            return None
        target[number] = at - 1
    return found


def orbit_paths(int count, permutations):
    """Return a path from each of 0 … count - 1 to the least number of its orbit, as two arrays.

    The first holds the next number on the path, the second the index of the permutation that leads
    to it. The least number of an orbit is its own next. Each permutation must be its own inverse.
    """
    cdef array.array steps = array.array("H", range(count)), which = array.array("B", bytes(count))
    cdef array.array seen = array.array("B", bytes(count))
    cdef uint16_t[::1] step = steps
    cdef uint8_t[::1] by = which, known = seen
    cdef const uint16_t[::1] image
    cdef int root, number, other, generator
    images = list(permutations)
    for root in range(count):
        if known[root]:
            continue
        known[root] = 1
        queue = [root]
        for number in queue:
            for generator in range(len(images)):
                image = images[generator]
                other = image[number]
                if not known[other]:
                    known[other] = 1
                    step[other], by[other] = number, generator
                    queue.append(other)
    return steps, which


def relabel_along_path(
    partitions, swaps, const uint16_t[::1] steps not None, const uint8_t[::1] by not None, int number
):
    """Return the images of `partitions` along the path from `number`.

    `steps` and `by` are from `orbit_paths`. Step by step, partition p becomes swaps[by[number]][p].
    """
    cdef array.array moved = array.copy(partitions)
    cdef uint16_t[::1] move = moved
    cdef const uint16_t[::1] swap
    cdef int at
    while steps[number] != number:
        swap = swaps[by[number]]
        for at in range(move.shape[0]):
            move[at] = swap[move[at]]
        number = steps[number]
    return moved


def pick_sums(const uint16_t[::1] partitions not None, const uint16_t[::1] groups, const uint64_t[::1] sums):
    """Return the sum of the group of each of `partitions`."""
    cdef array.array picked = array.clone(LONGS, partitions.shape[0], zero=False)
    cdef uint64_t[::1] pick = picked
    cdef int at
    for at in range(partitions.shape[0]):
        if partitions[at] >= groups.shape[0] or groups[partitions[at]] >= sums.shape[0]:
            raise ValueError(f"partition {partitions[at]} is in none of {sums.shape[0]} groups")
        pick[at] = sums[groups[partitions[at]]]
    return picked


def find_in_sums(const uint64_t[::1] sums not None, uint64_t n):
    """Return the place of item `n`, counted from 0, in groups with these numbers of items.

    The place is the number of the group, and the number of the items in it before this one.
    """
    cdef int at
    for at in range(sums.shape[0]):
        if n < sums[at]:
            return at, n
        n -= sums[at]
    raise ValueError(f"the groups have {n} items too few")


def orbits(int count, permutations, const uint16_t[::1] ranks=None):
    """Return the least number of each orbit of 0 … count - 1, and the sizes of the orbits.

    With `ranks`, return a number of the least rank instead.
    """
    cdef array.array roots = array.array("H", range(count))
    cdef uint16_t[::1] root = roots
    cdef const uint16_t[::1] image
    cdef int number, one, other
    for permutation in permutations:
        image = permutation
        for number in range(count):
            one, other = find_root(root, number), find_root(root, image[number])
            if one < other if ranks is None or ranks[one] == ranks[other] else ranks[one] < ranks[other]:
                root[other] = one
            else:
                root[one] = other
    cdef array.array sizes = array.clone(SHORTS, count, zero=True)
    cdef uint16_t[::1] size = sizes
    for number in range(count):
        size[find_root(root, number)] += 1
    first = array.array("H", [number for number in range(count) if size[number]])
    return first, array.array("H", [sizes[number] for number in first])


cdef inline int find_root(uint16_t[::1] root, int number) noexcept:
    """Return the root of a number's tree, as in union-find, and halve the path to it."""
    while root[number] != number:
        root[number] = root[root[number]]
        number = root[number]
    return number


def values_per_partition(line, int box):
    """Return the number of values for each partition that a line gives to a box."""
    cdef const uint16_t[::1] value = line.values
    cdef int count[PARTITIONS]
    cdef int at
    memset(count, 0, sizeof(count))
    for at in range(<int> value.shape[0] // BOXES):
        count[value[at * BOXES + box]] += 1
    return [count[at] for at in range(PARTITIONS) if count[at]]
