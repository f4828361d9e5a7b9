/* The loops of sum.pyx in which the time goes: written once, compiled for any processor and for those with AVX2.

   cell      an entry of a table, at most 32,767; sums of products of two of them are kept in 32 bits for as long as they
             are sure to fit, see `safe`, and then widened to 64
   lanes     the terms of a dot product, padded with zeros to a multiple of LANES  */
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

/* Two rows whose dot product is wanted. */
typedef struct { uint16_t a, b; } Pair;

/* Pairs that have a factor in common: weight × the entry in that column. */
typedef struct { uint32_t first, last; uint16_t column, weight; } Run;

/* Weight times factor of a run. */
static inline uint64_t factor_of(const Run *run, const cell *factors) {
    CHECK(factors[run->column] >= 0 && factors[run->column] <= 2 * LARGEST && run->weight <= HEAVIEST);
    return (uint64_t)(factors[run->column] * run->weight);
}

#if defined(__x86_64__)
#include <immintrin.h>
#define HAS_AVX2 1
#else
#define HAS_AVX2 0
#endif

#define NAME(function) function##_portable
#define TARGET
#include "loops.h"
#undef NAME
#undef TARGET

#if HAS_AVX2
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
    void (*weave)(cell *restrict out, int lanes, const cell *const *rows, const uint16_t *weights, int count, int length);
    uint64_t (*dots)(const cell *a, const cell *b, int lanes, const Pair *pairs, const Run *runs, int count,
                     const cell *factors, uint32_t safe);
} Loops;

static const Loops portable_loops = {add_portable, weave_portable, dots_portable};

#if HAS_AVX2
static const Loops avx2_loops = {add_avx2, weave_avx2, dots_avx2};
static int has_avx2(void) { return __builtin_cpu_supports("avx2"); }
#else
static const Loops avx2_loops = {add_portable, weave_portable, dots_portable};
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

/* The same as `dots` for a single lane, straight from the tables: cheaper than weaving where there are few. */
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
