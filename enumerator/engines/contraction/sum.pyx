"""The sum, compiled.

**Statement.** With the three stacks y0, y1, y2 fixed, the bands are independent of each other:

    N  =  Σ y0  Σ y1  Σ y2   f0(y0[0], y1[0], y2[0]) · f1(y0[1], y1[1], y2[1]) · f2(y0[2], y1[2], y2[2])

    f_b(c0, c1, c2)  =  the weight of all values of band b whose partitions are compatible with c0, c1 and c2

and every term is multiplied by the weights of y0, y1 and y2. For a fixed y0 each f_b is a *table*, a matrix over the
partitions that y1 and y2 can give to their box in band b:

    F_b[c1][c2]  =  Σ over r1 compatible with c1 of  G[r1][c2]
    G[r1][c2]    =  Σ over values (r0, r1, r2) of the band with r0 compatible with y0[b] and r2 with c2, of their weight

The sum over y1 is taken in *groups*: values with the same y1[0] = c. Between them they have at most 55 pairs of
other partitions, the *lanes*. With the rows of F_1 and F_2 that belong to the lanes laid side by side,

    A[c2][k]  =  weight of lane k · F_1[lane k in band 1][c2]          B[c2][k]  =  F_2[lane k in band 2][c2]

every y2 takes one dot product of two short vectors, A[y2[1]] · B[y2[2]], multiplied by F_0[c][y2[0]] and the weight
of y2. An *item* is one y0 and one group: what a run can stop behind, and a task can begin at.

**Symmetry.** If a relabelling of digits changes no line of the network and leaves y0 as it is, it takes groups to groups
with the same sum. One of them is worked out and multiplied. If y1 and y2 may change places, a group c and the y2 with
y2[0] = d have the same sum as d and c: those with d before c are left out, and those with d behind c taken twice.

**Bounds**, for 3×3 boxes; all other shapes are smaller. All numbers are positive, and clues only lower them.

    weight of a value      6 · 2 = 12 (HEAVIEST); of all values of a line 94,080; of all in a group 6 · 56 = 336
    entry of a table       12^3 = 1,728 (LARGEST). It is the weight of some values of a band; without clues there is one
                           table but for relabelling, and a test works it out
    lane of A              HEAVIEST · LARGEST = 20,736 < 2^15
    sum over a group       94,080 · 336 · 2 · LARGEST^3 < 2^59
    sum over all           6.7e21 < 2^73, in 128 bits: it counts some of the fillings of a board without clues
"""

cimport cython
from cpython cimport array
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset
from posix.stdlib cimport posix_memalign

from enumerator.engines.contraction.limits cimport BOXES, PARTITIONS

import array

HAS_AVX2 = bool(has_avx2())
"""Whether this processor has the instructions of the faster loops."""

LARGEST_ENTRY = LARGEST
"""Of all tables of all boards: see above."""

cdef inline int padded(int count) noexcept nogil:
    """So many, up to a multiple of LANES."""
    return (count + LANES - 1) // LANES * LANES


# What it costs, in units of about 0.03 ns: that is a lane of a dot product. As measured on an AMD EPYC, give or take.

cdef inline double thin_units(int count, double pairs) noexcept nogil:
    return 32 * count * pairs

cdef inline double weave_units(int lanes, int rows) noexcept nogil:
    return 2 * lanes * rows

cdef inline double column_units(int lanes, double pairs) noexcept nogil:
    return (lanes + 6) * pairs

cdef inline double row_units(int lanes, double pairs) noexcept nogil:
    return (lanes // 2 + 14) * pairs + 1000


def group_units(int count, double pairs, double wanted, int rows):
    """The cost of a group with so many lanes, and of pairs with so many whose factor is not 0: for plans."""
    cdef int lanes = padded(count)
    return 40 + min(
        thin_units(count, wanted),
        weave_units(lanes, rows) + min(column_units(lanes, wanted), row_units(lanes, pairs)),
    )


@cython.auto_pickle(False)
cdef class Sum:
    """The sum over some y0, each with a number of times that it counts."""

    def __cinit__(self, network, stacks, bands, first, times, swaps=(), twins=False, portable=False):
        """The sum over the stacks of a network in this order, the bands of it in that order, for the first stack over
        the values with these numbers, each so many times; given some digits' exchanges that are symmetries, and
        whether the exchange of the second and the third stack is one."""
        cdef int band, box, number, at
        self.loops = &portable_loops if portable or not has_avx2() else &avx2_loops
        self.copy_compatible(network)
        y0, y1, y2 = (network.stacks[stack] for stack in stacks)
        self.first_count, self.lane_count, self.second_count = len(first), len(y1), len(y2)
        self.first = <Value *> allocated(self.first_count * sizeof(Value))
        self.lanes, self.second = values_of(y1, bands), values_of(y2, bands)
        self.by_row = values_of(y2, (bands[1], bands[0], bands[2]))
        for weight in sorted(set(y2.weights)):
            self.weights[self.weight_count] = weight // y2.divisor
            self.weight_count += 1
        self.times = <uint32_t *> allocated(self.first_count * sizeof(uint32_t))
        divisor = y0.divisor
        for number, at in enumerate(first):
            self.first[number] = value_of(y0, at, bands, divisor)
            self.times[number] = times[number] * self.first[number].weight
        for box in range(BOXES):
            band = bands[box]
            number_partitions(&self.across[box], y1.values, band)
            number_partitions(&self.down[box], y2.values, band)
            self.stride[box] = padded(self.down[box].count)
            self.band[box] = values_of(network.bands[band], stacks)
            starts(self.band_start[box], self.band[box], len(network.bands[band]))
            for number in range(BOXES):
                self.meet[box][number] = self.compatible
                if band >= network.width or stacks[number] >= network.height:
                    self.meet[box][number] = self.missing
            self.columns[box] = aligned(PARTITIONS * self.stride[box])
            if self.columns[box] == NULL:
                raise MemoryError
            memset(self.columns[box], 0, PARTITIONS * self.stride[box] * sizeof(cell))
            for number in range(PARTITIONS):
                for at in range(self.down[box].count):
                    self.columns[box][number * self.stride[box] + at] = self.meet[box][2][
                        number * PARTITIONS + self.down[box].partition[at]
                    ]
            self.slots[box] = <void **> allocated(PARTITIONS * sizeof(void *))
            for number in range(self.lane_count):
                self.lanes[number].part[box] = self.across[box].place[self.lanes[number].part[box]]
            at = (1, 0, 2)[box]  # of the same band
            for number in range(self.second_count):
                self.second[number].part[box] = self.down[box].place[self.second[number].part[box]]
                self.by_row[number].part[at] = self.down[box].place[self.by_row[number].part[at]]
        self.groups = self.across[0].count
        starts(self.group_start, self.lanes, self.lane_count)
        for number in range(self.groups):
            if self.group_start[number + 1] - self.group_start[number] > MOST_LANES:
                raise ValueError("a group has more lanes than there is room for")
        self.items = self.first_count * self.groups
        self.swap_count, self.boxes, self.twins = len(swaps), network.width, twins
        self.swaps = <uint16_t *> allocated(self.swap_count * PARTITIONS * sizeof(uint16_t))
        for number in range(self.swap_count):
            for at in range(len(swaps[number])):
                self.swaps[number * PARTITIONS + at] = swaps[number][at]

    cdef int copy_compatible(self, network) except -1:
        """Which partitions are compatible: in boxes that are there, and in those that are missing."""
        cdef const uint8_t[::1] meet = network.compatible
        cdef int rows = network.row_partitions, columns = meet.shape[0] // network.row_partitions, row, column
        self.compatible = <uint8_t *> allocated(PARTITIONS * PARTITIONS)
        for row in range(rows):
            for column in range(columns):
                self.compatible[row * PARTITIONS + column] = meet[row * columns + column]
        self.missing = <uint8_t *> allocated(PARTITIONS * PARTITIONS)
        self.missing[0] = 1
        return 0

    def __dealloc__(self):
        cdef int box, number
        free(self.first)
        free(self.lanes)
        free(self.second)
        free(self.by_row)
        free(self.times)
        free(self.swaps)
        free(self.compatible)
        free(self.missing)
        for box in range(BOXES):
            free(self.band[box])
            free(self.columns[box])
            if self.slots[box]:
                for number in range(PARTITIONS):
                    discard(<Table *> self.slots[box][number])
            free(self.slots[box])

    def run(self, first=0, last=None, budget=None):
        """Work out items from the first to before the last, or until the budget of units is spent.

        Returns the sum, the item to go on with, and the units spent. Several threads may run at the same time.
        """
        last = self.items if last is None else last
        if not 0 <= first <= last <= self.items:
            raise ValueError(f"no items {first} to {last}: there are {self.items}")
        cdef uint64_t item = first, end = last
        cdef double most = 1e300 if budget is None else budget
        cdef double units = 0
        cdef wide total = 0
        cdef Scratch scratch
        cdef bint enough
        enough = prepare(&scratch, self.second_count)
        try:
            if not enough:
                raise MemoryError
            with nogil:
                enough = self.go(&scratch, &item, end, most, &units, &total)
            if not enough:
                raise MemoryError
            return (<object> upper(total) << 64) | lower(total), item, units
        finally:
            release(&scratch)

    cdef bint go(self, Scratch *scratch, uint64_t *item, uint64_t end, double most, double *units, wide *total) noexcept nogil:
        """Item by item; returns whether there was memory enough."""
        cdef int number = -1, group
        while item[0] < end and units[0] < most:
            if number != <int> (item[0] // self.groups):
                number = <int> (item[0] // self.groups)
                if not self.turn_to(scratch, number, units):
                    return False
            group = item[0] % self.groups
            if scratch.times[group]:
                accumulate(
                    total, self.group_sum(scratch, group, units), scratch.times[group] * <uint64_t> self.times[number]
                )
            item[0] += 1
        return True

    cdef bint turn_to(self, Scratch *scratch, int number, double *units) noexcept nogil:
        """Get ready for a y0: its tables, the y2 that may go with it, and how often each group counts."""
        cdef Value *value = &self.first[number]
        cdef Value *one
        cdef Table **table = scratch.tables
        cdef int box, at, last_column = -1, last_weight = -1
        for box in range(BOXES):
            table[box] = self.table(box, value.part[box], scratch.partial, units)
            if table[box] == NULL:
                return False
        scratch.run_count = scratch.pair_count = 0
        for at in range(self.second_count):
            one = &self.second[at]
            if not (table[0].columns[one.part[0]] and table[1].columns[one.part[1]] and table[2].columns[one.part[2]]):
                continue
            if one.part[0] != last_column or one.weight != last_weight:
                last_column, last_weight = one.part[0], one.weight
                scratch.runs[scratch.run_count].first = scratch.pair_count
                scratch.runs[scratch.run_count].column = one.part[0]
                scratch.runs[scratch.run_count].weight = one.weight
                scratch.run_count += 1
            scratch.pairs[scratch.pair_count].a = one.part[1]
            scratch.pairs[scratch.pair_count].b = one.part[2]
            scratch.pair_count += 1
            scratch.runs[scratch.run_count - 1].last = scratch.pair_count
        units[0] += 40 * self.second_count + 1000
        if self.loops.by_row:
            self.list_by_row(scratch)
            units[0] += 40 * self.second_count
        self.merge_groups(scratch, value)
        return True

    cdef void list_by_row(self, Scratch *scratch) noexcept nogil:
        """The same y2 in the order of the rows of A that they take."""
        cdef Table **table = scratch.tables
        cdef Value *one
        cdef int at, slot, row = -1, count = 0
        scratch.row_run_count = 0
        for at in range(self.second_count):
            one = &self.by_row[at]
            if not (table[1].columns[one.part[0]] and table[0].columns[one.part[1]] and table[2].columns[one.part[2]]):
                continue
            if one.part[0] != row:
                row = one.part[0]
                scratch.row_runs[scratch.row_run_count].first = count
                scratch.row_runs[scratch.row_run_count].column = row
                scratch.row_run_count += 1
            slot = 0
            while self.weights[slot] != one.weight:
                slot += 1
            scratch.row_pairs[count].a = slot * STRIDE + one.part[1]
            scratch.row_pairs[count].b = one.part[2]
            count += 1
            scratch.row_runs[scratch.row_run_count - 1].last = count

    cdef void merge_groups(self, Scratch *scratch, const Value *value) noexcept nogil:
        """How often each group counts: not at all if another is worked out in its place, or if its row is empty."""
        cdef int swap, group, one, other
        cdef uint16_t *leader = scratch.leader
        cdef const uint16_t *image
        for group in range(self.groups):
            leader[group] = group
            scratch.times[group] = 0
        for swap in range(self.swap_count):
            image = self.swaps + swap * PARTITIONS
            if not fixes(image, value, self.boxes):
                continue
            for group in range(self.groups):
                one = led_by(leader, group)
                other = led_by(leader, self.across[0].place[image[self.across[0].partition[group]]])
                if one < other:
                    leader[other] = one
                else:
                    leader[one] = other
        for group in range(self.groups):
            leader[group] = led_by(leader, group)
            if scratch.tables[0].rows[group]:
                scratch.times[leader[group]] += 1

    cdef int gather(self, Scratch *scratch, int group) noexcept nogil:
        """The lanes of a group that have anything to add, by their rows; returns how many there are."""
        cdef Table **table = scratch.tables
        cdef int at, count = 0
        cdef Value *lane
        scratch.heaviest = 1
        for at in range(self.group_start[group], self.group_start[group + 1]):
            lane = &self.lanes[at]
            if table[1].rows[lane.part[1]] and table[2].rows[lane.part[2]]:
                scratch.rows_a[count] = table[1].entries + lane.part[1] * self.stride[1]
                scratch.rows_b[count] = table[2].entries + lane.part[2] * self.stride[2]
                scratch.weights[count] = lane.weight
                scratch.ones[count] = 1
                scratch.heaviest = max(scratch.heaviest, lane.weight)
                count += 1
        CHECK(scratch.heaviest * table[1].largest < 1 << 15)
        return count

    cdef int weave(self, Scratch *scratch, int count) noexcept nogil:
        """Lay the rows of so many lanes side by side; returns how many lanes there are then."""
        cdef int k, lanes = padded(count)
        for k in range(count, lanes):
            scratch.rows_a[k], scratch.rows_b[k] = scratch.rows_a[0], scratch.rows_b[0]
            scratch.weights[k] = scratch.ones[k] = 0
        self.loops.weave(scratch.a, lanes, scratch.rows_a, scratch.weights, self.stride[1])
        self.loops.weave(scratch.b, lanes, scratch.rows_b, scratch.ones, self.stride[2])
        return lanes

    cdef uint32_t safe(self, Scratch *scratch, int lanes) noexcept nogil:
        """How many dot products of so many lanes can be added up in 32 bits."""
        cdef uint64_t largest = <uint64_t> scratch.tables[1].largest * scratch.tables[2].largest * scratch.heaviest
        cdef uint64_t count = <uint64_t> 0xFFFFFFFF // (2 * (lanes // LANES) * largest)
        CHECK(count > 0)
        return <uint32_t> count

    cdef uint64_t group_sum(self, Scratch *scratch, int group, double *units) noexcept nogil:
        """The sum over the y1 of a group and all y2."""
        cdef const cell *factors = scratch.tables[0].entries + group * self.stride[0]
        cdef cell once_or_twice[STRIDE]
        cdef int count, lanes, k
        cdef double one_by_one, woven, in_columns, in_rows
        cdef uint64_t total = 0, pairs = 0
        if self.twins:
            memset(once_or_twice, 0, sizeof(once_or_twice))
            for k in range(self.groups):
                once_or_twice[k] = factors[k] * ((scratch.leader[k] >= group) + (scratch.leader[k] > group))
            factors = once_or_twice
        for k in range(scratch.run_count):
            if factors[scratch.runs[k].column]:
                pairs += scratch.runs[k].last - scratch.runs[k].first
        if pairs == 0:
            return 0
        count = self.gather(scratch, group)
        if count == 0:
            return 0
        lanes = padded(count)
        one_by_one = thin_units(count, pairs)
        woven = weave_units(lanes, self.stride[1] + self.stride[2])
        in_columns = woven + column_units(lanes, pairs)
        in_rows = woven + row_units(lanes, scratch.pair_count) if self.loops.by_row else 1e300
        if one_by_one < in_columns and one_by_one < in_rows:
            for k in range(count):
                total += scratch.weights[k] * thin(
                    scratch.rows_a[k], scratch.rows_b[k], scratch.pairs, scratch.runs, scratch.run_count, factors
                )
            units[0] += one_by_one
            return total
        self.weave(scratch, count)
        if in_columns < in_rows:
            total = self.loops.by_column(
                scratch.a, scratch.b, lanes, scratch.pairs, scratch.runs, scratch.run_count, factors,
                self.safe(scratch, lanes)
            )
            units[0] += in_columns
        else:
            for k in range(self.weight_count):
                multiply(scratch.factors + k * STRIDE, factors, self.weights[k], self.stride[0])
            total = self.loops.by_row(
                scratch.a, scratch.b, lanes, scratch.row_pairs, scratch.row_runs, scratch.row_run_count,
                scratch.factors
            )
            units[0] += in_rows
        CHECK(total < <uint64_t> 1 << 59)
        return total

    cdef void column_sums(self, Scratch *scratch, int group, uint64_t *sums) noexcept nogil:
        """The same sum without F_0, column by column: what each entry in the group's row of F_0 is multiplied by.

        Columns in which F_0 is 0 are passed over.
        """
        cdef const cell *factors = scratch.tables[0].entries + group * self.stride[0]
        cdef cell one[STRIDE]
        cdef Run *run
        cdef int at, k, lanes, count = 0
        cdef uint32_t safe
        cdef uint64_t sum
        memset(sums, 0, self.down[0].count * sizeof(uint64_t))
        if scratch.tables[0].rows[group]:
            count = self.gather(scratch, group)
        if count == 0:
            return
        lanes = self.weave(scratch, count)
        safe = self.safe(scratch, lanes)
        for k in range(self.down[0].count):
            one[k] = 1
        for at in range(scratch.run_count):
            run = &scratch.runs[at]
            if factors[run.column]:
                sums[run.column] += self.loops.by_column(scratch.a, scratch.b, lanes, scratch.pairs, run, 1, one, safe)

    cdef Table *table(self, int box, int partition, cell *partial, double *units) noexcept nogil:
        """F_b for a partition that y0 gives to its box in band b: made when it is first asked for."""
        cdef Table *known = <Table *> published(&self.slots[box][partition])
        if known:
            return known
        known = <Table *> calloc(1, sizeof(Table))
        if known == NULL:
            return NULL
        cdef int stride = self.stride[box], rows = self.across[box].count
        cdef int r0, r1, number, row, column
        cdef uint8_t used[PARTITIONS]
        cdef Value *value
        cdef cell *entries = aligned(rows * stride)
        cdef const uint8_t *meet = self.meet[box][1]
        known.entries = entries
        if entries == NULL:
            free(known)
            return NULL
        memset(used, 0, sizeof(used))
        memset(entries, 0, rows * stride * sizeof(cell))
        memset(partial, 0, PARTITIONS * stride * sizeof(cell))
        for r0 in range(PARTITIONS):
            if self.meet[box][0][r0 * PARTITIONS + partition]:
                for number in range(self.band_start[box][r0], self.band_start[box][r0 + 1]):
                    value = &self.band[box][number]
                    used[value.part[1]] = 1
                    self.loops.add(
                        partial + value.part[1] * stride, self.columns[box] + value.part[2] * stride, value.weight, stride
                    )
                    units[0] += stride
        for r1 in range(PARTITIONS):
            if used[r1]:
                for row in range(rows):
                    if meet[r1 * PARTITIONS + self.across[box].partition[row]]:
                        self.loops.add(entries + row * stride, partial + r1 * stride, 1, stride)
                        units[0] += stride
        for row in range(rows):
            for column in range(stride):
                if entries[row * stride + column]:
                    known.rows[row] = known.columns[column] = 1
                    if entries[row * stride + column] > known.largest:
                        known.largest = entries[row * stride + column]
        CHECK(known.largest <= LARGEST)
        if not publish(&self.slots[box][partition], known):
            discard(known)
            return <Table *> published(&self.slots[box][partition])
        return known

    def largest(self):
        """The largest entry of the tables made so far."""
        cdef int box, number, most = 0
        for box in range(BOXES):
            for number in range(PARTITIONS):
                if self.slots[box][number]:
                    most = max(most, (<Table *> self.slots[box][number]).largest)
        return most


cdef inline void multiply(uint32_t *products, const cell *row, uint32_t weight, int length) noexcept nogil:
    cdef int at
    for at in range(length):
        products[at] = row[at] * weight


cdef inline bint fixes(const uint16_t *image, const Value *value, int boxes) noexcept nogil:
    """Whether a relabelling leaves a value as it is; boxes that are missing do not count."""
    cdef int box
    for box in range(boxes):
        if image[value.part[box]] != value.part[box]:
            return False
    return True


cdef inline int led_by(uint16_t *leader, int group) noexcept nogil:
    while leader[group] != group:
        group = leader[group]
    return group


cdef void *allocated(size_t size) except NULL:
    cdef void *block = calloc(1, size if size else 1)
    if block == NULL:
        raise MemoryError
    return block


cdef cell *aligned(size_t count) noexcept nogil:
    cdef void *block = NULL
    if posix_memalign(&block, 64, (count if count else 1) * sizeof(cell)):
        return NULL
    return <cell *> block


cdef void discard(Table *table) noexcept nogil:
    if table:
        free(table.entries)
        free(table)


cdef bint prepare(Scratch *scratch, int pairs) noexcept nogil:
    scratch.a, scratch.b = aligned(STRIDE * MOST_LANES), aligned(STRIDE * MOST_LANES)
    scratch.partial = aligned(PARTITIONS * STRIDE)
    scratch.pairs = <Pair *> malloc((pairs + 1) * sizeof(Pair))
    scratch.runs = <Run *> malloc((pairs + 1) * sizeof(Run))
    scratch.row_pairs = <Pair *> malloc((pairs + 1) * sizeof(Pair))
    scratch.row_runs = <Run *> malloc((PARTITIONS + 1) * sizeof(Run))
    return (
        scratch.a and scratch.b and scratch.partial and scratch.pairs and scratch.runs
        and scratch.row_pairs and scratch.row_runs
    )


cdef void release(Scratch *scratch) noexcept nogil:
    free(scratch.a)
    free(scratch.b)
    free(scratch.partial)
    free(scratch.pairs)
    free(scratch.runs)
    free(scratch.row_pairs)
    free(scratch.row_runs)


cdef Value value_of(line, int number, order, int divisor):
    """A value of a line, its boxes in this order, its weight divided by what all have in common, the divisor."""
    cdef Value value
    cdef int box
    for box in range(BOXES):
        value.part[box] = line.values[number * BOXES + order[box]]
    value.weight = line.weights[number] // divisor
    return value


cdef Value *values_of(line, order) except NULL:
    """All values of a line in this way, sorted by the partition of the first box and by weight."""
    cdef const uint16_t[::1] values = line.values, weights = line.weights
    cdef int count = weights.shape[0], number, box, key, at = 0, divisor = line.divisor
    cdef int source[BOXES]
    cdef uint32_t start[PARTITIONS * 16]
    for box in range(BOXES):
        source[box] = order[box]
    memset(start, 0, sizeof(start))
    for number in range(count):
        start[values[number * BOXES + source[0]] * 16 + weights[number]] += 1
    for key in range(PARTITIONS * 16):
        at += start[key]
        start[key] = at - start[key]
    cdef Value *found = <Value *> allocated(count * sizeof(Value))
    for number in range(count):
        key = values[number * BOXES + source[0]] * 16 + weights[number]
        at = start[key]
        start[key] += 1
        for box in range(BOXES):
            found[at].part[box] = values[number * BOXES + source[box]]
        found[at].weight = weights[number] // divisor
    return found


cdef void number_partitions(Index *index, const uint16_t[::1] values, int box) noexcept:
    """Number those that some values give to a box."""
    cdef uint8_t seen[PARTITIONS]
    cdef int at, number
    memset(seen, 0, sizeof(seen))
    memset(index, 0, sizeof(Index))
    for at in range(box, values.shape[0], BOXES):
        seen[values[at]] = 1
    for number in range(PARTITIONS):
        if seen[number]:
            index.partition[index.count] = number
            index.place[number] = index.count
            index.count += 1


cdef void starts(uint32_t *start, const Value *values, int count) noexcept:
    """Where the values with each partition in the first box begin."""
    cdef int at = 0, number
    for number in range(PARTITIONS + 1):
        while at < count and values[at].part[0] < number:
            at += 1
        start[number] = at


cdef object numbers(line, const Value *values, order, const Index *index):
    """Which value of a line each value of a sum is, whose boxes are in this order, and may have been numbered."""
    cdef const uint16_t[::1] value = line.values
    cdef int count = len(line), number, box
    cdef int part[BOXES]
    cdef int place[BOXES]
    cdef array.array finder = array.array("H", bytes(2 * PARTITIONS * PARTITIONS))
    cdef array.array found = array.array("H", bytes(2 * count))
    cdef uint16_t[::1] find = finder, which = found
    for box in range(BOXES):
        place[box] = order[box]
    for number in range(count):
        find[value[number * BOXES] * PARTITIONS + value[number * BOXES + 1]] = number
    for number in range(count):
        for box in range(BOXES):
            part[place[box]] = values[number].part[box]
            if index:
                part[place[box]] = index[box].partition[values[number].part[box]]
        which[number] = find[part[0] * PARTITIONS + part[1]]
    return found
