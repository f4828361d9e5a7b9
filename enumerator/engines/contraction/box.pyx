"""The number of solutions that have each digit in each cell of a box.

**Statement.** Let the box be the intersection of band 0 and the stack of y0. For a fixed y0 the sum
is linear in the table F_0,

    N(y0)  =  Σ over c1, c2 of  F_0[c1][c2] · H[c1][c2]

    H[c1][c2]  =  Σ over y1 with y1[0] = c1 and y2 with y2[0] = c2,
                  of  F_1[…] · F_2[…]  times their weights

and an entry of F_0 is a sum over values (r0, r1, r2) of band 0. So the number of solutions with
this y0 and this value of the band is

    K[r1][r2]  =  Σ over c1 compatible with r1 and c2 compatible with r2 of  H[c1][c2]

times the arrangements of both. Some of these arrangements put a digit into row i and column j of
the box: those with the digit in part i of the band's partition and in part j of the stack's. The
arrangements of the band and of the stack are chosen independently:

    C[d][i][j]  =  Σ over y0 and values of band 0
                   of  K · (arrangements of the value with d in row i)
                         · (arrangements of y0 with d in column j)

Nine such sums, one for each box, give all counts of a board.

**Symmetry.** Digits that are not clues may be swapped without any other change to the board. One y0
of each orbit is worked out. Its counts of such a digit hold for the average of these digits, which
is taken at the end (see candidates.py).

**Bounds**, beyond those in sum.pyx. Without clues no arrangement of y0 has more than 7.2e16 < 2^57
solutions (a test works that out). So no sum over the values of band 0 has more. No C is larger than
the number of all filled boards, which is below 2^73.
"""

cimport cython
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from enumerator.engines.contraction.bands cimport Band
from enumerator.engines.contraction.limits cimport BOXES, PARTITIONS, PARTS
from enumerator.engines.contraction.loops cimport CHECK, accumulate, lower, upper, wide
from enumerator.engines.contraction.scratch cimport Scratch, allocate_scratch, free_scratch
from enumerator.engines.contraction.sum cimport Sum
from enumerator.engines.contraction.values cimport Index, Value, value_numbers

from enumerator.engines.contraction.sum import Sum

cdef enum:
    DIGITS = 9
    COUNTS = 27      # of a value: one for each digit and part
    NEIGHBOURS = 36  # partitions that are compatible with a partition

cdef struct Neighbours:
    int count
    uint16_t number[NEIGHBOURS]

cdef struct Multipliers:
    # H for one y0
    uint64_t sums[PARTITIONS]
    uint64_t by_column[PARTITIONS * PARTITIONS]  # H, c2 by c2
    uint64_t by_row[PARTITIONS * PARTITIONS]     # H, summed over the c2 that are compatible with each r2
    uint8_t used[PARTITIONS]                     # 1 if a c2 of `by_column` has an entry that is not 0
    uint8_t made[PARTITIONS]                     # 1 if an r2 of `by_row` has been worked out


@cython.auto_pickle(False)
cdef class Box:
    """The box in the first stack and the first band of a plan."""

    cdef Sum sum
    cdef const uint16_t[::1] times
    cdef uint8_t[::1] in_rows     # by value of the band: its arrangements with a digit in a row of the box
    cdef uint8_t[::1] in_columns  # by y0: its arrangements with a digit in a column of the box
    cdef Neighbours groups_of[PARTITIONS]   # of each r1: the groups that are compatible
    cdef Neighbours columns_of[PARTITIONS]  # of each r2: the columns that are compatible
    cdef uint64_t divisor         # the product of the divisors of the four other lines
    cdef int rows, columns, digits
    cdef readonly int values      # the number of y0 to work out

    def __cinit__(self, plan):
        """Prepare the sums of a SumPlan."""
        network = plan.network
        stack, band = plan.stacks[0], plan.bands[0]
        across, down = network.bands[band], network.stacks[stack]
        self.sum = Sum(network, plan.stacks, plan.bands, plan.first_values, plan.multiplicities)
        self.values, self.times = len(plan.first_values), plan.multiplicities
        self.rows, self.columns = network.height, network.width
        self.digits = self.rows * self.columns
        self.divisor = 1
        for other in plan.stacks[1:]:
            self.divisor *= network.stacks[other].divisor
        for other in plan.bands[1:]:
            self.divisor *= network.bands[other].divisor
        self.in_rows = count_arrangements(
            across, stack, value_numbers(across, self.sum.bands[0].values, plan.stacks, NULL)
        )
        self.in_columns = count_arrangements(down, band, plan.first_values)
        list_neighbours(self.groups_of, self.sum.bands[0].meet[1], &self.sum.bands[0].across)
        list_neighbours(self.columns_of, self.sum.bands[0].meet[2], &self.sum.bands[0].down)

    def run(self, int first, int last):
        """Return the counts for the y0 `first` to `last` - 1: digit by digit, row by row."""
        if not 0 <= first <= last <= self.values:
            raise ValueError(f"no values {first} to {last}: there are {self.values}")
        cdef wide counts[COUNTS * PARTS]
        cdef Scratch scratch
        cdef Multipliers *multipliers = <Multipliers *> malloc(sizeof(Multipliers))
        cdef bint enough = allocate_scratch(&scratch, self.sum.second_count) and multipliers != NULL
        cdef int number, at
        memset(counts, 0, sizeof(counts))
        try:
            with nogil:
                for number in range(first, last):
                    enough = enough and self.add_first(&scratch, multipliers, number, counts)
        finally:
            free_scratch(&scratch)
            free(multipliers)
        if not enough:
            raise MemoryError
        return [
            (<object> upper(counts[at]) << 64) | lower(counts[at])
            for digit in range(self.digits) for row in range(self.rows) for column in range(self.columns)
            for at in ((digit * PARTS + row) * PARTS + column,)
        ]

    cdef bint add_first(self, Scratch *scratch, Multipliers *multipliers, int number, wide *counts) noexcept nogil:
        """Add the solutions of y0 `number` to `counts`; return False if memory is short."""
        cdef double products = 0
        cdef uint64_t found[COUNTS]
        cdef const uint8_t *in_columns = &self.in_columns[number * COUNTS]
        cdef int digit, row, column, groups = self.sum.groups, group
        if not self.sum.select_first(scratch, number, &products):
            return False
        memset(multipliers.used, 0, sizeof(multipliers.used))
        memset(multipliers.made, 0, sizeof(multipliers.made))
        for group in range(groups):
            self.sum.column_sums(scratch, group, multipliers.sums)
            for column in range(self.sum.bands[0].down.count):
                multipliers.by_column[column * groups + group] = multipliers.sums[column]
                if multipliers.sums[column]:
                    multipliers.used[column] = 1
        memset(found, 0, sizeof(found))
        self.count_rows(multipliers, &self.sum.first[number], found)
        for digit in range(self.digits):
            for row in range(self.rows):
                CHECK(found[digit * PARTS + row] < <uint64_t> 1 << 57)
                for column in range(self.columns):
                    accumulate(
                        &counts[(digit * PARTS + row) * PARTS + column],
                        found[digit * PARTS + row],
                        in_columns[digit * PARTS + column] * self.times[number] * self.divisor,
                    )
        return True

    cdef const uint64_t *row_multipliers(self, Multipliers *multipliers, int row) noexcept nogil:
        """Return H, summed over the c2 compatible with r2 = `row`. Worked out on first use."""
        cdef int i, group, groups = self.sum.groups
        cdef uint64_t *total = multipliers.by_row + row * groups
        cdef const uint64_t *one
        if not multipliers.made[row]:
            multipliers.made[row] = 1
            memset(total, 0, groups * sizeof(uint64_t))
            for i in range(self.columns_of[row].count):
                if multipliers.used[self.columns_of[row].number[i]]:
                    one = multipliers.by_column + self.columns_of[row].number[i] * groups
                    for group in range(groups):
                        total[group] += one[group]
        return total

    cdef void count_rows(self, Multipliers *multipliers, const Value *value, uint64_t *found) noexcept nogil:
        """Work out K for every value of the band; add the solutions by digit and row to `found`."""
        cdef const Band *band = &self.sum.bands[0]
        cdef const uint8_t *in_rows
        cdef const uint64_t *total
        cdef const Neighbours *groups
        cdef int row, i
        cdef uint32_t number
        cdef uint64_t solutions
        for row in range(PARTITIONS):
            if not band.meet[0][row * PARTITIONS + value.part[0]]:
                continue
            for number in range(band.start[row], band.start[row + 1]):
                total = self.row_multipliers(multipliers, band.values[number].part[2])
                groups = &self.groups_of[band.values[number].part[1]]
                solutions = 0
                for i in range(groups.count):
                    solutions += total[groups.number[i]]
                if solutions:
                    in_rows = &self.in_rows[number * COUNTS]
                    for i in range(COUNTS):
                        found[i] += solutions * in_rows[i]


cdef void list_neighbours(Neighbours *neighbours, const uint8_t *meet, const Index *index) noexcept:
    """List, for each partition of the band, the places of the compatible ones in `index`."""
    cdef int row, column
    cdef Neighbours *one
    for row in range(PARTITIONS):
        one = &neighbours[row]
        one.count = 0
        for column in range(index.count):
            if meet[row * PARTITIONS + index.partition[column]]:
                CHECK(one.count < NEIGHBOURS)
                one.number[one.count] = column
                one.count += 1


cdef uint8_t[::1] count_arrangements(line, int box, numbers):
    """Count the arrangements of the values `numbers` of a line, by digit and by part of `box`."""
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
