# The tables of a sum, and the memory that a run of it works in.

from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.stdlib cimport free, malloc
from posix.stdlib cimport posix_memalign

from enumerator.engines.contraction.limits cimport BOXES, PARTITIONS
from enumerator.engines.contraction.loops cimport MAX_LANES, STRIDE, WEIGHTS, Pair, Run, cell


cdef struct Table:
    # F_b for one partition of y0
    int largest                # of its entries
    uint8_t rows[PARTITIONS]   # 1 if a row has an entry that is not 0
    uint8_t columns[STRIDE]    # the same for each column
    cell *entries


cdef struct Scratch:
    # working memory of one run, for its current y0 and group
    cell *a                    # A and B of sum.pyx
    cell *b
    cell *partial              # G of sum.pyx
    Pair *pairs                # y2 in column order
    Run *runs
    int run_count
    int pair_count
    Pair *row_pairs            # y2 in row order
    Run *row_runs
    int row_run_count
    uint32_t factors[WEIGHTS * STRIDE]
    Table *tables[BOXES]
    uint16_t leader[PARTITIONS]  # by group: the first group with the same sum
    uint32_t times[PARTITIONS]   # by group: the number of groups that it represents
    const cell *rows_a[MAX_LANES]  # by lane: its row of F_1
    const cell *rows_b[MAX_LANES]  # by lane: its row of F_2
    uint16_t weights[MAX_LANES]    # by lane: its weight
    uint16_t ones[MAX_LANES]       # by lane: 1, or 0 for padding
    int heaviest                 # the largest of the weights


cdef inline cell *allocate_cells(size_t count) noexcept nogil:
    """Return room for `count` cells, aligned for vectors, or NULL."""
    cdef void *block = NULL
    if posix_memalign(&block, 64, (count if count else 1) * sizeof(cell)):
        return NULL
    return <cell *> block


cdef inline void free_table(Table *table) noexcept nogil:
    if table:
        free(table.entries)
        free(table)


cdef inline bint allocate_scratch(Scratch *scratch, int pairs) noexcept nogil:
    """Allocate the arrays of `scratch`; return False if memory is short.

    The caller frees them in both cases.
    """
    scratch.a, scratch.b = allocate_cells(STRIDE * MAX_LANES), allocate_cells(STRIDE * MAX_LANES)
    scratch.partial = allocate_cells(PARTITIONS * STRIDE)
    scratch.pairs = <Pair *> malloc((pairs + 1) * sizeof(Pair))
    scratch.runs = <Run *> malloc((pairs + 1) * sizeof(Run))
    scratch.row_pairs = <Pair *> malloc((pairs + 1) * sizeof(Pair))
    scratch.row_runs = <Run *> malloc((PARTITIONS + 1) * sizeof(Run))
    return (
        scratch.a and scratch.b and scratch.partial and scratch.pairs and scratch.runs
        and scratch.row_pairs and scratch.row_runs
    )


cdef inline void free_scratch(Scratch *scratch) noexcept nogil:
    free(scratch.a)
    free(scratch.b)
    free(scratch.partial)
    free(scratch.pairs)
    free(scratch.runs)
    free(scratch.row_pairs)
    free(scratch.row_runs)
