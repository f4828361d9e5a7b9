/* The innermost loops of sum.pyx: written once (loops.h), compiled for each instruction set.

   cell      an entry of a table
   lanes     the terms of a dot product, padded with zeros to a multiple of LANES
   pair      a row of A and a row of B, whose dot product is needed, and a factor: the entry of F_0
             in the pair's column, times a weight
   batch     BATCH lanes as bytes: one vector of AVX-512, or two of AVX2
   slot      SLOT lanes of a batch, whose products the processor adds: lanes of one group

   With AVX2 or more, lanes are summed in batches, and an entry above MAX_BYTE is taken for MAX_BYTE. Such
   entries are rare; sum.pyx adds what is missing. Other processors sum a group at a time, in cells. */
#ifndef ENUMERATOR_SUM_H
#define ENUMERATOR_SUM_H

#include "machine.h"

typedef int16_t cell;
typedef unsigned __int128 wide;

enum {
    LANES = 16,       /* of 16 bits: a vector of AVX2 */
    MAX_LANES = 64,   /* of a group: 55, padded */
    MAX_ENTRY = 1728, /* of a table, for any board: see the bounds in sum.pyx */
    MAX_WEIGHT = 12,  /* of a value */
    BATCH = 64,
    SLOT = 4,
    SLOTS = BATCH / SLOT,
    MAX_BYTE = 127,
};

/* Row a / BATCH of A and row b / BATCH of B: where they begin in a batch. */
typedef struct { uint16_t a, b; } Pair;

/* Pairs first … last - 1, which share a column and a weight. `unit` is theirs in box.pyx. */
typedef struct { uint32_t first, last; uint16_t column, weight, unit; } Run;

/* Return weight times factor of a run. */
static inline uint64_t factor_of(const Run *run, const cell *factors) {
    CHECK(factors[run->column] >= 0 && factors[run->column] <= 2 * MAX_ENTRY && run->weight <= MAX_WEIGHT);
    return (uint64_t)(factors[run->column] * run->weight);
}

/* What is compiled for each instruction set. */
typedef struct {
    void (*add_row)(cell *restrict sum, const cell *restrict row, int weight, int length);
    int (*merge_row)(cell *restrict any, const cell *restrict row, int length);
    void (*interleave)(cell *restrict out, int lanes, const cell *const *rows, const uint16_t *weights, int length);
    uint64_t (*by_column)(const cell *a, const cell *b, int lanes, const Pair *pairs, const Run *runs, int count,
                          const cell *factors);
    void (*pack)(uint8_t *restrict out, const cell *const *rows, int length);
    void (*by_run)(const uint8_t *a, const uint8_t *b, const Pair *pairs, const Run *runs, int count,
                   const cell *factors, uint32_t times, uint64_t *sums);
    void (*add_rows)(uint64_t *sum, const uint64_t *rows, const uint16_t *numbers, int count,
                     int length);
    void (*fold)(uint64_t *restrict sums, const uint16_t *columns, int count, const uint64_t *times,
                 const cell *twice, uint64_t *restrict by_column, const uint8_t *ends, int parts,
                 uint64_t *const *by_part, uint64_t copies);
    void (*add_picked)(uint64_t *restrict sum, const uint64_t *restrict numbers, const uint16_t *restrict places,
                       int count, uint64_t copies);
    /* NULL for the baseline: */
    uint64_t (*by_slot)(const uint8_t *a, const uint8_t *b, const Pair *pairs, const Run *runs, int count,
                        const cell *factors, uint64_t *sums);
} Loops;

#define KERNEL "loops.h"
#include "versions.h"

static const Loops *const loops_versions[] = VERSIONS(loops);

/* Read a place that another thread may be writing: a table, or NULL. */
static inline void *load_table(void **slot) { return __atomic_load_n(slot, __ATOMIC_ACQUIRE); }

/* Put a table into an empty place; return 0 if another thread was faster. */
static inline int store_table(void **slot, void *table) {
    void *nothing = NULL;
    return __atomic_compare_exchange_n(slot, &nothing, table, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/* total += times · sum. The total stays below the number of fillings of a board without clues. */
static inline void accumulate(wide *total, uint64_t sum, uint64_t times) {
    *total += (wide)sum * times;
    CHECK(*total < (wide)1 << 73);
}

/* The same for a number of 128 bits. */
static inline void add_wide(wide *total, wide number, uint64_t times) {
    *total += number * times;
    CHECK(*total < (wide)1 << 73);
}

static inline uint64_t upper(wide number) { return (uint64_t)(number >> 64); }
static inline uint64_t lower(wide number) { return (uint64_t)number; }

/* Return the sum of `by_column` for a single lane, read from the tables. With few lanes this costs
   less than to interleave their rows. */
static inline uint64_t single_lane(const cell *a, const cell *b, const Pair *pairs, const Run *runs, int count,
                                   const cell *factors) {
    uint64_t total = 0;
    for (int r = 0; r < count; r++) {
        uint64_t factor = factor_of(&runs[r], factors), sum = 0;
        if (!factor) continue;
        for (uint32_t p = runs[r].first; p < runs[r].last; p++)
            sum += (uint32_t)a[pairs[p].a / BATCH] * (uint32_t)b[pairs[p].b / BATCH];
        total += factor * sum;
    }
    return total;
}

#endif
