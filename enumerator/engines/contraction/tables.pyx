"""The partitions, arrangements and values that boxes, bands and stacks can have without clues.

    part          the digits in one column of a box, or in one of its rows
    partition     a division of the digits into parts, in no order
    arrangement   a partition with its parts in an order: first column, second column, ...
    line          a band or a stack; a line of `count` boxes has `count` columns
    value         of a line: one partition for each of its boxes, such that they fit

**Statement 1.** A filled box is a row partition and a column partition, each with an order. Every
cell holds the one digit that its row and its column have in common. Two partitions belong to a
filled box if and only if every part of one has exactly one digit in common with every part of the
other. Such partitions are *compatible*; their orders do not matter.

**Statement 2.** The boxes of a stack fit if the parts in each of its columns are a partition of the
digits. Take the first box of three and a second one that is disjoint from it column by column. The
remaining digits of each column make the third box, which is a partition again. Moreover, the
partitions of the first two boxes determine that of the third. If the second equals the first, so
does the third. If not, each part of the second is disjoint from exactly one part of the first. Then
there is only one way to put them side by side.

    for 3×3 boxes      280 partitions = 9! / (3!^3 · 3!)
                       1,680 arrangements = 280 · 6
                       36 partitions are compatible with each partition
                       94,080 = 1,680 · 56 fillings of a line by arrangements
                       15,400 = 280 · 55 fillings of a line by partitions: the values

A line with two boxes gets a third one with a single partition, number 0. A missing line has the
single value (0, 0, 0). So every board is three bands across three stacks.
"""

from functools import lru_cache
from itertools import combinations, permutations

from cpython cimport array
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from enumerator.engines.contraction.limits cimport (
    ARRANGEMENTS, BOXES, NEIGHBOURS, NO_PARTITION, PARTITIONS, PARTS, TRIPLES, WORDS,
)

import array

cdef array.array SHORTS = array.array("H")
cdef array.array LONGS = array.array("Q")
cdef array.array BYTES = array.array("B")


def partitions(digits, size):
    """Yield the partitions of `digits` into parts of `size`.

    The parts are bitsets, in ascending order of their lowest digits.
    """
    if not digits:
        yield ()
        return
    for others in combinations(digits[1:], size - 1):
        part = (digits[0], *others)
        mask = sum(1 << digit for digit in part)
        for rest in partitions([digit for digit in digits if digit not in part], size):
            yield (mask, *rest)


class LineTable:
    """The partitions, arrangements and values of lines with `count` boxes.

    Each box has `count` columns of `size` digits.
    """

    def __init__(self, count, size):
        self.count, self.size = count, size
        parts = list(partitions(range(count * size), size))
        orders = list(permutations(range(count)))
        self.partitions = len(parts)
        self.orders = len(orders)
        self.sets = array.array("H", [
            partition[place] for partition in parts for order in orders for place in order
        ])
        """Part j of arrangement a, at [a · count + j].

        Arrangement a is order a % orders of partition a // orders.
        """
        self.permuted_orders = array.array("B", [
            orders.index(tuple(order[place] for place in change)) for order in orders for change in orders
        ])
        """The order that an order becomes under a change of columns, at [order · orders + change]."""
        self.rearranged = array.array("H", [
            partition * self.orders + order
            for partition in range(self.partitions) for order in self.permuted_orders
        ])
        """The arrangement that an arrangement becomes under a change of columns, at [arrangement · orders + change]."""
        self._find_triples()

    def _find_triples(self):
        """Find all triples of arrangements that fit side by side, and their values."""
        cdef const uint16_t[::1] sets = self.sets
        cdef int count = self.count, orders = self.orders, digits = self.count * self.size
        cdef int arrangements = self.partitions * orders, wide = self.partitions
        cdef int first, second, third, column, pair, found = 0, known = 0, full = (1 << digits) - 1
        cdef array.array finder = array.clone(SHORTS, 1 << 2 * digits, zero=True)
        cdef array.array numbers = array.clone(SHORTS, wide * wide, zero=True)
        cdef uint16_t[::1] find = finder, number = numbers
        cdef uint32_t columns[ARRANGEMENTS]  # all parts of an arrangement, side by side
        for first in range(arrangements):
            find[sets[first * count] << digits | sets[first * count + 1]] = first
            columns[first] = 0
            for column in range(count):
                columns[first] |= sets[first * count + column] << digits * column
        self.finder = finder
        """The arrangement that begins with two parts, at [first << digits | second]."""

        cdef array.array triples = array.clone(SHORTS, TRIPLES * BOXES, zero=False)
        cdef array.array triple_values = array.clone(SHORTS, TRIPLES, zero=False)
        cdef array.array values = array.clone(SHORTS, TRIPLES * BOXES, zero=False)
        cdef uint16_t[::1] triple = triples, triple_value = triple_values, value = values
        for first in range(0, arrangements, orders):  # `permuted_orders` gives the triples with other orders
            for second in range(arrangements):
                if columns[first] & columns[second]:
                    continue
                third = 0
                if count == BOXES:
                    third = find[
                        (full & ~sets[first * count] & ~sets[second * count]) << digits
                        | (full & ~sets[first * count + 1] & ~sets[second * count + 1])
                    ]
                pair = first // orders * wide + second // orders
                if number[pair] == 0:
                    value[known * BOXES] = first // orders
                    value[known * BOXES + 1] = second // orders
                    value[known * BOXES + 2] = third // orders
                    known += 1
                    number[pair] = known
                triple[found * BOXES] = first
                triple[found * BOXES + 1] = second
                triple[found * BOXES + 2] = third
                triple_value[found] = number[pair] - 1
                found += 1
        self.triples = triples[:found * BOXES]
        """Three arrangements that fit, the first of them in order 0, at [3 · i]."""
        self.triple_values = triple_values[:found]
        """The number of the value that triple i belongs to, at [i]."""
        self.values = values[:known * BOXES]
        """The three partitions of a value, at [3 · value]. No two values agree in the first two."""

    def swap_digits(self, int one, int other):
        """Return the partition that each partition becomes when two digits are swapped."""
        cdef const uint16_t[::1] sets = self.sets, find = self.finder
        cdef int digits = self.count * self.size, swap = 1 << one | 1 << other, count = self.count
        cdef int orders = self.orders, number, at, first, second
        cdef array.array images = array.clone(SHORTS, self.partitions, zero=False)
        cdef uint16_t[::1] image = images
        for number in range(self.partitions):
            at = number * orders * count
            first, second = sets[at], sets[at + 1]
            if (first >> one ^ first >> other) & 1:
                first ^= swap
            if (second >> one ^ second >> other) & 1:
                second ^= swap
            image[number] = find[first << digits | second] // orders
        return images


@lru_cache
def line_table(count, size):
    """Return the table of lines with `count` boxes of `count` columns; built on first use."""
    return LineTable(count, size)


@lru_cache
def compatibility(count, size):
    """Return the matrix of compatible partitions as bytes, row by row.

    Its rows are the partitions into `size` parts, its columns those into `count` parts.
    """
    cdef object columns = line_table(count, size), rows = line_table(size, count)
    cdef const uint16_t[::1] column = columns.sets, row = rows.sets
    cdef int column_parts = count, row_parts = size, i, j, r, c
    cdef int column_step = count * columns.orders, row_step = size * rows.orders
    cdef array.array found = array.clone(BYTES, rows.partitions * columns.partitions, zero=True)
    cdef uint8_t[::1] meet = found
    cdef int common, wide = columns.partitions
    for r in range(rows.partitions):
        for c in range(wide):
            meet[r * wide + c] = 1
            for i in range(row_parts):
                for j in range(column_parts):
                    common = row[r * row_step + i] & column[c * column_step + j]
                    if common == 0 or common & (common - 1):
                        meet[r * wide + c] = 0
    return found


class Compatibility:
    """The compatible partitions of a box, with room for the largest shape.

    A missing box, 1×1, has one partition on each side.
    """

    def __init__(self, count, size):
        cdef object table = None if count == 1 else compatibility(count, size)
        cdef const uint8_t[::1] meet = table or array.array("B", [1])
        cdef int rows = 1 if count == 1 else line_table(size, count).partitions, wide = meet.shape[0] // rows
        cdef int r, c, found
        self.matrix = array.clone(BYTES, PARTITIONS * PARTITIONS, zero=True)
        """1 if a row partition and a column partition are compatible, at [row · PARTITIONS + column]."""
        self.lists = array.array("H", [NO_PARTITION]) * (PARTITIONS * NEIGHBOURS)
        """The column partitions that are compatible with a row partition, from [row · NEIGHBOURS] on.

        NO_PARTITION marks their end.
        """
        self.bits = array.clone(LONGS, PARTITIONS * WORDS, zero=True)
        """The same as a bitset of WORDS words, from [row · WORDS] on."""
        cdef uint64_t[::1] bits = self.bits
        cdef uint8_t[::1] square = self.matrix
        cdef uint16_t[::1] near = self.lists
        for r in range(rows):
            found = 0
            for c in range(wide):
                if meet[r * wide + c]:
                    square[r * PARTITIONS + c] = 1
                    near[r * NEIGHBOURS + found] = c
                    bits[r * WORDS + (c >> 6)] |= <uint64_t> 1 << (c & 63)
                    found += 1


@lru_cache
def compatibility_tables(count, size):
    """Return the compatible partitions of a box; 1, 1 is a missing box."""
    return Compatibility(count, size)


@lru_cache
def transversals():
    """Return the way from a partition of a 3×3 box to the compatible ones by *quads* of them, as two arrays.

    The part of a compatible partition that has digit 0 leaves two digits of each part of the first one. In such
    three pairs, four partitions choose the other parts: a quad. The first array has the partitions of quad q from
    [4 · q] on; there are 420. The second has the nine quads of partition p from [9 · p] on.
    """
    table, quads, of_partition = line_table(PARTS, PARTS), {}, array.array("H")
    parts_of = [tuple(table.sets[PARTS * table.orders * number :][:PARTS]) for number in range(table.partitions)]
    numbers = {frozenset(parts): number for number, parts in enumerate(parts_of)}
    bits = {mask: [1 << digit for digit in range(9) if mask >> digit & 1] for mask in range(1 << 9)}
    for parts in parts_of:  # the first part has digit 0
        for one in bits[parts[1]]:
            for two in bits[parts[2]]:
                pairs = frozenset((parts[0] ^ 1, parts[1] ^ one, parts[2] ^ two))
                of_partition.append(quads.setdefault((1 | one | two, pairs), len(quads)))
    found = array.array("H")
    for first, pairs in quads:
        left, middle, right = (bits[pair] for pair in pairs)
        for one in middle:
            for two in right:
                second = left[0] | one | two
                found.append(numbers[frozenset((first, second, 511 ^ first ^ second))])
    return found, of_partition
