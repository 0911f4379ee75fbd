#include "include/elementwise.h"

#include "dispatch.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define KERNEL_SOURCE "elementwise.inc.h"
#include "each_level.h"

void syrinx_exp(const float *x, float *y, size_t count) { DISPATCH(exp_at, (x, y, count)) }
void syrinx_tanh(const float *x, float *y, size_t count) { DISPATCH(tanh_at, (x, y, count)) }
void syrinx_sigmoid(const float *x, float *y, size_t count) { DISPATCH(sigmoid_at, (x, y, count)) }
void syrinx_erf(const float *x, float *y, size_t count) { DISPATCH(erf_at, (x, y, count)) }
void syrinx_gelu(const float *x, float *y, size_t count) { DISPATCH(gelu_at, (x, y, count)) }
void syrinx_softplus(const float *x, float *y, size_t count) {
    DISPATCH(softplus_at, (x, y, count))
}
void syrinx_relu(const float *x, float *y, size_t count) { DISPATCH(relu_at, (x, y, count)) }
void syrinx_leaky_relu(const float *x, float slope, float *y, size_t count) {
    DISPATCH(leaky_relu_at, (x, y, count, slope))
}
void syrinx_scale(const float *x, float factor, float *y, size_t count) {
    DISPATCH(scale_at, (x, y, count, factor))
}
void syrinx_add(const float *x, const float *z, float *y, size_t count) {
    DISPATCH(add_at, (x, z, y, count))
}
void syrinx_multiply(const float *x, const float *z, float *y, size_t count) {
    DISPATCH(multiply_at, (x, z, y, count))
}
void syrinx_add_scaled(const float *x, float factor, float *y, size_t count) {
    DISPATCH(add_scaled_at, (x, y, count, factor))
}
void syrinx_gate(const float *x, size_t x_stride, float *y, size_t y_stride, size_t rows,
                 size_t channels) {
    DISPATCH(gate_at, (x, x_stride, y, y_stride, rows, channels))
}
void syrinx_add_row(const float *x, size_t x_stride, const float *row, float *y, size_t y_stride,
                    size_t rows, size_t channels) {
    DISPATCH(add_row_at, (x, x_stride, row, y, y_stride, rows, channels))
}
void syrinx_softmax_rows(const float *x, size_t x_stride, float *y, size_t y_stride, size_t rows,
                         size_t columns) {
    DISPATCH(softmax_at, (x, x_stride, y, y_stride, rows, columns))
}
void syrinx_layer_norm(const float *x, size_t x_stride, const float *gain, const float *bias,
                       float epsilon, float *y, size_t y_stride, size_t rows, size_t channels) {
    DISPATCH(layer_norm_at, (x, x_stride, gain, bias, epsilon, y, y_stride, rows, channels))
}
