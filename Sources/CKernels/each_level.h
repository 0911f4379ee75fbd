// Compiles KERNEL_SOURCE (a string, the name of a `.inc.h` file) once per instruction-set level.
// Inside it:
//   LANES          floats a vector: 4, 8 or 16
//   KERNEL(name)   the name with the level's suffix: name_baseline, name_avx2, name_avx512
// No include guard: each kernel file includes this once, after defining KERNEL_SOURCE.
// The levels above the baseline exist on x86-64 only.

#define KERNEL_PASTE_(a, b) a##_##b
#define KERNEL_PASTE(a, b) KERNEL_PASTE_(a, b)
#define KERNEL(name) KERNEL_PASTE(name, KERNEL_SUFFIX)

#define LANES 4
#define KERNEL_SUFFIX baseline
#include KERNEL_SOURCE
#undef LANES
#undef KERNEL_SUFFIX

#if defined(__x86_64__)
#define LANES 8
#define KERNEL_SUFFIX avx2
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#include KERNEL_SOURCE
#pragma clang attribute pop
#undef LANES
#undef KERNEL_SUFFIX

#define LANES 16
#define KERNEL_SUFFIX avx512
#pragma clang attribute push( \
    __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx2,fma"))), apply_to = function)
#include KERNEL_SOURCE
#pragma clang attribute pop
#undef LANES
#undef KERNEL_SUFFIX
#endif

#undef KERNEL_SOURCE
