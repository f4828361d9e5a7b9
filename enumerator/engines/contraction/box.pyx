"""How often each digit stands in each cell of a box.

**Statement.** Let the box be where band 0 and the stack of y0 meet. For a fixed y0 the sum is linear in the table F_0,

    N(y0)  =  Σ over c1, c2 of  F_0[c1][c2] · H[c1][c2]

    H[c1][c2]  =  Σ over y1 with y1[0] = c1 and y2 with y2[0] = c2 of  F_1[…] · F_2[…]  and their weights

and an entry of F_0 is a sum over values (r0, r1, r2) of band 0. So the solutions with this y0 and this value of the band are

    K[r1][r2]  =  Σ over c1 compatible with r1 and c2 compatible with r2 of  H[c1][c2]

times the arrangements of both. A digit stands in row i and column j of the box in those of them that put it into part i of
the band's partition there and into part j of the stack's, and these are chosen apart from each other:

    C[d][i][j]  =  Σ over y0 and values of band 0 of  K · (arrangements of the value with d in row i)
                                                        · (arrangements of y0 with d in column j)

Nine such sums, one for each box, are all that is to be known of a board.

**Symmetry.** Digits that are no clue may change places without any other change to the board. One y0 of each orbit is
worked out; what it says of one such digit holds for their average, which is taken at the end (see candidates.py).

**Bounds**, beyond those in sum.pyx. Without clues no arrangement of y0 has more than 7.2e16 < 2^57 solutions (a test works
that out), so no sum over the values of band 0 has more; and no C is larger than the number of all filled boards, < 2^73.
"""

cimport cython
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from enumerator.engines.contraction.limits cimport BOXES, PARTITIONS, PARTS
from enumerator.engines.contraction.sum cimport (
    CHECK, Index, Scratch, Sum, Value, accumulate, lower, numbers, prepare, release, upper, wide,
)

from enumerator.engines.contraction.sum import Sum

cdef enum:
    DIGITS = 9
    COUNTS = 27              # of a value: each digit in each part
    NEAR = 36                # partitions are compatible with a partition

cdef struct Near:
    int count
    uint16_t number[NEAR]

cdef struct Pull:
    # what a y0 leaves on its way from stacks to bands
    uint64_t sums[PARTITIONS]
    uint64_t by_column[PARTITIONS * PARTITIONS]  # H, c2 by c2
    uint64_t by_row[PARTITIONS * PARTITIONS]     # H, summed over the c2 that are compatible with each r2
    uint8_t used[PARTITIONS]                     # whether there is anything in a c2,
    uint8_t made[PARTITIONS]                     # and whether that of an r2 is there already


@cython.auto_pickle(False)
cdef class Box:
    """The box where the first stack and the first band of a plan meet."""

    cdef Sum sum
    cdef const uint16_t[::1] times
    cdef uint8_t[::1] in_rows     # of each value of the band, how many arrangements have a digit in a row of the box
    cdef uint8_t[::1] in_columns  # of each y0, in a column
    cdef Near near_groups[PARTITIONS]   # of each r1, the groups that are compatible
    cdef Near near_columns[PARTITIONS]  # of each r2, the columns
    cdef uint64_t unit
    cdef int rows, columns, digits
    cdef readonly int values      # of y0

    def __cinit__(self, plan):
        network = plan.network
        stack, band = plan.stacks[0], plan.bands[0]
        across, down = network.bands[band], network.stacks[stack]
        self.sum = Sum(network, plan.stacks, plan.bands, plan.first, plan.times)
        self.values, self.times = len(plan.first), plan.times
        self.rows, self.columns = network.height, network.width
        self.digits = self.rows * self.columns
        self.unit = 1
        for other in plan.stacks[1:]:
            self.unit *= network.stacks[other].divisor
        for other in plan.bands[1:]:
            self.unit *= network.bands[other].divisor
        self.in_rows = arranged(across, stack, numbers(across, self.sum.band[0], plan.stacks, NULL))
        self.in_columns = arranged(down, band, plan.first)
        list_near(self.near_groups, self.sum.meet[0][1], &self.sum.across[0])
        list_near(self.near_columns, self.sum.meet[0][2], &self.sum.down[0])

    def run(self, int first, int last):
        """What some y0 add to the counts of the box: for each digit, by row and column."""
        if not 0 <= first <= last <= self.values:
            raise ValueError(f"no values {first} to {last}: there are {self.values}")
        cdef wide counts[COUNTS * PARTS]
        cdef Scratch scratch
        cdef Pull *pull = <Pull *> malloc(sizeof(Pull))
        cdef bint enough = prepare(&scratch, self.sum.second_count) and pull != NULL
        cdef int number, at
        memset(counts, 0, sizeof(counts))
        try:
            with nogil:
                for number in range(first, last):
                    enough = enough and self.add(&scratch, pull, number, counts)
        finally:
            release(&scratch)
            free(pull)
        if not enough:
            raise MemoryError
        return [
            (<object> upper(counts[at]) << 64) | lower(counts[at])
            for digit in range(self.digits) for row in range(self.rows) for column in range(self.columns)
            for at in ((digit * PARTS + row) * PARTS + column,)
        ]

    cdef bint add(self, Scratch *scratch, Pull *pull, int number, wide *counts) noexcept nogil:
        """Add what a y0 has to add."""
        cdef double units = 0
        cdef uint64_t found[COUNTS]
        cdef const uint8_t *in_columns = &self.in_columns[number * COUNTS]
        cdef int digit, row, column, groups = self.sum.groups, group
        if not self.sum.turn_to(scratch, number, &units):
            return False
        memset(pull.used, 0, sizeof(pull.used))
        memset(pull.made, 0, sizeof(pull.made))
        for group in range(groups):
            self.sum.column_sums(scratch, group, pull.sums)
            for column in range(self.sum.down[0].count):
                pull.by_column[column * groups + group] = pull.sums[column]
                if pull.sums[column]:
                    pull.used[column] = 1
        memset(found, 0, sizeof(found))
        self.spread(pull, &self.sum.first[number], found)
        for digit in range(self.digits):
            for row in range(self.rows):
                CHECK(found[digit * PARTS + row] < <uint64_t> 1 << 57)
                for column in range(self.columns):
                    accumulate(
                        &counts[(digit * PARTS + row) * PARTS + column],
                        found[digit * PARTS + row],
                        in_columns[digit * PARTS + column] * self.times[number] * self.unit,
                    )
        return True

    cdef const uint64_t *compressed(self, Pull *pull, int row) noexcept nogil:
        """H, summed over the c2 that are compatible with an r2: made when it is first asked for."""
        cdef int i, group, groups = self.sum.groups
        cdef uint64_t *total = pull.by_row + row * groups
        cdef const uint64_t *one
        if not pull.made[row]:
            pull.made[row] = 1
            memset(total, 0, groups * sizeof(uint64_t))
            for i in range(self.near_columns[row].count):
                if pull.used[self.near_columns[row].number[i]]:
                    one = pull.by_column + self.near_columns[row].number[i] * groups
                    for group in range(groups):
                        total[group] += one[group]
        return total

    cdef void spread(self, Pull *pull, const Value *value, uint64_t *found) noexcept nogil:
        """Give every value of the band its solutions, and count where they put each digit."""
        cdef const uint8_t *in_rows
        cdef const uint64_t *total
        cdef const Near *near
        cdef int row, i
        cdef uint32_t number
        cdef uint64_t solutions
        cdef const Value *one
        for row in range(PARTITIONS):
            if not self.sum.meet[0][0][row * PARTITIONS + value.part[0]]:
                continue
            for number in range(self.sum.band_start[0][row], self.sum.band_start[0][row + 1]):
                one = &self.sum.band[0][number]
                total, near = self.compressed(pull, one.part[2]), &self.near_groups[one.part[1]]
                solutions = 0
                for i in range(near.count):
                    solutions += total[near.number[i]]
                if solutions:
                    in_rows = &self.in_rows[number * COUNTS]
                    for i in range(COUNTS):
                        found[i] += solutions * in_rows[i]


cdef void list_near(Near *near, const uint8_t *meet, const Index *index) noexcept:
    """For each partition of a band in a box, those of the stack that are compatible, by their numbers."""
    cdef int row, column
    for row in range(PARTITIONS):
        near[row].count = 0
        for column in range(index.count):
            if meet[row * PARTITIONS + index.partition[column]]:
                CHECK(near[row].count < NEAR)
                near[row].number[near[row].count] = column
                near[row].count += 1


cdef uint8_t[::1] arranged(line, int box, numbers):
    """Of some values of a line, how many arrangements have each digit in each part of a box."""
    starts, ways = line.arrangements()
    cdef const uint32_t[::1] start = starts
    cdef const uint16_t[::1] way = ways, sets
    cdef uint8_t[::1] counts = bytearray(len(numbers) * COUNTS)
    cdef int at = 0, number, part, digit, parts
    cdef uint32_t i
    if line.table is None:
        return counts
    sets, parts = line.table.sets, line.table.count
    for number in numbers:
        for i in range(start[number], start[number + 1]):
            for part in range(parts):
                for digit in range(DIGITS):
                    if sets[way[i * BOXES + box] * parts + part] >> digit & 1:
                        counts[at * COUNTS + digit * PARTS + part] += 1
        at += 1
    return counts
