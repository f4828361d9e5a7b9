"""The networks of a board without one of its clues, and a plan for each.

**Statement.** A clue is one condition on its band and one on its stack. So a board without it shares
four lines with the board. An arrangement of a line that violates no condition belongs to all these
boards, one that violates a single condition to the board without that clue alone. Hence one pass over
the arrangements of a line, which leaves out those that violate two, gives its values for all of them.

Two equal digits in a row of a box are one condition on the band. Without one of them, it remains.

The plans are those of summation.py without symmetries: the numbers that they are chosen by are sums
over partitions, worked out once for each line.
"""

cimport cython
from cpython cimport array
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.stdlib cimport free, realloc
from libc.string cimport memset

from enumerator.engines.contraction.limits cimport ARRANGEMENTS, BOXES, PARTITIONS
from enumerator.engines.contraction.loops cimport SLOT, SLOTS, lowest64
from enumerator.engines.contraction.products cimport batch_products

import array

from enumerator.engines.contraction.network import MISSING_LINE, Line, Network
from enumerator.engines.contraction.tables import line_table

cdef enum:
    CONDITIONS = 27  # of a line
    BLOCK = 64       # the values with the same first partition: at most 55

cdef double TABLE_ENTRY = 8  # the products that an entry of a table costs: most of it is new memory

cdef array.array SHORTS = array.array("H")

cdef struct Hit:
    # the arrangements of a value that violate one condition, or none
    uint16_t value
    uint8_t condition  # 0 for none, or its number + 1
    uint8_t weight     # at most 12


class ClueNetworks:
    """The networks of a board without one of its clues; `cells` are bytes, 0 for an empty cell."""

    def __init__(self, cells, height, width):
        side = height * width
        self.cells, self.height, self.width = cells, height, width
        bands = [[] for _ in range(width)]
        stacks = [[] for _ in range(height)]
        for cell, digit in enumerate(cells):
            if digit:
                row, column = divmod(cell, side)
                band, stack = row // height, column // width
                bands[band].append((stack, row % height, digit - 1))
                stacks[stack].append((band, column % width, digit - 1))
        across, down = line_table(height, width), line_table(width, height)
        self._bands = [LineVariants(across, conditions) for conditions in bands]
        self._stacks = [LineVariants(down, conditions) for conditions in stacks]

    def network(self, cell):
        """Return the network of the board without the clue in a cell."""
        side, digit = self.height * self.width, self.cells[cell] - 1
        row, column = divmod(cell, side)
        band, stack = row // self.height, column // self.width
        network = Network.__new__(Network)
        network.height, network.width = self.height, self.width
        network.digits = sum([1 << kept - 1 for kept in set(self.cells[:cell] + self.cells[cell + 1 :]) if kept])
        network.bands = [
            variants.line((stack, row % self.height, digit) if number == band else None)
            for number, variants in enumerate(self._bands)
        ]
        network.stacks = [
            variants.line((band, column % self.width, digit) if number == stack else None)
            for number, variants in enumerate(self._stacks)
        ]
        network.bands += [MISSING_LINE] * (BOXES - self.width)
        network.stacks += [MISSING_LINE] * (BOXES - self.height)
        network.prune()
        return network


class LineVariants:
    """The values of a line with all its conditions, and without each of them.

    A condition is a box, a column of it, and a digit there.
    """

    def __init__(self, table, conditions):
        known = sorted(set(conditions))
        self._numbers = {one: 0 if conditions.count(one) > 1 else at + 1 for at, one in enumerate(known)}
        self._variants = find_variants(table, known)

    def line(self, condition=None):
        """Return the line without a condition."""
        values, weights = self._variants[self._numbers[condition] if condition else 0]
        return Line(values, weights)


@cython.overflowcheck(False)  # no bits minus 1 is all bits
def find_variants(table, conditions):
    """Return values and weights with all conditions, then without each."""
    cdef uint32_t violated[BOXES][ARRANGEMENTS]
    cdef uint8_t weight[CONDITIONS + 1][BLOCK]
    cdef uint32_t touched[BLOCK]
    cdef const uint16_t[::1] sets = table.sets, triples = table.triples
    cdef const uint16_t[::1] value = table.triple_values, rearranged = table.rearranged
    cdef int parts = table.count, orders = table.orders, partitions = table.partitions
    cdef int each = value.shape[0] // partitions, number, first, change, at, box, column, digit, begin, size, bit
    cdef int value_count = len(table.values) // BOXES
    cdef uint32_t first_seen, seen, all_seen
    cdef uint32_t kept_seen[BLOCK]
    cdef uint8_t kept_value[BLOCK]
    cdef int kept
    cdef const uint32_t *in_first
    cdef const uint32_t *in_second
    cdef const uint32_t *in_third
    cdef int order[BOXES]
    cdef Hit *hits = NULL
    cdef Hit *more
    cdef int count = 0, room = 0
    if len(conditions) > CONDITIONS:
        raise ValueError(f"a line has at most {CONDITIONS} conditions")
    boxes = [condition[0] for condition in conditions]
    for at, number in enumerate(sorted(range(parts), key=lambda box: -boxes.count(box))):
        order[at] = number  # the box with the most conditions is the first, so that most is left out early
    for at in range(parts, BOXES):
        order[at] = at
    memset(violated, 0, sizeof(violated))
    memset(weight, 0, sizeof(weight))
    memset(touched, 0, sizeof(touched))
    for number, (box, column, digit) in enumerate(conditions):
        for at in range(partitions * orders):
            violated[box][at] |= <uint32_t> (not sets[at * parts + column] >> digit & 1) << number
    in_first, in_second, in_third = violated[order[0]], violated[order[1]], violated[order[2]]
    try:
        for first in range(partitions):
            begin = value[first * each]
            size = (value[(first + 1) * each] if first + 1 < partitions else value_count) - begin
            all_seen = 0
            for change in range(orders):
                first_seen = in_first[rearranged[first * orders * orders + change]]
                if first_seen & (first_seen - 1):
                    continue
                kept = 0
                for number in range(first * each, first * each + each):  # without branches: they are hard to predict
                    seen = (
                        first_seen
                        | in_second[rearranged[triples[number * BOXES + 1] * orders + change]]
                        | in_third[rearranged[triples[number * BOXES + 2] * orders + change]]
                    )
                    kept_seen[kept], kept_value[kept] = seen, value[number] - begin
                    kept += (seen & (seen - 1)) == 0
                for at in range(kept):
                    bit = lowest64(kept_seen[at]) + 1 if kept_seen[at] else 0
                    weight[bit][kept_value[at]] += 1
                    touched[kept_value[at]] |= <uint32_t> 1 << bit
                    all_seen = 1
            if not all_seen:
                continue
            if count + BLOCK * (CONDITIONS + 1) > room:
                room = 2 * room + BLOCK * (CONDITIONS + 1)
                more = <Hit *> realloc(hits, room * sizeof(Hit))
                if more == NULL:
                    raise MemoryError
                hits = more
            for at in range(size):
                while touched[at]:
                    bit = lowest64(touched[at])
                    touched[at] &= touched[at] - 1
                    hits[count].value, hits[count].condition = begin + at, bit
                    hits[count].weight = weight[bit][at]
                    weight[bit][at] = 0
                    count += 1
        return collect_variants(table, hits, count, len(conditions), order)
    finally:
        free(hits)


cdef list collect_variants(table, const Hit *hits, int count, int conditions, const int *order):
    """Return the values and weights of each variant; the hits of a value stand together."""
    cdef const uint16_t[::1] all_values = table.values
    cdef uint16_t *values[CONDITIONS + 1]
    cdef uint16_t *weights[CONDITIONS + 1]
    cdef int sizes[CONDITIONS + 1]
    cdef int at, variant, box, base = 0, last = -1
    cdef array.array some_values, some_weights
    memset(sizes, 0, sizeof(sizes))
    for at in range(count):
        if hits[at].condition == 0:
            base, last = base + 1, hits[at].value
        elif hits[at].value != last:
            sizes[hits[at].condition] += 1
    found = []
    for variant in range(conditions + 1):
        some_values = array.clone(SHORTS, (sizes[variant] + base) * BOXES, zero=False)
        some_weights = array.clone(SHORTS, sizes[variant] + base, zero=False)
        values[variant], weights[variant] = some_values.data.as_ushorts, some_weights.data.as_ushorts
        sizes[variant] = 0
        found.append((some_values, some_weights))
    last = -1
    for at in range(count):
        if hits[at].condition == 0:
            last = hits[at].value
            for variant in range(conditions + 1):
                for box in range(BOXES):
                    values[variant][sizes[variant] * BOXES + order[box]] = all_values[hits[at].value * BOXES + box]
                weights[variant][sizes[variant]] = hits[at].weight
                sizes[variant] += 1
        else:
            variant = hits[at].condition
            if hits[at].value == last:
                weights[variant][sizes[variant] - 1] += hits[at].weight
                continue
            for box in range(BOXES):
                values[variant][sizes[variant] * BOXES + order[box]] = all_values[hits[at].value * BOXES + box]
            weights[variant][sizes[variant]] = hits[at].weight
            sizes[variant] += 1
    return found


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
