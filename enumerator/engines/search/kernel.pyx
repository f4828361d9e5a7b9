"""The Python interface of the compiled walks: `start`, `classify`, and helpers.

    walk.pyx       Walk: slices, parts, shares; argument checks
    general.pyx    General: the walk over boards of every shape
    kernel.pyx     Nine: the walk over 9×9 boards (nine.h), and all functions

Other modules import all names from here. A board is bytes, 0 for an empty cell. Several boards or
solutions are concatenated without separators. `allowed` are the pencil marks of a board: one mask
of 64 bits per cell, bit d - 1 for digit d; None: every cell allows every digit.
"""

cimport cython
from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from enumerator.engines.search.walk cimport Walk, check_board, check_boards, check_masks, clamp

from enumerator.engines.search.general import General
from enumerator.engines.search.walk import MOST

cdef extern from "machine.h":
    int popcount64(uint64_t bits) noexcept nogil

cdef extern from "nine.h":
    ctypedef struct NineWalk:
        int depth
    void nine_init() noexcept nogil
    void nine_start(NineWalk *walk, const uint8_t *cells, const uint64_t *allowed) noexcept nogil
    uint64_t nine_run(NineWalk *walk, uint64_t *nodes, uint64_t limit, uint8_t *out, int floor) noexcept nogil
    int nine_floor_for(const NineWalk *walk, double part) noexcept nogil
    int nine_open_cells(const NineWalk *walk) noexcept nogil
    double nine_keep_one(NineWalk *walk, uint64_t random, int *branches) noexcept nogil
    void nine_write_top(const NineWalk *walk, uint8_t *out) noexcept nogil
    uint64_t nine_rest(const NineWalk *walk, uint8_t *out, double *shares) noexcept nogil

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

nine_init()
globals()["Walk"] = Walk  # cimport alone does not make a name an attribute of the module

CHECKED = bool(enumerator_checked)
"""True for a build with all checks: bounds, overflows and the assertions of C."""

COMPILER = (<bytes> enumerator_compiler).decode()
"""The C compiler's name and version."""

FLAGS = (<bytes> ENUMERATOR_FLAGS).decode()
"""The flags of the C compiler."""

CYTHON = ".".join(str(CYTHON_HEX_VERSION >> shift & 0xFF) for shift in (24, 16, 8))
"""The version of Cython."""


def start(const uint8_t[::1] cells not None, int height, int width, allowed=None):
    """Return a walk over the solutions of a board with boxes of `height` × `width` cells."""
    return walk_over(cells, height, width, allowed)


cdef Walk walk_over(const uint8_t[::1] cells, int height, int width, object allowed):
    if height == width == 3:
        return Nine(cells) if allowed is None else Nine(cells, allowed)
    return General(cells, height, width) if allowed is None else General(cells, height, width, allowed=allowed)


@cython.final
@cython.auto_pickle(False)
cdef class Nine(Walk):
    """The walk over 9×9 boards."""

    cdef NineWalk *walk
    cdef bint is_restricted
    cdef const uint64_t[::1] allowed   # the digits of each cell, if the board is restricted

    def __cinit__(self, const uint8_t[::1] cells not None, allowed=None):
        check_board(cells, 3, 3)
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
        nine_start(self.walk, cells, masks)

    cdef uint64_t advance(self, uint64_t *nodes, uint64_t limit, uint8_t *out, int floor) noexcept nogil:
        return nine_run(self.walk, nodes, limit, out, floor)

    cdef int floor_for(self, double part) noexcept nogil:
        return nine_floor_for(self.walk, part)

    cdef uint64_t write_rest(self, uint8_t *out, double *shares) noexcept nogil:
        return nine_rest(self.walk, out, shares)

    cdef int top(self) noexcept nogil:
        return self.walk.depth

    cdef int open_cells(self) noexcept nogil:
        return nine_open_cells(self.walk)

    cdef double keep_one(self, uint64_t random, int *branches) noexcept nogil:
        return nine_keep_one(self.walk, random, branches)

    cdef void write_top(self, uint8_t *out) noexcept nogil:
        nine_write_top(self.walk, out)


def classify(
    const uint8_t[::1] boards not None, int height, int width, nodes, uint8_t[::1] solutions=None, allowed=None
):
    """Return a byte for each board: its number of solutions, where 2 means two or more.

    Visit at most `nodes` nodes. The result ends before the first board that they do not decide.
    The solution of a board with exactly one is written to the board's place in `solutions`. All
    boards have the same pencil marks.
    """
    cdef uint64_t left = clamp(nodes)
    cdef uint8_t two[2 * MOST_CELLS]
    cdef uint64_t found
    check_boards(boards, height, width)
    cdef int cells = height * width * height * width
    cdef Py_ssize_t count = boards.shape[0] // cells, done = 0
    if solutions is not None and solutions.shape[0] != boards.shape[0]:
        raise ValueError(f"{solutions.shape[0]} bytes for the solutions of boards of {boards.shape[0]}")
    if not count:
        return b""
    cdef bytearray verdicts = bytearray(count)
    cdef uint8_t[::1] verdict = verdicts
    cdef Walk walk = walk_over(boards[:cells], height, width, allowed)
    with nogil:
        while True:
            found = walk.advance(&left, 2, two, 0)
            if found < 2 and walk.top() >= 0:
                break
            verdict[done] = <uint8_t> found
            if solutions is not None and found == 1:
                memcpy(&solutions[done * cells], two, cells)
            done += 1
            if done == count:
                break
            walk.restart(&boards[done * cells])
    return bytes(verdicts[:done])


def space(const uint8_t[::1] cells not None, int height, int width, allowed=None):
    """Return the exact search space: the product of the candidate counts of all empty cells."""
    cdef uint64_t rows[64]
    cdef uint64_t columns[64]
    cdef uint64_t boxes[64]
    cdef int counts[65]
    cdef int size = height * width, cell, row, column, box, i
    check_board(cells, height, width)
    for i in range(size):
        rows[i] = columns[i] = boxes[i] = 0
    for i in range(size + 1):
        counts[i] = 0
    for cell in range(size * size):
        if cells[cell]:
            row, column = cell // size, cell % size
            box = row // height * height + column // width
            rows[row] |= <uint64_t> 1 << (cells[cell] - 1)
            columns[column] |= <uint64_t> 1 << (cells[cell] - 1)
            boxes[box] |= <uint64_t> 1 << (cells[cell] - 1)
    if allowed is not None:
        count_restricted(cells, height, width, allowed, rows, columns, boxes, counts)
    else:
        for cell in range(size * size):
            if not cells[cell]:
                row, column = cell // size, cell % size
                box = row // height * height + column // width
                counts[size - popcount64(rows[row] | columns[column] | boxes[box])] += 1
    product = 1
    for i in range(size + 1):
        if counts[i]:
            product *= (<object> i) ** counts[i]
    return product


cdef int count_restricted(
    const uint8_t[::1] cells,
    int height,
    int width,
    const uint64_t[::1] allowed,
    const uint64_t *rows,
    const uint64_t *columns,
    const uint64_t *boxes,
    int *counts,
) except -1:
    """Count the empty cells with each number of candidates, on a board with pencil marks.

    `rows`, `columns` and `boxes` are the digits that they hold.
    """
    cdef int size = height * width, cell, row, column, box
    cdef uint64_t full = ~(<uint64_t> 0) >> (64 - size)
    check_masks(allowed, size * size)
    for cell in range(size * size):
        if not cells[cell]:
            row, column = cell // size, cell % size
            box = row // height * height + column // width
            counts[popcount64(full & allowed[cell] & ~(rows[row] | columns[column] | boxes[box]))] += 1
    return 0


def lines(const uint8_t[::1] solutions not None, int cells, str symbols not None):
    """Return solutions of `cells` cells each as text, one line of symbols per solution.

    The symbol of digit d is `symbols[d - 1]`.
    """
    cdef const uint8_t[::1] symbol = symbols.encode("ascii")
    cdef uint64_t count = solutions.shape[0] // cells, i, j
    cdef object text = bytearray(count * (cells + 1))
    cdef uint8_t[::1] out
    cdef uint8_t digit
    if count:
        out = text
        with nogil:
            for i in range(count):
                for j in range(<uint64_t> cells):
                    digit = solutions[i * cells + j]
                    out[i * (cells + 1) + j] = symbol[digit - 1 if 1 <= digit <= symbol.shape[0] else 0]
                out[i * (cells + 1) + cells] = c"\n"
    return text


def tally(const uint8_t[::1] solutions not None, int cells, int size, uint64_t[::1] counts not None):
    """Add 1 to `counts[cell * size + digit - 1]` for each `cell` of each solution and its `digit`."""
    cdef uint64_t count = solutions.shape[0] // cells, i, j
    cdef uint8_t digit
    if counts.shape[0] != cells * size:
        raise ValueError(f"{counts.shape[0]} counts, not {cells * size}")
    with nogil:
        for i in range(count):
            for j in range(<uint64_t> cells):
                digit = solutions[i * cells + j]
                if 1 <= digit <= size:
                    counts[j * size + digit - 1] += 1
