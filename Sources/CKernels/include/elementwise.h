// Functions of every element, and of rows, over float32 buffers.
//
// Any count, 0 included; any alignment. The output may be an input's own buffer (in place); a
// partial overlap is not allowed. Nothing allocates, blocks or reads global state other than the
// level; several threads may run on disjoint outputs. The same level gives the same result for
// an element wherever it stands in the buffer.
//
// Errors are in ulp (units in the last place of the exact result) and are the largest that the
// tests allow, at every level, against the double-precision C library. NaN gives NaN.
#pragma once
#include <stddef.h>

// exp(x): 1.5 ulp, denormal results included; +inf from 88.73 on, 0 below -103.98.
void syrinx_exp(const float *x, float *y, size_t count);

// tanh(x): 3 ulp; exactly ±1 from |x| = 10 on; ±0 gives ±0.
void syrinx_tanh(const float *x, float *y, size_t count);

// 1 / (1 + exp(-x)): 3 ulp, denormal results included.
void syrinx_sigmoid(const float *x, float *y, size_t count);

// The error function, ONNX's Erf: 3 ulp; ±0 gives ±0.
void syrinx_erf(const float *x, float *y, size_t count);

// x Phi(x) = x (1 + erf(x / sqrt 2)) / 2, GELU in its exact form: the chain Div, Erf, Add, Mul,
// Mul of a graph, which loses the negative tail to cancellation; here 7 ulp everywhere.
void syrinx_gelu(const float *x, float *y, size_t count);

// log(1 + exp(x)): 3 ulp; x itself where x is large.
void syrinx_softplus(const float *x, float *y, size_t count);

// max(x, 0)
void syrinx_relu(const float *x, float *y, size_t count);

// x where x > 0, otherwise x * slope. Any slope.
void syrinx_leaky_relu(const float *x, float slope, float *y, size_t count);

// y = x * factor
void syrinx_scale(const float *x, float factor, float *y, size_t count);

// y = x + z
void syrinx_add(const float *x, const float *z, float *y, size_t count);

// y = x * z
void syrinx_multiply(const float *x, const float *z, float *y, size_t count);

// y += x * factor (fused where the level has FMA)
void syrinx_add_scaled(const float *x, float factor, float *y, size_t count);

// WaveNet's gate, [T, 2C] -> [T, C]: tanh of a row's first C times the sigmoid of its second C.
// 4 ulp. Strides are floats from row to row, x_stride >= 2 channels, y_stride >= channels; in
// place with equal strides.
void syrinx_gate(const float *x, size_t x_stride, float *y, size_t y_stride, size_t rows,
                 size_t channels);

// y[t] = x[t] + row, [T, C]: a bias.
void syrinx_add_row(const float *x, size_t x_stride, const float *row, float *y, size_t y_stride,
                    size_t rows, size_t channels);

// Softmax of each row, the row's maximum taken off first. A row that holds NaN or +inf, or
// nothing but -inf, becomes NaN. Relative error below 1e-6 + 6e-8 (maximum - x), 4096 columns.
void syrinx_softmax_rows(const float *x, size_t x_stride, float *y, size_t y_stride, size_t rows,
                         size_t columns);

// (x - mean) / sqrt(variance + epsilon) * gain + bias of each row, [T, C]; gain, bias [C]. Two
// passes: a large mean costs no digits of the variance.
void syrinx_layer_norm(const float *x, size_t x_stride, const float *gain, const float *bias,
                       float epsilon, float *y, size_t y_stride, size_t rows, size_t channels);
