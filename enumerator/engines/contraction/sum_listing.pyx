"""The solutions of the sum, in order, from any place on.

**Statement.** Every solution belongs to one term of the sum: the one with the partitions (y0, y1,
y2) of its stacks. The solutions of a term are all combinations of

    an arrangement of y0, one of y1, one of y2          as many as their weights
    a filling of band 0, one of band 1, one of band 2   f_0 · f_1 · f_2 of them

Given the arrangements of the stacks, each band has a list of possible fillings: its compatible
values, in all their arrangements. They are written out once, and a solution is a copy of three
strings.

**Order.** By y0; then by the partition of y1 in band 0, the group; then by y2; then by the rest of
y1; then by the arrangements; then by the fillings of the bands. An item is one y0 and one group.
Its sum is its number of solutions, and the partial sums of an item locate its n-th solution. So the
solutions before the n-th need not be visited.

**Bounds.** An item has fewer than 2^63 solutions: 12 · 94,080 · 336 · 1,728^3, by the bounds in
sum.pyx. A list of fillings has as many entries as the entry of a table says: at most MAX_ENTRY.

The file has more than 400 lines. Its one class goes from items to terms to strings, and each
step has pointers into the one before, so it is not split.
"""

cimport cython
from cpython cimport array
from cpython.bytearray cimport PyByteArray_Resize
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from enumerator.engines.contraction.bands cimport Band
from enumerator.engines.contraction.limits cimport BOXES, PARTITIONS
from enumerator.engines.contraction.loops cimport CHECK, MAX_ENTRY, cell
from enumerator.engines.contraction.scratch cimport Scratch, allocate_scratch, free_scratch
from enumerator.engines.contraction.sum cimport Sum
from enumerator.engines.contraction.values cimport Index, Value, value_numbers

import array

from enumerator.engines.contraction.sum import Sum

cdef extern from "machine.h":
    int lowest64(uint64_t bits) noexcept nogil

cdef enum:
    FILLING = 32     # bytes for a filling of a band, which has at most 27 symbols
    FILLINGS = 1728  # of a band: MAX_ENTRY
    VALUES = 15_400  # of a band

cdef struct Fillings:
    # the fillings of each band, found in three steps
    uint32_t by_first[BOXES][VALUES]   # the values compatible with y0
    int by_first_count[BOXES]
    uint32_t by_second[BOXES][VALUES]  # ... and with the group (band 0) or with y2 (bands 1, 2)
    int by_second_count[BOXES]
    uint32_t ways[BOXES][FILLINGS]     # the arrangements of values compatible with all three stacks
    int count[BOXES]
    int number                         # the y0 that `by_first` is for, or -1
    int column                         # the partition of y2 in band 0 that `ways` are for, or -1
    char text[BOXES][FILLINGS * FILLING]
    char one                           # the byte of digit 1
    int step                           # the bytes from a solution to the next: a line of text has one more


@cython.auto_pickle(False)
cdef class Listing:
    """The solutions of a network, in the order of a sum over its stacks."""

    cdef Sum sum
    cdef int height, width, side
    cdef int stack[BOXES]
    cdef int band[BOXES]
    cdef uint16_t[::1] second_number  # of each y2: its number in its line
    cdef uint16_t[::1] lane_number    # of each y1
    cdef list band_number             # of each value of each band; `numbers` points to them
    cdef uint16_t *numbers[BOXES]
    cdef list arrangements            # of all lines; the next four point to them
    cdef const uint32_t *stack_start[BOXES]
    cdef const uint16_t *stack_ways[BOXES]
    cdef const uint32_t *band_start[BOXES]
    cdef const uint16_t *band_ways[BOXES]
    cdef const uint16_t[::1] row_sets
    cdef const uint16_t[::1] column_sets
    cdef uint64_t divisor             # the product of the divisors of the six lines
    cdef readonly object items
    cdef readonly int groups

    def __cinit__(self, network, stacks, bands):
        """Prepare the sum over the stacks in order `stacks`, with the bands in order `bands`."""
        cdef int box
        cdef Index across_index[BOXES]
        cdef Index down_index[BOXES]
        cdef const uint32_t[::1] starts
        cdef const uint16_t[::1] ways
        y0, y1, y2 = (network.stacks[stack] for stack in stacks)
        first_values = array.array("H", range(len(y0)))
        self.sum = Sum(network, stacks, bands, first_values, array.array("H", [1]) * len(y0))
        self.items, self.groups = self.sum.items, self.sum.groups
        self.height, self.width = network.height, network.width
        self.side = self.height * self.width
        self.divisor = 1
        self.arrangements, self.band_number = [], []
        for box in range(BOXES):
            self.stack[box], self.band[box] = stacks[box], bands[box]
            across, down = network.bands[bands[box]], network.stacks[stacks[box]]
            self.divisor *= across.divisor * down.divisor
            starts, ways = pair = down.arrangements()
            self.stack_start[box], self.stack_ways[box] = &starts[0], &ways[0]
            self.arrangements.append(pair)
            starts, ways = pair = across.arrangements()
            self.band_start[box], self.band_ways[box] = &starts[0], &ways[0]
            self.arrangements.append(pair)
            self.band_number.append(value_numbers(across, self.sum.bands[box].values, stacks, NULL))
            self.numbers[box] = address(self.band_number[box])
        for box in range(BOXES):
            across_index[box], down_index[box] = self.sum.bands[box].across, self.sum.bands[box].down
        self.lane_number = value_numbers(y1, self.sum.lanes, bands, across_index)
        self.second_number = value_numbers(y2, self.sum.second, bands, down_index)
        self.row_sets = network.bands[0].table.sets
        self.column_sets = network.stacks[0].table.sets

    def sums(self, first=0, last=None):
        """Return the number of solutions of each of the items `first` to `last` - 1."""
        last = self.items if last is None else last
        if not 0 <= first <= last <= self.items:
            raise ValueError(f"no items {first} to {last}: there are {self.items}")
        cdef uint64_t begin = first, end = last, item
        cdef array.array counts = array.array("Q", bytes(8 * (last - first)))
        cdef uint64_t[::1] count = counts
        cdef Scratch scratch
        cdef bint enough = allocate_scratch(&scratch, self.sum.second_count)
        cdef double products = 0
        cdef int number, group, after
        try:
            with nogil:
                item = begin
                while enough and item < end:
                    number = <int> (item // self.groups)
                    group = after = item % self.groups
                    enough = self.sum.select_first(&scratch, number, &products)
                    if enough:
                        after = group + <int> min(<uint64_t> (self.groups - group), end - item)
                        self.sum.sum_groups(&scratch, group, after, &products)
                    while group < after:
                        count[item - begin] = scratch.sums[group] * self.sum.first[number].weight * self.divisor
                        group += 1
                        item += 1
        finally:
            free_scratch(&scratch)
        if not enough:
            raise MemoryError
        return counts

    def write(self, item, offset, count):
        """Return at most `count` solutions, from solution `offset` of `item` on, one line of text each."""
        cdef bytearray lines = bytearray()
        PyByteArray_Resize(lines, count * (self.side * self.side + 1))  # not zeroed
        written = self.fill(array.array("Q", [item]), array.array("Q", [offset]), lines, True)
        if written < count:
            del lines[written * (self.side * self.side + 1):]
        return lines

    def fill(
        self, const uint64_t[::1] items not None, const uint64_t[::1] offsets not None, uint8_t[::1] out not None,
        bint as_text=False
    ):
        """Write solutions from several places on, and return their number.

        A place is solution `offset`, counted from 0, of `item`. The list continues in the next items.
        Each place has an equal share of `out`. A solution is its digits, one byte each; with
        `as_text`, it is a line of text. Neighbouring places with the same y0 share work.
        """
        cdef int step = self.side * self.side + as_text, places = items.shape[0], place
        if places != offsets.shape[0] or not places:
            raise ValueError(f"{places} items and {offsets.shape[0]} offsets")
        for place in range(places):
            if items[place] >= self.items:
                raise ValueError(f"no item {items[place]}: there are {self.items}")
        cdef uint64_t share = out.shape[0] // step // places, left = 0, missing = 0
        cdef Sum sum = self.sum
        cdef Scratch scratch
        cdef Fillings *fillings = <Fillings *> malloc(sizeof(Fillings))
        cdef bint enough = allocate_scratch(&scratch, self.sum.second_count) and fillings != NULL
        try:
            if share and enough:
                fillings.step, fillings.one, fillings.number = step, c"1" if as_text else 1, -1
                with nogil:
                    for place in range(places):
                        left = share
                        enough = enough and self.write_items(
                            sum, &scratch, fillings, items[place], offsets[place], &left,
                            <char *> &out[place * share * step]
                        )
                        missing += left
        finally:
            free_scratch(&scratch)
            free(fillings)
        if not enough:
            raise MemoryError
        return places * share - missing

    cdef bint write_items(
        self, Sum sum, Scratch *scratch, Fillings *fillings, uint64_t item, uint64_t skip, uint64_t *left, char *out
    ) noexcept nogil:
        """Write solutions from `item` on, without the first `skip`; return False if out of memory."""
        cdef int number, group, at
        cdef uint64_t end = sum.first_count * <uint64_t> self.groups, each
        cdef const cell *factors
        cdef double products = 0
        while left[0] and item < end:
            number = <int> (item // self.groups)
            if fillings.number != number:
                if not sum.select_tables(scratch, &sum.first[number], &products):
                    return False
                self.filter_by_first(fillings, &sum.first[number])
                fillings.number = number
            group = item % self.groups
            item += 1
            if not scratch.tables[0].rows[group]:
                continue
            self.filter_by_second(fillings, 0, 1, sum.bands[0].across.partition[group])
            factors = scratch.tables[0].entries + group * sum.bands[0].stride
            each = sum.first[number].weight * self.divisor
            at, fillings.column = self.seek(sum, scratch, group, factors, each, &skip), -1
            while at < sum.second_count and left[0]:
                if factors[sum.second[at].part[0]]:
                    out = self.write_second(
                        sum, scratch, fillings, number, group, at,
                        each * factors[sum.second[at].part[0]], &skip, left, out
                    )
                at += 1
        return True

    cdef char *write_second(
        self, Sum sum, Scratch *scratch, Fillings *fillings, int number, int group, int at,
        uint64_t each, uint64_t *skip, uint64_t *left, char *out
    ) noexcept nogil:
        """Write the solutions of one y2, lane by lane; return their end.

        `each` is the factor that all its lanes share, except for the weight of y2.
        """
        cdef const Value *second = &sum.second[at]
        cdef int lane, seen = 0
        cdef uint64_t solutions
        for lane in range(sum.group_start[group], sum.group_start[group + 1]):
            solutions = (
                <uint64_t> scratch.tables[1].entries[sum.lanes[lane].part[1] * sum.bands[1].stride + second.part[1]]
                * scratch.tables[2].entries[sum.lanes[lane].part[2] * sum.bands[2].stride + second.part[2]]
            )
            if solutions == 0:
                continue
            solutions *= each * sum.lanes[lane].weight * second.weight
            if skip[0] >= solutions:
                skip[0] -= solutions
                continue
            if not seen:
                self.filter_by_second(fillings, 1, 2, sum.bands[1].down.partition[second.part[1]])
                self.filter_by_second(fillings, 2, 2, sum.bands[2].down.partition[second.part[2]])
                seen = 1
            if fillings.column != second.part[0]:
                fillings.column = second.part[0]
                self.list_ways(fillings, 0, 2, sum.bands[0].down.partition[fillings.column])
            self.list_ways(fillings, 1, 1, sum.bands[1].across.partition[sum.lanes[lane].part[1]])
            self.list_ways(fillings, 2, 1, sum.bands[2].across.partition[sum.lanes[lane].part[2]])
            out = self.write_term(fillings, number, lane, at, skip[0], left, out)
            skip[0] = 0
            if not left[0]:
                break
        return out

    cdef int seek(
        self, Sum sum, Scratch *scratch, int group, const cell *factors, uint64_t each, uint64_t *skip
    ) noexcept nogil:
        """Return the y2 of solution `skip` of an item.

        Reduce `skip` to its place within that y2.
        """
        cdef int at, k, lanes, count
        cdef uint64_t solutions
        cdef Value *second
        cdef const cell *a
        cdef const cell *b
        if skip[0] == 0:
            return 0
        count = sum.gather_lanes(scratch, group)
        lanes = sum.interleave_lanes(scratch, count) if count else 0
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

    cdef void filter_by_first(self, Fillings *fillings, const Value *value) noexcept nogil:
        """List in `by_first` the values of each band that are compatible with a y0."""
        cdef int box, row
        cdef uint32_t number
        cdef const Band *band
        for box in range(BOXES):
            band = &self.sum.bands[box]
            fillings.by_first_count[box] = 0
            for row in range(PARTITIONS):
                if band.meet[0][row * PARTITIONS + value.part[box]]:
                    for number in range(band.start[row], band.start[row + 1]):
                        fillings.by_first[box][fillings.by_first_count[box]] = number
                        fillings.by_first_count[box] += 1

    cdef void filter_by_second(self, Fillings *fillings, int box, int stack, int partition) noexcept nogil:
        """List in `by_second` the values of `by_first` compatible with `partition` of `stack`."""
        cdef const uint8_t *meet = self.sum.bands[box].meet[stack] + partition
        cdef const Value *values = self.sum.bands[box].values
        cdef int i, count = 0
        for i in range(fillings.by_first_count[box]):
            fillings.by_second[box][count] = fillings.by_first[box][i]
            count += meet[values[fillings.by_first[box][i]].part[stack] * PARTITIONS]
        fillings.by_second_count[box] = count

    cdef void list_ways(self, Fillings *fillings, int box, int stack, int partition) noexcept nogil:
        """List in `ways` the arrangements of values of `by_second` that fit the third stack."""
        cdef const uint8_t *meet = self.sum.bands[box].meet[stack] + partition
        cdef const Value *values = self.sum.bands[box].values
        cdef const uint32_t *start = self.band_start[box]
        cdef int i, count = 0, number
        cdef uint32_t way
        for i in range(fillings.by_second_count[box]):
            if meet[values[fillings.by_second[box][i]].part[stack] * PARTITIONS]:
                number = self.numbers[box][fillings.by_second[box][i]]
                for way in range(start[number], start[number + 1]):
                    CHECK(count < MAX_ENTRY)
                    fillings.ways[box][count] = way
                    count += 1
        fillings.count[box] = count

    cdef char *write_term(
        self, Fillings *fillings, int first, int lane, int second, uint64_t skip, uint64_t *left, char *out
    ) noexcept nogil:
        """Write at most `left` solutions of a term, without the first `skip`; return their end."""
        cdef int number[BOXES]
        cdef uint32_t way[BOXES]
        cdef uint64_t combinations = <uint64_t> fillings.count[0] * fillings.count[1] * fillings.count[2]
        cdef uint64_t turn = skip // combinations
        cdef int stack
        skip = skip % combinations
        number[0], number[1], number[2] = first, self.lane_number[lane], self.second_number[second]
        for stack in range(BOXES - 1, -1, -1):
            way[stack] = self.stack_start[stack][number[stack] + 1] - self.stack_start[stack][number[stack]]
            turn, way[stack] = turn // way[stack], self.stack_start[stack][number[stack]] + turn % way[stack]
        while way[0] < self.stack_start[0][number[0] + 1]:
            while way[1] < self.stack_start[1][number[1] + 1]:
                while way[2] < self.stack_start[2][number[2] + 1]:
                    out = self.write_combinations(fillings, way, skip, left, out)
                    if not left[0]:
                        return out
                    skip = 0
                    way[2] += 1
                way[2] = self.stack_start[2][number[2]]
                way[1] += 1
            way[1] = self.stack_start[1][number[1]]
            way[0] += 1
        return out

    cdef char *write_combinations(
        self, Fillings *fillings, const uint32_t *way, uint64_t skip, uint64_t *left, char *out
    ) noexcept nogil:
        """Write the combinations of fillings, for given arrangements of the stacks.

        The third band varies fastest.
        """
        cdef uint64_t inner = fillings.count[2], middle = <uint64_t> fillings.count[1] * inner
        cdef uint64_t last = min(skip + left[0], fillings.count[0] * middle) - 1
        cdef int from0 = <int> (skip // middle), from1 = <int> (skip // inner % fillings.count[1])
        cdef int from2 = <int> (skip % inner), to0 = <int> (last // middle), i, j, k, box, to1, to2
        cdef bint alone = from0 == to0
        cdef int length = self.height * self.side, cells = self.side * self.side, step = fillings.step
        cdef bint as_text = step > cells
        cdef char *part[BOXES]
        to1 = <int> (last // inner % fillings.count[1]) if alone else fillings.count[1] - 1
        self.write_fillings(fillings, 0, way, from0, to0)
        self.write_fillings(fillings, 1, way, from1 if alone else 0, to1)
        alone = alone and from1 == to1
        to2 = <int> (last % inner) if alone else fillings.count[2] - 1
        self.write_fillings(fillings, 2, way, from2 if alone else 0, to2)
        left[0] -= last - skip + 1
        for i in range(from0, to0 + 1):
            part[0] = fillings.text[0] + i * FILLING
            to1 = <int> (last // inner % fillings.count[1]) if i == to0 else fillings.count[1] - 1
            for j in range(from1, to1 + 1):
                part[1] = fillings.text[1] + j * FILLING
                to2 = <int> (last % inner) if i == to0 and j == to1 else fillings.count[2] - 1
                for k in range(from2, to2 + 1):
                    part[2] = fillings.text[2] + k * FILLING
                    if length == 27:
                        copy27(out + 27 * self.band[0], part[0])
                        copy27(out + 27 * self.band[1], part[1])
                        copy27(out + 27 * self.band[2], part[2])
                    else:
                        for box in range(BOXES):
                            if self.band[box] < self.width:
                                memcpy(out + length * self.band[box], part[box], length)
                    if as_text:
                        out[cells] = c"\n"
                    out += step
                from2 = 0
            from1 = 0
        return out

    cdef void write_fillings(
        self, Fillings *fillings, int box, const uint32_t *way, int first, int last
    ) noexcept nogil:
        """Write fillings `first` to `last` of a band, for given arrangements of the stacks."""
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
            out = fillings.text[box] + number * FILLING
            arrangement = self.band_ways[box] + fillings.ways[box][number] * BOXES
            for stack in range(rows):
                row_set[stack] = &self.row_sets[arrangement[stack] * rows]
            for row in range(rows):
                for stack in range(rows):
                    for column in range(columns):
                        out[0] = fillings.one + lowest64(row_set[stack][row] & column_set[stack][column])
                        out += 1


cdef inline uint64_t dot(const cell *a, const cell *b, int lanes) noexcept nogil:
    cdef uint32_t total = 0  # at most 64 · 12 · 1,728 · 1,728 < 2^32
    cdef int k
    for k in range(lanes):
        total += <uint32_t> (<int> a[k] * <int> b[k])
    return total


cdef inline void copy27(char *to, const char *source) noexcept nogil:
    """Copy 27 bytes by two overlapping moves of 16."""
    memcpy(to, source, 16)
    memcpy(to + 11, source + 11, 16)


cdef uint16_t *address(uint16_t[::1] numbers):
    return &numbers[0]
