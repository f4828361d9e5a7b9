"""The walk over boards of every shape, cell by cell.

It shares no rule with the walk for 9×9 (nine.h), so each of the two tests the other. Players know
its rules by these names:

    naked singles        the digit of a cell with one candidate is removed from its peers
    hidden singles       a digit with one place left in a unit is placed there
    locked candidates    a digit confined to one line of a box is removed from the rest of the line,
                         and a digit confined to one box of a line from the rest of the box
    naked pairs          two digits that are the only candidates of two cells of a unit are
                         removed from its other cells

The first is applied at every node, the others where more cells than RULES_ABOVE are open.
"""

from functools import lru_cache

cimport cython
from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free, malloc

from enumerator.engines.walks.walk cimport Walk, check_board, check_masks

cdef extern from "machine.h":
    int popcount64(uint64_t bits) noexcept nogil
    int lowest64(uint64_t bits) noexcept nogil
    double keep_digit(
        const uint64_t *candidates,
        const uint16_t *row,
        const uint16_t *column,
        const uint16_t *box,
        int size,
        uint64_t *untried,
        uint64_t random,
        int *branches,
    ) noexcept nogil

cdef enum:
    # The rules for units are applied where more cells than this are open. Near the leaves of a
    # board with many solutions they cost more than they save; far from them it is the other way
    # round. Seconds (nodes), least of three:
    #
    #     open cells >           10             26             40             60             90
    #     published 1d           1.20 (1.2 M)   0.61 (1.3 M)   0.54 (1.5 M)   0.62 (1.7 M)   0.63 (1.7 M)
    #     boards/16x16-many      0.22 (66 k)    0.18 (68 k)    0.17 (76 k)    0.16 (119 k)   0.41 (568 k)
    #     boards/25x25-unique    0.04 (2 k)     0.04 (2 k)     0.04 (2 k)     0.04 (2 k)     0.04 (2 k)
    RULES_ABOVE = 40


cdef enum Change:
    # The effect of a rule on the candidates.
    CONTRADICTION
    UNCHANGED
    CHANGED


cdef struct Level:
    uint64_t untried
    int branches   # the number of digits there were to try
    int cell
    int trail      # the length of the trail when this level was reached
    int placed     # the number of cells placed when this level was reached


@cython.final
@cython.auto_pickle(False)
cdef class General(Walk):
    """A walk that keeps the candidates of each cell, and a trail by which changes are undone.

        order     | placed: their peers know | queued: one candidate left |        unused        |
                  0                          placed                       queued                 cells

        trail     the candidates of a cell before each change, in order. A change removes at least
                  one candidate, so there are at most size³ entries
    """

    cdef int size, height, width
    cdef int rules_above
    cdef uint64_t full                 # all digits
    cdef bint is_restricted
    cdef const uint64_t[::1] allowed   # the digits of each cell, if the board is restricted
    cdef uint64_t[::1] candidates      # of each cell
    cdef uint16_t[:, ::1] units        # the cells of each row, column, box
    cdef uint16_t[:, ::1] peers        # of each cell
    cdef uint64_t[:, ::1] segments     # of each line in each box: the digits that may stand there
    cdef uint16_t[::1] order
    cdef int placed, queued
    cdef uint16_t[::1] trail_cell
    cdef uint64_t[::1] trail_old
    cdef int trail
    cdef Level *stack
    cdef int depth                     # of the topmost level; -1: finished

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
        self.rules_above = rules_above
        self.height, self.width, self.size = height, width, height * width
        self.cells = self.size * self.size
        self.full = ~(<uint64_t> 0) >> (64 - self.size)
        self.units, self.peers = units_and_peers(height, width)
        self.segments = zeros("Q", self.size, max(height, width))
        self.candidates = zeros("Q", self.cells)
        self.order = zeros("H", self.cells)
        self.trail_cell = zeros("H", self.cells * self.size)
        self.trail_old = zeros("Q", self.cells * self.size)
        self.stack = <Level *> malloc((self.cells + 1) * sizeof(Level))
        if self.stack == NULL:
            raise MemoryError
        self.restart(&cells[0])

    def __dealloc__(self):
        free(self.stack)

    cdef void restart(self, const uint8_t *cells) noexcept nogil:
        cdef int cell
        cdef bint is_open = True
        self.trail = self.placed = self.queued = 0
        for cell in range(self.cells):
            self.candidates[cell] = self.full
        for cell in range(self.cells):
            if cells[cell]:
                self.narrow(cell, <uint64_t> 1 << (cells[cell] - 1))
        if self.is_restricted:
            for cell in range(self.cells):
                if self.narrow(cell, self.allowed[cell]) == CONTRADICTION:
                    is_open = False
        self.depth = 0 if is_open and self.propagate() else -1
        if self.depth == 0:
            self.branch(0)

    cdef int top(self) noexcept nogil:
        return self.depth

    cdef int floor_for(self, double part) noexcept nogil:
        cdef double share = 1, visited = 0
        cdef int depth = 0
        cdef Level *level
        for depth in range(self.depth + 1):
            level = &self.stack[depth]
            share /= level.branches
            visited += share * (level.branches - popcount64(level.untried) - (depth < self.depth))
        depth, share = 0, 1
        while depth <= self.depth and share > part * visited:
            share /= self.stack[depth].branches
            depth += 1
        return depth

    cdef uint64_t advance(self, uint64_t *nodes, uint64_t limit, uint8_t *out, int floor) noexcept nogil:
        cdef uint64_t found = 0, left = nodes[0], digit
        cdef Level *level
        while self.depth >= floor and found < limit:
            level = &self.stack[self.depth]
            if not level.untried:
                self.depth -= 1
                continue
            if not left:
                break
            left -= 1
            self.undo(level)
            digit = level.untried & (~level.untried + 1)
            level.untried ^= digit
            self.narrow(level.cell, digit)
            if not self.propagate():
                continue
            if self.placed == self.cells:
                if out != NULL:
                    self.write(self.cells, out + found * self.cells)
                found += 1
            else:
                self.depth += 1
                self.branch(self.depth)
        while self.depth >= 0 and not self.stack[self.depth].untried:
            self.depth -= 1
        nodes[0] = left
        return found

    cdef uint64_t write_rest(self, uint8_t *out, double *shares) noexcept nogil:
        cdef uint64_t boards = 0, left
        cdef double share = 1
        cdef int depth
        cdef Level *level
        if out != NULL and self.depth >= 0:
            self.undo(&self.stack[self.depth])
        for depth in range(self.depth + 1):
            share /= self.stack[depth].branches
        for depth in range(self.depth, -1, -1):
            level = &self.stack[depth]
            left = level.untried
            while left:
                if out != NULL:
                    self.write(level.placed, out + boards * self.cells)
                    out[boards * self.cells + level.cell] = lowest64(left) + 1
                if shares != NULL:
                    shares[boards] = share
                left &= left - 1
                boards += 1
            share *= level.branches
        return boards

    cdef void write(self, int placed, uint8_t *out) noexcept nogil:
        """Write the digits of the first `placed` cells in `order`, 0 elsewhere."""
        cdef int i
        for i in range(self.cells):
            out[i] = 0
        for i in range(placed):
            out[self.order[i]] = lowest64(self.candidates[self.order[i]]) + 1

    cdef void branch(self, int depth) noexcept nogil:
        """Make a level that tries the candidates of the cell with the fewest."""
        cdef int cell, count, best = 0, fewest = 65
        cdef Level *level = &self.stack[depth]
        if self.placed < self.cells:
            for cell in range(self.cells):
                count = popcount64(self.candidates[cell])
                if 1 < count < fewest:
                    fewest, best = count, cell
                    if count == 2:
                        break
        level.cell, level.untried = best, self.candidates[best]
        level.branches = popcount64(level.untried)
        level.trail, level.placed = self.trail, self.placed

    cdef void undo(self, Level *level) noexcept nogil:
        """Undo all changes since `level` was reached."""
        while self.trail > level.trail:
            self.trail -= 1
            self.candidates[self.trail_cell[self.trail]] = self.trail_old[self.trail]
        self.placed = self.queued = level.placed

    cdef Change narrow(self, int cell, uint64_t mask) noexcept nogil:
        """Remove the candidates of `cell` that are not in `mask`."""
        cdef uint64_t old = self.candidates[cell], new = old & mask
        if new == old:
            return UNCHANGED
        self.trail_cell[self.trail] = cell
        self.trail_old[self.trail] = old
        self.trail += 1
        self.candidates[cell] = new
        if new == 0:
            return CONTRADICTION
        if new & (new - 1) == 0:
            self.order[self.queued] = cell
            self.queued += 1
        return CHANGED

    cdef bint propagate(self) noexcept nogil:
        """Apply the rules until they change nothing; return False if they meet a contradiction."""
        cdef Change change
        while True:
            if not self.naked_singles():
                return False
            if self.cells - self.placed <= self.rules_above:
                return True
            change = self.unit_rules()
            if change != CHANGED:
                return change == UNCHANGED

    cdef bint naked_singles(self) noexcept nogil:
        """Remove the digits of queued cells from their peers; return False at a contradiction."""
        cdef int cell, i, peer, count = self.peers.shape[1]
        cdef uint64_t digit
        while self.placed < self.queued:
            cell = self.order[self.placed]
            self.placed += 1
            digit = self.candidates[cell]
            for i in range(count):
                peer = self.peers[cell, i]
                if self.candidates[peer] & digit and self.narrow(peer, ~digit) == CONTRADICTION:
                    return False
        return True

    cdef Change unit_rules(self) noexcept nogil:
        """Apply the rules for units, the cheapest first, until one of them changes something."""
        cdef Change change = self.hidden_singles()
        if change == UNCHANGED:
            change = self.locked_candidates(0, self.height, self.width)
        if change == UNCHANGED:
            change = self.locked_candidates(self.size, self.width, self.height)
        if change == UNCHANGED:
            change = self.naked_pairs()
        return change

    cdef Change hidden_singles(self) noexcept nogil:
        cdef uint64_t once, twice, placed, mask, digit
        cdef int unit, i
        cdef Change change = UNCHANGED
        for unit in range(3 * self.size):
            once = twice = placed = 0
            for i in range(self.size):
                mask = self.candidates[self.units[unit, i]]
                twice |= once & mask
                once |= mask
                if mask & (mask - 1) == 0:
                    placed |= mask
            if once != self.full:
                return CONTRADICTION
            once &= ~(twice | placed)
            while once:
                digit = once & (~once + 1)
                once ^= digit
                change = CHANGED
                for i in range(self.size):
                    if self.candidates[self.units[unit, i]] & digit:
                        self.narrow(self.units[unit, i], digit)
                        break
                else:  # its only place is also the only place of another digit
                    return CONTRADICTION
        return change

    cdef Change locked_candidates(self, int first, int lines, int length) noexcept nogil:
        """Apply the rule to the rows, or to the columns.

        `first` is the index of the first row or column among the units. `lines` is the number of
        rows or columns of a box, and also the number of segments of a line. `length` is the number
        of cells that a line and a box share.
        """
        cdef int line, segment, i, other
        cdef uint64_t mask, in_line, in_box
        cdef Change change = UNCHANGED
        for line in range(self.size):
            for segment in range(lines):
                mask = 0
                for i in range(segment * length, (segment + 1) * length):
                    mask |= self.candidates[self.units[first + line, i]]
                self.segments[line, segment] = mask
        for line in range(self.size):
            for segment in range(lines):
                in_line = in_box = 0
                for i in range(lines):
                    if i != segment:
                        in_line |= self.segments[line, i]
                    other = line // lines * lines + i
                    if other != line:
                        in_box |= self.segments[other, segment]
                mask = self.segments[line, segment]
                if mask & in_line & ~in_box:
                    change = CHANGED
                    for i in range(self.size):
                        if i // length != segment:
                            if self.narrow(self.units[first + line, i], ~(mask & ~in_box)) == CONTRADICTION:
                                return CONTRADICTION
                if mask & in_box & ~in_line:
                    change = CHANGED
                    for other in range(line // lines * lines, line // lines * lines + lines):
                        if other != line:
                            for i in range(segment * length, (segment + 1) * length):
                                if self.narrow(self.units[first + other, i], ~(mask & ~in_line)) == CONTRADICTION:
                                    return CONTRADICTION
        return change

    cdef Change naked_pairs(self) noexcept nogil:
        cdef int unit, i, j, k
        cdef uint64_t mask
        cdef Change change = UNCHANGED, narrowed
        for unit in range(3 * self.size):
            for i in range(self.size):
                mask = self.candidates[self.units[unit, i]]
                if popcount64(mask) != 2:
                    continue
                for j in range(i + 1, self.size):
                    if self.candidates[self.units[unit, j]] != mask:
                        continue
                    for k in range(self.size):
                        if k != i and k != j:
                            narrowed = self.narrow(self.units[unit, k], ~mask)
                            if narrowed == CONTRADICTION:
                                return CONTRADICTION
                            if narrowed == CHANGED:
                                change = CHANGED
                    break
        return change

    cdef int open_cells(self) noexcept nogil:
        return self.cells - self.placed

    cdef double keep_one(self, uint64_t random, int *branches) noexcept nogil:
        cdef Level *level = &self.stack[self.depth]
        cdef int row = level.cell // self.size, column = level.cell % self.size
        cdef int box = row // self.height * self.height + column // self.width
        return keep_digit(
            &self.candidates[0],
            &self.units[row, 0],
            &self.units[self.size + column, 0],
            &self.units[2 * self.size + box, 0],
            self.size,
            &level.untried,
            random,
            branches,
        )

    cdef void write_top(self, uint8_t *out) noexcept nogil:
        self.write(self.placed, out)


def zeros(code, *shape):
    """Return a buffer of zeros: unsigned integers of 16 bits (code "H") or 64 bits ("Q")."""
    length = {"H": 2, "Q": 8}[code]
    for extent in shape:
        length *= extent
    return memoryview(bytearray(length)).cast(code, shape)


@lru_cache
def units_and_peers(int height, int width):
    """Return the cells of all units of a shape (rows, columns, boxes), and the peers of all cells."""
    cdef int size = height * width, cell, row, column, box, other, i
    cdef uint16_t[:, ::1] units = zeros("H", 3 * size, size)
    cdef uint16_t[:, ::1] peers = zeros("H", size * size, 3 * size - height - width - 1)
    for cell in range(size * size):
        row, column = cell // size, cell % size
        box = row // height * height + column // width
        units[row, column] = cell
        units[size + column, row] = cell
        units[2 * size + box, row % height * width + column % width] = cell
    for cell in range(size * size):
        row, column = cell // size, cell % size
        i = 0
        for other in range(size * size):
            if other != cell and (
                other // size == row
                or other % size == column
                or (other // size // height == row // height and other % size // width == column // width)
            ):
                peers[cell, i] = other
                i += 1
    return units, peers
