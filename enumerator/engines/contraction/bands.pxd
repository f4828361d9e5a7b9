# The tables of one band: F_b of sum.pyx, a matrix for each partition that y0 can give to the band.

from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from enumerator.engines.contraction.limits cimport BOXES, NEIGHBOURS, NO_PARTITION, PARTITIONS
from enumerator.engines.contraction.loops cimport (
    CHECK, MAX_BYTE, MAX_ENTRY, STRIDE, Loops, cell, load_table, store_table,
)
from enumerator.engines.contraction.products cimport padded_lanes
from enumerator.engines.contraction.scratch cimport Table, allocate_cells, free_table
from enumerator.engines.contraction.values cimport (
    Index, Value, allocate, find_starts, number_partitions, place_in, values_of,
)


cdef struct Band:
    Value *values              # sorted by their partition in the box of y0
    uint32_t start[PARTITIONS + 1]
    Index across               # the partitions of y1 in this band: the rows of a table
    Index down                 # the partitions of y2 in this band: the columns of a table
    int stride                 # the length of a row, padded
    const uint8_t *meet[BOXES]  # by stack: 1 if a row partition and a column partition are compatible
    const uint16_t *near[BOXES]  # by stack: the column partitions that are compatible with a row partition
    const uint16_t *near_first   # the row partitions that are compatible with a column partition of y0
    cell *columns              # meet of the values' partitions with those in `down`, as cells
    void **slots               # the tables made so far: Table *, by partition of y0


cdef inline int set_up_band(Band *band, line, y1_values, y2_values, int number, stacks) except -1:
    """Set up band `number`, whose line is `line`, for these y1 and y2; `meet` must be set."""
    cdef int row
    cdef Index rows
    number_partitions(&band.across, y1_values, number)
    number_partitions(&band.down, y2_values, number)
    band.stride = padded_lanes(band.down.count)
    band.values = values_of(line, stacks)
    find_starts(band.start, band.values, len(line))
    band.columns = allocate_cells(PARTITIONS * band.stride)
    if band.columns == NULL:
        raise MemoryError
    number_partitions(&rows, line.values, stacks[2])
    for row in range(rows.count):
        set_columns(band, rows.partition[row])
    band.slots = <void **> allocate(PARTITIONS * sizeof(void *))
    return 0


cdef inline int find_places(uint16_t *places, const Index *index, const uint16_t *near, const uint8_t *meet) noexcept nogil:
    """Find the places of compatible partitions in an index; return their number.

    `near` and `meet` are their list, and the row of the matrix: the shorter way is taken.
    """
    cdef int i, place, count = 0
    if index.count < NEIGHBOURS:
        for i in range(index.count):
            places[count] = i
            count += meet[index.partition[i]]
        return count
    for i in range(NEIGHBOURS):
        if near[i] == NO_PARTITION:
            break
        place = place_in(index, near[i])
        if place >= 0:
            places[count] = place
            count += 1
    return count


cdef inline void set_columns(Band *band, int partition) noexcept:
    """Set the row of `columns` that belongs to a partition of y2's box."""
    cdef uint16_t places[NEIGHBOURS]
    cdef cell *row = band.columns + partition * band.stride
    cdef int i, count = find_places(
        places, &band.down, band.near[2] + partition * NEIGHBOURS, band.meet[2] + partition * PARTITIONS
    )
    memset(row, 0, band.stride * sizeof(cell))
    for i in range(count):
        row[places[i]] = 1


cdef inline void free_band(Band *band) noexcept:
    cdef int number
    free(band.values)
    free(band.columns)
    if band.slots:
        for number in range(PARTITIONS):
            free_table(<Table *> band.slots[number])
    free(band.slots)


cdef inline Table *band_table(
    Band *band, int partition, const Loops *loops, cell *partial, double *products
) noexcept nogil:
    """Return F_b for the partition that y0 gives to the band, or NULL if memory is short.

    It is built on first use. If two threads build it at once, the first one is kept.
    """
    cdef Table *table = <Table *> load_table(&band.slots[partition])
    if table:
        return table
    table = <Table *> calloc(1, sizeof(Table))
    if table == NULL:
        return NULL
    table.entries = allocate_cells(band.across.count * band.stride)
    if table.entries == NULL:
        free(table)
        return NULL
    fill_table(table, band, partition, loops, partial, products)
    if not list_large_entries(table, band):
        free_table(table)
        return NULL
    if not store_table(&band.slots[partition], table):
        free_table(table)
        return <Table *> load_table(&band.slots[partition])
    return table


cdef inline void fill_table(
    Table *table, const Band *band, int partition, const Loops *loops, cell *partial, double *products
) noexcept nogil:
    """Work out F_b by way of G, which is `partial`."""
    cdef int stride = band.stride, rows = band.across.count
    cdef int r0, r1, number, row, column, i, at, count, largest, used_count = 0
    cdef uint16_t places[NEIGHBOURS]
    cdef uint8_t used[PARTITIONS]
    cdef uint16_t used_rows[PARTITIONS]
    cdef cell any_row[STRIDE]
    cdef const uint16_t *near
    cdef const Value *value
    cdef cell *entries = table.entries
    memset(used, 0, sizeof(used))
    memset(any_row, 0, sizeof(any_row))
    memset(entries, 0, rows * stride * sizeof(cell))
    near = band.near_first + partition * NEIGHBOURS
    for i in range(NEIGHBOURS):
        if near[i] == NO_PARTITION:
            break
        r0 = near[i]
        for number in range(band.start[r0], band.start[r0 + 1]):
            value = &band.values[number]
            r1 = value.part[1]
            if not used[r1]:
                used[r1] = 1
                used_rows[used_count] = r1
                used_count += 1
                memset(partial + r1 * stride, 0, stride * sizeof(cell))
            loops.add_row(partial + r1 * stride, band.columns + value.part[2] * stride, value.weight, stride)
            products[0] += stride
    for at in range(used_count):
        r1 = used_rows[at]
        count = find_places(places, &band.across, band.near[1] + r1 * NEIGHBOURS, band.meet[1] + r1 * PARTITIONS)
        for i in range(count):
            loops.add_row(entries + places[i] * stride, partial + r1 * stride, 1, stride)
        products[0] += count * stride
    for row in range(rows):
        largest = loops.merge_row(any_row, entries + row * stride, stride)
        table.rows[row] = largest > 0
        table.largest = max(table.largest, largest)
    for column in range(stride):
        table.columns[column] = any_row[column] != 0
    CHECK(table.largest <= MAX_ENTRY)


cdef inline bint list_large_entries(Table *table, const Band *band) noexcept nogil:
    """List the entries that a byte has no room for; return False if memory is short."""
    cdef int row, column, pass_number
    cdef uint32_t count = 0
    cdef const cell *entries
    for pass_number in range(2):
        if pass_number:
            table.large = <uint16_t *> malloc((count + 1) * sizeof(uint16_t))
            if table.large == NULL:
                return False
        count = 0
        for row in range(band.across.count):
            table.large_start[row] = count
            entries = table.entries + row * band.stride
            for column in range(band.down.count if table.largest > MAX_BYTE else 0):
                if entries[column] > MAX_BYTE:
                    if pass_number:
                        table.large[count] = column
                    count += 1
        table.large_start[band.across.count] = count
    return True
