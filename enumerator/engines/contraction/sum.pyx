"""The sum over three stacks.

**Statement.** With the three stacks y0, y1, y2 fixed, the bands are independent of each other:

    N  =  Σ y0  Σ y1  Σ y2   f0(y0[0], y1[0], y2[0]) · f1(y0[1], y1[1], y2[1]) · f2(y0[2], y1[2], y2[2])

    f_b(c0, c1, c2)  =  the weight of all values of band b whose partitions are compatible
                        with c0, c1, c2

Every term is multiplied by the weights of y0, y1 and y2. For a fixed y0 each f_b is a *table*, a
matrix over the partitions that y1 and y2 can give to their box in band b:

    F_b[c1][c2]  =  Σ over r1 compatible with c1 of  G[r1][c2]
    G[r1][c2]    =  Σ over values (r0, r1, r2) of band b, of their weight,
                    with r0 compatible with y0[b] and r2 compatible with c2

The sum over y1 is taken in *groups*: values with the same partition y1[0] = c. The values of a
group are its *lanes*, at most 55. The rows of F_1 and F_2 that belong to the lanes are interleaved:

    A[c2][k]  =  weight of lane k · F_1[lane k in band 1][c2]          B[c2][k]  =  F_2[lane k in band 2][c2]

Then every y2 takes one dot product of two short vectors, A[y2[1]] · B[y2[2]], multiplied by
F_0[c][y2[0]] and the weight of y2. An *item* is one y0 and one group. A run can stop after any
item, and a task can begin at any.

**Bytes.** With AVX2 or more, the lanes of A and B are bytes, and 64 of them a *batch*: lanes of one
group, or of several, each in *slots* of their own. A lane of weight w is there w times. Few entries
are above 127, one in 700 at most on the empty board. They are taken for 127, and what that leaves out
is added for each of them:

    A · B  =  min(A, 127) · min(B, 127)  +  (A - min(A, 127)) · min(B, 127)  +  A · (B - min(B, 127))

**Symmetry.** Suppose that a relabelling of digits changes no line of the network and leaves y0
unchanged. Then it maps groups to groups with the same sum: one of them is worked out and
multiplied. If y1 and y2 may be swapped, a group c and the y2 with y2[0] = d have the same sum as d
and c: d < c is left out, and d > c is counted twice.

**Bounds**, for 3×3 boxes; all other shapes are smaller. All numbers are positive, and clues only
lower them.

    weight of a value      6 · 2 = 12 (MAX_WEIGHT); of all values of a line 94,080; of a group 6 · 56 = 336
    entry of a table       12^3 = 1,728 (MAX_ENTRY). It is the weight of some values of a band. Without clues
                           there is one table up to relabelling, and a test works it out
    lane of A              MAX_WEIGHT · MAX_ENTRY = 20,736 < 2^15
    slot of a batch        4 · 127^2 for a pair, and below 2^15 pairs of a run: below 2^31
    sum over a group       94,080 · 336 · 2 · MAX_ENTRY^3 < 2^59
    sum over all           6.7e21 < 2^73, in 128 bits: it counts some of the fillings of a board without clues

**Elsewhere.** The tables F_b are built in bands.pxd. The loops are in sum.h (declared in
loops.pxd), the values of lines as C structures in values.pxd, working memory in scratch.pxd, costs
in products.pxd. Definition files hold inline functions, so none of these needs an extension module.
This file has more than 400 lines because of this statement. The rest is one class, whose steps
share its data.
"""

cimport cython
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from enumerator.engines.contraction.bands cimport Band, band_table, free_band, set_up_band
from enumerator.engines.contraction.limits cimport BOXES, PARTITIONS
from enumerator.engines.contraction.loops cimport (
    BATCH, CHECK, LANES, MAX_BYTE, MAX_ENTRY, MAX_LANES, SLOT, SLOTS, STRIDE, Run, accumulate, cell,
    loops_versions, lower, single_lane, upper, wide,
)
from enumerator.engines.contraction.products cimport (
    batch_products, batches_of, column_products, interleave_products, padded_lanes, single_lane_products,
)
from enumerator.engines.contraction.scratch cimport Batch, Scratch, Table, allocate_scratch, free_scratch
from enumerator.engines.contraction.values cimport Value, allocate, copy_values, find_starts, values_of

from enumerator.engines.contraction.tables import compatibility_tables
from enumerator.engines.instructions import choose

cdef extern from "processor.h":
    int newest_instructions() noexcept nogil

cdef enum:
    LANES_AT_ONCE = 16_384  # of groups that are summed together: 256 batches, 2 ms

cdef int chosen = choose(newest_instructions())

VERSIONS = chosen + 1
"""The number of versions of the loops that this process may use. Version 0 runs on every processor."""

LARGEST_ENTRY = MAX_ENTRY
"""A bound on the entries of all tables of all boards: see the bounds above."""


def group_products(int count, double pairs, int rows):
    """Return the predicted products of a group with `count` lanes and `pairs` values of y2.

    A and B have `rows` rows together.
    """
    return 40 + batches_of(count) * batch_products(pairs, rows)


@cython.auto_pickle(False)
cdef class Sum:
    """The sum over some values of y0, each counted several times."""

    def __cinit__(
        self, network, stacks, bands, first_values, multiplicities, swaps=(), twins=False, version=None
    ):
        """Prepare the sum over the stacks of a network.

        `stacks` is the order in which they are summed over, `bands` the order of the bands.
        `first_values` are the numbers of the values of y0, and `multiplicities` the factor of each.
        `swaps` are the swaps of two digits that are symmetries, as images of partitions.
        `twins` is True if swapping y1 and y2 is a symmetry. `version` is that of the loops, below
        VERSIONS; None is the fastest one.
        """
        cdef int number
        if not (version is None or 0 <= version <= chosen):
            raise ValueError(f"no version {version} of the loops: this processor has {VERSIONS}")
        self.loops = loops_versions[chosen if version is None else version]
        self.find_compatible(network)
        y0, y1, y2 = (network.stacks[stack] for stack in stacks)
        self.first_count, self.lane_count, self.second_count = len(first_values), len(y1), len(y2)
        self.first = <Value *> allocate(self.first_count * sizeof(Value))
        self.lanes, self.second = values_of(y1, bands), values_of(y2, bands)
        for number in range(1, BOXES):
            self.sorted[number] = values_of(y2, (bands[number], bands[0], bands[BOXES - number]))
        self.times = <uint32_t *> allocate(self.first_count * sizeof(uint32_t))
        copy_values(self.first, y0, bands, first_values)
        for number in range(self.first_count):
            self.times[number] = multiplicities[number] * self.first[number].weight
        self.set_up_bands(network, stacks, bands)
        self.groups = self.bands[0].across.count
        find_starts(self.group_start, self.lanes, self.lane_count)
        for number in range(self.groups):
            if self.group_start[number + 1] - self.group_start[number] > MAX_LANES:
                raise ValueError(f"a group has more than {MAX_LANES} lanes")
        self.items = self.first_count * self.groups
        self.boxes, self.twins = network.width, twins
        self.copy_swaps(swaps)

    cdef int find_compatible(self, network) except -1:
        """Find the compatible partitions of a box, and those of a missing one."""
        width, height = network.width, network.height
        self.tables = tuple(compatibility_tables(*box) for box in ((width, height), (1, 1), (height, width)))
        cdef const uint8_t[::1] meet = self.tables[0].matrix, missing = self.tables[1].matrix
        cdef const uint16_t[::1] near = self.tables[0].lists, near_missing = self.tables[1].lists
        self.compatible, self.missing = &meet[0], &missing[0]
        cdef const uint16_t[::1] near_rows = self.tables[2].lists
        self.near, self.near_missing, self.near_rows = &near[0], &near_missing[0], &near_rows[0]
        return 0

    cdef int set_up_bands(self, network, stacks, bands) except -1:
        """Set up the bands, and replace the partitions of y1 and y2 by their places there."""
        cdef int box, number, at, order
        cdef Band *band
        y1, y2 = network.stacks[stacks[1]], network.stacks[stacks[2]]
        for box in range(BOXES):
            band = &self.bands[box]
            for number in range(BOXES):
                band.meet[number], band.near[number] = self.compatible, self.near
                if bands[box] >= network.width or stacks[number] >= network.height:
                    band.meet[number], band.near[number] = self.missing, self.near_missing
            band.near_first = self.near_rows if band.near[0] == self.near else self.near_missing
            set_up_band(band, network.bands[bands[box]], y1.values, y2.values, bands[box], stacks)
            for number in range(self.lane_count):
                self.lanes[number].part[box] = band.across.place[self.lanes[number].part[box]]
            for number in range(self.second_count):
                self.second[number].part[box] = band.down.place[self.second[number].part[box]]
            for order in range(1, BOXES):
                at = (order, 0, BOXES - order).index(box)  # the same band in `sorted`
                for number in range(self.second_count):
                    self.sorted[order][number].part[at] = band.down.place[self.sorted[order][number].part[at]]
        for order in range(1, BOXES):
            find_starts(self.starts[order], self.sorted[order], self.second_count)
        return 0

    cdef int copy_swaps(self, swaps) except -1:
        cdef int number, at
        self.swap_count = len(swaps)
        self.swaps = <uint16_t *> allocate(self.swap_count * PARTITIONS * sizeof(uint16_t))
        for number in range(self.swap_count):
            for at in range(len(swaps[number])):
                self.swaps[number * PARTITIONS + at] = swaps[number][at]
        return 0

    def __dealloc__(self):
        cdef int box
        free(self.first)
        free(self.lanes)
        free(self.second)
        free(self.sorted[1])
        free(self.sorted[2])
        free(self.times)
        free(self.swaps)
        for box in range(BOXES):
            free_band(&self.bands[box])

    def run(self, first=0, last=None, budget=None):
        """Sum items `first` to `last` - 1, until the budget of products is spent.

        Returns the sum, the next item, and the products spent. Several threads may run at once.
        """
        last = self.items if last is None else last
        if not 0 <= first <= last <= self.items:
            raise ValueError(f"no items {first} to {last}: there are {self.items}")
        cdef uint64_t item = first, end = last
        cdef double most = 1e300 if budget is None else budget
        cdef double products = 0
        cdef wide total = 0
        cdef Scratch scratch
        cdef bint enough
        enough = allocate_scratch(&scratch, self.second_count)
        try:
            if not enough:
                raise MemoryError
            with nogil:
                enough = self.sum_items(&scratch, &item, end, most, &products, &total)
            if not enough:
                raise MemoryError
            return (<object> upper(total) << 64) | lower(total), item, products
        finally:
            free_scratch(&scratch)

    cdef bint sum_items(
        self, Scratch *scratch, uint64_t *item, uint64_t end, double budget, double *products, wide *total
    ) noexcept nogil:
        """Add the sums of items to `total`; return False if memory is short."""
        cdef int number = -1, group, last, lanes, at
        while item[0] < end and products[0] < budget:
            if number != <int> (item[0] // self.groups):
                number = <int> (item[0] // self.groups)
                if not self.select_first(scratch, number, products):
                    return False
            group = last = item[0] % self.groups
            while last < self.groups and item[0] < end:
                lanes = self.group_start[last + 1] - self.group_start[group]
                if last > group and lanes > LANES_AT_ONCE:
                    break
                last += 1
                item[0] += 1
            self.sum_groups(scratch, group, last, products)
            for at in range(group, last):
                if scratch.times[at]:
                    accumulate(total, scratch.sums[at], scratch.times[at] * <uint64_t> self.times[number])
        return True

    cdef bint select_first(self, Scratch *scratch, int number, double *products) noexcept nogil:
        """Prepare `scratch` for y0 `number`; return False if memory is short.

        `scratch` then has the tables of y0, the y2 that fit it, and the factor of each group.
        """
        cdef Value *value = &self.first[number]
        cdef Value *one
        cdef Table **table = scratch.tables
        cdef int at, fits, last_column = -1, last_weight = -1
        if not self.select_tables(scratch, value, products):
            return False
        scratch.run_count = scratch.pair_count = 0
        for at in range(self.second_count):
            one = &self.second[at]
            fits = table[0].columns[one.part[0]] & table[1].columns[one.part[1]] & table[2].columns[one.part[2]]
            if not fits:  # one branch, not three that are hard to predict
                continue
            if one.part[0] != last_column or one.weight != last_weight:
                last_column, last_weight = one.part[0], one.weight
                scratch.runs[scratch.run_count].first = scratch.pair_count
                scratch.runs[scratch.run_count].column = one.part[0]
                scratch.runs[scratch.run_count].weight = one.weight
                scratch.run_count += 1
            scratch.pairs[scratch.pair_count].a = one.part[1] * BATCH
            scratch.pairs[scratch.pair_count].b = one.part[2] * BATCH
            scratch.pair_count += 1
            scratch.runs[scratch.run_count - 1].last = scratch.pair_count
        products[0] += 80 * self.second_count + 1000
        self.merge_groups(scratch, value)
        return True

    cdef bint select_tables(self, Scratch *scratch, const Value *value, double *products) noexcept nogil:
        """Give `scratch` the tables of a y0; return False if memory is short."""
        cdef int box
        for box in range(BOXES):
            scratch.tables[box] = band_table(
                &self.bands[box], value.part[box], self.loops, scratch.partial, products
            )
            if scratch.tables[box] == NULL:
                return False
        return True

    cdef void merge_groups(self, Scratch *scratch, const Value *value) noexcept nogil:
        """Work out the factor of each group, in `scratch.times`.

        The factor is 0 if another group represents it, or if its row of F_0 is empty.
        """
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
                one = find_root(leader, group)
                other = find_root(leader, self.bands[0].across.place[image[self.bands[0].across.partition[group]]])
                if one < other:
                    leader[other] = one
                else:
                    leader[one] = other
        for group in range(self.groups):
            leader[group] = find_root(leader, group)
            if scratch.tables[0].rows[group]:
                scratch.times[leader[group]] += 1

    cdef int gather_lanes(self, Scratch *scratch, int group) noexcept nogil:
        """List the rows and weights of the non-empty lanes of a group; return their number."""
        cdef Table **table = scratch.tables
        cdef int at, count = 0
        cdef Value *lane
        scratch.heaviest = 1
        for at in range(self.group_start[group], self.group_start[group + 1]):
            lane = &self.lanes[at]
            if table[1].rows[lane.part[1]] and table[2].rows[lane.part[2]]:
                scratch.rows_a[count] = table[1].entries + lane.part[1] * self.bands[1].stride
                scratch.rows_b[count] = table[2].entries + lane.part[2] * self.bands[2].stride
                scratch.weights[count] = lane.weight
                scratch.ones[count] = 1
                scratch.heaviest = max(scratch.heaviest, lane.weight)
                count += 1
        CHECK(scratch.heaviest * table[1].largest < 1 << 15)
        return count

    cdef int interleave_lanes(self, Scratch *scratch, int count) noexcept nogil:
        """Make A and B from the first `count` lanes gathered; return their padded number."""
        cdef int k, lanes = padded_lanes(count)
        for k in range(count, lanes):
            scratch.rows_a[k], scratch.rows_b[k] = scratch.rows_a[0], scratch.rows_b[0]
            scratch.weights[k] = scratch.ones[k] = 0
        self.loops.interleave(scratch.a, lanes, scratch.rows_a, scratch.weights, self.bands[1].stride)
        self.loops.interleave(scratch.b, lanes, scratch.rows_b, scratch.ones, self.bands[2].stride)
        return lanes

    cdef const cell *factors_of(self, Scratch *scratch, int group, cell *once_or_twice) noexcept nogil:
        """Return the group's row of F_0: a copy in `once_or_twice` if y1 and y2 may be swapped."""
        cdef const cell *factors = scratch.tables[0].entries + group * self.bands[0].stride
        cdef int k
        if not self.twins:
            return factors
        memset(once_or_twice, 0, STRIDE * sizeof(cell))
        for k in range(self.groups):
            once_or_twice[k] = factors[k] * ((scratch.leader[k] >= group) + (scratch.leader[k] > group))
        return once_or_twice

    cdef uint64_t group_sum(self, Scratch *scratch, int group, double *products) noexcept nogil:
        """Return the sum over the y1 of a group and all y2, without the loops for batches."""
        cdef cell once_or_twice[STRIDE]
        cdef const cell *factors = self.factors_of(scratch, group, once_or_twice)
        cdef int count, lanes, k
        cdef double one_by_one, together
        cdef uint64_t total = 0, pairs = 0
        for k in range(scratch.run_count):
            if factors[scratch.runs[k].column]:
                pairs += scratch.runs[k].last - scratch.runs[k].first
        if pairs == 0:
            return 0
        count = self.gather_lanes(scratch, group)
        if count == 0:
            return 0
        lanes = padded_lanes(count)
        one_by_one = single_lane_products(count, pairs)
        together = column_products(lanes, pairs) + (
            interleave_products(lanes, self.bands[1].stride + self.bands[2].stride)
        )
        if one_by_one < together:
            for k in range(count):
                total += scratch.weights[k] * single_lane(
                    scratch.rows_a[k], scratch.rows_b[k], scratch.pairs, scratch.runs, scratch.run_count, factors
                )
            products[0] += one_by_one
            return total
        self.interleave_lanes(scratch, count)
        total = self.loops.by_column(
            scratch.a, scratch.b, lanes, scratch.pairs, scratch.runs, scratch.run_count, factors
        )
        products[0] += together
        CHECK(total < <uint64_t> 1 << 59)
        return total

    cdef void sum_groups(self, Scratch *scratch, int group, int last, double *products) noexcept nogil:
        """Fill `sums` of `scratch` for the groups `group` to `last` - 1 that represent others."""
        cdef int number
        cdef uint32_t at
        cdef Batch *batch = scratch.batch
        cdef const cell *factors
        cdef const Value *lane
        cdef const uint8_t *rows_1 = scratch.tables[1].rows
        cdef const uint8_t *rows_2 = scratch.tables[2].rows
        memset(scratch.sums + group, 0, (last - group) * sizeof(uint64_t))
        for number in range(group, last):
            if not scratch.times[number]:
                continue
            if self.loops.by_slot == NULL:
                scratch.sums[number] = self.group_sum(scratch, number, products)
                continue
            batch.twins += 1
            factors = self.factors_of(scratch, number, batch.twin_rows[batch.twins % (2 * SLOTS)])
            for at in range(self.group_start[number], self.group_start[number + 1]):
                lane = &self.lanes[at]
                if rows_1[lane.part[1]] and rows_2[lane.part[2]]:
                    self.add_lane(scratch, number, factors, lane, products)
            while batch.lanes % SLOT:
                batch.rows_a[batch.lanes] = batch.rows_b[batch.lanes] = batch.zeros
                batch.lanes += 1
        if batch.lanes:
            self.sum_batch(scratch, products)

    cdef void add_lane(
        self, Scratch *scratch, int group, const cell *factors, const Value *lane, double *products
    ) noexcept nogil:
        """Put a lane without an empty row into the batch, as often as its weight says; add what its bytes lack to the sum."""
        cdef const Table *one = scratch.tables[1]
        cdef const Table *two = scratch.tables[2]
        cdef Batch *batch = scratch.batch
        cdef int copy
        if (
            one.large_start[lane.part[1]] < one.large_start[lane.part[1] + 1]
            or two.large_start[lane.part[2]] < two.large_start[lane.part[2] + 1]
        ):
            scratch.sums[group] += lane.weight * self.missing_sum(scratch, factors, lane)
        for copy in range(lane.weight):
            if batch.lanes == BATCH:
                self.sum_batch(scratch, products)
            if batch.lanes % SLOT == 0:
                batch.rows_0[batch.lanes // SLOT] = factors
                batch.group[batch.lanes // SLOT] = group
            batch.rows_a[batch.lanes] = one.entries + lane.part[1] * self.bands[1].stride
            batch.rows_b[batch.lanes] = two.entries + lane.part[2] * self.bands[2].stride
            batch.lanes += 1

    cdef void sum_batch(self, Scratch *scratch, double *products) noexcept nogil:
        """Add the sums of a batch to those of its groups, and empty it."""
        cdef Batch *batch = scratch.batch
        cdef int lane, slot, slots = (batch.lanes + SLOT - 1) // SLOT
        cdef uint64_t pairs
        for lane in range(slots * SLOT, BATCH):
            batch.rows_a[lane] = batch.rows_b[lane] = batch.zeros
        for slot in range(slots, SLOTS):
            batch.rows_0[slot] = batch.zeros
        self.loops.pack(batch.a, batch.rows_a, self.bands[1].stride)
        self.loops.pack(batch.b, batch.rows_b, self.bands[2].stride)
        self.loops.interleave(batch.factors, SLOTS, batch.rows_0, batch.ones, self.bands[0].stride)
        pairs = self.loops.by_slot(
            batch.a, batch.b, scratch.pairs, scratch.runs, scratch.run_count, batch.factors, batch.sums
        )
        for slot in range(slots):
            scratch.sums[batch.group[slot]] += batch.sums[slot]
            CHECK(scratch.sums[batch.group[slot]] < <uint64_t> 1 << 59)
        products[0] += batch_products(pairs, self.bands[1].stride + self.bands[2].stride)
        batch.lanes = 0

    cdef uint64_t missing_sum(self, Scratch *scratch, const cell *factors, const Value *lane) noexcept nogil:
        """Return what the sum of a lane lacks if entries above MAX_BYTE are taken for MAX_BYTE."""
        cdef const Table *one = scratch.tables[1]
        cdef const Table *two = scratch.tables[2]
        cdef const cell *a = one.entries + lane.part[1] * self.bands[1].stride
        cdef const cell *b = two.entries + lane.part[2] * self.bands[2].stride
        cdef const Value *second
        cdef uint32_t i, at
        cdef int column
        cdef uint64_t total = 0, sum
        for i in range(one.large_start[lane.part[1]], one.large_start[lane.part[1] + 1]):
            column, sum = one.large[i], 0
            for at in range(self.starts[1][column], self.starts[1][column + 1]):
                second = &self.sorted[1][at]
                sum += <uint64_t> (factors[second.part[1]] * second.weight) * min(b[second.part[2]], MAX_BYTE)
            total += <uint64_t> (a[column] - MAX_BYTE) * sum
        for i in range(two.large_start[lane.part[2]], two.large_start[lane.part[2] + 1]):
            column, sum = two.large[i], 0
            for at in range(self.starts[2][column], self.starts[2][column + 1]):
                second = &self.sorted[2][at]
                sum += <uint64_t> (factors[second.part[1]] * second.weight) * <uint64_t> a[second.part[2]]
            total += <uint64_t> (b[column] - MAX_BYTE) * sum
        return total


cdef inline bint fixes(const uint16_t *image, const Value *value, int boxes) noexcept nogil:
    """Return True if a relabelling leaves the first `boxes` boxes of a value unchanged."""
    cdef int box
    for box in range(boxes):
        if image[value.part[box]] != value.part[box]:
            return False
    return True


cdef inline int find_root(uint16_t *leader, int group) noexcept nogil:
    """Return the root of a group's tree, as in union-find."""
    while leader[group] != group:
        group = leader[group]
    return group
