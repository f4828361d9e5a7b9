"""The Python interface of the compiled walks: `start` and `count_boards`.

    general.pyx    General: the walk over boards of every shape
    kernel.pyx     Nine: the walk over 9×9 boards (nine.h), and all functions

Other modules import all names from here. The base class of both walks is in walks/walk.pyx. A board
is bytes, 0 for an empty cell. Several boards or solutions are concatenated without separators.
`allowed` are the pencil marks of a board: one mask of 64 bits per cell, bit d - 1 for digit d; None:
every cell allows every digit.
"""

cimport cython
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from enumerator.engines.walks.walk cimport Walk, check_board, check_boards, check_masks, clamp

from enumerator.engines.instructions import NAMES, choose
from enumerator.engines.search.general import General
from enumerator.engines.walks.walk import MOST

cdef extern from "machine.h":
    uint64_t nanoseconds_now() noexcept nogil

cdef extern from "processor.h":
    int newest_instructions() noexcept nogil

cdef extern from "nine.h":
    ctypedef struct NineWalk:
        int depth
    ctypedef struct NineFunctions:
        void (*start)(
            NineWalk *walk, const uint8_t *cells, const uint64_t *allowed, bint is_verdict, int without
        ) noexcept nogil
        uint64_t (*run)(NineWalk *walk, uint64_t *nodes, uint64_t limit, uint8_t *out, int floor) noexcept nogil
    const NineFunctions *nine_versions[]
    void nine_init() noexcept nogil
    int nine_floor_for(const NineWalk *walk, double part) noexcept nogil
    int nine_open_cells(const NineWalk *walk) noexcept nogil
    double nine_keep_one(NineWalk *walk, uint64_t random, int *branches) noexcept nogil
    void nine_write_top(const NineWalk *walk, uint8_t *out) noexcept nogil
    uint32_t nine_branches(const NineWalk *walk, uint32_t *branches) noexcept nogil
    uint64_t nine_rest(const NineWalk *walk, uint8_t *out, uint32_t *levels) noexcept nogil

cdef extern from *:
    """
    #ifdef ENUMERATOR_CHECKED
    static const int enumerator_checked = 1;
    #else
    static const int enumerator_checked = 0;
    #endif
    #if defined(__clang__)
    static const char *enumerator_compiler = __VERSION__;
    #else
    static const char *enumerator_compiler = "GCC " __VERSION__;
    #endif
    """
    const int enumerator_checked
    const char *enumerator_compiler
    const char *ENUMERATOR_FLAGS
    const unsigned long CYTHON_HEX_VERSION

cdef enum:
    MOST_CELLS = 4_096  # the largest board is 64 × 64: boxes have at most 8 × 8 cells

cdef int chosen = choose(newest_instructions())
cdef const NineFunctions *nine = nine_versions[chosen]
nine_init()
globals()["Walk"] = Walk  # cimport alone does not make a name an attribute of the module

CHECKED = bool(enumerator_checked)
"""True for a build with all checks: bounds, overflows and the assertions of C."""

COMPILER = (<bytes> enumerator_compiler).decode()
"""The C compiler's name and version."""

INSTRUCTIONS = NAMES[chosen]
"""The instruction set that all kernels use."""

FLAGS = (<bytes> ENUMERATOR_FLAGS).decode()
"""The flags of the C compiler."""

CYTHON = ".".join(str(CYTHON_HEX_VERSION >> shift & 0xFF) for shift in (24, 16, 8))
"""The version of Cython."""


def start(const uint8_t[::1] cells not None, int height, int width, allowed=None):
    """Return a walk over the solutions of a board with boxes of `height` × `width` cells."""
    return walk_over(cells, height, width, allowed)


cdef Walk walk_over(const uint8_t[::1] cells, int height, int width, object allowed, bint is_verdict=False):
    if height == width == 3:
        return Nine(cells, allowed, is_verdict)
    return General(cells, height, width) if allowed is None else General(cells, height, width, allowed=allowed)


@cython.final
@cython.auto_pickle(False)
cdef class Nine(Walk):
    """The walk over 9×9 boards.

    A walk for a verdict may find the solutions in another order. It comes to a second one sooner.
    """

    cdef NineWalk *walk
    cdef bint is_restricted, is_verdict
    cdef const uint64_t[::1] allowed   # the digits of each cell, if the board is restricted

    def __cinit__(self, const uint8_t[::1] cells not None, allowed=None, is_verdict=False):
        check_board(cells, 3, 3)
        self.is_verdict = is_verdict
        self.is_restricted = allowed is not None
        if self.is_restricted:
            self.allowed = allowed
            check_masks(self.allowed, 81)
        self.cells = 81
        self.walk = <NineWalk *> malloc(sizeof(NineWalk))
        if self.walk == NULL:
            raise MemoryError
        self.restart(&cells[0])

    def __dealloc__(self):
        free(self.walk)

    cdef void restart(self, const uint8_t *cells) noexcept nogil:
        cdef const uint64_t *masks = NULL
        if self.is_restricted:
            masks = &self.allowed[0]
        nine.start(self.walk, cells, masks, self.is_verdict, -1)

    cdef void restart_without(self, const uint8_t *cells, int cell) noexcept nogil:
        nine.start(self.walk, cells, NULL, True, cell)

    cdef uint64_t advance(self, uint64_t *nodes, uint64_t limit, uint8_t *out, int floor) noexcept nogil:
        return nine.run(self.walk, nodes, limit, out, floor)

    cdef int floor_for(self, double part) noexcept nogil:
        return nine_floor_for(self.walk, part)

    cdef uint32_t write_branches(self, uint32_t *branches) noexcept nogil:
        return nine_branches(self.walk, branches)

    cdef uint64_t write_rest(self, uint8_t *out, uint32_t *levels) noexcept nogil:
        return nine_rest(self.walk, out, levels)

    cdef int top(self) noexcept nogil:
        return self.walk.depth

    cdef int open_cells(self) noexcept nogil:
        return nine_open_cells(self.walk)

    cdef double keep_one(self, uint64_t random, int *branches) noexcept nogil:
        return nine_keep_one(self.walk, random, branches)

    cdef void write_top(self, uint8_t *out) noexcept nogil:
        nine_write_top(self.walk, out)


def count_boards(
    const uint8_t[::1] boards not None,
    int height,
    int width,
    nodes,
    limit,
    uint64_t[::1] counts not None,
    uint64_t[::1] visited=None,
    uint64_t[::1] nanoseconds=None,
    uint8_t[::1] unique=None,
    uint8_t[::1] listed=None,
    allowed=None,
):
    """Count the solutions of each board, at most `limit`; return the number of boards, and the walk over a hard one.

    A board is hard if it takes more than `nodes` nodes. The call ends before it, and also returns the
    number of its solutions that the walk has found; otherwise the walk is None. It also ends before
    the first board behind `nodes` nodes in total, so it visits at most twice as many. All boards have
    the same pencil marks.

        counts        gets the number of solutions of each board
        visited       gets the nodes of each board
        nanoseconds   gets the time of each board
        unique        gets the solution of each board with exactly one, at the place of the board
        listed        gets all solutions, concatenated; the call ends where they might not fit
    """
    cdef uint64_t each = clamp(nodes), most = clamp(limit), total = 0, written = 0, left, found, started = 0
    cdef uint64_t first = most if most < 2 else 2, needed = each if each < most else most
    cdef uint8_t two[2 * MOST_CELLS]
    cdef uint8_t *pair = NULL
    check_boards(boards, height, width)
    cdef int cells = height * width * height * width
    cdef Py_ssize_t count = boards.shape[0] // cells, done = 0
    cdef bint is_hard = False
    cdef Py_ssize_t room = counts.shape[0]
    if visited is not None:
        room = min(room, visited.shape[0])
    if nanoseconds is not None:
        room = min(room, nanoseconds.shape[0])
    if room < count:
        raise ValueError(f"{room} numbers for {count} boards")
    if unique is not None:
        if listed is not None:
            raise ValueError("the solutions are written to `unique` or to `listed`, not to both")
        pair = two
        if unique.shape[0] < boards.shape[0]:
            raise ValueError(f"{unique.shape[0]} bytes for the solutions of boards of {boards.shape[0]}")
    if not count:
        return 0, None, 0
    # with one solution it is the same in any order; two are not written. Visited nodes are those of a count
    cdef bint is_verdict = most == 2 and listed is None and visited is None
    cdef Walk walk = walk_over(boards[:cells], height, width, allowed, is_verdict)
    with nogil:
        while done < count and total <= each:
            if listed is not None and <uint64_t> listed.shape[0] // cells - written < needed:
                break
            if done:
                walk.restart(&boards[done * cells])
            if nanoseconds is not None:
                started = nanoseconds_now()
            left = each
            if listed is not None:
                found = walk.advance(&left, most, &listed[written * cells] if needed else NULL, 0)
            else:
                found = walk.advance(&left, first, pair, 0)
                if found == 2 and most > 2:
                    found += walk.advance(&left, most - 2, NULL, 0)
            total += each - left
            if found < most and walk.top() >= 0:
                is_hard = True
                walk.nodes = each - left
                break
            counts[done] = found
            if visited is not None:
                visited[done] = each - left
            if nanoseconds is not None:
                nanoseconds[done] = nanoseconds_now() - started
            if unique is not None and found == 1:
                memcpy(&unique[done * cells], two, cells)
            written += found
            done += 1
    return (done, walk, found) if is_hard else (done, None, 0)
