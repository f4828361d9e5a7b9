/* Includes the file KERNEL once for each instruction set of processor.h.
 *
 * In that file LEVEL is the instruction set, and VERSION(name) the name of a function or constant of
 * this version. The file has no guard and includes nothing that has not been included before.
 */
#include "processor.h"

#define LEVEL BASELINE
#define VERSION(name) name##_baseline
#include KERNEL
#undef LEVEL
#undef VERSION

#if defined(__x86_64__)

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2")
#endif
#define LEVEL X86_64_V3
#define VERSION(name) name##_v3
#include KERNEL
#undef LEVEL
#undef VERSION
#if defined(__clang__)
#pragma clang attribute pop
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,avx512f,avx512bw,avx512dq,avx512vl"))), apply_to = function)
#else
#pragma GCC target("avx2,bmi,bmi2,avx512f,avx512bw,avx512dq,avx512vl")
#endif
#define LEVEL X86_64_V4
#define VERSION(name) name##_v4
#include KERNEL
#undef LEVEL
#undef VERSION
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
#undef KERNEL
