"""The smallest sets of clues that leave one of many full boards.

**Statement.** Let all sets of fewer clues leave several boards or none. A set of `number` clues that leaves one
board is found by choosing its cells in ascending order: the boards are divided by their digits in the first cell, each
part by those in the second, and so on. Before the last cell, a part has at least two boards, and a digit of a later
cell that exactly one of them has is the last clue. A digit that all boards of a part have is no help.

The digits of a board are bits here, a word for each cell. So the last step looks at all cells together.
"""

cimport cython
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

cdef extern from *:
    """
    #include <stddef.h>
    #include <stdint.h>
    /* Words are added four at a time, whether or not the compiler would do that by itself. */
    typedef uint32_t Words __attribute__((vector_size(16), aligned(4), may_alias));
    enum { LANES = sizeof(Words) / sizeof(uint32_t) };
    /* Note in `once` the bits of a row, and in `twice` those that were there before. */
    static inline void note_row(uint32_t *once, uint32_t *twice, const uint32_t *row, int first, int last) {
        for (int cell = first; cell < last; cell += LANES) {
            Words bits = *(const Words *)(row + cell), known = *(Words *)(once + cell);
            *(Words *)(twice + cell) |= known & bits;
            *(Words *)(once + cell) = known | bits;
        }
    }
    static inline int lowest_bit(uint32_t bits) { return __builtin_ctz(bits); }
    """
    void note_row(uint32_t *once, uint32_t *twice, const uint32_t *row, int first, int last) noexcept nogil
    int lowest_bit(uint32_t bits) noexcept nogil
    int LANES

cdef enum:
    MOST_DIGITS = 32
    MOST_CELLS = 1024
    MOST_CLUES = 8

LARGEST_SIZE = MOST_DIGITS
"""The largest number of digits of the boards."""

LARGEST_NUMBER = MOST_CLUES
"""The largest number of clues of a set."""

cdef struct Quest:
    int cells, stride, number
    size_t boards
    uint32_t *parts          # the boards divided by the digits of a cell, for each depth but the last two
    uint32_t *once           # by digit of the last cell but one: the bits of at least one board of a part
    uint32_t *twice          # … of at least two
    int chosen[2 * MOST_CLUES]
    int *found               # cell and digit of each clue of the sets that are kept
    uint64_t count, kept, most


@cython.auto_pickle(False)
cdef class FullBoards:
    """Many full boards, by the digits of those cells in which they differ."""

    cdef uint32_t *rows
    cdef readonly size_t boards
    cdef readonly int cells
    cdef int stride          # the words of a board: a multiple of LANES

    def __cinit__(self, const uint8_t[::1] digits not None, int board_cells, places):
        """Copy the digits of the cells `places` from full boards of `board_cells` cells, concatenated."""
        cdef size_t board
        cdef int at, digit
        cdef int place[MOST_CELLS]
        self.cells, self.boards = len(places), digits.shape[0] // board_cells
        if not 0 < self.cells <= MOST_CELLS:
            raise ValueError(f"{self.cells} cells: there must be 1 to {MOST_CELLS}")
        for at in range(self.cells):
            if not 0 <= places[at] < board_cells:
                raise ValueError(f"there is no cell {places[at]}")
            place[at] = places[at]
        self.stride = (self.cells + LANES - 1) // LANES * LANES
        self.rows = <uint32_t *> calloc(max(1, self.boards * self.stride), sizeof(uint32_t))
        if self.rows == NULL:
            raise MemoryError
        for board in range(self.boards):
            for at in range(self.cells):
                digit = digits[board * board_cells + place[at]]
                if not 1 <= digit <= MOST_DIGITS:
                    raise ValueError(f"{digit} is not a digit")
                self.rows[board * self.stride + at] = <uint32_t> 1 << (digit - 1)

    def __dealloc__(self):
        free(self.rows)

    def search(self, int first, int number, uint64_t most):
        """Return how many sets of `number` clues begin with cell `first` and leave one board; `most` of the sets.

        A set is a tuple of pairs: the index of a cell in `places`, and a digit. No smaller set may leave one board.
        """
        cdef Quest quest
        cdef uint64_t at
        cdef int i
        if not (0 <= first < self.cells and 2 <= number <= MOST_CLUES):
            raise ValueError(f"no search for {number} clues from cell {first}")
        quest.cells, quest.stride, quest.number, quest.boards = self.cells, self.stride, number, self.boards
        quest.count, quest.kept, quest.most = 0, 0, most
        quest.parts = <uint32_t *> malloc(max(1, (number - 2) * self.boards * self.stride) * sizeof(uint32_t))
        quest.once = <uint32_t *> malloc(MOST_DIGITS * self.stride * sizeof(uint32_t))
        quest.twice = <uint32_t *> malloc(MOST_DIGITS * self.stride * sizeof(uint32_t))
        quest.found = <int *> malloc(max(1, most * number * 2) * sizeof(int))
        try:
            if quest.parts == NULL or quest.once == NULL or quest.twice == NULL or quest.found == NULL:
                raise MemoryError
            with nogil:
                divide(&quest, self.rows, self.boards, first, 0)
            return quest.count, [
                tuple([
                    (quest.found[2 * (at * number + i)], quest.found[2 * (at * number + i) + 1]) for i in range(number)
                ])
                for at in range(quest.kept)
            ]
        finally:
            free(quest.parts)
            free(quest.once)
            free(quest.twice)
            free(quest.found)


cdef void divide(Quest *quest, const uint32_t *rows, size_t boards, int cell, int depth) noexcept nogil:
    """Divide boards by their digits in a cell, and go on with each part that has several."""
    cdef size_t starts[MOST_DIGITS + 1]
    cdef size_t ends[MOST_DIGITS]
    cdef size_t stride = quest.stride, at
    cdef uint32_t *parts = quest.parts + depth * quest.boards * stride
    cdef int digit, after
    quest.chosen[2 * depth] = cell
    if depth + 2 == quest.number:
        finish(quest, rows, boards, cell, depth)
        return
    memset(starts, 0, sizeof(starts))
    for at in range(boards):
        starts[lowest_bit(rows[at * stride + cell]) + 1] += 1
    for digit in range(MOST_DIGITS):
        starts[digit + 1] += starts[digit]
        ends[digit] = starts[digit]
    for at in range(boards):  # copied, so that a part lies in one piece: its boards are read again and again
        digit = lowest_bit(rows[at * stride + cell])
        memcpy(parts + ends[digit] * stride, rows + at * stride, stride * sizeof(uint32_t))
        ends[digit] += 1
    for digit in range(MOST_DIGITS):
        if 1 < ends[digit] - starts[digit] < boards:
            quest.chosen[2 * depth + 1] = digit + 1
            for after in range(cell + 1, quest.cells):
                divide(quest, parts + starts[digit] * stride, ends[digit] - starts[digit], after, depth + 1)


cdef void finish(Quest *quest, const uint32_t *rows, size_t boards, int cell, int depth) noexcept nogil:
    """Note the digits of later cells that exactly one board of a part has. Parts are divided by a cell."""
    cdef size_t counts[MOST_DIGITS]
    cdef size_t stride = quest.stride, at
    cdef const uint32_t *row
    cdef int first = (cell + 1) // LANES * LANES, digit, later
    memset(counts, 0, sizeof(counts))
    memset(quest.once, 0, MOST_DIGITS * stride * sizeof(uint32_t))
    memset(quest.twice, 0, MOST_DIGITS * stride * sizeof(uint32_t))
    for at in range(boards):
        row = rows + at * stride
        digit = lowest_bit(row[cell])
        counts[digit] += 1
        note_row(quest.once + digit * stride, quest.twice + digit * stride, row, first, quest.stride)
    for digit in range(MOST_DIGITS):
        if 1 < counts[digit] < boards:
            quest.chosen[2 * depth + 1] = digit + 1
            for later in range(cell + 1, quest.cells):
                note_sets(quest, later, quest.once[digit * stride + later] & ~quest.twice[digit * stride + later])


cdef void note_sets(Quest *quest, int cell, uint32_t single) noexcept nogil:
    """Note the sets whose last clue is in a cell: each digit that exactly one board has."""
    cdef int last = 2 * (quest.number - 1), i
    while single:
        quest.chosen[last], quest.chosen[last + 1] = cell, lowest_bit(single) + 1
        if quest.kept < quest.most:
            for i in range(2 * quest.number):
                quest.found[quest.kept * 2 * quest.number + i] = quest.chosen[i]
            quest.kept += 1
        quest.count += 1
        single &= single - 1
