"""Puzzles with fewer clues: the inner loops of `--minimal` and `--generate`.

Without a clue, a board with one solution has another one if and only if that one has another digit in the
clue's cell. So a test of a clue leaves it out, forbids its digit there, and looks for one solution.

    needed       a clue without which the board has other solutions
    superfluous  a clue that is not needed
    orbit        cells whose clues are removed together, or not at all
    order        the orbits at random: each is tried once, because a clue that is needed remains so

Boards are bytes, one after the other, 0 for an empty cell. All of them have exactly one solution.
"""

from libc.math cimport log
from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free, malloc

from enumerator.engines.walks.walk cimport Walk, check_boards, clamp

from enumerator.engines.search.kernel import start

cdef extern from "machine.h":
    uint64_t next_random(uint64_t *state) noexcept nogil

cdef enum:
    SUPERFLUOUS = 0
    NEEDED = 1
    UNDECIDED = 2
    MOST_CELLS = 4_096


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
    with nogil:
        for at in range(count):
            random = seeds[at]
            for orbit in range(orbits):
                order[orbit] = orbit
            shuffle(order, orbits, &random)
            reduce_board(walk, &boards[at * size], size, order, &cells[0], &ends[0], orbits, fewest, budget,
                         &undecided[at * size])


cdef void reduce_board(
    Walk walk, uint8_t *board, int size, const uint16_t *order, const uint16_t *cells, const uint16_t *ends,
    int orbits, int fewest, uint64_t nodes, uint8_t *undecided,
) noexcept nogil:
    """Remove the orbits of a board in their order, where the board keeps its one solution."""
    cdef int clues = 0, turn, orbit, first, here, at, verdict
    cdef uint8_t removed[MOST_CELLS]
    for at in range(size):
        clues += board[at] != 0
    for turn in range(orbits):
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

    Empty cells get 0. A clue is undecided if `nodes` nodes do not show which it is.
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
    with nogil:
        for at in range(boards.shape[0]):
            verdicts[at] = judge(walk, &boards[at // size * size], at % size, budget) if boards[at] else 0
