// FIR filters for resampling: many outputs at once, each from its own taps.
//
// The caller says at which level, one that this CPU has (syrinx_kernel_level_available): a stream
// takes syrinx_kernel_level() when it starts and keeps it, so that its rounding never changes
// on the way.
#pragma once
#include <stddef.h>
#include "level.h"

// Outputs a group: a group is that many neighbouring outputs, filtered together.
enum { syrinx_fir_lanes_f32 = 16, syrinx_fir_lanes_f64 = 8 };

// Filters one group at `repeats` places of the input.
//
//   out[r * out_stride + l] = Σ over row j of coefficients[j * lanes + l] * x[r * x_stride + j]
//
// for r in 0 ..< repeats and l in 0 ..< lanes. `rows` is even. The first half of the rows is summed
// in ascending order, the second in descending order, and the two sums are added: the taps of a
// low-pass filter grow towards the middle, so the running sums stay small until the last few terms
// and rounding error with them. The order is the same whatever `repeats`, so an output does not
// depend on how many were asked for at once. A coefficient of zero adds nothing as long as the
// input is finite.
//
// Reads x[0 ..< (repeats - 1) * x_stride + rows]. Does not allocate or block.
void syrinx_fir_group_f32(syrinx_level level, float *out, ptrdiff_t out_stride, const float *x,
                          ptrdiff_t x_stride, ptrdiff_t repeats, const float *coefficients, ptrdiff_t rows);
void syrinx_fir_group_f64(syrinx_level level, double *out, ptrdiff_t out_stride, const double *x,
                          ptrdiff_t x_stride, ptrdiff_t repeats, const double *coefficients, ptrdiff_t rows);

// One output of a filter whose taps are cubic polynomials of the fraction `u`.
//
//   result = Σ over j of (((d[j] * u + c[j]) * u + b[j]) * u + a[j]) * x[j]
//
// with a, b, c and d one after another at `coefficients`, `taps` numbers each; `taps` is a multiple
// of the lanes above.
float syrinx_fir_cubic_f32(syrinx_level level, const float *x, const float *coefficients,
                           ptrdiff_t taps, float u);
double syrinx_fir_cubic_f64(syrinx_level level, const double *x, const double *coefficients,
                            ptrdiff_t taps, double u);
