"""The values that the clues of a board leave to its bands and stacks.

**Statement.** A clue d in row i and column j of a box says that d is in part i of the box's row partition and in part j
of its column partition: it bears on the band and on the stack, on each without the other. So a board is six variables,
three bands and three stacks, each with values of its own, and nine conditions, one for each box: the partition that the
box's band gives it and the one that its stack gives it are compatible. The number of solutions is

    N  =  Σ over a value for each band and stack, compatible in all nine boxes, of the product of their six weights

where the **weight** of a value is the number of ways to arrange it that the clues allow: compatibility takes no notice
of the order of columns within a stack, or of rows within a band.

A value that finds nothing compatible in one of its boxes adds nothing, and is left out; which may leave others without a
partner in another box. What remains when nothing more goes is the network.
"""

cimport cython
from cpython cimport array
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from enumerator.engines.contraction.limits cimport ARRANGEMENTS, BOXES, PARTITIONS

import array
from math import gcd

from enumerator.engines.contraction.tables import compatible, lines

cdef enum:
    WORDS = 5  # of 64 bits, for all partitions

cdef array.array SHORTS = array.array("H")


class Line:
    """What is left to a band or a stack: values, each three partitions, and their weights."""

    __slots__ = ("needs", "table", "values", "weights")

    def __init__(self, values, weights, table=None, needs=None):
        self.values, self.weights = values, weights
        self.table, self.needs = table, needs

    def __len__(self):
        return len(self.weights)

    @property
    def divisor(self):
        """What all weights have in common."""
        return gcd(*set(self.weights)) or 1

    def arrangements(self):
        """The ways to arrange each value: where those of value v begin, at [v], and three arrangements a way, at [3 · i]."""
        if self.table is None:
            return array.array("I", [0, 1]), array.array("H", [0, 0, 0])
        cdef uint32_t[::1] place = array.array("I", bytes(4 * (len(self) + 1)))
        cdef uint16_t[::1] way
        cdef const uint16_t[::1] value = self.values, weight = self.weights, all_values = self.table.values
        cdef int32_t[::1] kept = array.array("i", [-1]) * (len(self.table.values) // BOXES)
        cdef Fits fits = Fits(self.table, self.needs)
        cdef int number, at = 0, i, total = 0
        for number in range(kept.shape[0]):  # both are in the same order
            if at < weight.shape[0] and all_values[number * BOXES] == value[at * BOXES] and (
                all_values[number * BOXES + 1] == value[at * BOXES + 1]
            ):
                kept[number] = at
                place[at] = total
                total += weight[at]
                at += 1
        ways = array.clone(SHORTS, total * BOXES, zero=False)
        way = ways
        while fits.next():
            at = kept[fits.value]
            if at >= 0:
                for i in range(BOXES):
                    way[place[at] * BOXES + i] = fits.arrangement[i]
                place[at] += 1
        starts = array.array("I", [0])
        starts.extend(place[:weight.shape[0]])
        return starts, ways


MISSING = Line(array.array("H", [0, 0, 0]), array.array("H", [1]))
"""The third line of a shape that has two."""


class Network:
    """The lines of a board of height × width boxes, given as bytes, 0 for an empty cell."""

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
        across, down = lines(height, width), lines(width, height)
        self.bands = [allowed(across, rows[band]) if band < width else MISSING for band in range(BOXES)]
        self.stacks = [allowed(down, columns[stack]) if stack < height else MISSING for stack in range(BOXES)]
        self.compatible = compatible(width, height)
        """Of row partitions (slow) and column partitions (fast), as bytes."""
        self.row_partitions = across.partitions
        self.prune()

    @property
    def solvable(self):
        """Whether every line has a value left. If not, there is no solution; if so, there may be none."""
        return all(len(line) for line in (*self.bands, *self.stacks))

    def transposed(self):
        """The same with rows for columns: its stacks are the bands of this one."""
        other = Network.__new__(Network)
        other.height, other.width, other.digits = self.width, self.height, self.digits
        other.bands, other.stacks = self.stacks, self.bands
        other.compatible = compatible(self.height, self.width)
        other.row_partitions = lines(self.width, self.height).partitions
        return other

    def prune(self):
        """Leave out what has no partner in a box, until everything has one."""
        cdef uint64_t by_row[PARTITIONS][WORDS]
        cdef uint64_t by_column[PARTITIONS][WORDS]
        cdef uint64_t seen_rows[WORDS]
        cdef uint64_t seen_columns[WORDS]
        cdef const uint8_t[::1] meet = self.compatible
        cdef int wide = lines(self.width, self.height).partitions
        cdef int high = lines(self.height, self.width).partitions
        cdef int r, c, band, stack
        cdef bint again = True
        memset(by_row, 0, sizeof(by_row))
        memset(by_column, 0, sizeof(by_column))
        for r in range(high):
            for c in range(wide):
                if meet[r * wide + c]:
                    by_row[r][c >> 6] |= <uint64_t> 1 << (c & 63)
                    by_column[c][r >> 6] |= <uint64_t> 1 << (r & 63)
        while again:
            again = False
            for band in range(self.width):
                for stack in range(self.height):
                    look(self.bands[band].values, stack, seen_rows)
                    look(self.stacks[stack].values, band, seen_columns)
                    if keep(self.bands[band], stack, by_row, seen_columns):
                        again = True
                    if keep(self.stacks[stack], band, by_column, seen_rows):
                        again = True


@cython.final
cdef class Fits:
    """Goes through all ways to arrange a line whose boxes must have the digits `needs[box][column]` in their columns."""

    cdef const uint16_t[::1] fit
    cdef const uint16_t[::1] belong
    cdef const uint8_t[::1] turns
    cdef uint8_t may[BOXES][ARRANGEMENTS]
    cdef int number, turn, orders
    cdef int value  # what it arranges: the number of a value in the table
    cdef int arrangement[BOXES]

    def __cinit__(self, table, needs):
        cdef const uint16_t[::1] sets = table.sets
        cdef int parts = table.count, arrangements = table.partitions * table.orders, box, number, column, need
        self.fit, self.belong, self.turns, self.orders = table.fitting, table.belonging, table.turns, table.orders
        self.number, self.turn = 0, -1
        memset(self.may, 1, sizeof(self.may))
        for box in range(parts):
            for column in range(parts):
                need = needs[box][column]
                for number in range(arrangements):
                    if need & ~sets[number * parts + column]:
                        self.may[box][number] = 0

    cdef bint next(self) noexcept:
        """Turn to the next; returns whether there is one."""
        cdef int box, plain
        while True:
            self.turn += 1
            if self.turn == self.orders:
                self.turn = 0
                self.number += 1
            if self.number >= self.belong.shape[0]:
                return False
            for box in range(BOXES):
                plain = self.fit[self.number * BOXES + box]
                plain += self.turns[plain % self.orders * self.orders + self.turn] - plain % self.orders
                if not self.may[box][plain]:
                    break
                self.arrangement[box] = plain
            else:
                self.value = self.belong[self.number]
                return True


cdef object allowed(table, needs):
    """The line whose boxes must have the digits `needs[box][column]` in their columns."""
    cdef array.array counts = array.clone(SHORTS, len(table.values) // BOXES, zero=True)
    cdef uint16_t[::1] count = counts
    cdef Fits fits = Fits(table, needs)
    while fits.next():
        count[fits.value] += 1  # at most orders · 2 = 12: two ways to fit belong to a value, or one
    line = chosen(table.values, count)
    line.table, line.needs = table, needs
    return line


cdef object chosen(const uint16_t[::1] values, const uint16_t[::1] weights):
    """The values whose weights are not 0."""
    cdef int number, box, kept = 0
    cdef array.array some_values = array.clone(SHORTS, values.shape[0], zero=False)
    cdef array.array some_weights = array.clone(SHORTS, weights.shape[0], zero=False)
    cdef uint16_t[::1] value = some_values, weight = some_weights
    for number in range(weights.shape[0]):
        if weights[number]:
            for box in range(BOXES):
                value[kept * BOXES + box] = values[number * BOXES + box]
            weight[kept] = weights[number]
            kept += 1
    return Line(some_values[:kept * BOXES], some_weights[:kept])


cdef void look(const uint16_t[::1] values, int box, uint64_t *seen) noexcept:
    """Which partitions the values give to a box."""
    cdef int at
    memset(seen, 0, WORDS * sizeof(uint64_t))
    for at in range(box, values.shape[0], BOXES):
        seen[values[at] >> 6] |= <uint64_t> 1 << (values[at] & 63)


cdef bint keep(line, int box, uint64_t (*partners)[WORDS], const uint64_t *seen):
    """Keep the values whose partition in a box has a partner among those seen there; returns whether any had none."""
    cdef const uint16_t[::1] value = line.values
    cdef array.array weights = line.weights[:]  # not array.copy, which hands NULL to memcpy if there are none
    cdef uint16_t[::1] weight = weights
    cdef bint has[PARTITIONS]
    cdef int number, word
    cdef bint lost = False
    for number in range(PARTITIONS):
        has[number] = False
        for word in range(WORDS):
            if partners[number][word] & seen[word]:
                has[number] = True
    for number in range(weight.shape[0]):
        if not has[value[number * BOXES + box]]:
            weight[number] = 0
            lost = True
    if lost:
        kept = chosen(value, weight)
        line.values, line.weights = kept.values, kept.weights
    return lost


def images(line, const uint16_t[::1] image not None, boxes):
    """Which value each value becomes when partitions become others and boxes change places; None, if one is not there.

    Box b of the image is box boxes[b] of the value; only the boxes named there are relabelled.
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


def climbed(int count, permutations):
    """How permutations lead from each of 0 … count - 1 to the least of its orbit: the number one step closer, and by which.

    Where they end, at the least, a number is its own next. The permutations are their own inverses.
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


def carried(partitions, swaps, const uint16_t[::1] steps not None, const uint8_t[::1] by not None, int number):
    """What becomes of partitions on the way that `climbed` has found from a number, step by step, by such swaps."""
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


def orbits(int count, permutations):
    """The orbits of 0 … count - 1 under permutations: one number from each, and how many there are in each."""
    cdef array.array leaders = array.array("H", range(count))
    cdef uint16_t[::1] leader = leaders
    cdef const uint16_t[::1] image
    cdef int number, one, other
    for permutation in permutations:
        image = permutation
        for number in range(count):
            one, other = lead(leader, number), lead(leader, image[number])
            if one < other:
                leader[other] = one
            else:
                leader[one] = other
    cdef array.array sizes = array.clone(SHORTS, count, zero=True)
    cdef uint16_t[::1] size = sizes
    for number in range(count):
        size[lead(leader, number)] += 1
    first = array.array("H", [number for number in range(count) if size[number]])
    return first, array.array("H", [sizes[number] for number in first])


cdef inline int lead(uint16_t[::1] leader, int number) noexcept:
    while leader[number] != number:
        leader[number] = leader[leader[number]]
        number = leader[number]
    return number


def sizes(line, int box):
    """How many values there are for each partition that a line gives to a box."""
    cdef const uint16_t[::1] value = line.values
    cdef int count[PARTITIONS]
    cdef int at
    memset(count, 0, sizeof(count))
    for at in range(box, value.shape[0], BOXES):
        count[value[at]] += 1
    return [count[at] for at in range(PARTITIONS) if count[at]]
