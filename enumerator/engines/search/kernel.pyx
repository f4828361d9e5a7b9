"""The walk, compiled. Boards come as bytes (0 for empty), limits as numbers; integers go back.

    node        a digit tried, and what follows from it by the rules
    slice       one call of `run`: so many nodes, so many solutions; the next call goes on from there
    untried     digits of a cell that a level of the stack has still to try

Both walks have the same face. `Nine` is made for 9×9 boards (nine.h); `General` takes every shape, 9×9 too,
and shares no rule with the other: each is a test of the other.

Nothing in here can overflow: a slice visits at most 2^63 - 1 nodes and finds at most one solution a
node; sums over slices are Python's integers.
"""

from functools import lru_cache
from operator import index

cimport cython
from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

cdef extern from "machine.h":
    int popcount64(uint64_t bits) noexcept nogil
    int lowest64(uint64_t bits) noexcept nogil

cdef extern from "nine.h":
    ctypedef struct NineWalk:
        int depth
    void nine_init() noexcept nogil
    void nine_start(NineWalk *walk, const uint8_t *cells) noexcept nogil
    uint64_t nine_run(NineWalk *walk, uint64_t *nodes, uint64_t limit, uint8_t *out, int floor) noexcept nogil
    int nine_level(const NineWalk *walk, double part) noexcept nogil
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

nine_init()

CHECKED = bool(enumerator_checked)
"""Whether this is a build with every check on."""

COMPILER = (<bytes> enumerator_compiler).decode()
FLAGS = (<bytes> ENUMERATOR_FLAGS).decode()
CYTHON = ".".join(str(CYTHON_HEX_VERSION >> shift & 0xFF) for shift in (24, 16, 8))

MOST = 2**63 - 1
"""The most nodes, or solutions, that one slice may be asked for."""


def start(const uint8_t[::1] cells not None, int height, int width):
    """A walk over the solutions of a board of height × width boxes."""
    return Nine(cells) if height == width == 3 else General(cells, height, width)


@cython.auto_pickle(False)
cdef class Walk:
    """A walk that can be left and gone on with, by one caller at a time."""

    cdef readonly int cells
    cdef readonly object nodes
    cdef bint busy

    def __cinit__(self):
        if type(self) is Walk:
            raise TypeError("a walk is started by `start`")

    def run(self, nodes=MOST, limit=MOST, uint8_t[::1] out=None):
        """Go on for at most so many nodes or solutions. Returns the number of solutions found.

        They are written one behind the other into `out`, if given: then it limits their number too.
        """
        cdef uint64_t most = limited(limit), budget = limited(nodes)
        cdef uint8_t *into = NULL
        self.enter()
        if out is not None:
            most = min(most, out.shape[0] // self.cells)
            if most == 0:
                self.busy = False
                return 0
            into = &out[0]
        return self.advance_and_leave(budget, most, into, 0)

    def round_off(self, nodes, limit=MOST):
        """Go on to the end of a branch that seems to take half as many nodes; but for no more than these, or solutions.

        What is left to try at the deepest levels are many boards with little below them. At the end of a branch, all
        that is left stands at the levels above it.
        """
        cdef uint64_t most = limited(limit), budget = limited(nodes)
        self.enter()
        return self.advance_and_leave(budget, most, NULL, self.level(<double> budget / 2 / max(1, self.nodes)))

    def rest(self):
        """The boards not visited yet, the next one first. Their solutions are those still to be found."""
        return [board for board, _ in self.parts()]

    def parts(self):
        """The boards not visited yet, the next one first, each with its share of the whole tree.

        The share is what it would be if all branches of a node had as much below them: 1 / their number.
        """
        self.enter()
        cdef uint64_t boards = self.write_rest(NULL, NULL)
        cdef bytearray text
        cdef uint8_t[::1] out
        cdef double[::1] shares
        try:
            if not boards:
                return []
            text = bytearray(boards * self.cells)
            out = text
            shares = memoryview(bytearray(boards * sizeof(double))).cast("d")
            self.write_rest(&out[0], &shares[0])
        finally:
            self.busy = False
        return [(bytes(text[i * self.cells : (i + 1) * self.cells]), shares[i]) for i in range(boards)]

    @property
    def left(self):
        """How many boards are not visited yet."""
        self.enter()
        cdef uint64_t boards = self.write_rest(NULL, NULL)
        self.busy = False
        return boards

    @property
    def share(self):
        """The share of the tree that has been visited, 0 … 1, by the same measure."""
        self.enter()
        cdef uint64_t boards = self.write_rest(NULL, NULL), i
        cdef double[::1] shares
        cdef double left = 0
        try:
            if boards:
                shares = memoryview(bytearray(boards * sizeof(double))).cast("d")
                self.write_rest(NULL, &shares[0])
                for i in range(boards):
                    left += shares[i]
        finally:
            self.busy = False
        return max(0.0, 1.0 - left)

    cdef int enter(self) except -1:
        """Keep other threads out: a walk that two move at once would be no walk."""
        if self.busy:
            raise RuntimeError("this walk is at work in another thread")
        self.busy = True
        return 0

    cdef uint64_t advance_and_leave(self, uint64_t nodes, uint64_t limit, uint8_t *out, int floor):
        """Advance, without the interpreter's lock, and let others in. Returns the number of solutions found."""
        cdef uint64_t left = nodes, found
        with nogil:
            found = self.advance(&left, limit, out, floor)
        self.busy = False
        self.nodes += nodes - left
        return found

    @property
    def finished(self):
        """Whether every solution has been found."""
        return self.depth_now() < 0

    cdef uint64_t advance(self, uint64_t *left, uint64_t limit, uint8_t *out, int floor) noexcept nogil:
        """Go on, and lower `left` by the nodes visited; levels above the floor are left alone."""
        return 0

    cdef int level(self, double part) noexcept nogil:
        """The first level below which there seems to be no more than such a part of what has been visited."""
        return 0

    cdef uint64_t write_rest(self, uint8_t *out, double *shares) noexcept nogil:
        return 0

    cdef int depth_now(self) noexcept nogil:
        return -1


@cython.auto_pickle(False)
cdef class Nine(Walk):
    """The walk over 9×9 boards."""

    cdef NineWalk *walk

    def __cinit__(self, const uint8_t[::1] cells not None):
        check(cells, 3, 3)
        self.cells = 81
        self.nodes = 0
        self.walk = <NineWalk *> malloc(sizeof(NineWalk))
        if self.walk == NULL:
            raise MemoryError
        nine_start(self.walk, &cells[0])

    def __dealloc__(self):
        free(self.walk)

    cdef uint64_t advance(self, uint64_t *left, uint64_t limit, uint8_t *out, int floor) noexcept nogil:
        return nine_run(self.walk, left, limit, out, floor)

    cdef int level(self, double part) noexcept nogil:
        return nine_level(self.walk, part)

    cdef uint64_t write_rest(self, uint8_t *out, double *shares) noexcept nogil:
        return nine_rest(self.walk, out, shares)

    cdef int depth_now(self) noexcept nogil:
        return self.walk.depth


cdef enum:
    # `deepen` is asked where more cells than this are open. Near the leaves of a board with many solutions it
    # costs more than it saves; far from them, the other way round. Seconds (nodes), least of three:
    #
    #     open cells >           10             26             40             60             90
    #     published 1d           1.20 (1.2 M)   0.61 (1.3 M)   0.54 (1.5 M)   0.62 (1.7 M)   0.63 (1.7 M)
    #     boards/16x16-many      0.22 (66 k)    0.18 (68 k)    0.17 (76 k)    0.16 (119 k)   0.41 (568 k)
    #     boards/25x25-unique    0.04 (2 k)     0.04 (2 k)     0.04 (2 k)     0.04 (2 k)     0.04 (2 k)
    DEEP = 40


cdef enum Finding:
    DEAD
    SAME
    NEWS


cdef struct Level:
    uint64_t untried
    int branches   # how many digits there were to try
    int cell
    int trail      # how long the trail was, and
    int placed     # how many cells were placed, when this level was reached


@cython.auto_pickle(False)
cdef class General(Walk):
    """The walk over boards of every shape: candidates cell by cell, and a trail to take changes back.

        order     | placed: their peers know | queued: one candidate left |        unused        |
                  0                          placed                       queued                 cells

        trail     the candidates that cells had before each change, in order; a change takes at least one
                  candidate away, so there are never more of them than size³
    """

    cdef int size, height, width
    cdef int deep                      # `deepen` is asked where more cells than this are open
    cdef uint64_t full
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
    cdef int depth

    def __cinit__(self, const uint8_t[::1] cells not None, int height, int width, int deep=DEEP):
        cdef int cell
        self.deep = deep
        check(cells, height, width)
        self.height, self.width, self.size = height, width, height * width
        self.cells = self.size * self.size
        self.nodes = 0
        self.full = ~(<uint64_t> 0) >> (64 - self.size)
        self.units, self.peers = _tables(height, width)
        self.segments = _zeros("Q", self.size, max(height, width))
        self.candidates = _zeros("Q", self.cells)
        self.order = _zeros("H", self.cells)
        self.trail_cell = _zeros("H", self.cells * self.size)
        self.trail_old = _zeros("Q", self.cells * self.size)
        self.stack = <Level *> malloc((self.cells + 1) * sizeof(Level))
        if self.stack == NULL:
            raise MemoryError
        for cell in range(self.cells):
            self.candidates[cell] = self.full
        for cell in range(self.cells):
            if cells[cell]:
                self.narrow(cell, <uint64_t> 1 << (cells[cell] - 1))
        self.depth = 0 if self.settle() else -1
        if self.depth == 0:
            self.branch(0)

    def __dealloc__(self):
        free(self.stack)

    cdef int depth_now(self) noexcept nogil:
        return self.depth

    cdef int level(self, double part) noexcept nogil:
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
            if not self.settle():
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
        """Write the digits of the first so many cells that were placed, 0 elsewhere."""
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
        """Take back what has changed since a level was reached."""
        while self.trail > level.trail:
            self.trail -= 1
            self.candidates[self.trail_cell[self.trail]] = self.trail_old[self.trail]
        self.placed = self.queued = level.placed

    cdef Finding narrow(self, int cell, uint64_t mask) noexcept nogil:
        """Take all candidates of a cell away but those in a mask."""
        cdef uint64_t old = self.candidates[cell], new = old & mask
        if new == old:
            return SAME
        self.trail_cell[self.trail] = cell
        self.trail_old[self.trail] = old
        self.trail += 1
        self.candidates[cell] = new
        if new == 0:
            return DEAD
        if new & (new - 1) == 0:
            self.order[self.queued] = cell
            self.queued += 1
        return NEWS

    cdef bint settle(self) noexcept nogil:
        """Draw conclusions until there are none; false where they contradict each other."""
        cdef Finding finding
        while True:
            if not self.place():
                return False
            if self.cells - self.placed <= self.deep:
                return True
            finding = self.deepen()
            if finding != NEWS:
                return finding == SAME

    cdef bint place(self) noexcept nogil:
        """Take the digits of queued cells from their peers."""
        cdef int cell, i, peer, count = self.peers.shape[1]
        cdef uint64_t digit
        while self.placed < self.queued:
            cell = self.order[self.placed]
            self.placed += 1
            digit = self.candidates[cell]
            for i in range(count):
                peer = self.peers[cell, i]
                if self.candidates[peer] & digit and self.narrow(peer, ~digit) == DEAD:
                    return False
        return True

    cdef Finding deepen(self) noexcept nogil:
        """One round of the rules that look at whole units; the dearer ones where the others say nothing."""
        cdef Finding finding = self.last_places()
        if finding == SAME:
            finding = self.confined(0, self.height, self.width)
        if finding == SAME:
            finding = self.confined(self.size, self.width, self.height)
        if finding == SAME:
            finding = self.pairs()
        return finding

    cdef Finding last_places(self) noexcept nogil:
        """A digit with one place left in a unit stands there."""
        cdef uint64_t once, twice, placed, mask, digit
        cdef int unit, i
        cdef Finding finding = SAME
        for unit in range(3 * self.size):
            once = twice = placed = 0
            for i in range(self.size):
                mask = self.candidates[self.units[unit, i]]
                twice |= once & mask
                once |= mask
                if mask & (mask - 1) == 0:
                    placed |= mask
            if once != self.full:
                return DEAD
            once &= ~(twice | placed)
            while once:
                digit = once & (~once + 1)
                once ^= digit
                finding = NEWS
                for i in range(self.size):
                    if self.candidates[self.units[unit, i]] & digit:
                        self.narrow(self.units[unit, i], digit)
                        break
                else:  # the only place of another digit too
                    return DEAD
        return finding

    cdef Finding confined(self, int first, int lines, int length) noexcept nogil:
        """A digit that a box has in one line only is not elsewhere in the line, and the other way round.

        For the rows, or the columns: the number of the first one among the units, how many of them a
        box has, and how many cells they share. A line has as many segments as a box has lines.
        """
        cdef int line, segment, i, other
        cdef uint64_t mask, in_line, in_box
        cdef Finding finding = SAME
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
                    finding = NEWS
                    for i in range(self.size):
                        if i // length != segment:
                            if self.narrow(self.units[first + line, i], ~(mask & ~in_box)) == DEAD:
                                return DEAD
                if mask & in_box & ~in_line:
                    finding = NEWS
                    for other in range(line // lines * lines, line // lines * lines + lines):
                        if other != line:
                            for i in range(segment * length, (segment + 1) * length):
                                if self.narrow(self.units[first + other, i], ~(mask & ~in_line)) == DEAD:
                                    return DEAD
        return finding

    cdef Finding pairs(self) noexcept nogil:
        """Two digits that are all the candidates of two cells of a unit are not elsewhere in it."""
        cdef int unit, i, j, k
        cdef uint64_t mask
        cdef Finding finding = SAME, change
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
                            change = self.narrow(self.units[unit, k], ~mask)
                            if change == DEAD:
                                return DEAD
                            if change == NEWS:
                                finding = NEWS
                    break
        return finding


cdef uint64_t limited(object number) except? 0:
    """A number of nodes or solutions, no more than MOST."""
    number = index(number)
    if number < 0:
        raise ValueError(f"{number} is less than nothing")
    return MOST if number > MOST else number


cdef int check(const uint8_t[::1] cells, int height, int width) except -1:
    """Raise ValueError unless these cells can be read as a board."""
    check_all(cells, height, width)
    if cells.shape[0] != height * width * height * width:
        raise ValueError(f"{cells.shape[0]} cells, not {height * width * height * width}")
    return 0


def space(const uint8_t[::1] cells not None, int height, int width):
    """The search space of a board: the product of the numbers of candidates of its empty cells, exact."""
    cdef uint64_t rows[64]
    cdef uint64_t columns[64]
    cdef uint64_t boxes[64]
    cdef int counts[65]
    cdef int size = height * width, cell, row, column, box, i
    check(cells, height, width)
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


def lines(const uint8_t[::1] solutions not None, int cells, str symbols not None):
    """Solutions that stand one behind the other as text: a line of symbols for each."""
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
    """Count, for each cell and each digit, the solutions in which it stands there: at [cell · size + digit - 1]."""
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


def classify(const uint8_t[::1] boards not None, int height, int width, nodes, uint8_t[::1] solutions=None):
    """How many solutions each of some boards has, that stand one behind the other: 0, 1, or 2 if there are more.

    It ends before the board that is not done when so many nodes have been visited. The solution of a board with one
    is written to the place of the board.
    """
    cdef uint64_t left = limited(nodes)
    cdef int cells = height * width * height * width
    cdef Py_ssize_t count = boards.shape[0] // cells, done = 0
    cdef object verdicts = bytearray(count)
    cdef uint8_t[::1] verdict = verdicts if count else bytearray(1)
    cdef uint8_t two[2 * 64 * 64]
    cdef NineWalk *nine
    cdef Walk walk
    check_all(boards, height, width)
    if solutions is not None and solutions.shape[0] != boards.shape[0]:
        raise ValueError(f"{solutions.shape[0]} bytes for the solutions of boards of {boards.shape[0]}")
    if height == width == 3:
        nine = <NineWalk *> malloc(sizeof(NineWalk))
        if nine == NULL:
            raise MemoryError
        with nogil:
            while done < count:
                nine_start(nine, &boards[done * cells])
                verdict[done] = <uint8_t> nine_run(nine, &left, 2, two, 0)
                if verdict[done] < 2 and nine.depth >= 0:
                    break
                if solutions is not None and verdict[done] == 1:
                    memcpy(&solutions[done * cells], two, cells)
                done += 1
        free(nine)
    else:
        while done < count:
            walk = General(boards[done * cells:(done + 1) * cells], height, width)
            with nogil:
                verdict[done] = <uint8_t> walk.advance(&left, 2, two, 0)
            if verdict[done] < 2 and walk.depth_now() >= 0:
                break
            if solutions is not None and verdict[done] == 1:
                memcpy(&solutions[done * cells], two, cells)
            done += 1
    return bytes(verdicts[:done])


cdef int check_all(const uint8_t[::1] boards, int height, int width) except -1:
    """Raise ValueError unless these cells can be read as boards."""
    cdef int size = height * width
    cdef Py_ssize_t i
    if not (2 <= height <= 8 and 2 <= width <= 8):
        raise ValueError(f"no shape: {height}x{width}")
    if boards.shape[0] % (size * size):
        raise ValueError(f"{boards.shape[0]} cells, not {size * size}")
    for i in range(boards.shape[0]):
        if boards[i] > size:
            raise ValueError(f"cell {i} holds {boards[i]}")
    return 0


def _zeros(code, *shape):
    """A buffer of unsigned integers, "H" of 16 or "Q" of 64 bits."""
    length = {"H": 2, "Q": 8}[code]
    for extent in shape:
        length *= extent
    return memoryview(bytearray(length)).cast(code, shape)


@lru_cache
def _tables(int height, int width):
    """The units of a shape, rows then columns then boxes, and the peers of its cells."""
    cdef int size = height * width, cell, row, column, other, i
    cdef uint16_t[:, ::1] units = _zeros("H", 3 * size, size)
    cdef uint16_t[:, ::1] peers = _zeros("H", size * size, 3 * size - height - width - 1)
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
