# The declarations of sum.h, for Cython.

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

cdef extern from "sum.h":
    enum:
        MAX_LANES, BATCH, SLOT, SLOTS, MAX_BYTE
    ctypedef short cell
    ctypedef unsigned long long wide  # 128 bits, in C
    ctypedef struct Pair:
        uint16_t a, b
    ctypedef struct Run:
        uint32_t first, last
        uint16_t column, weight, unit
    ctypedef struct Loops:
        void (*add_row)(cell *sum, const cell *row, int weight, int length) noexcept nogil
        int (*merge_row)(cell *any, const cell *row, int length) noexcept nogil
        void (*interleave)(
            cell *out, int lanes, const cell **rows, const uint16_t *weights, int length
        ) noexcept nogil
        uint64_t (*by_column)(
            const cell *a, const cell *b, int lanes, const Pair *pairs, const Run *runs, int count,
            const cell *factors
        ) noexcept nogil
        void (*pack)(uint8_t *out, const cell **rows, int length) noexcept nogil
        void (*by_run)(
            const uint8_t *a, const uint8_t *b, const Pair *pairs, const Run *runs, int count,
            const cell *factors, uint32_t times, uint64_t *sums
        ) noexcept nogil
        void (*add_rows)(
            uint64_t *sum, const uint64_t *rows, const uint16_t *numbers, int count, int length
        ) noexcept nogil
        void (*fold)(
            uint64_t *sums, const uint16_t *columns, int count, const uint64_t *times, const cell *twice,
            uint64_t *by_column, const uint8_t *ends, int parts, uint64_t **by_part, uint64_t copies
        ) noexcept nogil
        void (*add_picked)(
            uint64_t *sum, const uint64_t *numbers, const uint16_t *places, int count, uint64_t copies
        ) noexcept nogil
        uint64_t (*by_slot)(
            const uint8_t *a, const uint8_t *b, const Pair *pairs, const Run *runs, int count,
            const cell *factors, uint64_t *sums
        ) noexcept nogil
    const Loops *loops_versions[]
    int LANES, MAX_ENTRY, MAX_WEIGHT
    void accumulate(wide *total, uint64_t sum, uint64_t times) noexcept nogil
    void add_wide(wide *total, wide number, uint64_t times) noexcept nogil
    int lowest64(uint64_t bits) noexcept nogil
    uint64_t single_lane(
        const cell *a, const cell *b, const Pair *pairs, const Run *runs, int count, const cell *factors
    ) noexcept nogil
    void *load_table(void **slot) noexcept nogil
    int store_table(void **slot, void *table) noexcept nogil
    uint64_t upper(wide number) noexcept nogil
    uint64_t lower(wide number) noexcept nogil
    void CHECK(bint condition) noexcept nogil

cdef enum:
    STRIDE = 288  # PARTITIONS, rounded up to a multiple of LANES
