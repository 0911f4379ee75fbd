#include "include/fir.h"

#define KERNEL_SOURCE "fir.inc.h"
#include "each_level.h"

// Picks the function of a level. Those above the baseline exist on x86-64 only.
#if defined(__x86_64__)
#define DISPATCH(name, ...) \
    switch (level) { \
    case syrinx_level_avx512: return name##_avx512(__VA_ARGS__); \
    case syrinx_level_avx2: return name##_avx2(__VA_ARGS__); \
    default: return name##_baseline(__VA_ARGS__); \
    }
#else
#define DISPATCH(name, ...) \
    (void)level; \
    return name##_baseline(__VA_ARGS__);
#endif

void syrinx_fir_group_f32(syrinx_level level, float *out, ptrdiff_t out_stride, const float *x,
                          ptrdiff_t x_stride, ptrdiff_t repeats, const float *coefficients, ptrdiff_t rows) {
    DISPATCH(group_f32, out, out_stride, x, x_stride, repeats, coefficients, rows)
}

void syrinx_fir_group_f64(syrinx_level level, double *out, ptrdiff_t out_stride, const double *x,
                          ptrdiff_t x_stride, ptrdiff_t repeats, const double *coefficients, ptrdiff_t rows) {
    DISPATCH(group_f64, out, out_stride, x, x_stride, repeats, coefficients, rows)
}

float syrinx_fir_cubic_f32(syrinx_level level, const float *x, const float *coefficients,
                           ptrdiff_t taps, float u) {
    DISPATCH(cubic_f32, x, coefficients, taps, u)
}

double syrinx_fir_cubic_f64(syrinx_level level, const double *x, const double *coefficients,
                            ptrdiff_t taps, double u) {
    DISPATCH(cubic_f64, x, coefficients, taps, u)
}
