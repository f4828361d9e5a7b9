# The declaration of Sum for sum_listing.pyx and box.pyx: its values, its tables, the steps of a run.

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from enumerator.engines.contraction.bands cimport Band
from enumerator.engines.contraction.limits cimport BOXES, PARTITIONS
from enumerator.engines.contraction.loops cimport Loops, cell, wide
from enumerator.engines.contraction.scratch cimport Scratch
from enumerator.engines.contraction.values cimport Value


cdef class Sum:
    cdef const Loops *loops
    cdef Value *first           # y0
    cdef Value *lanes           # y1, sorted into groups
    cdef Value *second          # y2, sorted by its partition in band 0 and by weight
    cdef Value *sorted[BOXES]   # y2, sorted by its partition in band 1 and in band 2; NULL for band 0
    cdef uint32_t starts[BOXES][PARTITIONS + 1]  # the places of each partition there
    cdef Band bands[BOXES]
    cdef int first_count, lane_count, second_count
    cdef uint32_t group_start[PARTITIONS + 1]
    cdef uint32_t *times        # by y0: the factor of its sum
    cdef tuple tables           # the owners of the next five
    cdef const uint8_t *compatible     # in a box: [row partition · PARTITIONS + column partition]
    cdef const uint8_t *missing        # the same in a missing box
    cdef const uint16_t *near          # in a box: the compatible column partitions of each row partition
    cdef const uint16_t *near_rows     # the same for each column partition
    cdef const uint16_t *near_missing  # `near` and `near_rows` in a missing box
    cdef uint16_t *swaps
    cdef int swap_count, boxes
    cdef bint twins
    cdef readonly int groups
    cdef readonly object items

    cdef int find_compatible(self, network) except -1
    cdef int set_up_bands(self, network, stacks, bands) except -1
    cdef int copy_swaps(self, swaps) except -1
    cdef bint sum_items(
        self, Scratch *scratch, uint64_t *item, uint64_t end, double budget, double *products, wide *total
    ) noexcept nogil
    cdef bint select_first(self, Scratch *scratch, int number, double *products) noexcept nogil
    cdef bint select_tables(self, Scratch *scratch, const Value *value, double *products) noexcept nogil
    cdef void merge_groups(self, Scratch *scratch, const Value *value) noexcept nogil
    cdef int gather_lanes(self, Scratch *scratch, int group) noexcept nogil
    cdef int interleave_lanes(self, Scratch *scratch, int count) noexcept nogil
    cdef uint64_t group_sum(self, Scratch *scratch, int group, double *products) noexcept nogil
    cdef void sum_groups(self, Scratch *scratch, int group, int last, double *products) noexcept nogil
    cdef const cell *factors_of(self, Scratch *scratch, int group, cell *once_or_twice) noexcept nogil
    cdef void add_lane(
        self, Scratch *scratch, int group, const cell *factors, const Value *lane, double *products
    ) noexcept nogil
    cdef void sum_batch(self, Scratch *scratch, double *products) noexcept nogil
    cdef uint64_t missing_sum(self, Scratch *scratch, const cell *factors, const Value *lane) noexcept nogil
