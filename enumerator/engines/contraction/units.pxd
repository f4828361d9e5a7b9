# Units: the values of a line that agree in a box. box.pyx says what they are for.

from cpython cimport array
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.stdlib cimport free
from libc.string cimport memset

from enumerator.engines.contraction.limits cimport BOXES, NEIGHBOURS, PARTITIONS, PARTS
from enumerator.engines.contraction.loops cimport CHECK
from enumerator.engines.contraction.values cimport Index, Value, allocate

cdef enum:
    KINDS = 6  # of orders, at most

cdef struct Kinds:
    # the orders of the parts in a box, as far as the clues of a line tell them apart
    int count
    int size                         # the orders of each kind
    uint8_t at[KINDS][PARTS * PARTS]  # at [part · PARTS + position]: the orders that put a part there

cdef struct Unit:
    uint16_t part          # the partition's place in the band
    uint16_t partition
    uint16_t kind

cdef struct Units:
    # the units of y1 or y2, and their values: each as often as it has orders of the kind
    int count
    Unit unit[PARTITIONS * KINDS]
    uint32_t start[PARTITIONS * KINDS + 1]
    uint16_t *member

cdef struct Neighbours:
    int count
    uint16_t number[NEIGHBOURS]


cdef inline object find_kinds(Kinds *kinds, line, int box):
    """Fill `kinds` for a box of a line.

    Return how many arrangements of each value have an order of each kind there, in units of the kind's size, at
    [value · KINDS + kind]. That is 2 at most.
    """
    memset(kinds, 0, sizeof(Kinds))
    cdef array.array found = array.array("B", bytes(KINDS * len(line)))
    cdef uint8_t[::1] copies = found
    if line.table is None:
        kinds.count = kinds.size = kinds.at[0][0] = copies[0] = 1
        return found
    starts, ways = line.arrangements()
    cdef const uint32_t[::1] start = starts
    cdef const uint16_t[::1] way = ways, sets = line.table.sets
    cdef int parts = line.table.count, orders = line.table.orders, number, order, position, part, kind
    cdef int kind_of[6]
    cdef uint32_t i
    clued = [position for position in range(parts) if any([required[position] for required in line.required])]
    kinds.count = 1 if not clued else PARTS if len(clued) == 1 and parts == PARTS else orders
    kinds.size = orders // kinds.count
    for order in range(orders):
        kind_of[order] = order if kinds.size == 1 else 0
        for position in range(parts):
            for part in range(parts):
                if kinds.count == PARTS and position == clued[0] and sets[order * parts + position] == sets[part]:
                    kind_of[order] = part
        for position in range(parts):
            for part in range(parts):
                if sets[order * parts + position] == sets[part]:
                    kinds.at[kind_of[order]][part * PARTS + position] += 1
    for number in range(<int> len(line)):
        for i in range(start[number], start[number + 1]):
            copies[number * KINDS + kind_of[way[i * BOXES + box] % orders]] += 1
        for kind in range(kinds.count):
            CHECK(copies[number * KINDS + kind] % kinds.size == 0)
            copies[number * KINDS + kind] = copies[number * KINDS + kind] // kinds.size
    return found


cdef inline int sort_units(
    Units *units, const Value *values, int count, int box, const uint16_t[::1] numbers, const uint8_t[::1] copies,
    const Index *index
) except -1:
    """Fill `units` with those of `values` in a box, in ascending order of their parts.

    `numbers` and `copies` are their numbers in the line, and those of `find_kinds`.
    """
    cdef uint32_t place[PARTITIONS * KINDS]
    cdef int number, kind, part, copy
    cdef uint32_t size, members = 0
    memset(place, 0, sizeof(place))
    for number in range(count):
        for kind in range(KINDS):
            place[values[number].part[box] * KINDS + kind] += copies[numbers[number] * KINDS + kind]
    units.count = 0
    for part in range(PARTITIONS):
        for kind in range(KINDS):
            size, place[part * KINDS + kind] = place[part * KINDS + kind], members
            if size:
                units.unit[units.count].part, units.unit[units.count].kind = part, kind
                units.unit[units.count].partition = index.partition[part]
                units.start[units.count] = members
                units.count += 1
                members += size
    units.start[units.count] = members
    units.member = <uint16_t *> allocate(members * sizeof(uint16_t))
    for number in range(count):
        for kind in range(KINDS):
            for copy in range(copies[numbers[number] * KINDS + kind]):
                units.member[place[values[number].part[box] * KINDS + kind]] = number
                place[values[number].part[box] * KINDS + kind] += 1
    return 0


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
