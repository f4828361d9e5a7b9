"""The base class of all walks: slices, parts and shares, and argument checks.

    node       a digit tried, and the conclusions drawn from it
    level      a cell on the stack, with the digits still to be tried there; the first level is 0
    slice      one call of `run`; the next call continues where it stopped
    part       a board not visited yet: a level's board with one of its untried digits

Boards are bytes, 0 for an empty cell. Pencil marks are one mask of 64 bits per cell, bit d - 1 for
digit d. They hold for a whole walk, and so for all its parts. Nothing overflows: a slice visits at most 2^63 - 1 nodes and
finds at most one solution per node. A walk counts its nodes in 64 bits: at a billion a second, it
would take 584 years to visit so many.
"""

from operator import index

cimport cython
from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef extern from "machine.h":
    int acquire_flag(int *flag) noexcept nogil
    void release_flag(int *flag) noexcept nogil
    uint64_t next_random(uint64_t *state) noexcept nogil

cdef enum:
    # The most cells that `descend` fills before it stops. Its products stay below 2^1000, because
    # the probability of a digit is at least 2^-17: see `digit_odds` in machine.h.
    MOST_FILLED = 58

MOST = 2**63 - 1
"""The largest number of nodes, or of solutions, for one slice."""


@cython.auto_pickle(False)
cdef class Walk:
    """A walk over the solutions of a board that can be interrupted and resumed.

    Only one thread at a time may use it.
    """

    def __cinit__(self):
        if type(self) is Walk:
            raise TypeError("a walk is started by `start`")
        self.nodes = 0

    def run(self, nodes=MOST, limit=MOST, uint8_t[::1] out=None):
        """Visit at most `nodes` nodes, find at most `limit` solutions, and return the number found.

        If `out` is given, the solutions are written into it one after the other. Its length then
        also limits their number.
        """
        cdef uint64_t most = clamp(limit), budget = clamp(nodes)
        cdef uint8_t *into = NULL
        self.acquire()
        if out is not None:
            most = min(most, out.shape[0] // self.cells)
            if most == 0:
                self.release()
                return 0
            into = &out[0]
        return self.run_and_release(budget, most, into, 0)

    def round_off(self, nodes, limit=MOST):
        """Finish a branch that should take `nodes` / 2 nodes; return the number of solutions found.

        Visit at most `nodes` nodes and find at most `limit` solutions. The deepest levels of a walk
        hold many parts with little below them. At the end of a branch, all parts are on the levels
        above it.
        """
        cdef uint64_t most = clamp(limit), budget = clamp(nodes)
        self.acquire()
        return self.run_and_release(budget, most, NULL, self.floor_for(<double> budget / 2 / max(1, self.nodes)))

    def descend(
        self, uint8_t[::1] boards not None, int open_cells, seed, double[::1] ways not None, double[::1] nodes not None
    ):
        """Follow a random path down from each of `boards`, until at most `open_cells` cells are open.

        Return a byte for each board: 1 if its path has ended, at a solution or at a dead end.
        Otherwise the board is replaced by the one at the end of the path. `ways` gets the number of
        boards like the last one, as if all paths were like this one; 0 for a dead end. `nodes` gets
        the number of nodes above them. A path also stops after MOST_FILLED cells. The walk itself
        ends: it is used for the paths.
        """
        cdef uint64_t random = clamp(seed), left, found
        cdef Py_ssize_t count = boards.shape[0] // self.cells, i
        cdef double product, total, probability
        cdef int branches, stop
        if boards.shape[0] % self.cells or ways.shape[0] < count or nodes.shape[0] < count:
            raise ValueError(f"{boards.shape[0]} bytes for {ways.shape[0]} boards of {self.cells} cells")
        if self.open_cells() < 0:
            raise NotImplementedError(f"{type(self).__name__} does not follow random paths")
        cdef bytearray ends = bytearray(count)
        cdef uint8_t[::1] ended
        if not count:
            return bytes(ends)
        ended = ends
        self.acquire()
        with nogil:
            for i in range(count):
                product, total, found = 1, 0, 0
                self.restart(&boards[i * self.cells])
                stop = max(open_cells, self.open_cells() - MOST_FILLED)
                while self.top() >= 0 and (self.open_cells() > stop or not self.open_cells()):
                    probability = self.keep_one(next_random(&random), &branches)
                    total += product * branches
                    product /= probability
                    left = 1
                    found = self.advance(&left, 1, NULL, 0)
                if self.top() >= 0:
                    self.write_top(&boards[i * self.cells])
                else:
                    ended[i] = 1
                    product *= found
                ways[i] = product
                nodes[i] = total
        self.release()
        return bytes(ends)

    def rest(self):
        """Return the parts, the next one first. Their solutions are those still to be found."""
        return [board for board, _ in self.parts()]

    def parts(self):
        """Return the parts, the next one first, each with its share of the tree as a fraction.

        The numerator is 1. The denominator is the product of the numbers of branches of all levels
        down to that of the part. It would be exact if all branches of a level were equally large.
        """
        self.acquire()
        cdef uint64_t boards = self.write_rest(NULL, NULL), i
        cdef bytearray text
        cdef uint8_t[::1] out
        cdef uint32_t[::1] levels
        try:
            if not boards:
                return []
            shares = self.level_shares()
            text = bytearray(boards * self.cells)
            out = text
            levels = memoryview(bytearray(boards * sizeof(uint32_t))).cast("I")
            self.write_rest(&out[0], &levels[0])
        finally:
            self.release()
        return [(bytes(text[i * self.cells : (i + 1) * self.cells]), shares[levels[i]]) for i in range(boards)]

    cdef list level_shares(self):
        """Return for each level the share of one of its branches, as a numerator and a denominator."""
        cdef uint32_t count = self.write_branches(NULL), i
        cdef uint32_t[::1] branches
        shares = []
        if count:
            branches = memoryview(bytearray(count * sizeof(uint32_t))).cast("I")
            self.write_branches(&branches[0])
            denominator = 1
            for i in range(count):
                denominator *= branches[i]
                shares.append((1, denominator))
        return shares

    @property
    def left(self):
        """The number of parts."""
        self.acquire()
        cdef uint64_t boards = self.write_rest(NULL, NULL)
        self.release()
        return boards

    @property
    def share(self):
        """The share of the tree that has been visited, 0 … 1.

        It is the sum of what has been visited on each level: one minus the shares of all parts would
        lose a share below 1e-16. A sum that is rounded to 1 is only given for a finished walk.
        """
        self.acquire()
        cdef uint64_t boards = self.write_rest(NULL, NULL), i
        cdef uint32_t count = self.write_branches(NULL), depth
        cdef uint32_t[::1] levels, branches, parts
        cdef double share = 1, visited = 0
        try:
            if not boards:
                return 1.0
            levels = memoryview(bytearray(boards * sizeof(uint32_t))).cast("I")
            branches = memoryview(bytearray(count * sizeof(uint32_t))).cast("I")
            parts = memoryview(bytearray(count * sizeof(uint32_t))).cast("I")
            self.write_rest(NULL, &levels[0])
            self.write_branches(&branches[0])
            for i in range(boards):
                parts[levels[i]] += 1
            for depth in range(count):
                share /= branches[depth]
                visited += share * (<double> branches[depth] - parts[depth] - (depth + 1 < count))
        finally:
            self.release()
        return min(visited, 1 - 2.0**-53)

    @property
    def finished(self):
        """True if every solution has been found."""
        return self.top() < 0

    cdef int acquire(self) except -1:
        """Set `busy`; raise RuntimeError if another thread has set it. The caller calls `release`.

        The flag is atomic, because a free-threaded Python has no lock that lets one thread in.
        """
        if not acquire_flag(&self.busy):
            raise RuntimeError("this walk is at work in another thread")
        return 0

    cdef void release(self) noexcept nogil:
        """Clear `busy`. The caller uses the walk no more."""
        release_flag(&self.busy)

    cdef uint64_t run_and_release(self, uint64_t nodes, uint64_t limit, uint8_t *out, int floor):
        """Advance without the GIL, call `release`, and return the number of solutions found."""
        cdef uint64_t left = nodes, found
        with nogil:
            found = self.advance(&left, limit, out, floor)
        self.nodes += nodes - left
        self.release()
        if self.is_short_of_memory():
            raise MemoryError("no memory is left for this walk")
        return found

    cdef void restart(self, const uint8_t *cells) noexcept nogil:
        """Begin a walk over another board of the same shape, with the same pencil marks.

        `nodes` is not reset.
        """

    cdef void restart_without(self, const uint8_t *cells, int cell) noexcept nogil:
        """Begin a walk over a board without the clue in `cell`, where its digit is forbidden. No pencil marks hold."""

    cdef uint64_t advance(self, uint64_t *nodes, uint64_t limit, uint8_t *out, int floor) noexcept nogil:
        """Visit at most `nodes` nodes, find at most `limit` solutions, and return the number found.

        Stop before continuing a level above `floor`. Subtract the nodes visited from `nodes`.
        """
        return 0

    cdef int floor_for(self, double part) noexcept nogil:
        """Return the first level whose share is at most `part` times the share visited so far."""
        return 0

    cdef uint32_t write_branches(self, uint32_t *branches) noexcept nogil:
        """Return the number of levels. Write the number of branches of each to `branches`, unless NULL."""
        return 0

    cdef uint64_t write_rest(self, uint8_t *out, uint32_t *levels) noexcept nogil:
        """Return the number of parts.

        Write their boards to `out` and the level of each to `levels`, unless NULL.
        """
        return 0

    cdef int top(self) noexcept nogil:
        """Return the index of the deepest level on the stack; -1 if the walk is finished."""
        return -1

    cdef int open_cells(self) noexcept nogil:
        """Return the number of cells without a digit on the deepest level.

        The level must not have been tried yet. -1: this kind of walk does not follow random paths.
        """
        return -1

    cdef double keep_one(self, uint64_t random, int *branches) noexcept nogil:
        """Keep one random untried digit of the deepest level, and return its probability.

        `branches` gets the number of digits there were.
        """
        return 1

    cdef void write_top(self, uint8_t *out) noexcept nogil:
        """Write the board of the deepest level."""

    cdef bint is_short_of_memory(self) noexcept nogil:
        """Return True if the walk could not get the memory to go on."""
        return False


cdef uint64_t clamp(object number) except? 0:
    """Return a number of nodes or solutions, at most MOST; raise ValueError if it is negative."""
    number = index(number)
    if number < 0:
        raise ValueError(f"{number} is less than nothing")
    return MOST if number > MOST else number


cdef int check_board(const uint8_t[::1] cells, int height, int width) except -1:
    """Raise ValueError unless `cells` is a board of boxes of `height` × `width` cells."""
    check_boards(cells, height, width)
    if cells.shape[0] != height * width * height * width:
        raise ValueError(f"{cells.shape[0]} cells, not {height * width * height * width}")
    return 0


cdef int check_boards(const uint8_t[::1] boards, int height, int width) except -1:
    """Raise ValueError unless `boards` are concatenated boards of `height` × `width` boxes."""
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


cdef int check_masks(const uint64_t[::1] allowed, int cells) except -1:
    """Raise ValueError unless there is one mask per cell."""
    if allowed.shape[0] != cells:
        raise ValueError(f"{allowed.shape[0]} masks, not {cells}")
    return 0
