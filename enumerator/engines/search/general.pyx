"""The Python class of the walk over boards of every shape.

`general.h` has the walk, `general_rules.h` its rules, `general_leaves.h` its part near the leaves.
"""

from functools import lru_cache

cimport cython
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy

from enumerator.engines.walks.walk cimport Walk, check_board, check_masks

cdef enum:
    MOST_CELLS = 4_096  # the largest board is 64 × 64: boxes have at most 8 × 8 cells

cdef extern from "general.h":
    ctypedef struct GeneralWalk:
        int depth
    ctypedef struct GeneralShape:
        pass
    GeneralShape *general_new_shape(int height, int width) noexcept nogil
    GeneralWalk *general_new(const GeneralShape *shape, int rules_above) noexcept nogil
    void general_start(GeneralWalk *walk, const uint8_t *cells, const uint64_t *allowed) noexcept nogil
    uint64_t general_run(GeneralWalk *walk, uint64_t *nodes, uint64_t limit, uint8_t *out, int floor) noexcept nogil
    int general_floor_for(const GeneralWalk *walk, double part) noexcept nogil
    int general_open_cells(const GeneralWalk *walk) noexcept nogil
    double general_keep_one(GeneralWalk *walk, uint64_t random, int *branches) noexcept nogil
    void general_write_top(const GeneralWalk *walk, uint8_t *out) noexcept nogil
    uint32_t general_branches(const GeneralWalk *walk, uint32_t *branches) noexcept nogil
    uint64_t general_rest(const GeneralWalk *walk, uint8_t *out, uint32_t *levels) noexcept nogil
    const int RULES_ABOVE


@cython.final
@cython.auto_pickle(False)
cdef class Tables:
    """The tables of a shape, for all walks over boards of this shape."""

    cdef GeneralShape *shape

    def __cinit__(self, int height, int width):
        self.shape = general_new_shape(height, width)
        if self.shape == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.shape)


tables = lru_cache(Tables)  # there are 49 shapes


@cython.final
@cython.auto_pickle(False)
cdef class General(Walk):
    """The walk over boards of every shape."""

    cdef GeneralWalk *walk
    cdef Tables tables
    cdef bint is_restricted
    cdef const uint64_t[::1] allowed   # the digits of each cell, if the board is restricted

    def __cinit__(
        self,
        const uint8_t[::1] cells not None,
        int height,
        int width,
        int rules_above=RULES_ABOVE,
        allowed=None,
    ):
        check_board(cells, height, width)
        self.is_restricted = allowed is not None
        if self.is_restricted:
            self.allowed = allowed
            check_masks(self.allowed, height * width * height * width)
        self.cells = height * width * height * width
        self.tables = tables(height, width)
        self.walk = general_new(self.tables.shape, rules_above)
        if self.walk == NULL:
            raise MemoryError
        self.restart(&cells[0])

    def __dealloc__(self):
        free(self.walk)

    cdef void restart(self, const uint8_t *cells) noexcept nogil:
        cdef const uint64_t *masks = NULL
        if self.is_restricted:
            masks = &self.allowed[0]
        general_start(self.walk, cells, masks)

    cdef void restart_without(self, const uint8_t *cells, int cell) noexcept nogil:
        cdef uint64_t masks[MOST_CELLS]
        cdef uint8_t fewer[MOST_CELLS]
        cdef int each
        for each in range(self.cells):
            masks[each] = ~<uint64_t> 0
        masks[cell] ^= <uint64_t> 1 << (cells[cell] - 1)
        memcpy(fewer, cells, self.cells)
        fewer[cell] = 0
        general_start(self.walk, fewer, masks)

    cdef uint64_t advance(self, uint64_t *nodes, uint64_t limit, uint8_t *out, int floor) noexcept nogil:
        return general_run(self.walk, nodes, limit, out, floor)

    cdef int floor_for(self, double part) noexcept nogil:
        return general_floor_for(self.walk, part)

    cdef uint32_t write_branches(self, uint32_t *branches) noexcept nogil:
        return general_branches(self.walk, branches)

    cdef uint64_t write_rest(self, uint8_t *out, uint32_t *levels) noexcept nogil:
        return general_rest(self.walk, out, levels)

    cdef int top(self) noexcept nogil:
        return self.walk.depth

    cdef int open_cells(self) noexcept nogil:
        return general_open_cells(self.walk)

    cdef double keep_one(self, uint64_t random, int *branches) noexcept nogil:
        return general_keep_one(self.walk, random, branches)

    cdef void write_top(self, uint8_t *out) noexcept nogil:
        general_write_top(self.walk, out)
