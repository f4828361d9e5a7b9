"""The solutions behind the sum, in order, from any place on.

**Statement.** Every solution belongs to one term of the sum: to the partitions (y0, y1, y2) of its stacks. The solutions
of a term are all combinations of

    an arrangement of y0, one of y1, one of y2          as many as their weights
    a filling of band 0, one of band 1, one of band 2   f_0 · f_1 · f_2 of them

and given the arrangements of the stacks, each band has a list of ready-made fillings: the values of the band that are
compatible, in all their arrangements. So a solution is a copy of three strings.

**Order.** By y0; then by the partition of y1 in band 0, the group; then by y2; then by the rest of y1; then by the
arrangements, and by the fillings of the bands. The sum over an item, one y0 and one group, tells how many solutions it
has, and a sum that stops on its way tells where in the item the n-th of them is: nothing before it has to be visited.

**Bounds.** An item has fewer than 2^63 solutions: 12 · 94,080 · 336 · 1,728^3, by those in sum.pyx. A list of fillings
is an entry of a table, written out: it has no more than LARGEST.
"""

cimport cython
from cpython cimport array
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from enumerator.engines.contraction.limits cimport BOXES, PARTITIONS
from enumerator.engines.contraction.sum cimport (
    CHECK, LARGEST, Scratch, Sum, Value, cell, numbers, prepare, release,
)

import array

from enumerator.engines.contraction.sum import Sum

cdef extern from "machine.h":
    int lowest64(uint64_t bits) noexcept nogil

cdef enum:
    ROOM = 32       # for a filling of a band, 27 symbols at most
    FILLINGS = 1728  # LARGEST

cdef struct Press:
    # what is ready for the next solutions: fillings of the bands, and what they are chosen from
    uint32_t near[BOXES][15_400]     # the values of a band that are compatible with y0,
    int near_count[BOXES]
    uint32_t nearer[BOXES][15_400]   # of these, those compatible with the group (band 0) or with y2 (the others)
    int nearer_count[BOXES]
    uint32_t ways[BOXES][FILLINGS]   # of those that are compatible with all three, every arrangement
    int count[BOXES]
    char fillings[BOXES][FILLINGS * ROOM]


@cython.auto_pickle(False)
cdef class Listing:
    """The solutions of a network, in the order of a sum over its stacks."""

    cdef Sum sum
    cdef int height, width, side
    cdef int stack[BOXES]
    cdef int band[BOXES]
    cdef uint16_t[::1] second_number  # which value of its line each y2 is,
    cdef uint16_t[::1] lane_number    # each y1,
    cdef list band_number             # and each value of a band
    cdef uint16_t *numbers[BOXES]
    cdef list arranged
    cdef const uint32_t *stack_start[BOXES]
    cdef const uint16_t *stack_ways[BOXES]
    cdef const uint32_t *band_start[BOXES]
    cdef const uint16_t *band_ways[BOXES]
    cdef const uint16_t[::1] row_sets
    cdef const uint16_t[::1] column_sets
    cdef uint64_t unit                # what an entry of the sum is divided by, all six lines together
    cdef readonly object items
    cdef readonly int groups

    def __cinit__(self, network, stacks, bands):
        """The stacks of a network are summed over in this order, its bands have that order."""
        cdef int box
        cdef const uint32_t[::1] starts
        cdef const uint16_t[::1] ways
        y0, y1, y2 = (network.stacks[stack] for stack in stacks)
        self.sum = Sum(network, stacks, bands, range(len(y0)), array.array("H", [1]) * len(y0))
        self.items, self.groups = self.sum.items, self.sum.groups
        self.height, self.width = network.height, network.width
        self.side = self.height * self.width
        self.unit = 1
        self.arranged, self.band_number = [], []
        for box in range(BOXES):
            self.stack[box], self.band[box] = stacks[box], bands[box]
            across, down = network.bands[bands[box]], network.stacks[stacks[box]]
            self.unit *= across.divisor * down.divisor
            starts, ways = pair = down.arrangements()
            self.stack_start[box], self.stack_ways[box] = &starts[0], &ways[0]
            self.arranged.append(pair)
            starts, ways = pair = across.arrangements()
            self.band_start[box], self.band_ways[box] = &starts[0], &ways[0]
            self.arranged.append(pair)
            self.band_number.append(numbers(across, self.sum.band[box], stacks, NULL))
            self.numbers[box] = address(self.band_number[box])
        self.lane_number = numbers(y1, self.sum.lanes, bands, self.sum.across)
        self.second_number = numbers(y2, self.sum.second, bands, self.sum.down)
        self.row_sets = network.bands[0].table.sets
        self.column_sets = network.stacks[0].table.sets

    def sums(self, first=0, last=None):
        """How many solutions there are in each of some items."""
        last = self.items if last is None else last
        if not 0 <= first <= last <= self.items:
            raise ValueError(f"no items {first} to {last}: there are {self.items}")
        cdef uint64_t begin = first, end = last, item
        cdef array.array counts = array.array("Q", bytes(8 * (last - first)))
        cdef uint64_t[::1] count = counts
        cdef Scratch scratch
        cdef bint enough = prepare(&scratch, self.sum.second_count)
        cdef double units = 0
        cdef int number = -1
        try:
            with nogil:
                for item in range(begin, end):
                    if not enough:
                        break
                    if number != <int> (item // self.groups):
                        number = <int> (item // self.groups)
                        enough = self.sum.turn_to(&scratch, number, &units)
                    if enough and scratch.tables[0].rows[item % self.groups]:
                        count[item - begin] = (
                            self.sum.group_sum(&scratch, item % self.groups, &units)
                            * self.sum.first[number].weight * self.unit
                        )
        finally:
            release(&scratch)
        if not enough:
            raise MemoryError
        return counts

    def write(self, item, offset, count):
        """So many solutions, a line of text for each: those from a place in an item on, and in the items behind it."""
        if not 0 <= item < self.items:
            raise ValueError(f"no item {item}: there are {self.items}")
        cdef uint64_t at = item, skip = offset, left = count
        cdef object lines = bytearray(count * (self.side * self.side + 1))
        cdef char[::1] out = lines
        cdef Sum sum = self.sum
        cdef Scratch scratch
        cdef Press *press = <Press *> malloc(sizeof(Press))
        cdef bint enough = prepare(&scratch, self.sum.second_count) and press != NULL
        try:
            if count and enough:
                with nogil:
                    enough = self.print(sum, &scratch, press, at, skip, &left, &out[0])
        finally:
            release(&scratch)
            free(press)
        if not enough:
            raise MemoryError
        if left:
            del out
            del lines[(count - left) * (self.side * self.side + 1):]
        return lines

    cdef bint print(
        self, Sum sum, Scratch *scratch, Press *press, uint64_t item, uint64_t skip, uint64_t *left, char *out
    ) noexcept nogil:
        """Item by item, y2 by y2, lane by lane. Returns whether there was memory enough."""
        cdef int number = -1, group, at, lane, seen, column
        cdef uint64_t end = sum.first_count * <uint64_t> self.groups, solutions, each
        cdef const cell *factors
        cdef Value *second
        cdef double units = 0
        while left[0] and item < end:
            if number != <int> (item // self.groups):
                number = <int> (item // self.groups)
                if not sum.turn_to(scratch, number, &units):
                    return False
                self.near(press, &sum.first[number])
            group = item % self.groups
            item += 1
            if not scratch.tables[0].rows[group]:
                continue
            self.nearer(press, 0, 1, sum.across[0].partition[group])
            factors = scratch.tables[0].entries + group * sum.stride[0]
            each = sum.first[number].weight * self.unit
            at, column = self.seek(sum, scratch, group, factors, each, &skip), -1
            while at < sum.second_count and left[0]:
                second = &sum.second[at]
                if factors[second.part[0]]:
                    seen = 0
                    for lane in range(sum.group_start[group], sum.group_start[group + 1]):
                        solutions = (
                            <uint64_t> scratch.tables[1].entries[sum.lanes[lane].part[1] * sum.stride[1] + second.part[1]]
                            * scratch.tables[2].entries[sum.lanes[lane].part[2] * sum.stride[2] + second.part[2]]
                        )
                        if solutions == 0:
                            continue
                        solutions *= each * sum.lanes[lane].weight * second.weight * factors[second.part[0]]
                        if skip >= solutions:
                            skip -= solutions
                            continue
                        if not seen:
                            self.nearer(press, 1, 2, sum.down[1].partition[second.part[1]])
                            self.nearer(press, 2, 2, sum.down[2].partition[second.part[2]])
                            seen = 1
                        if column != second.part[0]:
                            column = second.part[0]
                            self.choose(press, 0, 2, sum.down[0].partition[column])
                        self.choose(press, 1, 1, sum.across[1].partition[sum.lanes[lane].part[1]])
                        self.choose(press, 2, 1, sum.across[2].partition[sum.lanes[lane].part[2]])
                        out = self.term(press, number, lane, at, skip, left, out)
                        skip = 0
                        if not left[0]:
                            break
                at += 1
        return True

    cdef int seek(
        self, Sum sum, Scratch *scratch, int group, const cell *factors, uint64_t each, uint64_t *skip
    ) noexcept nogil:
        """The y2 that the first of the solutions behind those to be skipped belongs to; they become fewer by those before it."""
        cdef int at, k, lanes, count
        cdef uint64_t solutions
        cdef Value *second
        cdef const cell *a
        cdef const cell *b
        if skip[0] == 0:
            return 0
        count = sum.gather(scratch, group)
        lanes = sum.weave(scratch, count) if count else 0
        for at in range(sum.second_count):
            second = &sum.second[at]
            if factors[second.part[0]] == 0:
                continue
            a, b = scratch.a + second.part[1] * lanes, scratch.b + second.part[2] * lanes
            solutions = dot(a, b, lanes) * each * second.weight * factors[second.part[0]]
            if skip[0] < solutions:
                return at
            skip[0] -= solutions
        return sum.second_count

    cdef void near(self, Press *press, const Value *value) noexcept nogil:
        """The values of each band that are compatible with a y0."""
        cdef int box, row
        cdef uint32_t number
        for box in range(BOXES):
            press.near_count[box] = 0
            for row in range(PARTITIONS):
                if self.sum.meet[box][0][row * PARTITIONS + value.part[box]]:
                    for number in range(self.sum.band_start[box][row], self.sum.band_start[box][row + 1]):
                        press.near[box][press.near_count[box]] = number
                        press.near_count[box] += 1

    cdef void nearer(self, Press *press, int box, int stack, int partition) noexcept nogil:
        """Of these, the ones that are compatible with a partition that another stack gives to its box, too."""
        cdef const uint8_t *meet = self.sum.meet[box][stack] + partition
        cdef const Value *values = self.sum.band[box]
        cdef int i, count = 0
        for i in range(press.near_count[box]):
            press.nearer[box][count] = press.near[box][i]
            count += meet[values[press.near[box][i]].part[stack] * PARTITIONS]
        press.nearer_count[box] = count

    cdef void choose(self, Press *press, int box, int stack, int partition) noexcept nogil:
        """And of these, with the third stack, every arrangement."""
        cdef const uint8_t *meet = self.sum.meet[box][stack] + partition
        cdef const Value *values = self.sum.band[box]
        cdef const uint32_t *start = self.band_start[box]
        cdef int i, count = 0, number
        cdef uint32_t way
        for i in range(press.nearer_count[box]):
            if meet[values[press.nearer[box][i]].part[stack] * PARTITIONS]:
                number = self.numbers[box][press.nearer[box][i]]
                for way in range(start[number], start[number + 1]):
                    CHECK(count < LARGEST)
                    press.ways[box][count] = way
                    count += 1
        press.count[box] = count

    cdef char *term(
        self, Press *press, int first, int lane, int second, uint64_t skip, uint64_t *left, char *out
    ) noexcept nogil:
        """The solutions of a term, but for some that are skipped, as many as are wanted. Returns where they end."""
        cdef int number[BOXES]
        cdef uint32_t way[BOXES]
        cdef uint64_t fillings = <uint64_t> press.count[0] * press.count[1] * press.count[2]
        cdef uint64_t turn = skip // fillings
        cdef int stack
        skip = skip % fillings
        number[0], number[1], number[2] = first, self.lane_number[lane], self.second_number[second]
        for stack in range(BOXES - 1, -1, -1):
            way[stack] = self.stack_start[stack][number[stack] + 1] - self.stack_start[stack][number[stack]]
            turn, way[stack] = turn // way[stack], self.stack_start[stack][number[stack]] + turn % way[stack]
        while way[0] < self.stack_start[0][number[0] + 1]:
            while way[1] < self.stack_start[1][number[1] + 1]:
                while way[2] < self.stack_start[2][number[2] + 1]:
                    out = self.combine(press, way, skip, left, out)
                    if not left[0]:
                        return out
                    skip = 0
                    way[2] += 1
                way[2] = self.stack_start[2][number[2]]
                way[1] += 1
            way[1] = self.stack_start[1][number[1]]
            way[0] += 1
        return out

    cdef char *combine(
        self, Press *press, const uint32_t *way, uint64_t skip, uint64_t *left, char *out
    ) noexcept nogil:
        """All combinations of fillings, between stacks that are arranged: the third band changes first."""
        cdef uint64_t inner = press.count[2], middle = <uint64_t> press.count[1] * inner
        cdef uint64_t last = min(skip + left[0], press.count[0] * middle) - 1
        cdef int from0 = <int> (skip // middle), from1 = <int> (skip // inner % press.count[1])
        cdef int from2 = <int> (skip % inner), to0 = <int> (last // middle), i, j, k, box, to1, to2
        cdef bint alone = from0 == to0
        cdef int length = self.height * self.side, line = self.side * self.side
        cdef char *part[BOXES]
        to1 = <int> (last // inner % press.count[1]) if alone else press.count[1] - 1
        self.fill(press, 0, way, from0, to0)
        self.fill(press, 1, way, from1 if alone else 0, to1)
        alone = alone and from1 == to1
        self.fill(press, 2, way, from2 if alone else 0, <int> (last % inner) if alone else press.count[2] - 1)
        left[0] -= last - skip + 1
        for i in range(from0, to0 + 1):
            part[0] = press.fillings[0] + i * ROOM
            to1 = <int> (last // inner % press.count[1]) if i == to0 else press.count[1] - 1
            for j in range(from1, to1 + 1):
                part[1] = press.fillings[1] + j * ROOM
                to2 = <int> (last % inner) if i == to0 and j == to1 else press.count[2] - 1
                for k in range(from2, to2 + 1):
                    part[2] = press.fillings[2] + k * ROOM
                    if length == 27:
                        copy27(out + 27 * self.band[0], part[0])
                        copy27(out + 27 * self.band[1], part[1])
                        copy27(out + 27 * self.band[2], part[2])
                    else:
                        for box in range(BOXES):
                            if self.band[box] < self.width:
                                memcpy(out + length * self.band[box], part[box], length)
                    out[line] = c"\n"
                    out += line + 1
                from2 = 0
            from1 = 0
        return out

    cdef void fill(self, Press *press, int box, const uint32_t *way, int first, int last) noexcept nogil:
        """Write out some of the fillings of a band, between stacks that are arranged."""
        cdef int band = self.band[box], number, stack, row, column, rows = self.height, columns = self.width
        cdef const uint16_t *column_set[BOXES]
        cdef const uint16_t *row_set[BOXES]
        cdef const uint16_t *arrangement
        cdef char *out
        if band >= self.width:
            return
        for stack in range(BOXES):
            column_set[self.stack[stack]] = &self.column_sets[
                self.stack_ways[stack][way[stack] * BOXES + band] * columns
            ]
        for number in range(first, last + 1):
            out = press.fillings[box] + number * ROOM
            arrangement = self.band_ways[box] + press.ways[box][number] * BOXES
            for stack in range(rows):
                row_set[stack] = &self.row_sets[arrangement[stack] * rows]
            for row in range(rows):
                for stack in range(rows):
                    for column in range(columns):
                        out[0] = c"1" + lowest64(row_set[stack][row] & column_set[stack][column])
                        out += 1


cdef inline uint64_t dot(const cell *a, const cell *b, int lanes) noexcept nogil:
    cdef uint32_t total = 0  # at most 64 · 12 · 1,728 · 1,728 < 2^32
    cdef int k
    for k in range(lanes):
        total += <uint32_t> (<int> a[k] * <int> b[k])
    return total


cdef inline void copy27(char *to, const char *source) noexcept nogil:
    """By two overlapping moves of 16."""
    memcpy(to, source, 16)
    memcpy(to + 11, source + 11, 16)


cdef uint16_t *address(uint16_t[::1] numbers):
    return &numbers[0]
