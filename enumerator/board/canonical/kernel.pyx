"""The Python interface of the search for canonical forms, which is in search.h.

A board is bytes, 0 for an empty cell. Its pencil marks are one mask of 64 bits for each cell.
"""

from cpython cimport PyErr_CheckSignals
from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy

cdef extern from "search.h":
    enum: CANON_SIDE
    ctypedef struct CanonState:
        uint64_t cut, stack_cut, label_cut
        uint8_t row[64]
        uint8_t column[64]
        uint8_t turned
    ctypedef struct Canon:
        int size, height, width, square, has_marks
        uint8_t *cells[2]
        uint64_t *masks[2]
        uint8_t *image
        uint8_t *least
        uint8_t *best
        uint64_t *image_masks
        uint64_t *least_masks
        uint64_t *best_masks
        CanonState leaf
        uint8_t labels[64]
        int index[64]
        CanonState *states
        int room, found, generator_room, failed
        uint8_t *generators
        uint64_t nodes
        int (*look)(void *asker) noexcept nogil
        void *asker
    void canon_search(Canon *c) noexcept nogil
    void canon_add_open(Canon *c) noexcept nogil
    uint64_t canon_tied_slots(const Canon *c) noexcept nogil

cdef extern from "nine.h":
    bint nine_is_solved(const uint8_t *cells) noexcept nogil
    void nine_find_form(const uint8_t *cells, uint8_t *form) noexcept nogil

cdef enum:
    FIRST_ROOM = 256


cdef class Searcher:
    """The memory of searches on boards of one shape. One thread at a time may use it."""

    cdef Canon c
    cdef uint8_t *digits
    cdef uint64_t *numbers
    cdef object tell, error

    def __cinit__(self, int height, int width, bint has_marks=False, tell=None):
        cdef int size = height * width, cells = size * size, i
        if not (2 <= height <= 8 and 2 <= width <= 8):
            raise ValueError(f"no box of {height}x{width}")
        self.c.size, self.c.height, self.c.width = size, height, width
        self.c.square, self.c.has_marks = height == width, has_marks
        self.tell, self.error = tell, None
        self.c.look, self.c.asker = look, <void *> self
        self.digits = <uint8_t *> malloc(5 * cells)
        self.numbers = <uint64_t *> malloc((5 * cells if has_marks else 1) * sizeof(uint64_t))
        self.c.states = <CanonState *> malloc(FIRST_ROOM * sizeof(CanonState))
        self.c.room = FIRST_ROOM
        if self.digits == NULL or self.numbers == NULL or self.c.states == NULL:
            raise MemoryError
        for i in range(2):
            self.c.cells[i] = self.digits + i * cells
        self.c.image, self.c.least, self.c.best = self.digits + 2 * cells, self.digits + 3 * cells, self.digits + 4 * cells
        if has_marks:
            for i in range(2):
                self.c.masks[i] = self.numbers + i * cells
            self.c.image_masks = self.numbers + 2 * cells
            self.c.least_masks, self.c.best_masks = self.numbers + 3 * cells, self.numbers + 4 * cells

    def __dealloc__(self):
        free(self.digits)
        free(self.numbers)
        free(self.c.states)
        free(self.c.generators)

    cdef int search(self, const uint8_t *cells, const uint64_t *masks) noexcept nogil:
        """Find the form of a board; return 0 if there is no memory, or if the caller ends the search."""
        cdef int count = self.c.size * self.c.size
        memcpy(self.c.cells[0], cells, count)
        if masks != NULL:
            memcpy(self.c.masks[0], masks, count * sizeof(uint64_t))
        canon_search(&self.c)
        return not self.c.failed


cdef int look(void *asker) noexcept with gil:
    """Handle signals, and call the function of a searcher. Return 0 if it raises an exception."""
    searcher = <Searcher> asker
    try:
        PyErr_CheckSignals()
        if searcher.tell is not None:
            searcher.tell()
    except BaseException as error:
        searcher.error = error
        return 0
    return 1


cdef int raise_error(Searcher searcher) except -1:
    """Raise the exception that has ended a search."""
    if searcher.error is not None:
        raise searcher.error
    raise MemoryError


def search(const uint8_t[::1] cells not None, int height, int width, const uint64_t[::1] allowed=None, tell=None):
    """Return the canonical form of a board as the fields of a `Found`.

    `tell` is called every few milliseconds. What it raises ends the search, and so does Ctrl-C.
    """
    cdef Searcher searcher = Searcher(height, width, allowed is not None, tell)
    cdef Canon *c = &searcher.c
    cdef int size = c.size, i, ok
    cdef const uint64_t *masks = NULL
    if cells.shape[0] != size * size or (allowed is not None and allowed.shape[0] != size * size):
        raise ValueError(f"{cells.shape[0]} cells on a board of {size * size}")
    for i in range(size * size):
        if cells[i] > size:
            raise ValueError(f"{cells[i]} is no digit of a board of size {size}")
    if allowed is not None:
        masks = &allowed[0]
    with nogil:
        ok = searcher.search(&cells[0], masks)
        if ok:
            canon_add_open(c)
    if not ok or c.failed:
        raise_error(searcher)
    return (
        bytes(c.best[:size * size]),
        None if masks == NULL else [c.best_masks[i] for i in range(size * size)],
        list(c.leaf.row[:size]),
        list(c.leaf.column[:size]),
        [c.labels[i] + 1 for i in range(size)],
        bool(c.leaf.turned),
        [c.index[i] for i in range(size)],
        c.leaf.cut,
        canon_tied_slots(c),
        c.leaf.stack_cut,
        c.leaf.label_cut,
        [bytes(c.generators[i * 3 * size:(i + 1) * 3 * size]) for i in range(c.found)],
        c.nodes,
    )


def write_forms(
    const uint8_t[::1] boards not None,
    int height,
    int width,
    uint8_t[::1] forms not None,
    tell=None,
):
    """Write the canonical form of each board, without pencil marks, at its place in `forms`.

    `tell` is as in `search`.
    """
    cdef Searcher searcher = Searcher(height, width, False, tell)
    cdef Py_ssize_t cells = searcher.c.size * searcher.c.size, done
    cdef int ok = 1
    if boards.shape[0] % cells or forms.shape[0] < boards.shape[0]:
        raise ValueError(f"{boards.shape[0]} cells of boards and {forms.shape[0]} of forms")
    for done in range(boards.shape[0]):
        if boards[done] > searcher.c.size:
            raise ValueError(f"{boards[done]} is no digit")
    with nogil:
        for done in range(boards.shape[0] // cells):
            if height == 3 and width == 3 and nine_is_solved(&boards[done * cells]):
                nine_find_form(&boards[done * cells], &forms[done * cells])
                continue
            ok = searcher.search(&boards[done * cells], NULL)
            if not ok:
                break
            memcpy(&forms[done * cells], searcher.c.best, cells)
    if not ok:
        raise_error(searcher)


cdef struct Entry:
    uint64_t low
    uint64_t high
    uint64_t number             # 0: no entry


cdef class Seen:
    """A table of digests of 16 bytes, each with the number that came with it first.

    An entry has 24 bytes. The table is between three eighths and three quarters full.
    """

    cdef Entry *entries
    cdef uint64_t room, used

    def __cinit__(self):
        self.room = 1024
        self.entries = <Entry *> calloc(self.room, sizeof(Entry))
        if self.entries == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.entries)

    def __len__(self):
        return self.used

    def add(self, bytes digest not None, uint64_t number):
        """Return the number of a digest that is there; otherwise add it with `number`, which is not 0."""
        cdef Entry entry
        cdef Entry *found
        if len(digest) != 16 or not number:
            raise ValueError(f"a digest of {len(digest)} bytes with the number {number}")
        memcpy(&entry, <const uint8_t *> digest, 16)
        entry.number = number
        found = self.find(&entry)
        if found.number:
            return found.number
        found[0] = entry
        self.used += 1
        if self.used * 4 > self.room * 3:
            self.grow()
        return number

    cdef Entry *find(self, const Entry *entry) noexcept:
        """Return the place of a digest, or the free one where it belongs."""
        cdef uint64_t at = entry.low & (self.room - 1)
        while self.entries[at].number and (self.entries[at].low != entry.low or self.entries[at].high != entry.high):
            at = (at + 1) & (self.room - 1)
        return &self.entries[at]

    cdef int grow(self) except -1:
        cdef Entry *old = self.entries
        cdef uint64_t at, before = self.room
        cdef Entry *more = <Entry *> calloc(2 * before, sizeof(Entry))
        if more == NULL:
            raise MemoryError
        self.entries, self.room = more, 2 * before
        for at in range(before):
            if old[at].number:
                self.find(&old[at])[0] = old[at]
        free(old)
        return 0
