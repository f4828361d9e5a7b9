/* The loops of sum.pyx in which the time goes: written once, compiled for any processor and for those with AVX2.

   cell      an entry of a table
   lanes     the terms of a dot product, padded with zeros to a multiple of LANES

   Every pair of rows of A and B whose dot product is wanted has a factor: the entry of F_0 in a column, times a weight. In
   the order of columns, columns with a factor of 0 are passed over, and products are added up in 32 bits for as long as
   they are sure to fit (`safe`). In the order of the rows of A, a row is loaded once for all its pairs: faster, if there
   are many lanes, since loading is all that takes time. */
#ifndef ENUMERATOR_SUM_H
#define ENUMERATOR_SUM_H

#include "machine.h"

typedef int16_t cell;
typedef unsigned __int128 wide;

enum {
    LANES = 16,
    MOST_LANES = 64,
    LARGEST = 1728, /* entry of a table, for any board */
    HEAVIEST = 12,  /* weight of a value */
};

/* Two rows whose dot product is wanted; or, in a run that has row a in common, the place of its factor, and row b. */
typedef struct { uint16_t a, b; } Pair;

/* Pairs that have in common a column and a weight, or row `column` of A. */
typedef struct { uint32_t first, last; uint16_t column, weight; } Run;

/* Weight times factor of a run. */
static inline uint64_t factor_of(const Run *run, const cell *factors) {
    CHECK(factors[run->column] >= 0 && factors[run->column] <= 2 * LARGEST && run->weight <= HEAVIEST);
    return (uint64_t)(factors[run->column] * run->weight);
}

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define NAME(function) function##_portable
#define TARGET
#include "loops.h"
#undef NAME
#undef TARGET

#if defined(__x86_64__)
#define NAME(function) function##_avx2
#define TARGET __attribute__((target("avx2")))
#define AVX2
#include "loops.h"
#undef AVX2
#undef NAME
#undef TARGET
#endif

typedef struct {
    void (*add)(cell *restrict sum, const cell *restrict row, int weight, int length);
    void (*weave)(cell *restrict out, int lanes, const cell *const *rows, const uint16_t *weights, int length);
    uint64_t (*by_column)(const cell *a, const cell *b, int lanes, const Pair *pairs, const Run *runs, int count,
                          const cell *factors, uint32_t safe);
    uint64_t (*by_row)(const cell *a, const cell *b, int lanes, const Pair *pairs, const Run *runs, int count,
                       const uint32_t *factors); /* or NULL */
} Loops;

static const Loops portable_loops = {add_portable, weave_portable, by_column_portable, NULL};

#if defined(__x86_64__)
static const Loops avx2_loops = {add_avx2, weave_avx2, by_column_avx2, by_row_avx2};
static int has_avx2(void) { return __builtin_cpu_supports("avx2"); }
#else
static const Loops avx2_loops = {add_portable, weave_portable, by_column_portable, NULL};
static int has_avx2(void) { return 0; }
#endif

/* Table cells that the compiler cannot be left to publish to other threads by itself. */
static inline void *published(void **slot) { return __atomic_load_n(slot, __ATOMIC_ACQUIRE); }

static inline int publish(void **slot, void *table) {
    void *nothing = NULL;
    return __atomic_compare_exchange_n(slot, &nothing, table, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/* total += times · sum, which stays below the number of all fillings of a board without clues. */
static inline void accumulate(wide *total, uint64_t sum, uint64_t times) {
    *total += (wide)sum * times;
    CHECK(*total < (wide)1 << 73);
}

static inline uint64_t upper(wide number) { return (uint64_t)(number >> 64); }
static inline uint64_t lower(wide number) { return (uint64_t)number; }

/* The same as `by_column` for a single lane, straight from the tables: cheaper than weaving where there are few. */
static inline uint64_t thin(const cell *a, const cell *b, const Pair *pairs, const Run *runs, int count,
                            const cell *factors) {
    uint64_t total = 0;
    for (int r = 0; r < count; r++) {
        uint64_t factor = factor_of(&runs[r], factors), sum = 0;
        if (!factor) continue;
        for (uint32_t p = runs[r].first; p < runs[r].last; p++) sum += (uint32_t)a[pairs[p].a] * (uint32_t)b[pairs[p].b];
        total += factor * sum;
    }
    return total;
}

#endif
