"""The compiled walk that learns from dead ends.

    kernel.pyx      Learning: the walk as a class. Team: walks over the parts of one board
    learning.h      the walk: decisions, levels that are held, restarts. Read this first
    state.h         variables, groups, the trail: the terms of all files
    candidates.h    from a board to variables and groups
    heap.h          the order of decisions
    conflicts.h     from a conflict to a clause
    clauses.h       the clauses that are kept, and those that are forgotten
    assumptions.h   walks over parts of a board
    exchange.h      clauses that walks over the same board pass to each other
    parts.h         what is left of a walk, as boards
    checks.h        a checker of clauses, for the build with all checks

The unit of effort, `nodes`, is a decision or a conflict.
"""

cimport cython
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc

from enumerator.engines.walks.walk cimport Walk, check_board, check_masks

cdef extern from "parts.h":
    ctypedef struct Exchange:
        pass
    ctypedef struct Learner:
        int cells
        uint64_t conflicts
        uint64_t decisions
        int is_finished
        int is_out_of_memory
    int learning_start(
        Learner *learner, const uint8_t *cells, int height, int width, const uint64_t *allowed
    ) noexcept nogil
    void learning_assume(Learner *learner, const uint8_t *cells) noexcept nogil
    void learning_join(Learner *learner, Exchange *exchange) noexcept nogil
    void learning_leave(Learner *learner) noexcept nogil
    void exchange_free(Exchange *exchange) noexcept nogil
    void learning_free(Learner *learner) noexcept nogil
    uint64_t learning_run(Learner *learner, uint64_t *effort, uint64_t limit, uint8_t *out, int floor) noexcept nogil
    uint32_t learning_branches(Learner *learner, uint32_t *branches) noexcept nogil
    uint64_t learning_rest(Learner *learner, uint8_t *out, uint32_t *levels) noexcept nogil
    int learning_floor_for(const Learner *learner, double part) noexcept nogil


def start(const uint8_t[::1] cells not None, int height, int width, allowed=None):
    """Return a walk over the solutions of a board with boxes of `height` × `width` cells.

    It begins with no clause, so it depends on the board alone.
    """
    return Learning(Solver(cells, height, width, allowed), None)


@cython.final
@cython.auto_pickle(False)
cdef class Solver:
    """What is known of a board: its variables, and the clauses that were learnt."""

    cdef Learner learner
    cdef Team team  # keeps the exchange alive

    def __cinit__(self, const uint8_t[::1] cells not None, int height, int width, allowed=None):
        cdef const uint64_t[::1] masks
        cdef const uint64_t *mask = NULL
        check_board(cells, height, width)
        if allowed is not None:
            masks = allowed
            check_masks(masks, cells.shape[0])
            mask = &masks[0]
        if not learning_start(&self.learner, &cells[0], height, width, mask):
            raise MemoryError

    def __dealloc__(self):
        learning_free(&self.learner)


@cython.final
@cython.auto_pickle(False)
cdef class Team:
    """Walks over the parts of one board, which keep and exchange what they learn.

    Several threads may start walks at the same time. A walk that is no longer used leaves its
    clauses to the next one.
    """

    cdef Exchange *exchange
    cdef list idle
    cdef bytes cells
    cdef int height, width
    cdef object allowed

    def __cinit__(self, cells, int height, int width, allowed=None):
        self.cells, self.height, self.width, self.allowed = bytes(cells), height, width, allowed
        self.idle = []
        self.exchange = <Exchange *> calloc(1, sizeof(Exchange))
        if self.exchange == NULL:
            raise MemoryError

    def __dealloc__(self):
        exchange_free(self.exchange)

    def start(self, const uint8_t[::1] cells not None):
        """Return a walk over a part: `cells` are those of the board, with more digits."""
        cdef Solver solver
        check_board(cells, self.height, self.width)
        try:
            solver = self.idle.pop()
        except IndexError:
            solver = Solver(self.cells, self.height, self.width, self.allowed)
            solver.team = self
            learning_join(&solver.learner, self.exchange)
        with nogil:
            learning_assume(&solver.learner, &cells[0])
        return Learning(solver, self)


@cython.final
@cython.auto_pickle(False)
cdef class Learning(Walk):
    """A walk that learns a clause from each dead end."""

    cdef Solver solver
    cdef Team team
    cdef Learner *learner
    cdef uint64_t conflicts_before, decisions_before

    def __cinit__(self, Solver solver not None, Team team):
        self.solver, self.team, self.learner = solver, team, &solver.learner
        self.cells = solver.learner.cells
        self.conflicts_before, self.decisions_before = solver.learner.conflicts, solver.learner.decisions

    def __del__(self):
        if self.team is not None:
            learning_leave(self.learner)
            self.team.idle.append(self.solver)

    @property
    def conflicts(self):
        """The number of dead ends from which a clause was learnt."""
        return self.learner.conflicts - self.conflicts_before

    @property
    def decisions(self):
        """The number of digits that were tried."""
        return self.learner.decisions - self.decisions_before

    cdef uint64_t advance(self, uint64_t *nodes, uint64_t limit, uint8_t *out, int floor) noexcept nogil:
        return learning_run(self.learner, nodes, limit, out, floor)

    cdef int floor_for(self, double part) noexcept nogil:
        return learning_floor_for(self.learner, part)

    cdef uint32_t write_branches(self, uint32_t *branches) noexcept nogil:
        return learning_branches(self.learner, branches)

    cdef uint64_t write_rest(self, uint8_t *out, uint32_t *levels) noexcept nogil:
        return learning_rest(self.learner, out, levels)

    cdef int top(self) noexcept nogil:
        return -1 if self.learner.is_finished else 0

    cdef bint is_short_of_memory(self) noexcept nogil:
        return self.learner.is_out_of_memory
