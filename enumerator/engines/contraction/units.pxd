# Units: the values of a line that agree in a box. box.pyx says what they are for.

from cpython cimport array
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from enumerator.engines.contraction.limits cimport BOXES, NEIGHBOURS, PARTITIONS, PARTS
from enumerator.engines.contraction.loops cimport CHECK
from enumerator.engines.contraction.values cimport Index, allocate

cdef enum:
    NUMBER = 0x3fff  # the bits of a value's number in a sort key

cdef struct Unit:
    # the values of a line that agree in a box
    uint16_t part          # the partition; of y1 and y2, its place in the band
    uint16_t partition
    uint16_t weight        # the arrangements of each value
    uint8_t at[PARTS * PARTS]  # at [part · PARTS + position]: those that put a part there

cdef struct Units:
    int count
    Unit *unit

cdef struct Neighbours:
    int count
    uint16_t number[NEIGHBOURS]


cdef inline uint64_t sort_key(uint64_t part, uint64_t key, uint64_t number) noexcept:
    """Return one number of a value's partition in the box, its position key, and its own number."""
    return part << 50 | key << 14 | number


cdef inline list find_units(Units *units, keyed, const Index *index):
    """Fill `units` with the units of the sort keys `keyed`, in ascending order.

    If `index` is not NULL, parts are places in it. Return the unit of each.
    """
    cdef int at
    cdef Unit *unit
    cdef uint64_t key
    keys = [key >> 14 for key in keyed]
    found = sorted(set(keys))
    numbers = {key: number for number, key in enumerate(found)}
    units.count = len(found)
    units.unit = <Unit *> allocate(len(found) * sizeof(Unit))
    for number, key in enumerate(found):
        unit = &units.unit[number]
        unit.part = key >> 36
        unit.partition = index.partition[unit.part] if index else unit.part
        for at in range(PARTS * PARTS):
            unit.at[at] = key >> 4 * at & 15
        for at in range(PARTS):
            unit.weight += unit.at[at * PARTS]
    return [numbers[key] for key in keys]


cdef inline int copy_sets(uint16_t *sets, table) except -1:
    """Copy the parts of each partition of a table."""
    cdef const uint16_t[::1] source = table.sets
    cdef int parts = table.count, orders = table.orders, number, part
    for number in range(table.partitions):
        for part in range(parts):
            sets[number * PARTS + part] = source[number * orders * parts + part]
    return 0


cdef inline void list_neighbours(Neighbours *neighbours, const uint8_t *meet, const Index *index) noexcept:
    """List, for each partition of the band, the places of the compatible ones in `index`."""
    cdef int row, column
    cdef Neighbours *one
    for row in range(PARTITIONS):
        one = &neighbours[row]
        one.count = 0
        for column in range(index.count):
            if meet[row * PARTITIONS + index.partition[column]]:
                CHECK(one.count < NEIGHBOURS)
                one.number[one.count] = column
                one.count += 1


cdef inline object position_keys(line, int box):
    """Return a number for each value of a line: how often its arrangements put each part of a box where.

    Four bits for each part and position: a value has at most 12 arrangements.
    """
    starts, ways = line.arrangements()
    if line.table is None:
        return array.array("Q", [1])
    cdef const uint32_t[::1] start = starts
    cdef const uint16_t[::1] way = ways, sets = line.table.sets
    cdef array.array keys = array.array("Q", bytes(8 * len(line)))
    cdef uint64_t[::1] key = keys
    cdef int parts = line.table.count, orders = line.table.orders, number, order, position, part
    cdef uint64_t of_order[6]
    cdef uint32_t i
    for order in range(orders):
        of_order[order] = 0
        for position in range(parts):
            for part in range(parts):
                if sets[order * parts + position] == sets[part]:
                    of_order[order] |= <uint64_t> 1 << 4 * (part * PARTS + position)
    for number in range(key.shape[0]):
        for i in range(start[number], start[number + 1]):
            key[number] += of_order[way[i * BOXES + box] % orders]
    return keys
