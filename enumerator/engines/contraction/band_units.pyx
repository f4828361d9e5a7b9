"""The values of a band and of the three stacks, by units: what box.pyx sums over.

y0 is in the order of bunches, y1 and y2 by units. Units and kinds are explained in box.pyx.
"""

cimport cython
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free

from enumerator.engines.contraction.limits cimport BOXES, NEIGHBOURS, PARTITIONS, PARTS, QUADS
from enumerator.engines.contraction.loops cimport BATCH
from enumerator.engines.contraction.sum cimport Sum
from enumerator.engines.contraction.units cimport (
    KINDS, Neighbours, Units, copy_sets, find_kinds, list_neighbours, sort_units,
)
from enumerator.engines.contraction.values cimport Index, Value, allocate, place_in, value_numbers

from enumerator.engines.contraction.network import values_per_partition
from enumerator.engines.contraction.tables import transversals

cdef enum:
    QUAD = 4    # partitions of a quad
    MANY = 120  # partitions in a box from which on sums of rows go by way of quads


@cython.auto_pickle(False)
cdef class BandUnits:
    """The boxes of one band, prepared for sums."""

    def __cinit__(self, plan, Sum whole not None, int band, first_values, multiplicities, wanted):
        """Prepare the boxes of a band of a plan, whose bands are in their own order in `whole`.

        `whole` must have all values of y0. `first_values` are the numbers of those to work out,
        `multiplicities` the factor of each. `wanted` is False for the stacks whose boxes are left out.
        """
        cdef Index across_index[BOXES]
        cdef Index down_index[BOXES]
        cdef int box
        network, stacks = plan.network, plan.stacks
        self.sum, self.own, self.one, self.two = whole, band, (band + 1) % BOXES, (band + 2) % BOXES
        self.boxes, self.rows, self.columns_of_box = network.height, network.height, network.width
        self.digits = self.rows * self.columns_of_box
        self.divisor = network.bands[self.one].divisor * network.bands[self.two].divisor
        self.groups, self.column_count = whole.bands[band].across.count, whole.bands[band].down.count
        across = network.bands[band]
        lines = [network.stacks[stack] for stack in stacks]
        for box in range(BOXES):
            self.wanted[box] = stacks[box] < network.height and wanted[stacks[box]]
            across_index[box], down_index[box] = whole.bands[box].across, whole.bands[box].down
        self.list_first(find_kinds(&self.down[0], lines[0], band), first_values, multiplicities)
        sort_units(
            &self.of_lanes, whole.lanes, whole.lane_count, band,
            value_numbers(lines[1], whole.lanes, range(BOXES), across_index),
            find_kinds(&self.down[1], lines[1], band), &whole.bands[band].across,
        )
        sort_units(
            &self.of_pairs, whole.second, whole.second_count, band,
            value_numbers(lines[2], whole.second, range(BOXES), down_index),
            find_kinds(&self.down[2], lines[2], band), &whole.bands[band].down,
        )
        self.list_pairs()
        numbers = value_numbers(across, whole.bands[band].values, stacks, NULL)
        for box in range(self.boxes):
            self.list_rows(box, find_kinds(&self.across[box], across, stacks[box]), numbers)
        self.list_near(1, &self.of_lanes)
        self.list_near(2, &self.of_pairs)
        list_neighbours(self.groups_of, whole.bands[band].meet[1], &whole.bands[band].across)
        list_neighbours(self.columns_of, whole.bands[band].meet[2], &whole.bands[band].down)
        if self.rows == self.columns_of_box == PARTS:
            members, quads = transversals()
            r1, r2 = (len(values_per_partition(across, stack)) for stack in stacks[1:])
            self.list_quads(members, quads, r1, r2)
        copy_sets(self.row_sets, across.table)
        copy_sets(self.column_sets, lines[0].table)

    cdef int list_quads(self, const uint16_t[::1] members, const uint16_t[::1] quads, int r1, int r2) except -1:
        """List the groups and columns of each quad, if there are many, and many partitions of the band."""
        cdef int number, quad, i, place
        cdef Neighbours *near
        self.by_quads[1] = self.sum.bands[self.own].across.count > MANY and r1 > MANY
        self.by_quads[2] = self.sum.bands[self.own].down.count > MANY and r2 > MANY
        for number in range(PARTITIONS):
            for i in range(PARTS * PARTS):
                self.quads_of[number][i] = quads[number * PARTS * PARTS + i]
        for quad in range(QUADS):
            for i in range(QUAD):
                place = place_in(&self.sum.bands[self.own].across, members[quad * QUAD + i])
                near = &self.groups_of[PARTITIONS + quad]
                if place >= 0:
                    near.number[near.count] = place
                    near.count += 1
                place = place_in(&self.sum.bands[self.own].down, members[quad * QUAD + i])
                near = &self.columns_of[PARTITIONS + quad]
                if place >= 0:
                    near.number[near.count] = place
                    near.count += 1
        return 0

    cdef int list_first(self, const uint8_t[::1] copies, first_values, multiplicities) except -1:
        """List y0 by bunches."""
        cdef int place, swap, box, number, kind
        cdef const Value *value
        cdef const uint16_t *image
        cdef uint64_t swaps
        cdef First *first
        keys = []
        for number, times in zip(first_values, multiplicities):
            value, swaps = &self.sum.first[number], 0
            for swap in range(self.sum.swap_count):
                image = self.sum.swaps + swap * PARTITIONS
                for box in range(self.sum.boxes):
                    if image[value.part[box]] != value.part[box]:
                        break
                else:
                    swaps |= <uint64_t> 1 << swap
            kinds = bytes(copies[number * KINDS : number * KINDS + KINDS])
            keys.append((value.part[self.own], swaps, kinds, number, times))
        keys.sort()
        self.values = len(keys)
        self.first = <First *> allocate(self.values * sizeof(First))
        self.starts_of_parts = []
        for place, (part, mask, kinds, number, times) in enumerate(keys):
            first = &self.first[place]
            first.number, first.times, first.swaps = number, times, mask
            for kind in range(KINDS):
                first.copies[kind] = kinds[kind]
            if place:
                first.bunch = self.first[place - 1].bunch + (keys[place - 1][:3] != keys[place][:3])
            if place == 0 or keys[place - 1][0] != part:
                self.starts_of_parts.append(place)
        self.starts_of_parts.append(self.values)
        return 0

    cdef int list_pairs(self) except -1:
        """List y2 by units, and by their rows of A and B."""
        cdef int unit, number, side, row
        cdef int count = self.of_pairs.start[self.of_pairs.count]
        cdef uint32_t places[PARTITIONS]
        cdef const Value *second
        self.columns = <uint16_t *> allocate(self.of_pairs.count * sizeof(uint16_t))
        self.pairs = <Pair *> allocate(count * sizeof(Pair))
        self.pair_unit = <uint16_t *> allocate(count * sizeof(uint16_t))
        for unit in range(self.of_pairs.count):
            self.columns[unit] = self.of_pairs.unit[unit].part
            for number in range(self.of_pairs.start[unit], self.of_pairs.start[unit + 1]):
                second = &self.sum.second[self.of_pairs.member[number]]
                self.pairs[number].a = second.part[self.one] * BATCH
                self.pairs[number].b = second.part[self.two] * BATCH
                self.pair_unit[number] = unit
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

    cdef int list_rows(self, int box, const uint8_t[::1] copies, const uint16_t[::1] numbers) except -1:
        """Copy how often each value of the band has each kind in a box."""
        cdef int number, kind
        self.copies[box] = <uint8_t *> allocate(KINDS * numbers.shape[0])
        for number in range(numbers.shape[0]):
            for kind in range(KINDS):
                self.copies[box][number * KINDS + kind] = copies[numbers[number] * KINDS + kind]
        return 0

    cdef int list_near(self, int box, const Units *units) except -1:
        """List the units of a stack that are compatible with each partition of the band."""
        cdef int row, unit
        cdef uint32_t count = 0, pairs = 0
        cdef const uint8_t *meet = self.sum.bands[self.own].meet[box]
        self.near[box] = <uint16_t *> allocate(NEIGHBOURS * units.count * sizeof(uint16_t))
        self.base[box] = <uint32_t *> allocate(PARTITIONS * sizeof(uint32_t))
        for row in range(PARTITIONS):
            for unit in range(units.count):
                if meet[row * PARTITIONS + units.unit[unit].partition]:
                    self.near[box][count] = unit
                    count += 1
            self.near_start[box][row + 1] = count
            self.base[box][row] = pairs
            pairs += self.across[box].count * (count - self.near_start[box][row])
        self.pair_count[box] = pairs
        return 0

    def __dealloc__(self):
        cdef int box
        free(self.of_lanes.member)
        free(self.of_pairs.member)
        for box in range(BOXES):
            free(self.copies[box])
            free(self.base[box])
            free(self.near[box])
        free(self.columns)
        free(self.first)
        free(self.pairs)
        free(self.pair_unit)
        free(self.sorted[0])
        free(self.sorted[1])
