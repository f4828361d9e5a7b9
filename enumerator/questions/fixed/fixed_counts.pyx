"""The Python interface of fixed.h: the solutions that a symmetry fixes, counted."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

cdef extern from "fixed.h":
    enum: FIXED_SIDE
    ctypedef struct Fixed:
        int size, height, width, options, items, cells, is_void
        uint32_t *item_of
        uint8_t *place_of
        uint8_t *covers
        uint8_t *digit
        uint32_t *option_at
        uint64_t *start
        uint8_t cycle[64]
        uint8_t group[64]
        uint8_t kind[64]
        uint8_t length[64]
        uint8_t cycles[64]
    ctypedef struct Table "FixedTable":
        int words
        uint64_t *at
    ctypedef struct FixedFrame:
        int item, is_whole
        uint64_t left
    ctypedef struct Search "FixedSearch":
        Table *table
        uint64_t *live
        uint32_t *order
        uint32_t *where
        uint32_t *trail
        uint32_t *chosen
        uint32_t *queue
        uint32_t *path
        int depth, given, words, has_overflow
        FixedFrame *frames
        uint64_t *set
        uint64_t *random
        uint64_t nodes
    void fixed_number_items(Fixed *f, const uint8_t *lines, const uint8_t *digits, uint32_t *item) noexcept nogil
    void fixed_make_options(Fixed *f, const uint8_t *lines, const uint8_t *digits, const uint64_t *allowed,
                            const uint32_t *item, uint8_t *seen, uint32_t *stamp) noexcept nogil
    int fixed_make_table(Table *table, int items, size_t bytes) noexcept nogil
    int fixed_begin(Search *s, const Fixed *f, int given) noexcept nogil
    int fixed_run(Search *s, uint64_t budget) noexcept nogil
    int fixed_find_left(const Search *s) noexcept nogil
    uint64_t fixed_found_high(const Search *s) noexcept nogil
    uint64_t fixed_found_low(const Search *s) noexcept nogil


cdef class FixedProblem:
    """The solutions of a board that a symmetry fixes, as a problem of exact covers.

    `lines` has the image of each row, then of each column, counted from the number of rows; `digits` those
    of the digits, from 0. `allowed` has a mask of digits for each cell. `groups` has a number for each digit: digits
    of a group may be exchanged, if the others in their cycles are exchanged, too.
    """

    cdef Fixed f

    def __cinit__(
        self,
        int height,
        int width,
        const uint8_t[::1] lines not None,
        const uint8_t[::1] digits not None,
        const uint64_t[::1] allowed not None,
        const uint8_t[::1] groups not None,
    ):
        cdef int size = height * width, cells = size * size, i
        if not (2 <= height <= 8 and 2 <= width <= 8):
            raise ValueError(f"no box of {height}x{width}")
        if lines.shape[0] != 2 * size or allowed.shape[0] != cells:
            raise ValueError(f"{lines.shape[0]} lines and {allowed.shape[0]} cells on a board of size {size}")
        if digits.shape[0] != size or groups.shape[0] != size:
            raise ValueError(f"{digits.shape[0]} digits in {groups.shape[0]} groups on a board of size {size}")
        for i in range(2 * size):
            if lines[i] >= 2 * size:
                raise ValueError(f"no line {lines[i]}")
        for i in range(size):
            if digits[i] >= size or groups[i] >= size:
                raise ValueError(f"no digit {digits[i]} or group {groups[i]}")
        self.f.size, self.f.height, self.f.width = size, height, width
        self.set_digits(digits, groups)
        self.make(&lines[0], &digits[0], &allowed[0])

    def __dealloc__(self):
        free(self.f.item_of)
        free(self.f.place_of)
        free(self.f.covers)
        free(self.f.digit)
        free(self.f.option_at)
        free(self.f.start)

    cdef int set_digits(self, const uint8_t[::1] digits, const uint8_t[::1] groups) except -1:
        """Find the cycles of digits. Those through the same groups are of a kind."""
        cdef int size = self.f.size, first, at, length, cycle = 0, kind
        cdef bint[64] seen
        memset(&seen[0], 0, sizeof(seen))
        for first in range(size):
            self.f.group[first] = groups[first]
            if seen[first]:
                continue
            at, length, kind = first, 0, groups[first]
            while not seen[at]:
                seen[at] = True
                self.f.cycle[at] = cycle
                length += groups[at] == groups[first]
                kind = min(kind, groups[at])
                at = digits[at]
            self.f.kind[cycle] = kind
            self.f.length[kind] = length
            self.f.cycles[kind] += 1
            cycle += 1
        return 0

    cdef int make(self, const uint8_t *lines, const uint8_t *digits, const uint64_t *allowed) except -1:
        """Make the items and options."""
        cdef size_t cells = self.f.size * self.f.size, placements = cells * self.f.size, items = 4 * cells
        cdef uint32_t *item = <uint32_t *> malloc(items * sizeof(uint32_t))
        cdef uint32_t *stamp = <uint32_t *> calloc(items, sizeof(uint32_t))
        cdef uint8_t *seen = <uint8_t *> calloc(placements, 1)
        self.f.item_of = <uint32_t *> malloc(4 * placements * sizeof(uint32_t))
        self.f.place_of = <uint8_t *> malloc(4 * placements)
        self.f.covers = <uint8_t *> malloc(placements)
        self.f.digit = <uint8_t *> malloc(placements)
        self.f.option_at = <uint32_t *> malloc(64 * items * sizeof(uint32_t))
        self.f.start = <uint64_t *> calloc(items, sizeof(uint64_t))
        cdef bint ok = (
            item != NULL and stamp != NULL and seen != NULL and self.f.item_of != NULL and self.f.place_of != NULL
            and self.f.covers != NULL and self.f.digit != NULL and self.f.option_at != NULL and self.f.start != NULL
        )
        if ok:
            with nogil:
                fixed_number_items(&self.f, lines, digits, item)
                fixed_make_options(&self.f, lines, digits, allowed, item, seen, stamp)
        free(item)
        free(stamp)
        free(seen)
        if not ok:
            raise MemoryError
        return 0

    @property
    def is_void(self):
        """True if it is plain that no solution is fixed."""
        return bool(self.f.is_void)


cdef class FixedTable:
    """The table of a problem, of about `size` bytes. Searches of the problem may use it at the same time."""

    cdef Table table
    cdef FixedProblem problem

    def __cinit__(self, FixedProblem problem not None, size_t size):
        self.problem = problem
        if not fixed_make_table(&self.table, problem.f.items, size):
            raise MemoryError

    def __dealloc__(self):
        free(self.table.at)


cdef class FixedSearch:
    """A search for fixed solutions with the options in `path`. One thread at a time may use it."""

    cdef Search s
    cdef FixedProblem problem
    cdef FixedTable table

    def __cinit__(self, FixedTable table not None, path=()):
        cdef FixedProblem problem = table.problem
        cdef size_t items = problem.f.items + 1, options = problem.f.options + 1
        cdef int given = len(path), i, is_possible
        if given > problem.f.items:
            raise ValueError(f"a path of {given} options to {problem.f.items} items")
        self.problem, self.table = problem, table
        self.s.table, self.s.words = &table.table, table.table.words
        self.s.live = <uint64_t *> malloc((2 * items + self.s.words) * sizeof(uint64_t))
        self.s.order = <uint32_t *> malloc((5 * items + options) * sizeof(uint32_t))
        self.s.frames = <FixedFrame *> malloc(items * sizeof(FixedFrame))
        if self.s.live == NULL or self.s.order == NULL or self.s.frames == NULL:
            raise MemoryError
        self.s.random = self.s.live + items
        self.s.set = self.s.random + items
        memset(self.s.set, 0, self.s.words * sizeof(uint64_t))
        self.s.where = self.s.order + items
        self.s.chosen = self.s.where + items
        self.s.queue = self.s.chosen + items
        self.s.path = self.s.queue + items
        self.s.trail = self.s.path + items
        for i in range(given):
            if not 0 <= path[i] < problem.f.options:
                raise ValueError(f"no option {path[i]}")
            self.s.path[i] = path[i]
        with nogil:
            is_possible = fixed_begin(&self.s, &problem.f, given)
        if not is_possible:
            raise ValueError("options that exclude each other")

    def __dealloc__(self):
        free(self.s.live)
        free(self.s.order)
        free(self.s.frames)

    @property
    def nodes(self):
        """The nodes so far."""
        return self.s.nodes

    @property
    def found(self):
        """The leaves so far."""
        if self.s.has_overflow:
            raise OverflowError("there are more than 2**128 fixed solutions")
        cdef object high = fixed_found_high(&self.s), low = fixed_found_low(&self.s)
        return high << 64 | low

    def run(self, uint64_t budget):
        """Search for about `budget` nodes; return True if the search is finished."""
        cdef int finished
        with nogil:
            finished = fixed_run(&self.s, budget)
        return bool(finished)

    def split(self):
        """Give away what is left at the first node that has a choice: return the paths to it."""
        cdef int at = fixed_find_left(&self.s), depth
        cdef list path, paths = []
        if at < 0:
            return paths
        path = [self.s.path[i] for i in range(self.s.given + at)]
        for place in range(FIXED_SIDE):
            if self.s.frames[at].left >> place & 1:
                paths.append((*path, self.problem.f.option_at[64 * self.s.frames[at].item + place]))
        self.s.frames[at].left = 0
        for depth in range(at + 1):
            self.s.frames[depth].is_whole = 0
        return paths
