# The values of lines as C structures, sorted and numbered for the loops of the sum.

from cpython cimport array
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from enumerator.engines.contraction.limits cimport BOXES, PARTITIONS


cdef struct Value:
    uint16_t part[BOXES]  # the partition of each box, or its number in an Index
    uint16_t weight


cdef struct Index:
    # the partitions that a line gives to a box, in ascending order
    int count
    uint16_t partition[PARTITIONS]
    uint16_t place[PARTITIONS]  # the inverse of `partition`


cdef inline void *allocate(size_t size) except NULL:
    """Return `size` bytes of zeros."""
    cdef void *block = calloc(1, size if size else 1)
    if block == NULL:
        raise MemoryError
    return block


cdef inline int copy_values(Value *found, line, order, const uint16_t[::1] numbers) except -1:
    """Copy some values of a line, their boxes in `order`, their weights divided by the line's divisor."""
    cdef array.array all_values = line.values, all_weights = line.weights
    cdef const uint16_t *values = all_values.data.as_ushorts
    cdef const uint16_t *weights = all_weights.data.as_ushorts
    cdef int number, box, divisor = line.divisor
    cdef int source[BOXES]
    for box in range(BOXES):
        source[box] = order[box]
    for number in range(numbers.shape[0]):
        for box in range(BOXES):
            found[number].part[box] = values[numbers[number] * BOXES + source[box]]
        found[number].weight = weights[numbers[number]] // divisor
    return 0


cdef inline Value *values_of(line, order) except NULL:
    """Return all values of a line, their boxes in `order`.

    Their weights are divided by the line's divisor. They are sorted by the partition of the first
    box and by weight. The caller frees them.
    """
    cdef array.array all_values = line.values, all_weights = line.weights
    cdef const uint16_t *values = all_values.data.as_ushorts
    cdef const uint16_t *weights = all_weights.data.as_ushorts
    cdef int count = len(all_weights), number, box, i, divisor = line.divisor
    cdef int source[BOXES]
    cdef uint32_t by_weight[17]
    cdef uint32_t by_part[PARTITIONS + 1]
    cdef uint16_t *sorted = <uint16_t *> allocate(count * sizeof(uint16_t))
    cdef Value *found
    cdef Value *value
    for box in range(BOXES):
        source[box] = order[box]
    memset(by_weight, 0, sizeof(by_weight))
    memset(by_part, 0, sizeof(by_part))
    for number in range(count):  # weights are at most 12
        by_weight[weights[number] + 1] += 1
        by_part[values[number * BOXES + source[0]] + 1] += 1
    for i in range(16):
        by_weight[i + 1] += by_weight[i]
    for i in range(PARTITIONS):
        by_part[i + 1] += by_part[i]
    for number in range(count):
        sorted[by_weight[weights[number]]] = number
        by_weight[weights[number]] += 1
    try:
        found = <Value *> allocate(count * sizeof(Value))
    except MemoryError:
        free(sorted)
        raise
    for i in range(count):
        number = sorted[i]
        value = &found[by_part[values[number * BOXES + source[0]]]]
        by_part[values[number * BOXES + source[0]]] += 1
        for box in range(BOXES):
            value.part[box] = values[number * BOXES + source[box]]
        value.weight = weights[number] // divisor
    free(sorted)
    return found


cdef inline void number_partitions(Index *index, array.array values, int box) noexcept:
    """Fill `index` with the partitions that the values give to a box."""
    cdef const uint16_t *value = values.data.as_ushorts
    cdef uint8_t seen[PARTITIONS]
    cdef int at, number
    memset(seen, 0, sizeof(seen))
    memset(index, 0, sizeof(Index))
    for at in range(<int> len(values) // BOXES):  # a step that is no literal makes it a Python loop
        seen[value[at * BOXES + box]] = 1
    for number in range(PARTITIONS):
        if seen[number]:
            index.partition[index.count] = number
            index.place[number] = index.count
            index.count += 1


cdef inline int place_in(const Index *index, int partition) noexcept nogil:
    """Return the place of a partition in an index, or -1."""
    cdef int place = index.place[partition]
    return place if place < index.count and index.partition[place] == partition else -1


cdef inline void find_starts(uint32_t *start, const Value *values, int count) noexcept:
    """Fill start[p] with the number of values whose first partition is less than p."""
    cdef int at = 0, number
    for number in range(PARTITIONS + 1):
        while at < count and values[at].part[0] < number:
            at += 1
        start[number] = at


cdef inline object value_numbers(line, const Value *values, order, const Index *index):
    """Return the number that each of `values` has in its line.

    Their boxes are in `order`. If `index` is not NULL, their parts are places in it.
    """
    cdef const uint16_t[::1] value = line.values
    cdef int count = len(line), number, box
    cdef int part[BOXES]
    cdef int place[BOXES]
    cdef array.array finder = array.array("H", bytes(2 * PARTITIONS * PARTITIONS))
    cdef array.array found = array.array("H", bytes(2 * count))
    cdef uint16_t[::1] find = finder, which = found
    for box in range(BOXES):
        place[box] = order[box]
    for number in range(count):
        find[value[number * BOXES] * PARTITIONS + value[number * BOXES + 1]] = number
    for number in range(count):
        for box in range(BOXES):
            part[place[box]] = values[number].part[box]
            if index:
                part[place[box]] = index[box].partition[values[number].part[box]]
        which[number] = find[part[0] * PARTITIONS + part[1]]
    return found
