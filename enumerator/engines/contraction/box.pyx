"""The number of solutions that have each digit in each cell of a band.

**Statement.** Let the band be band 0. It contributes a factor F_0[c1][c2] to a term of the sum, which
depends on the partitions c0, c1, c2 that y0, y1 and y2 give to it. The rest of the terms, summed over
all y0, y1, y2 with these partitions, is a *multiplier*,

    H[c0][c1][c2]  =  Σ  F_1[…] · F_2[…]  times the weights of y0, y1, y2

F_0 is itself a sum, over the values (r0, r1, r2) of the band that are compatible with c0, c1, c2. So
the number of solutions with this value is the sum of H over all compatible c0, c1, c2.

A box is a pair of compatible partitions, r0 and c0, say. The digit that part m of r0 and part k of c0
have in common is in row i and column j if the arrangement of the band puts part m into row i, and that
of the stack puts part k into column j. Arrangements of different lines are independent. So it is enough
to know the number of solutions for each pair of a *unit* of band values and one of stack values: values
that give this partition to the box, and whose arrangements put its parts into the same positions, equally
often. All three boxes of the band come from the same sums: H is kept apart by units of y0, y1 and y2.

**Order.** Values of y0 with the same partition c0, the same unit and the same number of symmetric ones are
a *bunch*. For each bunch, batches of lanes are summed as in sum.pyx, but slots have lanes of one unit
of y1 only, runs have pairs of one unit of y2, and nothing is multiplied by F_0. Then H is added up in
three ways, so that one of the units is left in each.

**Symmetry.** Digits that are not clues may be swapped without any other change to the board. One y0
of each orbit is worked out. Its counts of such a digit hold for the average of these digits, which
is taken at the end (see candidates.py).

**Bounds**, beyond those in sum.pyx. In a bunch there are y0 of one partition, 336 arrangements of them at
most, and as many of y1 and y2 for a c1 and a c2.

    H for a bunch                   336^3 · 1,728^2 < 2^47
    summed over compatible c1, c2   36^2 times as much: below 2^58
    counts                          the number of all filled boards, below 2^73, in 128 bits
"""

cimport cython
from cpython cimport array
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from enumerator.engines.contraction.bands cimport Band
from enumerator.engines.contraction.limits cimport BOXES, PARTITIONS, PARTS
from enumerator.engines.contraction.loops cimport (
    BATCH, CHECK, MAX_BYTE, SLOT, SLOTS, Pair, Run, accumulate, add_wide, cell, lower, lowest64, upper, wide,
)
from enumerator.engines.contraction.scratch cimport (
    Batch, Scratch, Table, allocate_cells, allocate_scratch, free_scratch,
)
from enumerator.engines.contraction.sum cimport Sum
from enumerator.engines.contraction.units cimport (
    NEIGHBOURS, NUMBER, Neighbours, Unit, Units, copy_sets, find_units, list_neighbours, position_keys, sort_key,
)
from enumerator.engines.contraction.values cimport Index, Value, allocate, value_numbers

import array

from enumerator.engines.contraction.sum import Sum

cdef enum:
    DIGITS = 9

cdef struct Totals:
    # H for one bunch, and what is made of it
    uint64_t *sums         # by run and slot, of one batch
    uint64_t *by_column    # the same, summed over the units of y2: by column and slot
    uint64_t *without      # H by column and group
    uint64_t *of_lanes     # H by column and unit of y1
    uint64_t *of_pairs     # H by group and unit of y2
    uint64_t *row_without  # by partition of the band: summed over the columns that are compatible
    uint64_t *row_lanes    # the same
    uint64_t *row_pairs    # by partition of the band: summed over the groups that are compatible
    uint8_t made[2][PARTITIONS]
    wide *solutions[BOXES]  # by unit of the band and unit of the stack; in box 0, for one unit of y0


@cython.auto_pickle(False)
cdef class Boxes:
    """The boxes of one band of a plan."""

    cdef Sum sum
    cdef Units of_first, of_lanes, of_pairs
    cdef Units in_rows[BOXES]               # of the band, by box
    cdef uint16_t *row_unit[BOXES]          # by value of the band: its unit
    cdef uint32_t *base[BOXES]              # by unit of the band: where its solutions begin
    cdef uint32_t near_start[BOXES][PARTITIONS + 1]  # by partition of the band:
    cdef uint16_t *near[BOXES]              # the units of y1 or y2 that are compatible
    cdef uint32_t pair_count[BOXES]         # of units
    cdef uint16_t *first                    # y0 in the order of bunches
    cdef uint16_t *first_unit               # by y0 in this order: its unit
    cdef uint32_t *times                    # the same: the number of symmetric ones
    cdef int32_t *lane                      # by batch and place there: y1, or -1
    cdef int32_t *slot_unit                 # by batch and slot: the unit of y1, or -1
    cdef int batches
    cdef Pair *pairs
    cdef Run *runs
    cdef uint16_t *pair_run                 # by pair: its run
    cdef uint16_t *sorted[2]                # the pairs by their rows of A, and of B
    cdef uint32_t starts[2][PARTITIONS + 1]
    cdef Neighbours groups_of[PARTITIONS]   # of each r1: the groups that are compatible
    cdef Neighbours columns_of[PARTITIONS]  # of each r2: the columns that are compatible
    cdef uint16_t row_sets[PARTITIONS * PARTS]
    cdef uint16_t column_sets[PARTITIONS * PARTS]
    cdef uint64_t divisor                   # the product of the divisors of the two other bands
    cdef int boxes, rows, columns, digits
    cdef readonly int values                # the number of y0 to work out

    def __cinit__(self, plan, band):
        """Prepare the sums of a SumPlan for the boxes of a band."""
        cdef Index across_index[BOXES]
        cdef Index down_index[BOXES]
        cdef int box
        network, stacks = plan.network, plan.stacks
        bands = (band, *(other for other in range(BOXES) if other != band))
        self.sum = Sum(network, stacks, bands, plan.first_values, plan.multiplicities)
        self.boxes, self.rows, self.columns = network.height, network.height, network.width
        self.digits = self.rows * self.columns
        self.divisor = network.bands[bands[1]].divisor * network.bands[bands[2]].divisor
        across = network.bands[band]
        y0, y1, y2 = (network.stacks[stack] for stack in stacks)
        for box in range(BOXES):
            across_index[box], down_index[box] = self.sum.bands[box].across, self.sum.bands[box].down
        self.list_first(plan, position_keys(y0, band))
        self.list_lanes(position_keys(y1, band), value_numbers(y1, self.sum.lanes, bands, across_index))
        self.list_pairs(position_keys(y2, band), value_numbers(y2, self.sum.second, bands, down_index))
        numbers = value_numbers(across, self.sum.bands[0].values, stacks, NULL)
        for box in range(self.boxes):
            self.list_rows(box, position_keys(across, stacks[box]), numbers)
        self.list_near(1, &self.of_lanes)
        self.list_near(2, &self.of_pairs)
        list_neighbours(self.groups_of, self.sum.bands[0].meet[1], &self.sum.bands[0].across)
        list_neighbours(self.columns_of, self.sum.bands[0].meet[2], &self.sum.bands[0].down)
        copy_sets(self.row_sets, across.table)
        copy_sets(self.column_sets, y0.table)

    cdef int list_first(self, plan, keys) except -1:
        """List y0 by bunches."""
        cdef int at, number
        cdef const uint16_t[::1] values = plan.first_values
        order = sorted(
            (sort_key(self.sum.first[at].part[0], keys[values[at]], 0), plan.multiplicities[at], at)
            for at in range(len(values))
        )
        self.values = len(order)
        self.first = <uint16_t *> allocate(self.values * sizeof(uint16_t))
        self.first_unit = <uint16_t *> allocate(self.values * sizeof(uint16_t))
        self.times = <uint32_t *> allocate(self.values * sizeof(uint32_t))
        units = find_units(&self.of_first, [key for key, _, _ in order], NULL)
        for number in range(self.values):
            self.first[number], self.times[number] = order[number][2], order[number][1]
            self.first_unit[number] = units[number]
        return 0

    cdef int list_lanes(self, keys, numbers) except -1:
        """List y1 in batches; each slot has lanes of one unit."""
        cdef int lane, place = 0, last = -1, unit, number
        cdef uint64_t[::1] keyed = array.array("Q", bytes(8 * self.sum.lane_count))
        cdef const uint64_t[::1] key = keys
        cdef const uint16_t[::1] line_number = numbers
        for lane in range(self.sum.lane_count):
            keyed[lane] = sort_key(self.sum.lanes[lane].part[0], key[line_number[lane]], lane)
        order = sorted(keyed)
        units = find_units(&self.of_lanes, order, &self.sum.bands[0].across)
        most = (len(order) + SLOT * self.of_lanes.count) // BATCH + 1
        self.lane = <int32_t *> allocate(most * BATCH * sizeof(int32_t))
        self.slot_unit = <int32_t *> allocate(most * SLOTS * sizeof(int32_t))
        memset(self.lane, 255, most * BATCH * sizeof(int32_t))  # -1
        memset(self.slot_unit, 255, most * SLOTS * sizeof(int32_t))
        for number in range(len(order)):
            unit = units[number]
            if unit != last:
                place, last = (place + SLOT - 1) // SLOT * SLOT, unit
            self.lane[place], self.slot_unit[place // SLOT] = order[number] & NUMBER, unit
            place += 1
        self.batches = (place + BATCH - 1) // BATCH
        return 0

    cdef int list_pairs(self, keys, numbers) except -1:
        """List y2 in runs, one for each unit."""
        cdef int number, count = self.sum.second_count, side, run, row
        cdef uint32_t places[PARTITIONS]
        cdef Value *second
        cdef uint64_t[::1] keyed = array.array("Q", bytes(8 * count))
        cdef const uint64_t[::1] key = keys
        cdef const uint16_t[::1] line_number = numbers
        for number in range(count):
            keyed[number] = sort_key(self.sum.second[number].part[0], key[line_number[number]], number)
        order = sorted(keyed)
        units = find_units(&self.of_pairs, order, &self.sum.bands[0].down)
        self.pairs = <Pair *> allocate(count * sizeof(Pair))
        self.pair_run = <uint16_t *> allocate(count * sizeof(uint16_t))
        self.runs = <Run *> allocate(self.of_pairs.count * sizeof(Run))
        for number in range(count):
            second, run = &self.sum.second[order[number] & NUMBER], units[number]
            self.pairs[number].a, self.pairs[number].b = second.part[1] * BATCH, second.part[2] * BATCH
            self.pair_run[number] = run
            if number == 0 or run != self.pair_run[number - 1]:
                self.runs[run].first, self.runs[run].column = number, second.part[0]
                self.runs[run].weight = self.of_pairs.unit[run].weight
            self.runs[run].last = number + 1
        for side in range(2):
            self.sorted[side] = <uint16_t *> allocate(count * sizeof(uint16_t))
            for number in range(count):
                self.starts[side][(self.pairs[number].b if side else self.pairs[number].a) // BATCH + 1] += 1
            for row in range(PARTITIONS):
                self.starts[side][row + 1] += self.starts[side][row]
                places[row] = self.starts[side][row]
            for number in range(count):
                row = (self.pairs[number].b if side else self.pairs[number].a) // BATCH
                self.sorted[side][places[row]] = number
                places[row] += 1
        return 0

    cdef int list_rows(self, int box, keys, numbers) except -1:
        """Find the units of the band in a box."""
        cdef int count = len(numbers), number
        cdef const Value *value = self.sum.bands[0].values
        cdef const uint64_t[::1] key = keys
        cdef const uint16_t[::1] line_number = numbers
        cdef uint64_t[::1] keyed = array.array("Q", bytes(8 * count))
        for number in range(count):
            keyed[number] = sort_key(value[number].part[box], key[line_number[number]], 0)
        units = find_units(&self.in_rows[box], keyed, NULL)
        self.row_unit[box] = <uint16_t *> allocate(count * sizeof(uint16_t))
        for number in range(count):
            self.row_unit[box][number] = units[number]
        return 0

    cdef int list_near(self, int box, const Units *units) except -1:
        """List the units of a stack that are compatible with each partition of the band."""
        cdef int row, unit
        cdef uint32_t count = 0
        cdef const uint8_t *meet = self.sum.bands[0].meet[box]
        self.near[box] = <uint16_t *> allocate(NEIGHBOURS * units.count * sizeof(uint16_t))
        self.base[box] = <uint32_t *> allocate(self.in_rows[box].count * sizeof(uint32_t))
        for row in range(PARTITIONS):
            for unit in range(units.count):
                if meet[row * PARTITIONS + units.unit[unit].partition]:
                    self.near[box][count] = unit
                    count += 1
            self.near_start[box][row + 1] = count
        count = 0
        for unit in range(self.in_rows[box].count):
            row = self.in_rows[box].unit[unit].part
            self.base[box][unit] = count
            count += self.near_start[box][row + 1] - self.near_start[box][row]
        self.pair_count[box] = count
        return 0

    def __dealloc__(self):
        cdef int box
        free(self.of_first.unit)
        free(self.of_lanes.unit)
        free(self.of_pairs.unit)
        for box in range(BOXES):
            free(self.in_rows[box].unit)
            free(self.row_unit[box])
            free(self.base[box])
            free(self.near[box])
        free(self.first)
        free(self.first_unit)
        free(self.times)
        free(self.lane)
        free(self.slot_unit)
        free(self.pairs)
        free(self.runs)
        free(self.pair_run)
        free(self.sorted[0])
        free(self.sorted[1])

    def run(self, int first, int last):
        """Return the counts for the y0 `first` to `last` - 1: box by box, digit by digit, row by row."""
        if not 0 <= first <= last <= self.values:
            raise ValueError(f"no values {first} to {last}: there are {self.values}")
        cdef wide counts[BOXES * DIGITS * PARTS * PARTS]
        cdef Scratch scratch
        cdef Totals totals
        cdef bint enough = allocate_scratch(&scratch, 0)
        cdef int after
        memset(counts, 0, sizeof(counts))
        enough = self.allocate_totals(&totals) and enough
        try:
            with nogil:
                while first < last and enough:
                    after = first + 1
                    while after < last and self.same_bunch(first, after):
                        after += 1
                    enough = self.add_bunch(&scratch, &totals, first, after, counts)
                    first = after
                if enough:
                    self.count_pairs(&totals, 1, &self.of_lanes, counts)
                    self.count_pairs(&totals, 2, &self.of_pairs, counts)
        finally:
            free_scratch(&scratch)
            free_totals(&totals)
        if not enough:
            raise MemoryError
        return [
            (<object> upper(counts[at]) << 64) | lower(counts[at])
            for box in range(self.boxes)
            for digit in range(self.digits) for row in range(self.rows) for column in range(self.columns)
            for at in (((box * DIGITS + digit) * PARTS + row) * PARTS + column,)
        ]

    cdef bint same_bunch(self, int one, int other) noexcept nogil:
        return self.first_unit[one] == self.first_unit[other] and self.times[one] == self.times[other]

    cdef bint allocate_totals(self, Totals *totals) noexcept nogil:
        """Allocate the arrays of `totals`; return False if memory is short. The caller frees them."""
        cdef size_t groups = self.sum.groups, columns = self.sum.bands[0].down.count, one = sizeof(uint64_t)
        cdef size_t lanes = self.of_lanes.count, pairs = self.of_pairs.count
        cdef int box
        memset(totals, 0, sizeof(Totals))
        totals.sums = <uint64_t *> allocate_cells(pairs * SLOTS * one // sizeof(cell))
        totals.by_column = <uint64_t *> calloc(columns * SLOTS, one)
        totals.without = <uint64_t *> calloc(columns * groups, one)
        totals.of_lanes = <uint64_t *> calloc(columns * lanes, one)
        totals.of_pairs = <uint64_t *> calloc(groups * pairs, one)
        totals.row_without = <uint64_t *> calloc(PARTITIONS * groups, one)
        totals.row_lanes = <uint64_t *> calloc(PARTITIONS * lanes, one)
        totals.row_pairs = <uint64_t *> calloc(PARTITIONS * pairs, one)
        totals.solutions[0] = <wide *> calloc(self.in_rows[0].count + 1, sizeof(wide))
        for box in range(1, BOXES):
            totals.solutions[box] = <wide *> calloc(self.pair_count[box] + 1, sizeof(wide))
        return (
            totals.sums and totals.by_column and totals.without and totals.of_lanes and totals.of_pairs
            and totals.row_without and totals.row_lanes and totals.row_pairs
            and totals.solutions[0] and totals.solutions[1] and totals.solutions[2]
        )

    cdef bint add_bunch(self, Scratch *scratch, Totals *totals, int first, int after, wide *counts) noexcept nogil:
        """Add the solutions of a bunch to `counts` and `totals`; return False if memory is short."""
        cdef size_t groups = self.sum.groups, columns = self.sum.bands[0].down.count
        cdef size_t lanes = self.of_lanes.count, pairs = self.of_pairs.count
        cdef size_t group, column
        cdef int batch, run
        cdef double products = 0
        memset(totals.of_lanes, 0, columns * lanes * sizeof(uint64_t))
        memset(totals.of_pairs, 0, groups * pairs * sizeof(uint64_t))
        memset(totals.without, 0, columns * groups * sizeof(uint64_t))
        memset(totals.made, 0, sizeof(totals.made))
        if not self.sum.select_tables(scratch, &self.sum.first[self.first[first]], &products):
            return False
        for batch in range(self.batches):
            if self.fill_factors(scratch, batch):
                if not self.sum_batch(scratch, totals, batch, first, after):
                    return False
                self.add_batch(totals, batch)
        for run in range(self.of_pairs.count):
            column = self.runs[run].column
            for group in range(groups):
                totals.without[column * groups + group] += (
                    totals.of_pairs[group * pairs + run] * self.of_pairs.unit[run].weight
                )
        self.count_rows(totals, first, counts)
        return True

    cdef bint fill_factors(self, Scratch *scratch, int batch) noexcept nogil:
        """Fill the factors of a batch, which tell what can be skipped; return False if all can."""
        cdef Batch *room = scratch.batch
        cdef int slot, unit, group
        cdef bint used = False
        for slot in range(SLOTS):
            unit = self.slot_unit[batch * SLOTS + slot]
            room.rows_0[slot] = room.zeros
            if unit >= 0:
                group = self.of_lanes.unit[unit].part
                room.rows_0[slot] = scratch.tables[0].entries + group * self.sum.bands[0].stride
                used = used or scratch.tables[0].rows[group]
        if used:
            self.sum.loops.interleave(room.factors, SLOTS, room.rows_0, room.ones, self.sum.bands[0].stride)
        return used

    cdef bint sum_batch(self, Scratch *scratch, Totals *totals, int batch, int first, int after) noexcept nogil:
        """Sum a batch over the y0 of a bunch, by run and slot; return False if memory is short."""
        cdef Batch *room = scratch.batch
        cdef Table **table = scratch.tables
        cdef const Value *value
        cdef int number, at, lane
        cdef double products = 0
        memset(totals.sums, 0, self.of_pairs.count * SLOTS * sizeof(uint64_t))
        for number in range(first, after):
            if not self.sum.select_tables(scratch, &self.sum.first[self.first[number]], &products):
                return False
            for at in range(BATCH):
                lane = self.lane[batch * BATCH + at]
                room.rows_a[at] = room.rows_b[at] = room.zeros
                if lane >= 0:
                    value = &self.sum.lanes[lane]
                    room.rows_a[at] = table[1].entries + value.part[1] * self.sum.bands[1].stride
                    room.rows_b[at] = table[2].entries + value.part[2] * self.sum.bands[2].stride
                    if (
                        table[1].large_start[value.part[1]] < table[1].large_start[value.part[1] + 1]
                        or table[2].large_start[value.part[2]] < table[2].large_start[value.part[2] + 1]
                    ):
                        self.add_missing(scratch, totals.sums + at // SLOT, room.rows_a[at], room.rows_b[at], value)
            self.sum.loops.pack(room.a, room.rows_a, self.sum.bands[1].stride)
            self.sum.loops.pack(room.b, room.rows_b, self.sum.bands[2].stride)
            self.sum.loops.by_run(
                room.a, room.b, self.pairs, self.runs, self.of_pairs.count, room.factors, totals.sums
            )
        return True

    cdef void add_missing(
        self, Scratch *scratch, uint64_t *sums, const cell *a, const cell *b, const Value *lane
    ) noexcept nogil:
        """Add what the sums of a lane lack if entries above MAX_BYTE are taken for MAX_BYTE."""
        cdef const Table *table = scratch.tables[1]
        cdef uint32_t i, at
        cdef int column, pair
        for i in range(table.large_start[lane.part[1]], table.large_start[lane.part[1] + 1]):
            column = table.large[i]
            for at in range(self.starts[0][column], self.starts[0][column + 1]):
                pair = self.sorted[0][at]
                sums[self.pair_run[pair] * SLOTS] += (
                    <uint64_t> (a[column] - MAX_BYTE) * <uint64_t> min(b[self.pairs[pair].b // BATCH], MAX_BYTE)
                )
        table = scratch.tables[2]
        for i in range(table.large_start[lane.part[2]], table.large_start[lane.part[2] + 1]):
            column = table.large[i]
            for at in range(self.starts[1][column], self.starts[1][column + 1]):
                pair = self.sorted[1][at]
                sums[self.pair_run[pair] * SLOTS] += (
                    <uint64_t> (b[column] - MAX_BYTE) * <uint64_t> a[self.pairs[pair].a // BATCH]
                )

    cdef void add_batch(self, Totals *totals, int batch) noexcept nogil:
        """Add the sums of a batch to H, without the units of y1 and without those of y2."""
        cdef const int32_t *units = self.slot_unit + batch * SLOTS
        cdef size_t columns = self.sum.bands[0].down.count, lanes = self.of_lanes.count, pairs = self.of_pairs.count
        cdef size_t column
        cdef int slot, group = -1, parts = 0
        cdef uint64_t weights[SLOTS][SLOTS]
        cdef uint64_t *by_part[SLOTS]
        memset(weights, 0, sizeof(weights))
        memset(totals.by_column, 0, columns * SLOTS * sizeof(uint64_t))
        for slot in range(SLOTS):
            if units[slot] >= 0:
                if parts == 0 or group != self.of_lanes.unit[units[slot]].part:
                    group = self.of_lanes.unit[units[slot]].part
                    by_part[parts] = totals.of_pairs + group * pairs
                    parts += 1
                weights[parts - 1][slot] = self.of_lanes.unit[units[slot]].weight
        self.sum.loops.fold(
            totals.sums, self.runs, self.of_pairs.count, totals.by_column, weights, parts, by_part
        )
        for column in range(columns):
            for slot in range(SLOTS):
                if units[slot] >= 0:
                    totals.of_lanes[column * lanes + units[slot]] += totals.by_column[column * SLOTS + slot]

    cdef void count_rows(self, Totals *totals, int first, wide *counts) noexcept nogil:
        """Add the solutions of a bunch for every value of the band to those of its units."""
        cdef const Band *band = &self.sum.bands[0]
        cdef const Unit *unit = &self.of_first.unit[self.first_unit[first]]
        cdef const Value *value
        cdef const uint64_t *one
        cdef uint64_t solutions, times = <uint64_t> unit.weight * self.times[first]
        cdef int row, i, box
        cdef uint32_t number, at
        cdef wide *total
        memset(totals.solutions[0], 0, self.in_rows[0].count * sizeof(wide))
        for row in range(PARTITIONS):
            if not band.meet[0][row * PARTITIONS + unit.partition]:
                continue
            for number in range(band.start[row], band.start[row + 1]):
                value = &band.values[number]
                self.make_columns(totals, value.part[2])
                one = totals.row_without + value.part[2] * self.sum.groups
                solutions = 0
                for i in range(self.groups_of[value.part[1]].count):
                    solutions += one[self.groups_of[value.part[1]].number[i]]
                CHECK(solutions < <uint64_t> 1 << 58)
                if not solutions:
                    continue
                accumulate(&totals.solutions[0][self.row_unit[0][number]], solutions, self.times[first])
                one = totals.row_lanes + value.part[2] * self.of_lanes.count
                total = totals.solutions[1] + self.base[1][self.row_unit[1][number]]
                for at in range(self.near_start[1][value.part[1]], self.near_start[1][value.part[1] + 1]):
                    accumulate(total, one[self.near[1][at]], times)
                    total += 1
                if self.boxes == BOXES:
                    self.make_groups(totals, value.part[1])
                    one = totals.row_pairs + value.part[1] * self.of_pairs.count
                    total = totals.solutions[2] + self.base[2][self.row_unit[2][number]]
                    for at in range(self.near_start[2][value.part[2]], self.near_start[2][value.part[2] + 1]):
                        accumulate(total, one[self.near[2][at]], times)
                        total += 1
        for i in range(self.in_rows[0].count):
            self.count_cells(counts, totals.solutions[0][i], &self.in_rows[0].unit[i], unit)

    cdef void make_columns(self, Totals *totals, int row) noexcept nogil:
        """Sum H over the columns compatible with a partition of the band, unless that is done."""
        cdef size_t groups = self.sum.groups, lanes = self.of_lanes.count
        cdef int i, column
        if totals.made[0][row]:
            return
        totals.made[0][row] = 1
        memset(totals.row_without + row * groups, 0, groups * sizeof(uint64_t))
        memset(totals.row_lanes + row * lanes, 0, lanes * sizeof(uint64_t))
        for i in range(self.columns_of[row].count):
            column = self.columns_of[row].number[i]
            self.sum.loops.add_long_row(totals.row_without + row * groups, totals.without + column * groups, 1, groups)
            self.sum.loops.add_long_row(totals.row_lanes + row * lanes, totals.of_lanes + column * lanes, 1, lanes)

    cdef void make_groups(self, Totals *totals, int row) noexcept nogil:
        """Sum H over the groups compatible with a partition of the band, unless that is done."""
        cdef size_t pairs = self.of_pairs.count
        cdef int i
        if totals.made[1][row]:
            return
        totals.made[1][row] = 1
        memset(totals.row_pairs + row * pairs, 0, pairs * sizeof(uint64_t))
        for i in range(self.groups_of[row].count):
            self.sum.loops.add_long_row(
                totals.row_pairs + row * pairs, totals.of_pairs + self.groups_of[row].number[i] * pairs, 1, pairs
            )

    cdef void count_pairs(self, Totals *totals, int box, const Units *units, wide *counts) noexcept nogil:
        """Add the solutions of all pairs of units in a box to `counts`."""
        cdef int row
        cdef uint32_t at
        cdef const wide *total
        cdef const Unit *unit
        for row in range(self.in_rows[box].count):
            unit = &self.in_rows[box].unit[row]
            total = totals.solutions[box] + self.base[box][row]
            for at in range(self.near_start[box][unit.part], self.near_start[box][unit.part + 1]):
                self.count_cells(counts + box * DIGITS * PARTS * PARTS, total[0], unit, &units.unit[self.near[box][at]])
                total += 1

    cdef void count_cells(self, wide *counts, wide solutions, const Unit *across, const Unit *down) noexcept nogil:
        """Add solutions to the counts of a box: those with a unit of the band and one of the stack."""
        cdef int part, other, digit, row, column
        cdef uint64_t ways
        if not solutions:
            return
        for part in range(self.rows):
            for other in range(self.columns):
                digit = lowest64(
                    self.row_sets[across.partition * PARTS + part] & self.column_sets[down.partition * PARTS + other]
                )
                for row in range(self.rows):
                    for column in range(self.columns):
                        ways = across.at[part * PARTS + row] * down.at[other * PARTS + column]
                        if ways:
                            add_wide(&counts[(digit * PARTS + row) * PARTS + column], solutions, ways * self.divisor)


cdef void free_totals(Totals *totals) noexcept:
    cdef int box
    free(totals.sums)
    free(totals.by_column)
    free(totals.without)
    free(totals.of_lanes)
    free(totals.of_pairs)
    free(totals.row_without)
    free(totals.row_lanes)
    free(totals.row_pairs)
    for box in range(BOXES):
        free(totals.solutions[box])
