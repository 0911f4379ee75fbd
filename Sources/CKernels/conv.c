#include "include/conv.h"

#include <stdlib.h>
#include <string.h>

#include "conv_plan.h"
#include "dispatch.h"

// Weights may lie at any byte of a mapped file.
typedef float unaligned_float __attribute__((aligned(1)));

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

// Inputs whose weights are gathered at a time: their floats are whole vectors of any level.
enum { gathered_inputs = 16 };

static void gather_runs(const float *const column[], ptrdiff_t offset, size_t width, size_t count, float *w) {
    DISPATCH(conv_gather_at, (column, offset, width, count, w))
}

static void transform(const float *w, int taps, double scale, const double (*g)[11], int points,
                      float *packed, size_t stride, size_t width) {
    DISPATCH(conv_transform_at, (w, taps, scale, g, points, packed, stride, width))
}

// The weights of inputs [first, first + count) and `width` columns: tap k of input i to w[i * taps + k][columns].
static void gather(const syrinx_weight_strides *strides, int taps, const float *const column[],
                   size_t width, size_t first, size_t count, float (*w)[panel_columns]) {
    ptrdiff_t offset = (ptrdiff_t)first * strides->input;
    // As checkpoints store a convolution: what is wanted of a column lies together.
    if (strides->tap == 1 && strides->input == taps) {
        gather_runs(column, offset, width, count * (size_t)taps, w[0]);
        return;
    }
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < taps; k++, w++)
            for (size_t j = 0; j < width; j++)
                (*w)[j] = ((const unaligned_float *)column[j])[offset + (ptrdiff_t)i * strides->input
                                                               + k * strides->tap];
}

// Any number of taps: input by input, whose scaled weights go where they belong.
static void pack_plain(const syrinx_weight_strides *strides, int taps, double scale,
                       const float *const column[], size_t width, size_t columns, size_t first,
                       size_t count, float *panel, size_t stride) {
    for (size_t i = 0; i < count; i++, panel += width) {
        ptrdiff_t input = (ptrdiff_t)(first + i) * strides->input;
        for (int k = 0; k < taps; k++)
            for (size_t j = 0; j < width; j++)
                panel[(size_t)k * stride + j] = j >= columns
                    ? 0.0f
                    : (float)(scale
                              * (double)((const unaligned_float *)column[j])[input + k * strides->tap]);
    }
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
            const float *column[panel_columns];
            for (size_t j = 0; j < width; j++) {
                // Beyond the last column the first one stands in, and is not stored.
                size_t at = first + j < columns ? first + j : 0;
                column[j] = weights + (ptrdiff_t)(at % period) * strides.column
                    + (ptrdiff_t)(at / period) * strides.phase;
            }
            for (size_t at = begin; at < end; at += gathered_inputs) {
                size_t count = end - at < gathered_inputs ? end - at : gathered_inputs;
                if (conv->tile == 0) {
                    pack_plain(&strides, taps, scale, column, width, columns - first, at, count, panel, stride);
                    panel += count * width;
                    continue;
                }
                float w[gathered_inputs * 11][panel_columns];
                gather(&strides, taps, column, width, at, count, w);
                for (size_t i = 0; i < count; i++, panel += width)
                    transform(w[i * (size_t)taps], taps, scale, g, points, panel, stride, width);
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
