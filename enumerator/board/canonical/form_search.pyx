"""The Python interface of the searches for canonical forms, which are in search.h and marks.h.

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
        int size, height, width, square
        uint8_t *cells[2]
        uint8_t *image
        uint8_t *least
        uint8_t *best
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

cdef extern from "marks.h":
    enum: MARKS_ELEMENTS
    ctypedef struct MarksPath:
        int depth
        uint8_t choice[1]
    ctypedef struct MarksImage:
        uint8_t row[64]
        uint8_t column[64]
        uint8_t digit[64]
        uint8_t *cells
        uint64_t *masks
    ctypedef struct Marks:
        int size, height, width
        uint8_t *cells
        uint64_t *masks
        MarksImage image, best
        MarksPath best_path
        int index[193]
        uint64_t (*colours)[MARKS_ELEMENTS]
        uint8_t *generators
        int found, failed
        uint64_t nodes
        int (*look)(void *asker) noexcept nogil
        void *asker
    void marks_search(Marks *m) noexcept nogil

cdef extern from "nine.h":
    bint nine_is_solved(const uint8_t *cells) noexcept nogil
    void nine_find_form(const uint8_t *cells, uint8_t *form) noexcept nogil

cdef enum:
    FIRST_ROOM = 256


cdef class Asker:
    """The function that is called during a search, and the exception that it raised."""

    cdef object on_look, error


cdef class Searcher(Asker):
    """The memory of searches on boards of one shape. One thread at a time may use it."""

    cdef Canon c
    cdef uint8_t *digits

    def __cinit__(self, int height, int width, on_look=None):
        cdef int size = height * width, cells = size * size, i
        check_box(height, width)
        self.c.size, self.c.height, self.c.width, self.c.square = size, height, width, height == width
        self.on_look, self.error = on_look, None
        self.c.look, self.c.asker = look, <void *> self
        self.digits = <uint8_t *> malloc(5 * cells)
        self.c.states = <CanonState *> malloc(FIRST_ROOM * sizeof(CanonState))
        self.c.room = FIRST_ROOM
        if self.digits == NULL or self.c.states == NULL:
            raise MemoryError
        for i in range(2):
            self.c.cells[i] = self.digits + i * cells
        self.c.image, self.c.least, self.c.best = self.digits + 2 * cells, self.digits + 3 * cells, self.digits + 4 * cells

    def __dealloc__(self):
        free(self.digits)
        free(self.c.states)
        free(self.c.generators)

    cdef int search(self, const uint8_t *cells) noexcept nogil:
        """Find the form of a board; return 0 if there is no memory, or if the caller ends the search."""
        memcpy(self.c.cells[0], cells, self.c.size * self.c.size)
        canon_search(&self.c)
        return not self.c.failed


cdef class MarksSearcher(Asker):
    """The memory of one search on a board with pencil marks."""

    cdef Marks m
    cdef uint8_t *digits
    cdef uint64_t *numbers

    def __cinit__(self, int height, int width, on_look=None):
        cdef int size = height * width, cells = size * size
        check_box(height, width)
        self.m.size, self.m.height, self.m.width = size, height, width
        self.on_look, self.error = on_look, None
        self.m.look, self.m.asker = look, <void *> self
        self.digits = <uint8_t *> malloc(3 * cells)
        self.numbers = <uint64_t *> malloc((3 * cells + (3 * size + 2) * MARKS_ELEMENTS) * sizeof(uint64_t))
        if self.digits == NULL or self.numbers == NULL:
            raise MemoryError
        self.m.cells, self.m.masks = self.digits, self.numbers
        self.m.image.cells, self.m.best.cells = self.digits + cells, self.digits + 2 * cells
        self.m.image.masks, self.m.best.masks = self.numbers + cells, self.numbers + 2 * cells
        self.m.colours = <uint64_t (*)[MARKS_ELEMENTS]> (self.numbers + 3 * cells)

    def __dealloc__(self):
        free(self.digits)
        free(self.numbers)
        free(self.m.generators)


cdef int check_box(int height, int width) except -1:
    """Raise ValueError for a box that no board has."""
    if not (2 <= height <= 8 and 2 <= width <= 8):
        raise ValueError(f"no box of {height}x{width}")
    return 0


cdef int look(void *asker) noexcept with gil:
    """Handle signals, and call the function of an asker. Return 0 if it raises an exception."""
    own = <Asker> asker
    try:
        PyErr_CheckSignals()
        if own.on_look is not None:
            own.on_look()
    except BaseException as error:
        own.error = error
        return 0
    return 1


cdef int raise_error(Asker asker) except -1:
    """Raise the exception that has ended a search."""
    if asker.error is not None:
        raise asker.error
    raise MemoryError("the search for a canonical form takes too much memory")


cdef int check_cells(const uint8_t[::1] cells, int size) except -1:
    """Raise ValueError for cells that are no board."""
    cdef int i
    if cells.shape[0] != size * size:
        raise ValueError(f"{cells.shape[0]} cells on a board of {size * size}")
    for i in range(size * size):
        if cells[i] > size:
            raise ValueError(f"{cells[i]} is no digit of a board of size {size}")
    return 0


def search(const uint8_t[::1] cells not None, int height, int width, on_look=None):
    """Return the canonical form of a board without pencil marks as the fields of a `Found`.

    `on_look` is called every few milliseconds. What it raises ends the search, and so does Ctrl-C.
    """
    cdef Searcher searcher = Searcher(height, width, on_look)
    cdef Canon *c = &searcher.c
    cdef int size = c.size, i, ok
    check_cells(cells, size)
    with nogil:
        ok = searcher.search(&cells[0])
        if ok:
            canon_add_open(c)
    if not ok or c.failed:
        raise_error(searcher)
    return (
        bytes(c.best[:size * size]),
        None,
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


def search_marks(
    const uint8_t[::1] cells not None, const uint64_t[::1] allowed not None, int height, int width, on_look=None
):
    """Return the canonical form of a board with pencil marks as the fields of a `Found`. `on_look` is as in `search`."""
    cdef MarksSearcher searcher = MarksSearcher(height, width, on_look)
    cdef Marks *m = &searcher.m
    cdef int size = m.size, i, turned
    cdef uint64_t full = (<uint64_t> -1) >> (64 - size)
    check_cells(cells, size)
    if allowed.shape[0] != size * size:
        raise ValueError(f"{allowed.shape[0]} masks on a board of {size * size}")
    for i in range(size * size):
        m.cells[i], m.masks[i] = cells[i], 0 if cells[i] else allowed[i] & full
    with nogil:
        marks_search(m)
    if m.failed:
        raise_error(searcher)
    turned = m.best_path.choice[0] == 3 * size + 1
    labels = [0] * size
    for i in range(size):
        labels[m.best.digit[i] - 2 * size] = i + 1
    return (
        bytes(m.best.cells[:size * size]),
        [m.best.masks[i] for i in range(size * size)],
        [m.best.row[i] - turned * size for i in range(size)],
        [m.best.column[i] - (not turned) * size for i in range(size)],
        labels,
        bool(turned),
        [m.index[i] for i in range(m.best_path.depth)],
        <uint64_t> -1,
        0,
        <uint64_t> -1,
        <uint64_t> -1,
        [drop_kinds(m.generators + i * 3 * size, size) for i in range(m.found)],
        m.nodes,
    )


cdef bytes drop_kinds(const uint8_t *generator, int size):
    """Return a generator with its digits counted from 0."""
    return bytes([generator[i] - 2 * size if i >= 2 * size else generator[i] for i in range(3 * size)])


def write_forms(
    const uint8_t[::1] boards not None,
    int height,
    int width,
    uint8_t[::1] forms not None,
    on_look=None,
):
    """Write the canonical form of each board, without pencil marks, at its place in `forms`.

    `on_look` is as in `search`.
    """
    cdef Searcher searcher = Searcher(height, width, on_look)
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
            ok = searcher.search(&boards[done * cells])
            if not ok:
                break
            memcpy(&forms[done * cells], searcher.c.best, cells)
    if not ok:
        raise_error(searcher)


cdef enum:
    PARTS = 256
    FEW_PLACES = 16


cdef struct Key:
    uint64_t low                # both 0: no key
    uint64_t high


cdef struct Part:
    Key *keys
    uint64_t *numbers           # NULL: they are not asked for
    uint64_t room, used         # less than 2 ** 32


cdef class Seen:
    """A table of digests of 16 bytes, and if `numbered`, of 8 bytes for the number that came with each first.

    It has 256 parts, by bits of the digests. Each grows alone, by an eighth, when it is filled to seven eighths.
    """

    cdef Part parts[PARTS]
    cdef bint numbered
    cdef uint64_t used

    def __cinit__(self, bint numbered=True):
        self.numbered = numbered

    def __dealloc__(self):
        cdef int i
        for i in range(PARTS):
            free(self.parts[i].keys)
            free(self.parts[i].numbers)

    def __len__(self):
        return self.used

    @property
    def size(self):
        """The size of the table in bytes."""
        cdef uint64_t room = 0
        cdef int i
        for i in range(PARTS):
            room += self.parts[i].room
        return room * (sizeof(Key) + (sizeof(uint64_t) if self.numbered else 0))

    def add(self, bytes digest not None, uint64_t number):
        """Add a digest with `number`, which is not 0, unless it is there.

        Return the number that it has in the table; 0 if it was there and numbers are not asked for.
        """
        cdef Key key
        cdef uint64_t at
        if len(digest) != 16 or not number:
            raise ValueError(f"a digest of {len(digest)} bytes with the number {number}")
        memcpy(&key, <const uint8_t *> digest, 16)
        if not (key.low or key.high):
            key.low = 1         # the digest 0 stands for no digest; it is taken for another one
        cdef Part *part = &self.parts[key.high % PARTS]
        if 8 * (part.used + 1) > 7 * part.room:
            self.grow(part)
        at = find(part, &key)
        if part.keys[at].low or part.keys[at].high:
            return part.numbers[at] if self.numbered else 0
        part.keys[at] = key
        if self.numbered:
            part.numbers[at] = number
        part.used += 1
        self.used += 1
        return number

    cdef int grow(self, Part *part) except -1:
        """Make a part an eighth larger."""
        cdef Part more
        cdef uint64_t at, to
        more.room, more.used = max(FEW_PLACES, part.room + part.room // 8), part.used
        more.keys = <Key *> calloc(more.room, sizeof(Key))
        more.numbers = <uint64_t *> malloc(more.room * sizeof(uint64_t)) if self.numbered else NULL
        if more.keys == NULL or (self.numbered and more.numbers == NULL):
            free(more.keys)
            free(more.numbers)
            raise MemoryError
        for at in range(part.room):
            if part.keys[at].low or part.keys[at].high:
                to = find(&more, &part.keys[at])
                more.keys[to] = part.keys[at]
                if self.numbered:
                    more.numbers[to] = part.numbers[at]
        free(part.keys)
        free(part.numbers)
        part[0] = more
        return 0


cdef uint64_t find(const Part *part, const Key *key) noexcept:
    """Return the place of a key, or the free one where it belongs."""
    cdef uint64_t at = (key.low >> 32) * part.room >> 32
    while (part.keys[at].low or part.keys[at].high) and (part.keys[at].low != key.low or part.keys[at].high != key.high):
        at = at + 1 if at + 1 < part.room else 0
    return at
