# What other kernels may know of the sum: its values, its tables, and how to turn to a y0.

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from enumerator.engines.contraction.limits cimport BOXES, PARTITIONS

cdef extern from "sum.h":
    ctypedef short cell
    ctypedef unsigned long long wide  # 128 bits, in C
    ctypedef struct Pair:
        uint16_t a, b
    ctypedef struct Run:
        uint32_t first, last
        uint16_t column, weight
    ctypedef struct Loops:
        void (*add)(cell *sum, const cell *row, int weight, int length) noexcept nogil
        void (*weave)(
            cell *out, int lanes, const cell **rows, const uint16_t *weights, int length
        ) noexcept nogil
        uint64_t (*by_column)(
            const cell *a, const cell *b, int lanes, const Pair *pairs, const Run *runs, int count,
            const cell *factors, uint32_t safe
        ) noexcept nogil
        uint64_t (*by_row)(
            const cell *a, const cell *b, int lanes, const Pair *pairs, const Run *runs, int count,
            const uint32_t *factors
        ) noexcept nogil
    const Loops portable_loops, avx2_loops
    int has_avx2() noexcept nogil
    int LANES, LARGEST, HEAVIEST
    enum:
        MOST_LANES
    void accumulate(wide *total, uint64_t sum, uint64_t times) noexcept nogil
    uint64_t thin(
        const cell *a, const cell *b, const Pair *pairs, const Run *runs, int count, const cell *factors
    ) noexcept nogil
    void *published(void **slot) noexcept nogil
    int publish(void **slot, void *table) noexcept nogil
    uint64_t upper(wide number) noexcept nogil
    uint64_t lower(wide number) noexcept nogil
    void CHECK(bint condition) noexcept nogil

cdef enum:
    STRIDE = 288  # the multiple of LANES next to PARTITIONS
    WEIGHTS = 12  # of values: HEAVIEST, and so many are different at most


cdef struct Value:
    uint16_t part[BOXES]
    uint16_t weight

cdef struct Table:
    int largest
    uint8_t rows[PARTITIONS]  # which have an entry that is not 0
    uint8_t columns[STRIDE]
    cell *entries

cdef struct Scratch:
    cell *a
    cell *b
    cell *partial
    Pair *pairs  # y2 in the order of columns
    Run *runs
    int run_count
    int pair_count
    Pair *row_pairs  # y2 in the order of rows of A
    Run *row_runs
    int row_run_count
    uint32_t factors[WEIGHTS * STRIDE]
    Table *tables[BOXES]
    uint16_t leader[PARTITIONS]  # of each group: the first of those that have the same sum
    uint32_t times[PARTITIONS]
    # of each lane: its row of F_1, its row of F_2, its weight
    const cell *rows_a[MOST_LANES]
    const cell *rows_b[MOST_LANES]
    uint16_t weights[MOST_LANES]
    uint16_t ones[MOST_LANES]
    int heaviest


cdef struct Index:
    # the partitions that a line gives to a box, in ascending order
    int count
    uint16_t partition[PARTITIONS]
    uint16_t place[PARTITIONS]


cdef class Sum:
    cdef const Loops *loops
    cdef Value *first
    cdef Value *lanes  # y1, sorted into groups
    cdef Value *second  # y2, sorted by its partition in band 0 and by weight
    cdef Value *by_row  # y2, sorted by its partition in band 1
    cdef uint16_t weights[WEIGHTS]  # of y2, without repetition
    cdef int weight_count
    cdef Value *band[BOXES]  # sorted by their partition in y0's box
    cdef uint32_t band_start[BOXES][PARTITIONS + 1]
    cdef int first_count, lane_count, second_count
    cdef uint32_t group_start[PARTITIONS + 1]
    cdef uint32_t *times
    cdef Index across[BOXES]  # y1's boxes
    cdef Index down[BOXES]  # y2's boxes
    cdef int stride[BOXES]
    cdef uint8_t *compatible
    cdef uint8_t *missing
    cdef uint8_t *meet[BOXES][BOXES]  # one of these, of band and stack: [row partition · PARTITIONS + column partition]
    cdef cell *columns[BOXES]  # meet of the band's partition in y2's box, for those in `down`, as cells
    cdef void **slots[BOXES]
    cdef uint16_t *swaps
    cdef int swap_count, boxes
    cdef bint twins
    cdef readonly int groups
    cdef readonly object items

    cdef int copy_compatible(self, network) except -1
    cdef bint go(self, Scratch *scratch, uint64_t *item, uint64_t end, double most, double *units, wide *total) noexcept nogil
    cdef bint turn_to(self, Scratch *scratch, int number, double *units) noexcept nogil
    cdef void list_by_row(self, Scratch *scratch) noexcept nogil
    cdef void merge_groups(self, Scratch *scratch, const Value *value) noexcept nogil
    cdef int gather(self, Scratch *scratch, int group) noexcept nogil
    cdef int weave(self, Scratch *scratch, int count) noexcept nogil
    cdef uint32_t safe(self, Scratch *scratch, int lanes) noexcept nogil
    cdef uint64_t group_sum(self, Scratch *scratch, int group, double *units) noexcept nogil
    cdef void column_sums(self, Scratch *scratch, int group, uint64_t *sums) noexcept nogil
    cdef Table *table(self, int box, int partition, cell *partial, double *units) noexcept nogil


cdef bint prepare(Scratch *scratch, int pairs) noexcept nogil
cdef void release(Scratch *scratch) noexcept nogil
cdef object numbers(line, const Value *values, order, const Index *index)
