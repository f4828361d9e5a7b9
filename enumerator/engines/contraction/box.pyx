"""The number of solutions that have each digit in each cell of a band.

**Statement.** Let the band be band 0. It contributes a factor F_0[c1][c2] to a term of the sum, which
depends on the partitions c0, c1, c2 that y0, y1 and y2 give to it. The rest of the terms, summed over
all y0, y1, y2 with these partitions, is a *multiplier*,

    H[c0][c1][c2]  =  Σ  F_1[…] · F_2[…]  times the arrangements of y0, y1, y2

F_0 is itself a sum, over the values (r0, r1, r2) of the band that are compatible with c0, c1, c2. So
the number of solutions with this value is the sum of H over all compatible c0, c1, c2.

A box is a pair of compatible partitions, r0 and c0, say. The digit that part m of r0 and part k of c0
have in common is in row i and column j if the arrangement of the band puts part m into row i, and that
of the stack puts part k into column j. Arrangements of different lines are independent.

**Units.** Columns of a stack without a clue may be swapped. So the orders of parts in a box fall into *kinds*,
all orders of which occur equally often: one kind if no column has a clue, three if one has, or six. Values that
give a partition to a box, with arrangements of a kind, are a *unit*. It is enough to know the number of solutions
for each pair of a unit of the band and one of the stack. All three boxes of the band come from the same
sums: H is kept apart by units of y1 and y2, and by the kinds of y0.

**Order.** Values of y0 with the same partition c0, the same kinds and the same symmetries are a *bunch*. For
each bunch, batches of lanes are summed as in sum.pyx, but slots have lanes of one unit of y1 only, runs have
pairs of one unit of y2, and nothing is multiplied by F_0. Then H is added up in three ways, so that one of the
units is left in each. What is left of y1 and of y2 is collected for all bunches of a c0.

**Symmetry.** One y0 of each orbit is worked out, and one group of each orbit of those that leave y0
unchanged. If y1 and y2 may be swapped, one order of their partitions is enough, as in sum.pyx. The counts are
then those of some solutions, each as often as its orbit is large. Their averages over orbits of cells and
digits are the counts (see box_counts.py).

**Bounds**, beyond those in sum.pyx. Of the six orders of the columns of an arrangement, clues in two columns
allow one at most, and clues in one column two, which the line's kinds count once. So each line has at most
94,080 / 6 = 15,680 arrangements by kinds, and 336 / 6 = 56 for one partition. Likewise entries of tables, divided
by the band's divisor, are at most 1,728 / 6 = 288.

    H for one y0                    56^2 · 288^2 < 2^28
    summed over compatible c1, c2   280 · 36 · 2 times as much: below 2^43, with groups and twins counted again
    summed over all y0              15,680 times as much: below 2^57
    of a partition of the band      56 times as much: below 2^63
    counts                          the number of all filled boards, below 2^73, in 128 bits
"""

cimport cython
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from enumerator.engines.contraction.band_units cimport BandUnits, First
from enumerator.engines.contraction.bands cimport Band
from enumerator.engines.contraction.limits cimport BOXES, NO_PARTITION, PARTITIONS, PARTS, QUADS
from enumerator.engines.contraction.loops cimport (
    BATCH, CHECK, MAX_BYTE, SLOT, SLOTS, STRIDE, Pair, Run, add_wide, cell, lower, lowest64, upper, wide,
)
from enumerator.engines.contraction.scratch cimport (
    Batch, Scratch, Table, allocate_cells, allocate_scratch, free_scratch,
)
from enumerator.engines.contraction.units cimport KINDS, NEIGHBOURS, Neighbours, Unit, Units
from enumerator.engines.contraction.values cimport Index, Value

from enumerator.engines.contraction.band_units import BandUnits

cdef enum:
    DIGITS = 9
    BUNCH = 16  # y0 that are summed together

cdef struct Ready:
    # a y0 of the current bunch
    Table *tables[BOXES]
    Pair *pairs           # the y2 that fit it
    Run *runs
    int run_count

cdef struct Totals:
    # the current bunch, H, and what is made of it
    Ready ready[BUNCH]
    int ready_count
    uint32_t times[PARTITIONS]  # by group: the number of groups that it represents
    uint16_t leader[PARTITIONS]  # by group: the first of its orbit
    int *lane              # y1 by slot: SLOT each, or -1
    uint16_t *slot_unit    # the unit of each slot
    int slots
    uint64_t *sums         # by unit of y2 and slot, of one batch
    cell *twice            # by column and slot: 2 or 0 if another pair is counted by or for this one, if not 1
    uint64_t *by_column    # the sums over the units of y2: by column and slot
    uint64_t *without      # H of a bunch by column and group
    uint64_t *of_lanes     # H of a c0 by column and unit of y1
    uint64_t *of_pairs     # H of a c0 by group and unit of y2
    uint64_t *row_without  # by partition of the band: summed over the columns that are compatible; then by quad
    uint64_t *row_lanes    # the same
    uint64_t *row_pairs    # the same for groups
    uint8_t made[BOXES][PARTITIONS + QUADS]
    uint64_t *solutions[BOXES]  # by partition and kind of the band, and unit of the stack
    wide counts[BOXES][DIGITS][KINDS][PARTS][KINDS][PARTS]  # by digit, and by kind and part of the band and stack


@cython.auto_pickle(False)
cdef class Boxes(BandUnits):
    """The boxes of one band of a sum."""

    def run(self, int first, int last):
        """Return the counts for the y0 `first` to `last` - 1: box by box, digit by digit, row by row."""
        if not 0 <= first <= last <= self.values:
            raise ValueError(f"no values {first} to {last}: there are {self.values}")
        cdef wide counts[BOXES * DIGITS * PARTS * PARTS]
        cdef Scratch scratch
        cdef bint enough = allocate_scratch(&scratch, 0)
        cdef Totals *totals = self.allocate_totals()
        cdef int after, box
        memset(counts, 0, sizeof(counts))
        enough = enough and totals
        try:
            with nogil:
                while first < last and enough:
                    after = first + 1
                    while after < last and after < first + BUNCH and self.first[after].bunch == self.first[first].bunch:
                        after += 1
                    enough = self.add_bunch(&scratch, totals, first, after)
                    if after == last or self.part_of(first) != self.part_of(after):
                        self.count_part(totals, self.part_of(first))
                    first = after
                if enough:
                    for box in range(self.boxes):
                        self.count_pairs(totals, box)
                        self.count_cells(totals, box, counts + box * DIGITS * PARTS * PARTS)
        finally:
            free_scratch(&scratch)
            free_totals(totals)
        if not enough:
            raise MemoryError
        return [
            (<object> upper(counts[at]) << 64) | lower(counts[at])
            for box in range(self.boxes)
            for digit in range(self.digits) for row in range(self.rows) for column in range(self.columns_of_box)
            for at in (((box * DIGITS + digit) * PARTS + row) * PARTS + column,)
        ]

    cdef int part_of(self, int first) noexcept nogil:
        return self.sum.first[self.first[first].number].part[self.own]

    cdef Totals *allocate_totals(self) noexcept nogil:
        """Allocate the working memory of a run; return NULL if memory is short."""
        cdef size_t columns = self.column_count, one = sizeof(uint64_t)
        cdef size_t lanes = self.of_lanes.count, pairs = self.of_pairs.count
        cdef size_t members = self.of_pairs.start[pairs], slots = self.of_lanes.start[lanes] // SLOT + lanes + SLOTS
        cdef int box, number
        cdef Totals *totals = <Totals *> calloc(1, sizeof(Totals))
        cdef bint enough = True
        if totals == NULL:
            return NULL
        for number in range(min(BUNCH, self.values)):
            totals.ready[number].pairs = <Pair *> calloc(members + 1, sizeof(Pair))
            totals.ready[number].runs = <Run *> calloc(pairs + 1, sizeof(Run))
            enough = enough and totals.ready[number].pairs and totals.ready[number].runs
        totals.lane = <int *> calloc(slots * SLOT, sizeof(int))
        totals.slot_unit = <uint16_t *> calloc(slots, sizeof(uint16_t))
        totals.sums = <uint64_t *> allocate_cells(pairs * SLOTS * one // sizeof(cell))
        totals.twice = <cell *> calloc(STRIDE * SLOTS, sizeof(cell))
        totals.by_column = <uint64_t *> calloc(columns * SLOTS, one)
        totals.without = <uint64_t *> calloc(columns * self.groups, one)
        totals.of_lanes = <uint64_t *> calloc(columns * lanes, one)
        totals.of_pairs = <uint64_t *> calloc(self.groups * pairs, one)
        totals.row_without = <uint64_t *> calloc((PARTITIONS + QUADS) * self.groups, one)
        totals.row_lanes = <uint64_t *> calloc((PARTITIONS + QUADS) * lanes, one)
        totals.row_pairs = <uint64_t *> calloc((PARTITIONS + QUADS) * pairs, one)
        for box in range(1, BOXES):
            totals.solutions[box] = <uint64_t *> calloc(self.pair_count[box] + 1, one)
        if (
            enough and totals.lane and totals.slot_unit and totals.sums and totals.twice and totals.by_column
            and totals.without and totals.of_lanes and totals.of_pairs
            and totals.row_without and totals.row_lanes and totals.row_pairs
            and totals.solutions[1] and totals.solutions[2]
        ):
            return totals
        free_totals(totals)
        return NULL

    cdef bint add_bunch(self, Scratch *scratch, Totals *totals, int first, int after) noexcept nogil:
        """Add H of a bunch to `totals`; return False if memory is short."""
        cdef int number, batch
        cdef uint32_t copies = 0
        cdef double products = 0
        totals.ready_count = after - first
        for number in range(first, after):
            if not self.sum.select_tables(scratch, &self.sum.first[self.first[number].number], &products):
                return False
            self.make_ready(scratch, &totals.ready[number - first])
        self.merge_groups(totals, first)
        self.list_slots(totals)
        for number in range(KINDS):
            copies += self.first[first].copies[number]
        memset(totals.without, 0, self.column_count * self.groups * sizeof(uint64_t))
        for batch in range((totals.slots + SLOTS - 1) // SLOTS):
            self.sum_batch(scratch, totals, batch * SLOTS, first)
            self.add_batch(totals, batch * SLOTS, copies)
        if self.wanted[0]:
            self.count_first(totals, &self.first[first])
        return True

    cdef void make_ready(self, Scratch *scratch, Ready *ready) noexcept nogil:
        """List the y2 that fit the y0 whose tables `scratch` has."""
        cdef int unit, box, count = 0
        cdef uint32_t number, begin
        cdef const uint8_t *one
        cdef const uint8_t *two
        for box in range(BOXES):
            ready.tables[box] = scratch.tables[box]
        one, two = ready.tables[self.one].columns, ready.tables[self.two].columns
        ready.run_count = 0
        for unit in range(self.of_pairs.count):
            if not ready.tables[self.own].columns[self.columns[unit]]:
                continue
            begin = count
            for number in range(self.of_pairs.start[unit], self.of_pairs.start[unit + 1]):
                ready.pairs[count] = self.pairs[number]
                count += one[self.pairs[number].a // BATCH] & two[self.pairs[number].b // BATCH]
            if <uint32_t> count > begin:
                ready.runs[ready.run_count].first, ready.runs[ready.run_count].last = begin, count
                ready.runs[ready.run_count].column, ready.runs[ready.run_count].unit = self.columns[unit], unit
                ready.run_count += 1

    cdef void merge_groups(self, Totals *totals, int first) noexcept nogil:
        """Find the orbits of groups under the swaps that leave the y0 of a bunch unchanged."""
        cdef const Index *index = &self.sum.bands[self.own].across
        cdef const uint8_t *rows = totals.ready[0].tables[self.own].rows
        cdef const uint16_t *image
        cdef int swap, group, one, other
        for group in range(index.count):
            totals.leader[group], totals.times[group] = group, 0
        for swap in range(self.sum.swap_count):
            if self.first[first].swaps >> swap & 1:
                image = self.sum.swaps + swap * PARTITIONS
                for group in range(index.count):
                    one, other = group, index.place[image[index.partition[group]]]
                    while totals.leader[one] != one:
                        one = totals.leader[one]
                    while totals.leader[other] != other:
                        other = totals.leader[other]
                    totals.leader[max(one, other)] = min(one, other)
        for group in range(index.count):
            totals.leader[group] = totals.leader[totals.leader[group]]  # those before it are done
            totals.times[totals.leader[group]] += rows[group]

    cdef void list_slots(self, Totals *totals) noexcept nogil:
        """Put the lanes of the groups that represent others into slots, if they fit a y0 of the bunch."""
        cdef int unit, at, number, slots = 0, lanes
        cdef uint32_t place
        cdef const Value *lane
        cdef const Ready *ready
        for unit in range(self.of_lanes.count):
            if not totals.times[self.of_lanes.unit[unit].part]:
                continue
            lanes = 0
            for place in range(self.of_lanes.start[unit], self.of_lanes.start[unit + 1]):
                lane = &self.sum.lanes[self.of_lanes.member[place]]
                for number in range(totals.ready_count):
                    ready = &totals.ready[number]
                    if (
                        ready.tables[self.one].rows[lane.part[self.one]]
                        & ready.tables[self.two].rows[lane.part[self.two]]
                    ):
                        totals.lane[slots * SLOT + lanes] = self.of_lanes.member[place]
                        lanes += 1
                        break
            while lanes % SLOT:
                totals.lane[slots * SLOT + lanes] = -1
                lanes += 1
            for at in range(lanes // SLOT):
                totals.slot_unit[slots + at] = unit
            slots += lanes // SLOT
        totals.slots = slots

    cdef void sum_batch(self, Scratch *scratch, Totals *totals, int batch, int first) noexcept nogil:
        """Sum a batch, which begins with slot `batch`, over the y0 of a bunch, by unit of y2 and slot."""
        cdef Batch *room = scratch.batch
        cdef int slots = min(SLOTS, totals.slots - batch)
        cdef const Band *one = &self.sum.bands[self.one]
        cdef const Band *two = &self.sum.bands[self.two]
        cdef const Ready *ready
        cdef const Value *value
        cdef const Table *table_a
        cdef const Table *table_b
        cdef int number, at, lane
        cdef uint32_t times
        self.fill_factors(room, totals, batch, slots)
        memset(totals.sums, 0, self.of_pairs.count * SLOTS * sizeof(uint64_t))
        for number in range(totals.ready_count):
            ready, times = &totals.ready[number], self.first[first + number].times
            table_a, table_b = ready.tables[self.one], ready.tables[self.two]
            for at in range(BATCH):
                lane = totals.lane[batch * SLOT + at] if at < slots * SLOT else -1
                room.rows_a[at] = room.rows_b[at] = room.zeros
                if lane >= 0:
                    value = &self.sum.lanes[lane]
                    room.rows_a[at] = table_a.entries + value.part[self.one] * one.stride
                    room.rows_b[at] = table_b.entries + value.part[self.two] * two.stride
                    if (
                        table_a.large_start[value.part[self.one]] < table_a.large_start[value.part[self.one] + 1]
                        or table_b.large_start[value.part[self.two]] < table_b.large_start[value.part[self.two] + 1]
                    ):
                        self.add_missing(
                            ready, totals.sums + at // SLOT, room.rows_a[at], room.rows_b[at], value, times
                        )
            self.sum.loops.pack(room.a, room.rows_a, one.stride)
            self.sum.loops.pack(room.b, room.rows_b, two.stride)
            self.sum.loops.by_run(
                room.a, room.b, ready.pairs, ready.runs, ready.run_count, room.factors, times, totals.sums
            )

    cdef void fill_factors(self, Batch *room, Totals *totals, int batch, int slots) noexcept nogil:
        """Fill the factors of a batch, which tell what can be skipped, and `twice`."""
        cdef const Band *band = &self.sum.bands[self.own]
        cdef int slot, group
        cdef size_t column
        for slot in range(SLOTS):
            room.rows_0[slot] = room.zeros
            if slot < slots:
                group = self.of_lanes.unit[totals.slot_unit[batch + slot]].part
                room.rows_0[slot] = totals.ready[0].tables[self.own].entries + group * band.stride
        self.sum.loops.interleave(room.factors, SLOTS, room.rows_0, room.ones, band.stride)
        if self.sum.twins:
            for slot in range(slots):
                group = self.of_lanes.unit[totals.slot_unit[batch + slot]].part
                for column in range(self.column_count):
                    totals.twice[column * SLOTS + slot] = (
                        (totals.leader[column] >= group) + (totals.leader[column] > group)
                    )
                    room.factors[column * SLOTS + slot] *= totals.twice[column * SLOTS + slot]

    cdef void add_missing(
        self, const Ready *ready, uint64_t *sums, const cell *a, const cell *b, const Value *lane, uint64_t times
    ) noexcept nogil:
        """Add what the sums of a lane lack if entries above MAX_BYTE are taken for MAX_BYTE."""
        cdef const Table *table = ready.tables[self.one]
        cdef uint32_t i, at
        cdef int column, pair
        for i in range(table.large_start[lane.part[self.one]], table.large_start[lane.part[self.one] + 1]):
            column = table.large[i]
            for at in range(self.starts[0][column], self.starts[0][column + 1]):
                pair = self.sorted[0][at]
                sums[self.pair_unit[pair] * SLOTS] += (
                    <uint64_t> (a[column] - MAX_BYTE) * <uint64_t> min(b[self.pairs[pair].b // BATCH], MAX_BYTE) * times
                )
        table = ready.tables[self.two]
        for i in range(table.large_start[lane.part[self.two]], table.large_start[lane.part[self.two] + 1]):
            column = table.large[i]
            for at in range(self.starts[1][column], self.starts[1][column + 1]):
                pair = self.sorted[1][at]
                sums[self.pair_unit[pair] * SLOTS] += (
                    <uint64_t> (b[column] - MAX_BYTE) * <uint64_t> a[self.pairs[pair].a // BATCH] * times
                )

    cdef void add_batch(self, Totals *totals, int batch, uint64_t copies) noexcept nogil:
        """Add the sums of a batch to H, without the units of y1 and without those of y2."""
        cdef size_t lanes = self.of_lanes.count, pairs = self.of_pairs.count, column
        cdef int slot, group, at, count = 0, parts = 0, slots = min(SLOTS, totals.slots - batch)
        cdef int unit[SLOTS]
        cdef int group_of[SLOTS]
        cdef int last[SLOTS]
        cdef uint64_t total
        cdef uint64_t *of_lanes
        cdef uint64_t *without
        cdef const uint64_t *one
        cdef const uint16_t *units = totals.slot_unit + batch
        cdef uint64_t times[SLOTS]
        cdef uint8_t ends[SLOTS]
        cdef uint64_t *by_part[SLOTS]
        cdef bint several = False
        memset(times, 0, sizeof(times))
        memset(totals.by_column, 0, self.column_count * SLOTS * sizeof(uint64_t))
        for slot in range(slots):
            group = self.of_lanes.unit[units[slot]].part
            times[slot] = totals.times[group]
            several = several or times[slot] > 1
            if slot == 0 or group != self.of_lanes.unit[units[slot - 1]].part:
                by_part[parts] = totals.of_pairs + group * pairs
                parts += 1
            ends[parts - 1] = slot + 1
            if slot == 0 or units[slot] != units[slot - 1]:
                unit[count], group_of[count] = units[slot], group
                count += 1
            last[count - 1] = slot + 1
        self.sum.loops.fold(
            totals.sums, self.columns, pairs, times if several else NULL, totals.twice if self.sum.twins else NULL,
            totals.by_column, ends, parts if self.wanted[2] else 0, by_part, copies
        )
        for column in range(self.column_count):
            one, slot = totals.by_column + column * SLOTS, 0
            of_lanes, without = totals.of_lanes + column * lanes, totals.without + column * self.groups
            for at in range(count):
                total = one[slot]
                slot += 1
                while slot < last[at]:
                    total += one[slot]
                    slot += 1
                of_lanes[unit[at]] += total * copies
                without[group_of[at]] += total

    cdef void count_first(self, Totals *totals, const First *first) noexcept nogil:
        """Add the solutions of a bunch to the counts of the box that the band shares with y0."""
        cdef const Band *band = &self.sum.bands[self.own]
        cdef const Value *value
        cdef const uint64_t *one
        cdef const Neighbours *near
        cdef uint64_t solutions, found[KINDS]
        cdef int r0, i, kind, other, part, place, at, digit, c0 = self.sum.first[first.number].part[self.own]
        cdef uint32_t number
        memset(totals.made[0], 0, sizeof(totals.made[0]))
        for i in range(NEIGHBOURS):
            r0 = band.near_first[c0 * NEIGHBOURS + i]
            if r0 == NO_PARTITION:
                break
            memset(found, 0, sizeof(found))
            for number in range(band.start[r0], band.start[r0 + 1]):
                value, near = &band.values[number], &self.groups_of[band.values[number].part[1]]
                one = self.row_of(
                    totals.row_without, totals.without, totals.made[0], True, value.part[2], self.groups
                )
                solutions = 0
                for at in range(near.count):
                    solutions += one[near.number[at]]
                CHECK(solutions < <uint64_t> 1 << 57)
                for kind in range(self.across[0].count):
                    found[kind] += solutions * self.copies[0][number * KINDS + kind]
            for part in range(self.rows):
                for place in range(self.columns_of_box):
                    digit = lowest64(self.row_sets[r0 * PARTS + part] & self.column_sets[c0 * PARTS + place])
                    for kind in range(self.across[0].count):
                        for other in range(self.down[0].count):
                            if first.copies[other]:
                                totals.counts[0][digit][kind][part][other][place] += (
                                    found[kind] * first.copies[other]
                                )

    cdef const uint64_t *row_of(
        self, uint64_t *made_rows, const uint64_t *rows, uint8_t *made, bint of_columns, int row, size_t length
    ) noexcept nogil:
        """Return the sum of the rows that are compatible with a partition of the band, made on first use."""
        cdef const Neighbours *near = &self.columns_of[0] if of_columns else &self.groups_of[0]
        cdef uint16_t quads[PARTS * PARTS]
        cdef int i, quad, count = 0
        if made[row]:
            return made_rows + row * length
        made[row] = 1
        if not self.by_quads[1 + of_columns]:
            self.sum.loops.add_rows(made_rows + row * length, rows, near[row].number, near[row].count, length)
            return made_rows + row * length
        for i in range(PARTS * PARTS):
            quad = PARTITIONS + self.quads_of[row][i]
            if near[quad].count:
                quads[count] = quad
                count += 1
                if not made[quad]:
                    made[quad] = 1
                    self.sum.loops.add_rows(
                        made_rows + quad * length, rows, near[quad].number, near[quad].count, length
                    )
        self.sum.loops.add_rows(made_rows + row * length, made_rows, quads, count, length)
        return made_rows + row * length

    cdef void count_part(self, Totals *totals, int c0) noexcept nogil:
        """Add H of a c0 to the solutions of pairs of units in the boxes of y1 and y2, and clear it."""
        cdef const Band *band = &self.sum.bands[self.own]
        cdef const Value *value
        cdef int r0, i
        cdef uint32_t number
        cdef size_t lanes = self.of_lanes.count, pairs = self.of_pairs.count
        memset(totals.made[1], 0, 2 * sizeof(totals.made[1]))
        for i in range(NEIGHBOURS):
            r0 = band.near_first[c0 * NEIGHBOURS + i]
            if r0 == NO_PARTITION:
                break
            for number in range(band.start[r0], band.start[r0 + 1]):
                value = &band.values[number]
                if self.wanted[1]:
                    self.add_near(totals, 1, number, value.part[1], self.row_of(
                        totals.row_lanes, totals.of_lanes, totals.made[1], True, value.part[2], lanes
                    ))
                if self.wanted[2]:
                    self.add_near(totals, 2, number, value.part[2], self.row_of(
                        totals.row_pairs, totals.of_pairs, totals.made[2], False, value.part[1], pairs
                    ))
        memset(totals.of_lanes, 0, self.column_count * lanes * sizeof(uint64_t))
        memset(totals.of_pairs, 0, self.groups * pairs * sizeof(uint64_t))

    cdef void add_near(
        self, Totals *totals, int box, uint32_t number, int row, const uint64_t *solutions
    ) noexcept nogil:
        """Add the solutions of a value of the band, by units of a stack, to those of pairs of units."""
        cdef const uint16_t *near = self.near[box] + self.near_start[box][row]
        cdef int kind, copies, count = self.near_start[box][row + 1] - self.near_start[box][row]
        for kind in range(self.across[box].count):
            copies = self.copies[box][number * KINDS + kind]
            if copies:
                self.sum.loops.add_picked(
                    totals.solutions[box] + self.base[box][row] + kind * count, solutions, near, count, copies
                )

    cdef void count_pairs(self, Totals *totals, int box) noexcept nogil:
        """Add the solutions of all pairs of units in the box of y1 or y2 to its counts."""
        cdef const Units *units = &self.of_lanes if box == 1 else &self.of_pairs
        cdef const Unit *unit
        cdef const uint64_t *total
        cdef int row, kind, at, part, place, count
        cdef uint64_t solutions
        if box == 0 or not self.wanted[box]:
            return
        for row in range(PARTITIONS):
            count = self.near_start[box][row + 1] - self.near_start[box][row]
            total = totals.solutions[box] + self.base[box][row]
            for kind in range(self.across[box].count):
                for at in range(count):
                    solutions = total[kind * count + at]
                    if not solutions:
                        continue
                    CHECK(solutions < <uint64_t> 1 << 63)
                    unit = &units.unit[self.near[box][self.near_start[box][row] + at]]
                    for part in range(self.rows):
                        for place in range(self.columns_of_box):
                            totals.counts[box][lowest64(
                                self.row_sets[row * PARTS + part] & self.column_sets[unit.partition * PARTS + place]
                            )][kind][part][unit.kind][place] += solutions

    cdef void count_cells(self, Totals *totals, int box, wide *counts) noexcept nogil:
        """Add the solutions by kinds and parts to the counts of a box."""
        cdef int digit, kind, part, other, place, row, column
        cdef uint64_t ways, factor = self.divisor
        cdef wide solutions
        for other in range(BOXES):
            if other != box:
                factor *= self.down[other].size
        for digit in range(self.digits):
            for kind in range(self.across[box].count):
                for part in range(self.rows):
                    for other in range(self.down[box].count):
                        for place in range(self.columns_of_box):
                            solutions = totals.counts[box][digit][kind][part][other][place]
                            if not solutions:
                                continue
                            for row in range(self.rows):
                                for column in range(self.columns_of_box):
                                    ways = (
                                        self.across[box].at[kind][part * PARTS + row]
                                        * self.down[box].at[other][place * PARTS + column]
                                    )
                                    if ways:
                                        add_wide(
                                            &counts[(digit * PARTS + row) * PARTS + column], solutions, ways * factor
                                        )


cdef void free_totals(Totals *totals) noexcept nogil:
    cdef int number
    if totals == NULL:
        return
    for number in range(BUNCH):
        free(totals.ready[number].pairs)
        free(totals.ready[number].runs)
    for number in range(BOXES):
        free(totals.solutions[number])
    free(totals.lane)
    free(totals.slot_unit)
    free(totals.sums)
    free(totals.twice)
    free(totals.by_column)
    free(totals.without)
    free(totals.of_lanes)
    free(totals.of_pairs)
    free(totals.row_without)
    free(totals.row_lanes)
    free(totals.row_pairs)
    free(totals)
