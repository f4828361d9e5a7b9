"""The smallest sets of clues that leave one of many full boards.

**Statement.** Let all sets of fewer clues leave several boards or none. A set of `number` clues that leaves one
board is found by choosing its cells in ascending order: the boards are divided by their digits in the first cell, each
part by those in the second, and so on. Before the last cell, a part has at least two boards, and a digit of a later
cell that exactly one of them has is the last clue. A digit that all boards of a part have is no help.

The digits of a board are bits here, a word for each cell. So the last step looks at all cells together.
"""

cimport cython
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc

cdef extern from *:
    """
    #include <stddef.h>
    #include <stdint.h>
    /* Note in `once` the bits of a row, and in `twice` those that were there before. */
    static inline void note_row(uint32_t *restrict once, uint32_t *restrict twice, const uint32_t *restrict row,
                                int first, int last) {
        for (int cell = first; cell < last; cell++) {
            twice[cell] |= once[cell] & row[cell];
            once[cell] |= row[cell];
        }
    }
    static inline int lowest_bit(uint32_t bits) { return __builtin_ctz(bits); }
    """
    void note_row(uint32_t *once, uint32_t *twice, const uint32_t *row, int first, int last) noexcept nogil
    int lowest_bit(uint32_t bits) noexcept nogil

cdef enum:
    MOST_DIGITS = 32
    MOST_CELLS = 1024
    MOST_CLUES = 8

LARGEST_SIZE = MOST_DIGITS
"""The largest number of digits of the boards."""

LARGEST_NUMBER = MOST_CLUES
"""The largest number of clues of a set."""

cdef struct Quest:
    const uint32_t *rows     # a bit for the digit of each cell, board by board
    int cells, number
    uint32_t *parts          # the numbers of the boards of a part, for each depth
    size_t boards
    int chosen[2 * MOST_CLUES]
    int *found               # cell and digit of each clue of the sets that are kept
    uint64_t count, kept, most


@cython.auto_pickle(False)
cdef class FullBoards:
    """Many full boards, by the digits of those cells in which they differ."""

    cdef uint32_t *rows
    cdef readonly size_t boards
    cdef readonly int cells

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
        self.rows = <uint32_t *> malloc(max(1, self.boards * self.cells) * sizeof(uint32_t))
        if self.rows == NULL:
            raise MemoryError
        for board in range(self.boards):
            for at in range(self.cells):
                digit = digits[board * board_cells + place[at]]
                if not 1 <= digit <= MOST_DIGITS:
                    raise ValueError(f"{digit} is not a digit")
                self.rows[board * self.cells + at] = <uint32_t> 1 << (digit - 1)

    def __dealloc__(self):
        free(self.rows)

    def search(self, int first, int number, uint64_t most):
        """Return how many sets of `number` clues begin with cell `first` and leave one board; `most` of the sets.

        A set is a tuple of pairs: the index of a cell in `places`, and a digit. No smaller set may leave one board.
        """
        cdef Quest quest
        cdef uint64_t at
        cdef size_t board
        cdef int i
        if not (0 <= first < self.cells and 2 <= number <= MOST_CLUES):
            raise ValueError(f"no search for {number} clues from cell {first}")
        quest.rows, quest.cells, quest.number, quest.boards = self.rows, self.cells, number, self.boards
        quest.count, quest.kept, quest.most = 0, 0, most
        quest.parts = <uint32_t *> malloc(max(1, number * self.boards) * sizeof(uint32_t))
        quest.found = <int *> malloc(max(1, most * number * 2) * sizeof(int))
        try:
            if quest.parts == NULL or quest.found == NULL:
                raise MemoryError
            with nogil:
                for board in range(self.boards):
                    quest.parts[board] = board
                divide(&quest, quest.parts, self.boards, first, 0)
            return quest.count, [
                tuple([
                    (quest.found[2 * (at * number + i)], quest.found[2 * (at * number + i) + 1]) for i in range(number)
                ])
                for at in range(quest.kept)
            ]
        finally:
            free(quest.parts)
            free(quest.found)


cdef void divide(Quest *quest, const uint32_t *part, size_t boards, int cell, int depth) noexcept nogil:
    """Divide a part by its digits in a cell, and go on with each that has several boards."""
    cdef size_t starts[MOST_DIGITS + 1]
    cdef size_t ends[MOST_DIGITS]
    cdef uint32_t *parts = quest.parts + (depth + 1) * quest.boards
    cdef size_t at
    cdef int digit, after
    for digit in range(MOST_DIGITS + 1):
        starts[digit] = 0
    for at in range(boards):
        starts[lowest_bit(quest.rows[part[at] * <size_t> quest.cells + cell]) + 1] += 1
    for digit in range(MOST_DIGITS):
        starts[digit + 1] += starts[digit]
        ends[digit] = starts[digit]
    for at in range(boards):
        digit = lowest_bit(quest.rows[part[at] * <size_t> quest.cells + cell])
        parts[ends[digit]] = part[at]
        ends[digit] += 1
    quest.chosen[2 * depth] = cell
    for digit in range(MOST_DIGITS):
        if not 1 < ends[digit] - starts[digit] < boards:
            continue
        quest.chosen[2 * depth + 1] = digit + 1
        if depth + 2 == quest.number:
            finish(quest, parts + starts[digit], ends[digit] - starts[digit], cell + 1, depth + 1)
        else:
            for after in range(cell + 1, quest.cells):
                divide(quest, parts + starts[digit], ends[digit] - starts[digit], after, depth + 1)


cdef void finish(Quest *quest, const uint32_t *part, size_t boards, int first, int depth) noexcept nogil:
    """Note the digits of cells from `first` on that exactly one board of a part has."""
    cdef uint32_t once[MOST_CELLS]
    cdef uint32_t twice[MOST_CELLS]
    cdef uint32_t single
    cdef size_t at
    cdef int cell, i
    for cell in range(first, quest.cells):
        once[cell] = twice[cell] = 0
    for at in range(boards):
        note_row(once, twice, quest.rows + part[at] * <size_t> quest.cells, first, quest.cells)
    for cell in range(first, quest.cells):
        single = once[cell] & ~twice[cell]
        while single:
            quest.chosen[2 * depth], quest.chosen[2 * depth + 1] = cell, lowest_bit(single) + 1
            if quest.kept < quest.most:
                for i in range(2 * quest.number):
                    quest.found[quest.kept * 2 * quest.number + i] = quest.chosen[i]
                quest.kept += 1
            quest.count += 1
            single &= single - 1
