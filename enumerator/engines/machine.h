/* Bit operations and checks for all kernels. _build.py selects the instruction set. */
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

static inline int popcount64(uint64_t bits) { return __builtin_popcountll(bits); }

/* Return the number of the lowest set bit; there must be one. */
static inline int lowest64(uint64_t bits) { return __builtin_ctzll(bits); }

/* End the process with a message unless `condition` holds; only in a build with all checks. */
#ifdef ENUMERATOR_CHECKED
#define CHECK(condition) \
    ((condition) ? (void)0 : (fprintf(stderr, "%s:%d: check failed: %s\n", __FILE__, __LINE__, #condition), abort()))
#else
#define CHECK(condition) ((void)0)
#endif

#endif
