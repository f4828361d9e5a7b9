# The base class of all walks, and the argument checks that the compiled modules share.

from libc.stdint cimport uint8_t, uint32_t, uint64_t


cdef class Walk:
    cdef readonly int cells       # of the board
    cdef readonly uint64_t nodes  # visited by `run` and `round_off`
    cdef int busy                 # a thread is using this walk; see `acquire`

    cdef int acquire(self) except -1
    cdef void release(self) noexcept nogil
    cdef list level_shares(self)
    cdef uint64_t run_and_release(self, uint64_t nodes, uint64_t limit, uint8_t *out, int floor)

    # Each kind of walk defines these. None of them checks its arguments.
    cdef void restart(self, const uint8_t *cells) noexcept nogil
    cdef void restart_without(self, const uint8_t *cells, int cell) noexcept nogil
    cdef uint64_t advance(self, uint64_t *nodes, uint64_t limit, uint8_t *out, int floor) noexcept nogil
    cdef int floor_for(self, double part) noexcept nogil
    cdef uint32_t write_branches(self, uint32_t *branches) noexcept nogil
    cdef uint64_t write_rest(self, uint8_t *out, uint32_t *levels) noexcept nogil
    cdef int top(self) noexcept nogil
    cdef int open_cells(self) noexcept nogil
    cdef double keep_one(self, uint64_t random, int *branches) noexcept nogil
    cdef void write_top(self, uint8_t *out) noexcept nogil
    cdef bint is_short_of_memory(self) noexcept nogil


cdef uint64_t clamp(object number) except? 0
cdef int check_board(const uint8_t[::1] cells, int height, int width) except -1
cdef int check_boards(const uint8_t[::1] boards, int height, int width) except -1
cdef int check_masks(const uint64_t[::1] allowed, int cells) except -1
