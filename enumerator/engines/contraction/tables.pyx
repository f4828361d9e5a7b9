"""What a box, a band and a stack can be, whatever the clues.

    part          the digits in one column of a box, or in one of its rows
    partition     the digits divided into parts, in no order
    arrangement   a partition with its parts in an order: first column, second column, ...
    line          a band or a stack. A line that is cut into `count` columns has `count` boxes
    value         of a line: a partition for each of its boxes, such that they fit

**Statement 1.** A filled box is a row partition and a column partition, each with an order, and every cell holds the one
digit that its row and its column have in common. Two partitions belong to a filled box if and only if every part of one
has exactly one digit in common with every part of the other; the orders do not matter to that. They are *compatible*.

**Statement 2.** The boxes of a stack fit if the parts in each of its columns are a partition of the digits. Given the
first box of three and a second that is disjoint from it column by column, the third is what is left over, and it is a
partition again. Given the partitions of the first two boxes, that of the third is determined: where the second is
not the first one over again, each of its parts is disjoint from just one of the first's, so there is one
way to put them side by side, and where it is, the third is that partition, too.

    for 3×3 boxes      280 partitions = 9! / (3!^3 · 3!), 1,680 arrangements, 36 partitions compatible with each,
                       94,080 = 1,680 · 56 fillings of a line by arrangements, 15,400 = 280 · 55 by partitions

A line with two boxes is made one of three by a third box with a single partition, number 0, and a missing line has the
single value (0, 0, 0): every board is three bands across three stacks.
"""

from functools import lru_cache
from itertools import combinations, permutations

from cpython cimport array
from libc.stdint cimport uint8_t, uint16_t, uint32_t

from enumerator.engines.contraction.limits cimport ARRANGEMENTS, BOXES, FITTING

import array

cdef array.array SHORTS = array.array("H")
cdef array.array BYTES = array.array("B")


def partitions(digits, size):
    """Divisions of digits into parts of that size, each with its parts, as bitsets, in ascending order of their lowest digits."""
    if not digits:
        yield ()
        return
    for others in combinations(digits[1:], size - 1):
        part = (digits[0], *others)
        mask = sum(1 << digit for digit in part)
        for rest in partitions([digit for digit in digits if digit not in part], size):
            yield (mask, *rest)


class Lines:
    """The partitions, arrangements and values of lines with `count` boxes and as many columns of `size` digits in a box."""

    def __init__(self, count, size):
        self.count, self.size = count, size
        parts = list(partitions(range(count * size), size))
        orders = list(permutations(range(count)))
        self.partitions = len(parts)
        self.orders = len(orders)
        self.sets = array.array("H", [
            partition[place] for partition in parts for order in orders for place in order
        ])
        """Part j of arrangement a at [a · count + j]; arrangement a is order a % orders of partition a // orders."""
        turns = [orders.index(tuple(order[place] for place in turn)) for order in orders for turn in orders]
        self.turns = array.array("B", turns)
        """Which order an order becomes when the columns of the line change places, at [order · orders + change]."""
        self._fit()

    def _fit(self):
        """Find all arrangements that can stand side by side, and the values that they belong to."""
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

        cdef array.array fitting = array.clone(SHORTS, FITTING * BOXES, zero=False)
        cdef array.array belonging = array.clone(SHORTS, FITTING, zero=False)
        cdef array.array values = array.clone(SHORTS, FITTING * BOXES, zero=False)
        cdef uint16_t[::1] fit = fitting, belong = belonging, value = values
        for first in range(0, arrangements, orders):  # in other orders the same fit: see `turns`
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
                fit[found * BOXES] = first
                fit[found * BOXES + 1] = second
                fit[found * BOXES + 2] = third
                belong[found] = number[pair] - 1
                found += 1
        self.fitting = fitting[:found * BOXES]
        """Three arrangements that fit, the first of them in order 0, at [3 · i]."""
        self.belonging = belonging[:found]
        """The number of the value that these belong to, at [i]."""
        self.values = values[:known * BOXES]
        """Its three partitions, at [3 · value]. No two values have the first two in common."""

    def relabelled(self, int one, int other):
        """The partition that each becomes when two digits change places."""
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
def lines(count, size):
    """The tables of a kind of line, made when they are first asked for."""
    return Lines(count, size)


@lru_cache
def compatible(count, size):
    """Whether a partition of the digits into `count` parts and one into `size` parts make a box: bytes, row by row."""
    cdef object columns = lines(count, size), rows = lines(size, count)
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
