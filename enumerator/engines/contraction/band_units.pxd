# The declaration of BandUnits for box.pyx.

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from enumerator.engines.contraction.limits cimport BOXES, PARTITIONS, PARTS, QUADS
from enumerator.engines.contraction.loops cimport Pair
from enumerator.engines.contraction.sum cimport Sum
from enumerator.engines.contraction.units cimport KINDS, Kinds, Neighbours, Units


cdef struct First:
    # a y0 to work out
    uint16_t number       # in the sum
    uint16_t bunch        # those of a bunch have the same
    uint32_t times        # the number of symmetric ones
    uint64_t swaps        # those that leave it unchanged
    uint8_t copies[KINDS]  # of each kind in the band


cdef class BandUnits:
    cdef Sum sum
    cdef int own, one, two                  # the places of the bands in the sum: this one, and the others
    cdef bint wanted[BOXES]                 # by place of the stack: False if its box is left out
    cdef Kinds down[BOXES]                  # of the stacks, by place
    cdef Kinds across[BOXES]                # of the band, in the box of each stack
    cdef Units of_lanes, of_pairs
    cdef uint16_t *columns                  # of the units of y2
    cdef uint8_t *copies[BOXES]             # by box, value of the band, and kind
    cdef uint32_t *base[BOXES]              # by partition of the band: where its solutions begin
    cdef uint32_t near_start[BOXES][PARTITIONS + 1]  # by partition of the band:
    cdef uint16_t *near[BOXES]              # the units of y1 or y2 that are compatible
    cdef uint32_t pair_count[BOXES]         # of units
    cdef First *first                       # y0 in the order of bunches
    cdef Pair *pairs                        # y2 by units
    cdef uint16_t *sorted[2]                # the pairs by their rows of A, and of B
    cdef uint16_t *pair_unit
    cdef uint32_t starts[2][PARTITIONS + 1]
    cdef Neighbours groups_of[PARTITIONS + QUADS]   # of each r1, and of each quad: the groups that are compatible
    cdef Neighbours columns_of[PARTITIONS + QUADS]  # of each r2, and of each quad: the columns that are compatible
    cdef uint16_t quads_of[PARTITIONS][PARTS * PARTS]  # the quads of each partition
    cdef bint by_quads[BOXES]               # True if sums over groups, or columns, go by way of quads
    cdef uint16_t row_sets[PARTITIONS * PARTS]
    cdef uint16_t column_sets[PARTITIONS * PARTS]
    cdef uint64_t divisor                   # the product of the divisors of the two other bands
    cdef size_t groups, column_count
    cdef int boxes, rows, columns_of_box, digits
    cdef readonly int values                # the number of y0 to work out
    cdef readonly list starts_of_parts      # the first y0 of each c0, and their number

    cdef int list_first(self, const uint8_t[::1] copies, first_values, multiplicities) except -1
    cdef int list_pairs(self) except -1
    cdef int list_rows(self, int box, const uint8_t[::1] copies, const uint16_t[::1] numbers) except -1
    cdef int list_near(self, int box, const Units *units) except -1
    cdef int list_quads(self, const uint16_t[::1] members, const uint16_t[::1] quads, int r1, int r2) except -1
