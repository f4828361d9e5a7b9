/* The instruction sets that kernels are compiled for, and the newest one of this processor.
 *
 * A kernel is written once. versions.h includes it for each of these sets, oldest first:
 *
 *     baseline     x86-64 with SSE4.2 and popcnt; on other processors what the compiler assumes
 *     x86-64-v3    AVX2 and BMI
 *     x86-64-v4    AVX-512: 32 registers, and any function of three operands in one instruction
 *
 * All versions of a kernel give the same results in the same order. instructions.py chooses one, for
 * all kernels.
 */
#ifndef ENUMERATOR_PROCESSOR_H
#define ENUMERATOR_PROCESSOR_H

#define BASELINE 0
#define X86_64_V3 1
#define X86_64_V4 2

#if defined(__x86_64__)

#include <immintrin.h>

/* Return the newest instruction set of this processor, and of its operating system. It needs all
 * that versions.h lets the compiler use. */
static inline int newest_instructions(void)
{
    if (!(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2")))
        return BASELINE;
    if (!(__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
          __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")))
        return X86_64_V3;
    return X86_64_V4;
}

/* The initializer of an array: the addresses of all versions of a constant, by instruction set. */
#define VERSIONS(name) {&name##_baseline, &name##_v3, &name##_v4}

#else

static inline int newest_instructions(void) { return BASELINE; }

#define VERSIONS(name) {&name##_baseline}

#endif
#endif
