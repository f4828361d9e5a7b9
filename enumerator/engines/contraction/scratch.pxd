# The tables of a sum, and the memory that a run of it works in.

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from posix.stdlib cimport posix_memalign

from enumerator.engines.contraction.limits cimport BOXES, PARTITIONS
from enumerator.engines.contraction.loops cimport BATCH, MAX_LANES, SLOTS, STRIDE, Pair, Run, cell


cdef struct Table:
    # F_b for one partition of y0
    int largest                # of its entries
    uint8_t rows[PARTITIONS]   # 1 if a row has an entry that is not 0
    uint8_t columns[STRIDE]    # the same for each column
    uint16_t *large            # the columns of the entries above MAX_BYTE, row by row
    uint32_t large_start[PARTITIONS + 1]  # by row: its first place in `large`
    cell *entries


cdef struct Batch:
    # some lanes, of one group or of several
    int lanes
    uint8_t *a                 # A and B of sum.pyx, as bytes
    uint8_t *b
    const cell *rows_a[BATCH]  # by lane: its row of F_1
    const cell *rows_b[BATCH]  # by lane: its row of F_2
    const cell *rows_0[SLOTS]  # by slot: the row of F_0 of its group
    uint16_t group[SLOTS]      # by slot: its group
    cell *factors              # F_0, for each column and slot
    uint16_t ones[SLOTS]
    uint64_t sums[SLOTS]
    cell zeros[STRIDE]
    int twins                  # the number of rows made, of which the last ones are in `twin_rows`
    cell twin_rows[2 * SLOTS][STRIDE]  # rows of F_0 for the case that y1 and y2 may be swapped


cdef struct Scratch:
    # working memory of one run, for its current y0 and group
    cell *a                    # A and B of sum.pyx
    cell *b
    cell *partial              # G of sum.pyx
    Pair *pairs                # y2
    Run *runs
    int run_count
    int pair_count
    Table *tables[BOXES]
    uint16_t leader[PARTITIONS]  # by group: the first group with the same sum
    uint32_t times[PARTITIONS]   # by group: the number of groups that it represents
    const cell *rows_a[MAX_LANES]  # by lane: its row of F_1
    const cell *rows_b[MAX_LANES]  # by lane: its row of F_2
    uint16_t weights[MAX_LANES]    # by lane: its weight
    uint16_t ones[MAX_LANES]       # by lane: 1, or 0 for padding
    int heaviest                 # the largest of the weights
    Batch *batch
    uint64_t sums[PARTITIONS]    # by group, of some groups


cdef inline cell *allocate_cells(size_t count) noexcept nogil:
    """Return room for `count` cells, aligned for vectors, or NULL."""
    cdef void *block = NULL
    if posix_memalign(&block, 64, (count if count else 1) * sizeof(cell)):
        return NULL
    return <cell *> block


cdef inline void free_table(Table *table) noexcept nogil:
    if table:
        free(table.entries)
        free(table.large)
        free(table)


cdef inline Batch *allocate_batch() noexcept nogil:
    """Return an empty batch, or NULL."""
    cdef int slot
    cdef Batch *batch = <Batch *> calloc(1, sizeof(Batch))
    if batch == NULL:
        return NULL
    batch.a, batch.b = <uint8_t *> allocate_cells(STRIDE * BATCH // 2), <uint8_t *> allocate_cells(STRIDE * BATCH // 2)
    batch.factors = allocate_cells(STRIDE * SLOTS)
    for slot in range(SLOTS):
        batch.ones[slot] = 1
    if batch.a and batch.b and batch.factors:
        return batch
    free_batch(batch)
    return NULL


cdef inline void free_batch(Batch *batch) noexcept nogil:
    if batch:
        free(batch.a)
        free(batch.b)
        free(batch.factors)
        free(batch)


cdef inline bint allocate_scratch(Scratch *scratch, int pairs) noexcept nogil:
    """Allocate the arrays of `scratch`; return False if memory is short.

    The caller frees them in both cases.
    """
    scratch.a, scratch.b = allocate_cells(STRIDE * MAX_LANES), allocate_cells(STRIDE * MAX_LANES)
    scratch.partial = allocate_cells(PARTITIONS * STRIDE)
    scratch.pairs = <Pair *> malloc((pairs + 1) * sizeof(Pair))
    scratch.runs = <Run *> malloc((pairs + 1) * sizeof(Run))
    scratch.batch = allocate_batch()
    return scratch.a and scratch.b and scratch.partial and scratch.pairs and scratch.runs and scratch.batch


cdef inline void free_scratch(Scratch *scratch) noexcept nogil:
    free(scratch.a)
    free(scratch.b)
    free(scratch.partial)
    free(scratch.pairs)
    free(scratch.runs)
    free_batch(scratch.batch)
