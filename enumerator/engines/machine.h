/* Bit operations, flags and checks for all kernels. _build.py selects the instruction set. */
#ifndef ENUMERATOR_MACHINE_H
#define ENUMERATOR_MACHINE_H

#if !defined(__GNUC__)
#error "enumerator needs GCC or Clang"
#endif

#if !defined(__SIZEOF_INT128__)
#error "enumerator needs a 64-bit machine"
#endif

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Return the time of a clock that never goes back, in nanoseconds. */
static inline uint64_t nanoseconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static inline int popcount64(uint64_t bits) { return __builtin_popcountll(bits); }

/* Return the number of the lowest set bit; there must be one. */
static inline int lowest64(uint64_t bits) { return __builtin_ctzll(bits); }

/* Set a flag that several threads may set at once; return 0 if it is set already. */
static inline int acquire_flag(int *flag) { return !__atomic_exchange_n(flag, 1, __ATOMIC_ACQUIRE); }

/* Clear the flag, after everything that was done while it was set. */
static inline void release_flag(int *flag) { __atomic_store_n(flag, 0, __ATOMIC_RELEASE); }

/* Return the next number of a random generator (SplitMix64: Steele, Lea and Flood 2014). Every state
 * is allowed, and overflows are intended. */
static inline uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* Return the odds of a digit in a cell, if it may stand in `row` cells of the row (this one included),
 * `column` of the column and `box` of the box. Each is 1 to 64, so the odds are 2^-9 to 2^1.5, and the
 * probability of one of 64 digits is at least 2^-17. If it had only its row, 1 / row would be right.
 * Standard deviation of the logarithm of a path's weight on empty boards, with powers of the product:
 *
 *     power     0       0.4     0.5     0.6     1
 *     9x9       1.18    0.97    0.97    0.99    1.17
 *     16x16     2.62    1.99    1.91    1.95    2.31
 */
static inline double digit_odds(int row, int column, int box)
{
    return 1 / __builtin_sqrt((row - 0.5) * (column - 0.5) * (box - 0.5));
}

/* Choose one of `count` items at random by their odds; write its probability. */
static inline int choose(const double *odds, int count, uint64_t random, double *probability)
{
    double total = 0, left;
    int i = 0;
    for (int j = 0; j < count; j++)
        total += odds[j];
    left = (random >> 11) * 0x1p-53 * total;
    while (i < count - 1 && left >= odds[i])
        left -= odds[i++];
    *probability = odds[i] / total;
    return i;
}

/* End the process with a message unless `condition` holds; only in a build with all checks. */
#ifdef ENUMERATOR_CHECKED
#define CHECK(condition) \
    ((condition) ? (void)0 : (fprintf(stderr, "%s:%d: check failed: %s\n", __FILE__, __LINE__, #condition), abort()))
#else
#define CHECK(condition) ((void)0)
#endif

#endif
