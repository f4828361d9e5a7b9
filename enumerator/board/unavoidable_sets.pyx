"""Unavoidable sets of a full board: cells that can be filled in another way if the other cells stay.

**Statement.** Let a filling differ from the full board exactly in the cells U. Where a cell of U takes a new
digit, the cells that held this digit in its row, column and box must be in U, too. Every cell of U must
take a new digit. Conversely, if every cell of a set has taken a new digit, no digit twice in a unit, and each of
these digits was taken from the cells of the set in the unit, then every unit is complete again.

So the search begins with a cell and a new digit for it. The cells that this forces join the set, and the
cell of the set with the fewest choices is next. A set with more than `most` cells is given up. The first cell is
the lowest of its set, so each filling is found once.

Every minimal unavoidable set is found: the forced cells lie in it, and what they force.
"""

cimport cython
from libc.stdint cimport uint16_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memset

cdef enum:
    MOST_SIZE = 64
    MOST_MEMBERS = 64

LARGEST_SET = MOST_MEMBERS
"""The largest number of cells of a set that the search takes."""

cdef struct Hunt:
    int size, cells, most, count, failed
    const unsigned char *digits                 # the full board, 1 … size
    const uint16_t *units                       # row, column and box of each cell, of 3 · size units
    uint16_t *places                            # the cell of each digit in each unit
    uint64_t *placed                            # the new digits of each unit, as bits
    unsigned char *fresh                        # the new digit of each cell, 0 if it has none
    unsigned char *inside                       # 1 for a cell of the set
    uint16_t members[MOST_MEMBERS]
    uint16_t *found                             # the sets found, `most` + 1 numbers each: the size, and the cells
    size_t sets, room
    int first


@cython.auto_pickle(False)
cdef class Unavoidable:
    """The search for unavoidable sets of a full board."""

    cdef bytes digits
    cdef uint16_t[::1] units, places
    cdef int size

    def __cinit__(self, bytes digits, int size, units):
        """Prepare a full board with `size` digits. `units` are the row, column and box of each cell."""
        cdef int cell, kind, unit
        if not 1 <= size <= MOST_SIZE or len(digits) != size * size or len(units) != 3 * len(digits):
            raise ValueError(f"{len(digits)} cells with {size} digits: that is no board here")
        if min(digits) < 1 or max(digits) > size:
            raise ValueError("the board is not full")
        import array

        self.digits, self.size = digits, size
        self.units = array.array("H", units)
        if max(units) >= 3 * size:
            raise ValueError("there are three units for each digit")
        self.places = array.array("H", bytes(2 * 3 * size * (size + 1)))
        for cell in range(size * size):
            for kind in range(3):
                unit = self.units[3 * cell + kind]
                self.places[unit * (size + 1) + digits[cell]] = cell

    def search(self, int cell, int digit, int most):
        """Return the sets of at most `most` cells whose lowest cell is `cell`, if it takes `digit`.

        A set is a tuple of cells in ascending order. It may contain another unavoidable set, and come twice.
        """
        cdef Hunt hunt
        cdef size_t at, i
        if not (0 <= cell < self.size * self.size and 1 <= digit <= self.size and 1 <= most <= MOST_MEMBERS):
            raise ValueError(f"no search for {most} cells from cell {cell} with {digit}")
        if digit == self.digits[cell]:
            return []
        memset(&hunt, 0, sizeof(hunt))
        hunt.size, hunt.cells, hunt.most, hunt.first = self.size, self.size * self.size, most, cell
        hunt.digits, hunt.units, hunt.places = self.digits, &self.units[0], &self.places[0]
        hunt.placed = <uint64_t *> malloc(3 * self.size * sizeof(uint64_t))
        hunt.fresh = <unsigned char *> malloc(hunt.cells)
        hunt.inside = <unsigned char *> malloc(hunt.cells)
        try:
            if hunt.placed == NULL or hunt.fresh == NULL or hunt.inside == NULL:
                raise MemoryError
            memset(hunt.placed, 0, 3 * self.size * sizeof(uint64_t))
            memset(hunt.fresh, 0, hunt.cells)
            memset(hunt.inside, 0, hunt.cells)
            with nogil:
                hunt.members[0] = cell
                hunt.inside[cell] = hunt.count = 1
                if needed(&hunt, cell, digit) >= 0:
                    place(&hunt, cell, digit)
            if hunt.failed:
                raise MemoryError
            return [
                tuple(sorted([hunt.found[at * (most + 1) + 1 + i] for i in range(hunt.found[at * (most + 1)])]))
                for at in range(hunt.sets)
            ]
        finally:
            free(hunt.placed)
            free(hunt.fresh)
            free(hunt.inside)
            free(hunt.found)


cdef inline int needed(const Hunt *hunt, int cell, int digit) noexcept nogil:
    """Return the number of cells that join the set if a cell takes a digit; -1 if it cannot."""
    cdef int kind, count = 0
    cdef int place, others[3]
    cdef const uint16_t *units = hunt.units + 3 * cell
    for kind in range(3):
        if hunt.placed[units[kind]] >> (digit - 1) & 1:
            return -1
        place = hunt.places[units[kind] * (hunt.size + 1) + digit]
        if place < hunt.first:
            return -1
        if not hunt.inside[place] and not (count > 0 and others[0] == place) and not (count > 1 and others[1] == place):
            others[count] = place
            count += 1
    return count if hunt.count + count <= hunt.most else -1


cdef void place(Hunt *hunt, int cell, int digit) noexcept nogil:
    """Let a cell take a digit, go on, and take it back."""
    cdef int kind, other, before = hunt.count
    cdef const uint16_t *units = hunt.units + 3 * cell
    hunt.fresh[cell] = digit
    for kind in range(3):
        hunt.placed[units[kind]] |= <uint64_t> 1 << (digit - 1)
        other = hunt.places[units[kind] * (hunt.size + 1) + digit]
        if not hunt.inside[other]:
            hunt.inside[other] = 1
            hunt.members[hunt.count] = other
            hunt.count += 1
    fill(hunt)
    while hunt.count > before:
        hunt.count -= 1
        hunt.inside[hunt.members[hunt.count]] = 0
    for kind in range(3):
        hunt.placed[units[kind]] ^= <uint64_t> 1 << (digit - 1)
    hunt.fresh[cell] = 0


cdef void fill(Hunt *hunt) noexcept nogil:
    """Give the cell with the fewest choices each of its digits; note the set if every cell has one."""
    cdef int at, cell, digit, choices, best = -1, fewest = MOST_SIZE + 1
    for at in range(hunt.count):
        cell = hunt.members[at]
        if hunt.fresh[cell]:
            continue
        choices = 0
        for digit in range(1, hunt.size + 1):
            if digit != hunt.digits[cell] and needed(hunt, cell, digit) >= 0:
                choices += 1
                if choices >= fewest:
                    break
        if choices == 0:
            return
        if choices < fewest:
            best, fewest = cell, choices
    if best < 0:
        note(hunt)
        return
    for digit in range(1, hunt.size + 1):
        if digit != hunt.digits[best] and needed(hunt, best, digit) >= 0:
            place(hunt, best, digit)


cdef void note(Hunt *hunt) noexcept nogil:
    """Add the set to those that are found."""
    cdef size_t room
    cdef uint16_t *larger
    cdef int at
    if hunt.sets == hunt.room:
        room = 2 * hunt.room + 64
        larger = <uint16_t *> realloc(hunt.found, room * (hunt.most + 1) * sizeof(uint16_t))
        if larger == NULL:
            hunt.failed = 1
            return
        hunt.found, hunt.room = larger, room
    hunt.found[hunt.sets * (hunt.most + 1)] = hunt.count
    for at in range(hunt.count):
        hunt.found[hunt.sets * (hunt.most + 1) + 1 + at] = hunt.members[at]
    hunt.sets += 1
