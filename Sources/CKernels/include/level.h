// The instruction-set level that the kernels run at.
#pragma once
#include <stdbool.h>

typedef enum {
    syrinx_level_baseline = 0,  // SSE2 on x86-64, NEON on arm64: vectors of 4 floats
    syrinx_level_avx2 = 1,      // AVX2 and FMA: vectors of 8 floats
    syrinx_level_avx512 = 2,    // AVX-512 F, VL, DQ, BW: vectors of 16 floats
} syrinx_level;

enum { syrinx_level_count = 3 };

// The level in use: the highest that this CPU has, unless the environment variable
// SYRINX_KERNELS (baseline, avx2 or avx512) names a lower one. Read once; a name that is
// unknown, or that this CPU does not have, is ignored. Does not allocate or block.
syrinx_level syrinx_kernel_level(void);

// Whether this CPU runs `level`.
bool syrinx_kernel_level_available(syrinx_level level);

// "baseline", "avx2" or "avx512".
const char *syrinx_kernel_level_name(syrinx_level level);

// For tests: uses `level` from now on, in this thread alone: others may be comparing bits. False, with
// no change, where the CPU does not have it.
bool syrinx_force_kernel_level(syrinx_level level);
