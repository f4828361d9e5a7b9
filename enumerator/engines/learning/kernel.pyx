"""The compiled walk that learns from dead ends.

    kernel.pyx     Learning: the walk as a class; `start`
    learning.h     the walk: decisions, levels that are held, restarts. Read this first
    state.h        variables, groups, the trail: the terms of all files
    candidates.h   from a board to variables and groups
    heap.h         the order of decisions
    conflicts.h    from a conflict to a clause
    clauses.h      the clauses that are kept, and those that are forgotten
    parts.h        what is left of a walk, as boards
    checks.h       a checker of clauses, for the build with all checks

The unit of effort, `nodes`, is a decision or a conflict.
"""

cimport cython
from libc.stdint cimport uint8_t, uint64_t

from enumerator.engines.walks.walk cimport Walk, check_board, check_masks

cdef extern from "parts.h":
    ctypedef struct Learner:
        uint64_t conflicts
        uint64_t decisions
        int is_finished
        int is_out_of_memory
    int learning_start(
        Learner *learner, const uint8_t *cells, int height, int width, const uint64_t *allowed
    ) noexcept nogil
    void learning_free(Learner *learner) noexcept nogil
    uint64_t learning_run(Learner *learner, uint64_t *effort, uint64_t limit, uint8_t *out, int floor) noexcept nogil
    uint64_t learning_rest(Learner *learner, uint8_t *out, double *shares) noexcept nogil
    int learning_floor_for(const Learner *learner, double part) noexcept nogil


def start(const uint8_t[::1] cells not None, int height, int width, allowed=None):
    """Return a walk over the solutions of a board with boxes of `height` × `width` cells."""
    return Learning(cells, height, width, allowed)


@cython.final
@cython.auto_pickle(False)
cdef class Learning(Walk):
    """A walk that learns a clause from each dead end."""

    cdef Learner learner

    def __cinit__(self, const uint8_t[::1] cells not None, int height, int width, allowed=None):
        cdef const uint64_t[::1] masks
        cdef const uint64_t *mask = NULL
        check_board(cells, height, width)
        self.cells = cells.shape[0]
        if allowed is not None:
            masks = allowed
            check_masks(masks, self.cells)
            mask = &masks[0]
        if not learning_start(&self.learner, &cells[0], height, width, mask):
            raise MemoryError

    def __dealloc__(self):
        learning_free(&self.learner)

    @property
    def conflicts(self):
        """The number of dead ends from which a clause was learnt."""
        return self.learner.conflicts

    @property
    def decisions(self):
        """The number of digits that were tried."""
        return self.learner.decisions

    cdef uint64_t advance(self, uint64_t *nodes, uint64_t limit, uint8_t *out, int floor) noexcept nogil:
        return learning_run(&self.learner, nodes, limit, out, floor)

    cdef int floor_for(self, double part) noexcept nogil:
        return learning_floor_for(&self.learner, part)

    cdef uint64_t write_rest(self, uint8_t *out, double *shares) noexcept nogil:
        return learning_rest(&self.learner, out, shares)

    cdef int top(self) noexcept nogil:
        return -1 if self.learner.is_finished else 0

    cdef bint is_short_of_memory(self) noexcept nogil:
        return self.learner.is_out_of_memory
