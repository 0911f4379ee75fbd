#include "include/conv.h"

#include <stdlib.h>
#include <string.h>

#include "conv_plan.h"
#include "dispatch.h"

#define KERNEL_SOURCE "conv.inc.h"
#include "each_level.h"

syrinx_weight_strides syrinx_conv_strides(const syrinx_conv *conv) {
    return (syrinx_weight_strides){
        .tap = 1,
        .input = conv->taps,
        .column = (ptrdiff_t)conv->taps * conv->inputs,
        .period = conv->columns,
    };
}

syrinx_conv syrinx_transposed_conv(int kernel, int stride, int inputs, int outputs, int points) {
    int taps = kernel / stride, columns = stride * outputs;
    return (syrinx_conv){
        .taps = taps,
        .dilation = 1,
        .left = taps - 1,
        .inputs = inputs,
        .columns = columns,
        .tile = syrinx_conv_tile(taps, inputs, columns, points),
    };
}

// Output q * stride + r - padding is sum_i x[q - i] w[r + i * stride]: tap k is i = taps - 1 - k.
syrinx_weight_strides syrinx_transposed_conv_strides(int kernel, int stride, int inputs,
                                                     int outputs) {
    (void)inputs;
    return (syrinx_weight_strides){
        .offset = kernel - stride,
        .tap = -stride,
        .input = (ptrdiff_t)outputs * kernel,
        .column = kernel,
        .phase = 1,
        .period = outputs,
    };
}

int syrinx_conv_tile(int taps, int inputs, int columns, int points) {
    if (inputs <= 0 || columns <= 0 || inputs % panel_granule || columns % panel_granule) return 0;
    if (taps != 2 && taps != 3 && taps != 5 && taps != 7 && taps != 11) return 0;
    int best = 0;
#define CONSIDER(m, n) \
    if (n == m + taps - 1 && n <= points && m > best) best = m;
    BACKWARD_EACH(CONSIDER)
#undef CONSIDER
    return best;
}

size_t syrinx_conv_weights_size(const syrinx_conv *conv) {
    size_t points = (size_t)conv_plan_of(conv).points;
    size_t columns = panel_round((size_t)conv->columns);
    return columns + points * (size_t)conv->inputs * columns;
}

// G [points][taps], see generate/transforms.py; the identity on the plain path.
static void weight_transform(const syrinx_conv *conv, int points, double g[14][11]) {
    const double *at = NULL, *scale = NULL;
#define POINTS(n)               \
    if (points == n) {          \
        at = toom_points_##n;   \
        scale = toom_scales_##n; \
    }
    FORWARD_EACH(POINTS)
#undef POINTS
    for (int p = 0; p < points - 1; p++) {
        double power = scale[p];
        for (int k = 0; k < conv->taps; k++, power *= at[p]) g[p][k] = power;
    }
    for (int k = 0; k < conv->taps; k++) g[points - 1][k] = k == conv->taps - 1;
}

// Weights may lie at any byte of a mapped file.
typedef float unaligned_float __attribute__((aligned(1)));

static void transform(const double *w, int taps, const double (*g)[11], int points,
                      float *packed, size_t stride, size_t width) {
    DISPATCH(conv_transform_at, (w, taps, g, points, packed, stride, width))
}

void syrinx_conv_pack(const syrinx_conv *conv, const float *weights,
                      syrinx_weight_strides strides, double scale, const float *bias,
                      float *packed) {
    int points = conv_plan_of(conv).points, taps = conv->taps;
    size_t inputs = (size_t)conv->inputs, columns = (size_t)conv->columns;
    size_t period = (size_t)strides.period;
    for (size_t j = 0; j < panel_round(columns); j++)
        *packed++ = bias && j < columns ? bias[j % period] : 0.0f;

    double g[14][11];
    if (conv->tile > 0) weight_transform(conv, points, g);
    weights += strides.offset;
    // Where the weights of an input lie together (transposed convolutions), all panels take their columns
    // of a few inputs before the next ones are read; otherwise each panel reads its columns through.
    size_t block = labs((long)strides.input) > labs((long)strides.column) ? 8 : inputs;
    for (size_t begin = 0; begin < inputs; begin += block) {
        size_t end = begin + block < inputs ? begin + block : inputs;
        for (size_t first = 0; first < columns; first += panel_columns) {
            size_t width = panel_width(first, columns), stride = inputs * width;
            float *panel = packed + first * inputs * (size_t)points + begin * width;
            const unaligned_float *column[panel_columns];
            for (size_t j = 0; j < width; j++) {
                // Beyond the last column the first one stands in, and is not stored.
                size_t at = first + j < columns ? first + j : 0;
                column[j] = (const unaligned_float *)weights
                    + (ptrdiff_t)(at % period) * strides.column
                    + (ptrdiff_t)(at / period) * strides.phase;
            }
            for (size_t i = begin; i < end; i++, panel += width) {
                ptrdiff_t input = (ptrdiff_t)i * strides.input;
                if (conv->tile == 0) {
                    for (int k = 0; k < taps; k++)
                        for (size_t j = 0; j < width; j++)
                            panel[(size_t)k * stride + j] = first + j >= columns
                                ? 0.0f
                                : (float)(scale * (double)column[j][input + k * strides.tap]);
                    continue;
                }
                double w[11][panel_columns];
                for (size_t j = 0; j < width; j++)
                    for (int k = 0; k < taps; k++)
                        w[k][j] = scale * (double)column[j][input + k * strides.tap];
                transform(&w[0][0], taps, g, points, panel, stride, width);
            }
        }
    }
}

size_t syrinx_conv_scratch_size(const syrinx_conv *conv) {
    if (conv->tile == 0) {
        size_t rows = plain_rows + (size_t)(conv->taps - 1) * (size_t)conv->dilation;
        return rows * (size_t)conv->inputs;
    }
    conv_plan plan = conv_plan_of(conv);
    size_t points = (size_t)plan.points;
    size_t tiles = plan.shifted ? (points + 1) * plan.slot : points * (plan.slot + plan.product);
    return tiles + plan.edge;
}

void syrinx_conv_run(const syrinx_conv_call *call) { DISPATCH(conv_run_at, (call)) }
