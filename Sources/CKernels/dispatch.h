// Calls the variant of a kernel that fits the level in use:
//   void f(int n) { DISPATCH(f_at, (n)) }        calls f_at_baseline, f_at_avx2 or f_at_avx512
#pragma once
#include "include/level.h"

#if defined(__x86_64__)
#define DISPATCH(name, arguments)                 \
    switch (syrinx_kernel_level()) {              \
    case syrinx_level_avx512:                     \
        name##_avx512 arguments;                  \
        return;                                   \
    case syrinx_level_avx2:                       \
        name##_avx2 arguments;                    \
        return;                                   \
    default:                                      \
        name##_baseline arguments;                \
        return;                                   \
    }
#else
#define DISPATCH(name, arguments)  \
    do {                           \
        name##_baseline arguments; \
        return;                    \
    } while (0);
#endif
