#include "include/level.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[syrinx_level_count] = {"baseline", "avx2", "avx512"};

const char *syrinx_kernel_level_name(syrinx_level level) {
    return level >= 0 && level < syrinx_level_count ? names[level] : "unknown";
}

bool syrinx_kernel_level_available(syrinx_level level) {
    switch (level) {
    case syrinx_level_baseline:
        return true;
#if defined(__x86_64__)
    case syrinx_level_avx2:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    case syrinx_level_avx512:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")
            && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw")
            && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
    default:
        return false;
    }
}

// -1 until the first call decides.
static atomic_int current = -1;

static int decide(void) {
    const char *wanted = getenv("SYRINX_KERNELS");
    int best = syrinx_level_baseline;
    for (int level = 0; level < syrinx_level_count; level++) {
        if (!syrinx_kernel_level_available((syrinx_level)level)) continue;
        if (wanted && strcmp(wanted, names[level]) == 0) return level;
        best = level;
    }
    return best;
}

// -1 where the thread was told nothing.
static _Thread_local int forced = -1;

syrinx_level syrinx_kernel_level(void) {
    if (forced >= 0) return (syrinx_level)forced;
    int level = atomic_load_explicit(&current, memory_order_relaxed);
    if (level < 0) {
        // Two threads that race here decide the same.
        level = decide();
        atomic_store_explicit(&current, level, memory_order_relaxed);
    }
    return (syrinx_level)level;
}

bool syrinx_force_kernel_level(syrinx_level level) {
    if (!syrinx_kernel_level_available(level)) return false;
    forced = (int)level;
    return true;
}
