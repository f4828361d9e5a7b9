"""Puzzles with fewer clues: the inner loops of `--minimal` and `--generate`.

Without a clue, a board with one solution has another one if and only if that one has another digit in the
clue's cell. So a test of a clue leaves it out, forbids its digit there, and looks for one solution.

    needed       a clue without which the board has other solutions
    superfluous  a clue that is not needed
    orbit        cells whose clues are removed together, or not at all
    order        the orbits at random: each is tried once, because a clue that is needed remains so

Boards are bytes, one after the other, 0 for an empty cell. All of them have exactly one solution.
"""

cimport cython
from libc.math cimport INFINITY, exp, lgamma, log
from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy

from enumerator.engines.walks.walk cimport Walk, check_boards, clamp

from enumerator.engines.search.kernel import start
from enumerator.engines.stopping import TaskStoppedError, is_stopped

cdef extern from "machine.h":
    uint64_t next_random(uint64_t *state) noexcept nogil
    int acquire_flag(int *flag) noexcept nogil
    void release_flag(int *flag) noexcept nogil

cdef enum:
    SUPERFLUOUS = 0
    NEEDED = 1
    UNDECIDED = 2
    MOST_CELLS = 4_096
    # on larger boards a test takes so long that it is asked before each one whether the task is still wanted
    QUICK_CELLS = 81
    # what became of a superfluous clue in a MinimalTree
    UNTRIED = 0
    LEFT_OUT = 1
    KEPT = 2

cdef uint64_t UNLIMITED = 2**63 - 1
cdef double GIVEN_UP = -INFINITY
cdef double TWO_TO_MINUS_53 = 2.0**-53


cdef bint is_unwanted() noexcept with gil:
    """Return True if the task of this thread is to end now, without a result."""
    return is_stopped()


cdef int judge(Walk walk, const uint8_t *board, int cell, uint64_t nodes) noexcept nogil:
    """Return NEEDED or SUPERFLUOUS for a clue, UNDECIDED if `nodes` nodes do not show which."""
    cdef uint64_t left = nodes
    walk.restart_without(board, cell)
    if walk.top() >= 0 and walk.advance(&left, 1, NULL, 0):
        return NEEDED
    return SUPERFLUOUS if walk.top() < 0 else UNDECIDED


cdef void shuffle(uint16_t *items, int count, uint64_t *random) noexcept nogil:
    """Bring items into a random order."""
    cdef int last, other
    for last in range(count - 1, 0, -1):
        other = below(last + 1, random)
        items[last], items[other] = items[other], items[last]


cdef int below(int bound, uint64_t *random) noexcept nogil:
    """Return a random number from 0 to `bound` - 1; the bias is below 2^-20."""
    return <int> ((next_random(random) >> 32) * <uint64_t> bound >> 32)


def reduce_boards(
    uint8_t[::1] boards not None,
    int height,
    int width,
    const uint64_t[::1] seeds not None,
    const uint16_t[::1] cells not None,
    const uint16_t[::1] ends not None,
    int fewest,
    nodes,
    uint8_t[::1] undecided not None,
):
    """Remove clues of boards in random order, as long as each has one solution. The boards are changed.

        seeds        the seed of the order of each board
        cells, ends  the cells of all orbits, one orbit after the other, and the end of each
        fewest       no orbit is removed if fewer clues were left
        nodes        the most nodes for one test; a clue that is not judged within them is kept
        undecided    gets 1 for each such clue, at its place

    Raise TaskStoppedError if the task is stopped; the board at work then keeps its one solution.
    """
    cdef uint64_t budget = clamp(nodes), random
    check_boards(boards, height, width)
    cdef int size = height * width * height * width, orbits = ends.shape[0]
    cdef Py_ssize_t count = boards.shape[0] // size, at
    check_orbits(cells, ends, size)
    if seeds.shape[0] != count or undecided.shape[0] != boards.shape[0]:
        raise ValueError(f"{seeds.shape[0]} seeds and {undecided.shape[0]} marks for {boards.shape[0]} cells")
    if not count or not orbits:
        return
    cdef Walk walk = start(boards[:size], height, width)
    cdef uint16_t order[MOST_CELLS]
    cdef bint stopped = False
    with nogil:
        for at in range(count):
            random = seeds[at]
            for orbit in range(orbits):
                order[orbit] = orbit
            shuffle(order, orbits, &random)
            stopped = is_unwanted() or not reduce_board(
                walk, &boards[at * size], size, order, &cells[0], &ends[0], orbits, fewest, budget,
                &undecided[at * size],
            )
            if stopped:
                break
    if stopped:
        raise TaskStoppedError


cdef bint reduce_board(
    Walk walk, uint8_t *board, int size, const uint16_t *order, const uint16_t *cells, const uint16_t *ends,
    int orbits, int fewest, uint64_t nodes, uint8_t *undecided,
) noexcept nogil:
    """Remove the orbits of a board in their order, where it keeps its one solution; return False if it is stopped."""
    cdef int clues = 0, turn, orbit, first, here, at, verdict
    cdef uint8_t removed[MOST_CELLS]
    for at in range(size):
        clues += board[at] != 0
    for turn in range(orbits):
        if size > QUICK_CELLS and is_unwanted():
            return False
        orbit = order[turn]
        first = ends[orbit - 1] if orbit else 0
        here, verdict = 0, SUPERFLUOUS
        for at in range(first, ends[orbit]):
            removed[at - first] = board[cells[at]]
            here += board[cells[at]] != 0
        if not here or clues - here < fewest:
            continue
        for at in range(first, ends[orbit]):
            if board[cells[at]]:
                verdict = judge(walk, board, cells[at], nodes)
                if verdict != SUPERFLUOUS:
                    break
                board[cells[at]] = 0
        if verdict == SUPERFLUOUS:
            clues -= here
            continue
        if verdict == UNDECIDED:
            undecided[cells[at]] = 1
        for at in range(first, ends[orbit]):
            board[cells[at]] = removed[at - first]
    return True


cdef int check_orbits(const uint16_t[::1] cells, const uint16_t[::1] ends, int size) except -1:
    """Raise ValueError unless the orbits are cells of a board, each at most once."""
    cdef int last = 0
    seen = set()
    for end in ends:
        if not last < end <= cells.shape[0]:
            raise ValueError(f"no orbit ends at {end}")
        last = end
    for cell in cells:
        if cell >= size or cell in seen:
            raise ValueError(f"cell {cell} is in two orbits, or on no board")
        seen.add(cell)
    if last != cells.shape[0]:
        raise ValueError(f"{cells.shape[0] - last} cells are in no orbit")
    return 0


def judge_clues(const uint8_t[::1] boards not None, int height, int width, nodes, uint8_t[::1] verdicts not None):
    """Judge every clue of boards: write 0 for a superfluous one, 1 for one that is needed, 2 for undecided.

    Empty cells get 0. A clue is undecided if `nodes` nodes do not show which it is. Raise TaskStoppedError if the
    task is stopped.
    """
    cdef uint64_t budget = clamp(nodes)
    check_boards(boards, height, width)
    cdef int size = height * width * height * width
    cdef Py_ssize_t at
    if verdicts.shape[0] != boards.shape[0]:
        raise ValueError(f"{verdicts.shape[0]} bytes for the clues of {boards.shape[0]} cells")
    if not boards.shape[0]:
        return
    cdef Walk walk = start(boards[:size], height, width)
    cdef bint stopped = False
    with nogil:
        for at in range(boards.shape[0]):
            if (size > QUICK_CELLS or at % size == 0) and is_unwanted():
                stopped = True
                break
            verdicts[at] = judge(walk, &boards[at // size * size], at % size, budget) if boards[at] else 0
    if stopped:
        raise TaskStoppedError


def weigh_boards(
    uint8_t[::1] boards not None,
    int height,
    int width,
    const uint64_t[::1] seeds not None,
    int first,
    int paths,
    double floor,
    double[::1] weights not None,
):
    """Make minimal puzzles of solved grids, each with the logarithm of its weight. The boards are changed.

    A random set of `first` clues is kept. If it has several solutions, the grid is given up. Then random
    superfluous clues are removed, one after the other, until there is none. If n_k are superfluous while k
    clues are left, this path has the probability of the set times the product of 1 / n_k. A minimal puzzle
    of c clues is the end of (cells - c)! / (cells - first)! paths: all boards between a puzzle and its
    solution have one solution. The weight is 1 / (number of paths × mean probability of some of them): of
    the path taken, and of `paths` others to the same puzzle, which are drawn by adding clues at random.
    With it, every minimal puzzle counts alike, exactly, for any number of paths; more of them only make
    weights less different. Proof: draw all paths at once, and forget which one was taken.

    A puzzle whose weight is below the floor is given up, unless it wins a draw with the probability weight
    / floor. Then it has the floor as its weight. That changes no mean.

        floor     the logarithm of the least weight; -inf: none
        weights   gets the logarithm of each weight; -inf for a grid that was given up
    """
    cdef uint64_t random
    check_boards(boards, height, width)
    cdef int size = height * width * height * width
    cdef Py_ssize_t count = boards.shape[0] // size, at
    if seeds.shape[0] != count or weights.shape[0] != count or not 0 < first <= size or paths < 0:
        raise ValueError(f"{seeds.shape[0]} seeds and {weights.shape[0]} weights for {count} grids")
    if not count:
        return
    cdef Walk walk = start(boards[:size], height, width)
    with nogil:
        for at in range(count):
            random = seeds[at]
            weights[at] = weigh_board(walk, &boards[at * size], size, &random, first, paths, floor)


cdef double weigh_board(
    Walk walk, uint8_t *board, int size, uint64_t *random, int first, int paths, double floor
) noexcept nogil:
    """Make a minimal puzzle of a solved grid; return the logarithm of its weight, GIVEN_UP if there is none."""
    cdef uint16_t left[MOST_CELLS]
    cdef uint8_t grid[MOST_CELLS]
    cdef uint8_t between[MOST_CELLS]
    cdef uint64_t budget = UNLIMITED
    cdef int at, empty = 0, clues, path
    cdef double one, other, weight
    memcpy(grid, board, size)
    for at in range(size):
        left[at] = at
    shuffle(left, size, random)
    for at in range(first, size):
        board[left[at]] = 0
    walk.restart(board)
    if walk.top() < 0 or walk.advance(&budget, 2, NULL, 0) != 1 or walk.top() >= 0:
        return GIVEN_UP
    one = follow(walk, board, left, first, -1, random)
    weight = 0  # the sum of the probabilities of all paths, as a multiple of the first one
    clues = size
    for at in range(size):
        clues -= board[at] == 0
    for path in range(paths):
        empty = 0
        for at in range(size):
            if not board[at]:
                left[clues + empty] = at
                empty += 1
            else:
                left[at - empty] = at
        shuffle(&left[clues], empty, random)
        memcpy(between, board, size)
        for at in range(clues, first):
            between[left[at]] = grid[left[at]]
        other = follow(walk, between, left, first, first - clues, random)
        weight += exp(one - other)
    weight = one - log((1 + weight) / (1 + paths)) - lgamma(size - clues + 1)
    if weight >= floor:
        return weight
    return floor if (next_random(random) >> 11) * TWO_TO_MINUS_53 < exp(weight - floor) else GIVEN_UP


cdef double follow(
    Walk walk, uint8_t *board, uint16_t *left, int superfluous, int steps, uint64_t *random
) noexcept nogil:
    """Remove superfluous clues until there is none, or for some `steps` the last ones of `left`.

    `left` has the cells of the clues of a board. Return the logarithm of the product of the numbers of
    superfluous clues.
    """
    cdef int some, at, cell
    cdef double product = 0
    while steps:
        steps -= 1
        some, superfluous = superfluous, 0
        for at in range(some):
            if judge(walk, board, left[at], UNLIMITED) == SUPERFLUOUS:
                left[superfluous] = left[at]
                superfluous += 1
        if not superfluous:
            break
        product += log(superfluous)
        at = below(superfluous, random) if steps < 0 else superfluous - 1
        board[left[at]] = 0
        superfluous -= 1
        left[at] = left[superfluous]
    return product


@cython.final
@cython.auto_pickle(False)
cdef class MinimalTree:
    """All minimal puzzles inside a board with one solution, found one after the other.

    Each superfluous clue is left out or kept, in turn. It may be left out if the other clues, kept or not
    decided yet, have one solution. It may be kept if every kept clue has a use: the other kept clues alone
    allow another digit in its cell. So a branch ends as soon as a clue that is kept can only be superfluous.
    """

    cdef Walk walk
    cdef uint8_t[::1] board, kept, digits, states   # of the board, the cells; of the levels, the state
    cdef readonly list superfluous
    cdef uint16_t[::1] cells
    cdef int depth, levels, busy

    def __cinit__(self, const uint8_t[::1] board not None, int height, int width):
        cdef int cell
        self.walk = start(board, height, width)
        self.board, self.kept, self.digits = bytearray(board), bytearray(board), bytearray(board)
        self.states = bytearray(board.shape[0] + 1)
        self.superfluous = []
        for cell in range(board.shape[0]):
            if board[cell] and judge(self.walk, &board[0], cell, UNLIMITED) == SUPERFLUOUS:
                self.superfluous.append(cell)
        for cell in self.superfluous:
            self.kept[cell] = 0
        self.levels = len(self.superfluous)
        self.cells = memoryview(bytearray(2 * self.levels + 2)).cast("H")
        for at, cell in enumerate(self.superfluous):
            self.cells[at] = cell

    @property
    def finished(self):
        """True if all puzzles have been found."""
        return self.depth < 0

    @property
    def share(self):
        """The share of the tree that was visited, if all branches were equally large."""
        cdef int level
        if self.depth < 0:
            return 1.0
        done = sum(2.0 ** -(level + 1) for level in range(self.depth) if self.states[level] == KEPT)
        # the deepest level has been left: UNTRIED is 0, LEFT_OUT half of it, KEPT all of it
        return done + (self.states[self.depth] * 2.0 ** -(self.depth + 1) if self.depth < self.levels else 0)

    def run(self, tests, uint8_t[::1] out not None):
        """Write the next puzzles to `out`, and return their number. End after `tests` tests, or when it is full."""
        cdef uint64_t left = clamp(tests)
        cdef int size = self.board.shape[0]
        cdef Py_ssize_t room = out.shape[0] // size, found = 0
        if not acquire_flag(&self.busy):
            raise RuntimeError("this tree is at work in another thread")
        with nogil:
            while self.depth >= 0 and found < room and left:
                if self.depth == self.levels:
                    memcpy(&out[found * size], &self.board[0], size)
                    found += 1
                    self.depth -= 1
                else:
                    self.step(&left)
        release_flag(&self.busy)
        return found

    cdef void step(self, uint64_t *left) noexcept nogil:
        """Take the next branch of the deepest level, or go up where there is none."""
        cdef int cell = self.cells[self.depth]
        cdef uint8_t *state = &self.states[self.depth]
        left[0] -= 1
        if state[0] == UNTRIED:
            state[0] = LEFT_OUT
            if judge(self.walk, &self.board[0], cell, UNLIMITED) == SUPERFLUOUS:
                self.board[cell] = 0
                self.descend()
        elif state[0] == LEFT_OUT:
            state[0] = KEPT
            self.board[cell] = self.kept[cell] = self.digits[cell]
            if self.is_useful(left):
                self.descend()
        else:
            self.kept[cell] = 0
            self.depth -= 1

    cdef void descend(self) noexcept nogil:
        self.depth += 1
        self.states[self.depth] = UNTRIED

    cdef bint is_useful(self, uint64_t *left) noexcept nogil:
        """Return True if each superfluous clue that is kept is needed by the others that are kept."""
        cdef int level
        for level in range(self.depth, -1, -1):
            if self.states[level] == KEPT:
                left[0] -= left[0] > 0
                if judge(self.walk, &self.kept[0], self.cells[level], UNLIMITED) == SUPERFLUOUS:
                    return False
        return True
