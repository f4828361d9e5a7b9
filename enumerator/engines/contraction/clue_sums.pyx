"""The number of solutions of a board without each of its clues, and a plan where that takes long.

The work is done in C: clues.h describes the structures, clue_lines.h and clue_sums.h have the functions.
README.md explains the method. A count that takes long is left to sum.pyx. Its plan is one of summation.py without
symmetries: the numbers that it is chosen by are sums over partitions, worked out once for each line.
"""

cimport cython
from cpython cimport array
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset
from posix.stdlib cimport posix_memalign

from enumerator.engines.contraction.limits cimport BOXES, PARTITIONS
from enumerator.engines.contraction.loops cimport SLOT, SLOTS
from enumerator.engines.contraction.products cimport batch_products

import array
from functools import lru_cache

from enumerator.engines.contraction.network import Line, Network
from enumerator.engines.contraction.tables import compatibility_tables, line_table
from enumerator.engines.instructions import choose

cdef extern from "processor.h":
    int newest_instructions() noexcept nogil

cdef extern from "clues.h":
    enum:
        CLUE_CELLS, CLUE_LINES, CLUE_TRIPLES, CLUE_ORDERS, CLUE_ROW, CLUE_NONE, CLUE_COSTLY
    ctypedef struct ClueValue:
        uint16_t part[BOXES]
        uint16_t weight
    ctypedef struct CluePair:
        uint16_t second, third
    ctypedef struct ClueTable:
        int boxes, orders, partitions, each
        CluePair pairs[CLUE_TRIPLES]
        uint8_t part_of[9][CLUE_ROW]
        uint8_t orders_with[BOXES][BOXES]
        uint8_t changed[CLUE_ORDERS][CLUE_ORDERS]
        uint64_t across[PARTITIONS][8]
    ctypedef struct ClueBoard:
        int height, width
        uint8_t cells[CLUE_CELLS]
        const ClueTable *table[2]
    ctypedef struct ClueLine:
        int count
        const ClueValue *values "from"
    ctypedef struct ClueWork:
        ClueLine lines[CLUE_LINES]
    ctypedef struct ClueFunctions:
        void (*prepare)(ClueBoard *board) noexcept nogil
        void (*share)(const ClueBoard *board, ClueWork *work, int band, int stack) noexcept nogil
        int (*find_network)(const ClueBoard *board, ClueWork *work, int cell) noexcept nogil
    const ClueFunctions *clue_versions[]
    void clue_counts(
        const ClueFunctions *functions, const ClueBoard *board, ClueWork *work, uint64_t budget, int64_t *counts
    ) noexcept nogil

BUDGETS = (400_000, 100_000, 200_000)
"""The steps of a sum that takes as long as one of sum.pyx, by version: some 0.2 ms with AVX-512."""

cdef int chosen = choose(newest_instructions())

cdef array.array SHORTS = array.array("H")

cdef double TABLE_ENTRY = 8  # the products that an entry of a table costs: most of it is new memory


cdef void *allocate(size_t size) except NULL:
    """Return memory that vectors can be read from."""
    cdef void *block = NULL
    if posix_memalign(&block, 64, size):
        raise MemoryError
    return block


cdef class Table:
    """The lines of `count` boxes of `count` × `size` cells, as clues.h has them."""

    cdef ClueTable *table

    def __cinit__(self, count, size):
        cdef ClueTable *table = <ClueTable *> allocate(sizeof(ClueTable))
        self.table = table
        memset(table, 0, sizeof(ClueTable))
        lines = line_table(count, size)
        cdef const uint16_t[::1] sets = lines.sets, triples = lines.triples
        cdef const uint8_t[::1] permuted = lines.permuted_orders
        cdef const uint64_t[::1] bits = compatibility_tables(size, count).bits
        cdef int orders = lines.orders, number, part, digit, order, change, column, word, second, third
        table.boxes, table.orders, table.partitions = count, orders, lines.partitions
        table.each = len(lines.triples) // BOXES // table.partitions
        for number in range(table.each * table.partitions):
            second, third = triples[number * BOXES + 1], triples[number * BOXES + 2]
            table.pairs[number].second = second % orders * CLUE_ROW + second // orders
            table.pairs[number].third = third % orders * CLUE_ROW + third // orders
        for number in range(table.partitions):
            for part in range(table.boxes):
                for digit in range(table.boxes * <int> size):
                    if sets[number * orders * table.boxes + part] >> digit & 1:
                        table.part_of[digit][number] = part
            for word in range(5):
                table.across[number][word] = bits[number * 5 + word]
        for order in range(orders):
            for column in range(table.boxes):
                for part in range(table.boxes):
                    if sets[order * table.boxes + column] == sets[part]:
                        table.orders_with[part][column] |= 1 << order
            for change in range(orders):
                table.changed[order][change] = permuted[order * orders + change]

    def __dealloc__(self):
        free(self.table)


@lru_cache
def clue_table(count, size):
    """Return the table of lines with `count` boxes of `count` columns; built on first use."""
    return Table(count, size)


cdef class ClueSums:
    """The counts of a board without one of its clues; `cells` are bytes, 0 for an empty cell."""

    cdef ClueBoard *board
    cdef Table across, down
    cdef const ClueFunctions *functions
    cdef int version

    def __cinit__(self, const uint8_t[::1] cells not None, int height, int width, version=None):
        cdef int cell
        if not (version is None or 0 <= version <= chosen):
            raise ValueError(f"no version {version} of the loops: this processor has {chosen + 1}")
        if not (2 <= height <= 3 and 2 <= width <= 3 and cells.shape[0] == (height * width) ** 2):
            raise ValueError(f"{cells.shape[0]} cells in {height}x{width} boxes: that has no sums here")
        self.version = chosen if version is None else version
        self.functions = clue_versions[self.version]
        self.across, self.down = clue_table(height, width), clue_table(width, height)
        self.board = <ClueBoard *> allocate(sizeof(ClueBoard))
        self.board.height, self.board.width = height, width
        self.board.table[0], self.board.table[1] = self.across.table, self.down.table
        memset(self.board.cells, 0, CLUE_CELLS)
        for cell in range(cells.shape[0]):
            self.board.cells[cell] = cells[cell]
        with nogil:
            self.functions.prepare(self.board)

    def __dealloc__(self):
        free(self.board)

    def counts(self, budget=None):
        """Return the number of solutions, and a dictionary of those without the clue of each cell.

        None is a number that takes more than about `budget` steps; by default, one that takes long.
        """
        cdef int64_t counts[CLUE_CELLS + 1]
        cdef uint64_t most = BUDGETS[self.version] if budget is None else budget
        cdef ClueWork *work = <ClueWork *> allocate(sizeof(ClueWork))
        cdef int cell
        with nogil:
            clue_counts(self.functions, self.board, work, most, counts)
        free(work)
        found = {}
        for cell in range(CLUE_CELLS):
            if counts[cell] != CLUE_NONE:
                found[cell] = None if counts[cell] == CLUE_COSTLY else counts[cell]
        return None if counts[CLUE_CELLS] == CLUE_COSTLY else counts[CLUE_CELLS], found

    def network(self, int cell):
        """Return the network of the board without the clue in a cell; None if it has no solution."""
        cdef ClueWork *work = <ClueWork *> allocate(sizeof(ClueWork))
        cdef int side = self.board.height * self.board.width
        cdef int band = cell // side // self.board.height, stack = cell % side // self.board.width
        cdef bint has_values
        try:
            with nogil:
                self.functions.share(self.board, work, band, stack)
                has_values = self.functions.find_network(self.board, work, cell)
            if not has_values:
                return None
            network = Network.__new__(Network)
            network.height, network.width = self.board.height, self.board.width
            network.digits = 0
            for at in range(side * side):
                if self.board.cells[at] and at != cell:
                    network.digits |= 1 << self.board.cells[at] - 1
            lines = [copy_line(&work.lines[number]) for number in range(CLUE_LINES)]
            network.bands, network.stacks = lines[:BOXES], lines[BOXES:]
            return network
        finally:
            free(work)


cdef object copy_line(const ClueLine *line):
    """Return a line with these values."""
    cdef array.array values = array.clone(SHORTS, line.count * BOXES, zero=False)
    cdef array.array weights = array.clone(SHORTS, line.count, zero=False)
    cdef int at, box
    for at in range(line.count):
        for box in range(BOXES):
            values.data.as_ushorts[at * BOXES + box] = line.values[at].part[box]
        weights.data.as_ushorts[at] = line.values[at].weight
    return Line(values, weights)


cdef struct Spread:
    # the values of a line by their partitions in a box
    int partitions
    int slots  # of batches, if values with the same partition share slots


cdef int find_spread(Spread *spread, line) except -1:
    """Find the spread of a line in each box."""
    cdef array.array all_values = line.values
    cdef const uint16_t *values = all_values.data.as_ushorts
    cdef int count[PARTITIONS]
    cdef int at, box, part, size = len(all_values) // BOXES
    memset(count, 0, sizeof(count))
    for box in range(BOXES):
        spread[box].partitions = spread[box].slots = 0
        for at in range(size):
            part = values[at * BOXES + box]
            spread[box].partitions += count[part] == 0
            spread[box].slots += (count[part] & (SLOT - 1)) == 0  # SLOT is a power of 2
            count[part] += 1
        for at in range(size):
            count[values[at * BOXES + box]] = 0
    return 0


def find_order(network):
    """Return the cheapest order without symmetries: if transposed, the stacks, the bands, and the cost."""
    cdef Spread spread[2 * BOXES][BOXES]
    cdef int sizes[2 * BOXES]
    cdef int side, number, bands, stacks, first, y1, y2, band, best_side = 0, best_first = 0, best_y1 = 1, best_band = 0
    cdef double cost, tables, best = -1
    cdef const Spread (*across)[BOXES]
    cdef const int *across_sizes
    for number, line in enumerate((*network.bands, *network.stacks)):
        find_spread(spread[number], line)
        sizes[number] = len(line)
    for side in range(2):
        bands, stacks = (network.height, network.width) if side else (network.width, network.height)
        across, across_sizes = &spread[BOXES * (1 - side)], &sizes[BOXES * (1 - side)]
        for first in range(stacks):
            for y1 in range(BOXES):
                y2 = BOXES - first - y1  # the third of 0, 1 and 2
                if y1 == first or (y1 >= stacks and y2 < stacks):
                    continue
                tables = 0
                for band in range(bands):
                    tables += table_cost(
                        sizes[BOXES * side + band],
                        across[first][band].partitions, across[y1][band].partitions, across[y2][band].partitions,
                    )
                for band in range(bands):
                    cost = tables + across_sizes[first] * value_cost(
                        across_sizes[y1], across[y1][band], across_sizes[y2],
                        across[y2][(band + 1) % BOXES].partitions + across[y2][(band + 2) % BOXES].partitions,
                    )
                    if best < 0 or cost < best:
                        best, best_side, best_first, best_y1, best_band = cost, side, first, y1, band
    best_stacks = best_first, best_y1, BOXES - best_first - best_y1
    return best_side == 1, best_stacks, ((0, 1, 2), (1, 0, 2), (2, 0, 1))[best_band], best


cdef double table_cost(int values, int tables, int rows, int columns) noexcept:
    """Return the cost of the tables of a band."""
    cdef double filled = min(1.0, values / 2240.0)  # of the row partitions, if an eighth of the values fits a y0
    return tables * (columns * (values / 8.0 + rows * (18 * filled + TABLE_ENTRY)) + 2000)


cdef double value_cost(int lanes, Spread groups, int pairs, int rows) noexcept:
    """Return the cost of a y0."""
    return (
        1000 + 80.0 * pairs + 50.0 * lanes + 40 * groups.partitions
        + <double> groups.slots / SLOTS * batch_products(pairs, rows)
    )
