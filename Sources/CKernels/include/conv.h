// Convolution over time of [T, C] rows, stride 1, fast where the shape fits:
//
//     y[t] = bias + sum_k W_k act(x[t + (k - left) * dilation])      act: leaky ReLU
//
// Fast path: Toom-Cook, `tile` outputs of n = tile + taps - 1 products (see
// generate/transforms.py): transform the rows of a batch of tiles, one matrix product per point,
// transform back with bias, residual and sum. A dilated convolution only takes rows `dilation`
// apart. Plain path (tile 0): taps x products on shifted rows, for every other shape, and the
// oracle of the fast one.
//
// The grid of tiles is absolute in time: an output's bits depend on the input rows of its own
// tile, never on where a call begins or ends, provided that those rows are all in view.
//
// A transposed convolution of kernel = taps * stride is such a convolution with stride * Cout
// columns, whose rows lie in the order of time; see syrinx_transposed_conv.
//
// Nothing allocates, blocks or touches global state; weights are read only and may be shared by
// threads, each with scratch of its own, writing disjoint rows or columns.
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef struct {
    int taps;       // K
    int dilation;   // rows from tap to tap
    int left;       // taps before the output's own row: (K - 1) / 2 where it is centred
    int inputs;     // channels of x
    int columns;    // channels of y
    int tile;       // outputs a tile: from syrinx_conv_tile, or 0 for the plain path
} syrinx_conv;

// Rows [begin, end) of a signal: row t is at rows + (t - begin) * stride. What lies outside counts
// as zeros when it is read and is not written.
typedef struct {
    float *rows;
    ptrdiff_t stride;
    ptrdiff_t begin, end;
} syrinx_view;

// Where element (tap, input, column) of the weights is:
//     w[offset + tap * tap_stride + input * input_stride
//       + (column % period) * column_stride + (column / period) * phase_stride]
typedef struct {
    ptrdiff_t offset, tap, input, column, phase;
    int period;
} syrinx_weight_strides;

// The strides of ONNX's Conv weights, [columns, inputs, taps].
syrinx_weight_strides syrinx_conv_strides(const syrinx_conv *conv);

// A transposed convolution, kernel = taps * stride, as a convolution. ONNX's weights are
// [inputs, outputs, kernel]; columns = stride * outputs. Row q of the result holds the output
// rows q * stride - padding ... + stride - 1: for T input rows, run it over q in [0, T + taps - 1)
// into a view that starts `padding` rows before the output.
syrinx_conv syrinx_transposed_conv(int kernel, int stride, int inputs, int outputs, int points);
syrinx_weight_strides syrinx_transposed_conv_strides(int kernel, int stride, int inputs,
                                                     int outputs);

// The largest tile of at most `points` products that the fast path has for this shape; 0 where it
// has none (taps other than 2, 3, 5, 7, 11, or channels that are no multiple of 16).
// Signal to noise against exact arithmetic, random data: 4 and 6 points > 125 dB, 8: 120, 10: 115,
// 12: 110, 14: 100 dB (asserted by the tests; plain: 130).
int syrinx_conv_tile(int taps, int inputs, int columns, int points);

// Floats of packed weights: the bias [columns, rounded up to 16], then V, [panel of 64 columns]
// [point][inputs][columns of the panel]; on the plain path taps stand for points.
size_t syrinx_conv_weights_size(const syrinx_conv *conv);

// Transforms scale * weights in double, rounds once and packs; bias [period of the strides], not
// scaled, or NULL. The scale takes a factor of the input into the weights: leaky ReLU lets
// positive factors through. `packed` on a 64-byte boundary is fastest.
void syrinx_conv_pack(const syrinx_conv *conv, const float *weights,
                      syrinx_weight_strides strides, double scale, const float *bias,
                      float *packed);

// Floats of scratch that a run needs; the longer the batch, the fewer passes over the weights.
size_t syrinx_conv_scratch_size(const syrinx_conv *conv);

typedef struct {
    const syrinx_conv *conv;
    const float *packed;
    float slope;            // act(x) = max(x, slope x), 0 <= slope <= 1; 1: none
    syrinx_view input;      // [., inputs]
    syrinx_view output;     // [., columns]: all its rows are computed
    const syrinx_view *residual;  // added to the output's rows, or NULL; must hold all of them
    bool accumulate;        // adds to what the output holds
    int first_column, end_column;  // the columns to compute: multiples of 64, or the last
    int part, parts;        // of the rows this part alone, of so many; 0 parts: all. Any cut gives the same bits
    float *scratch;         // syrinx_conv_scratch_size floats, on a 64-byte boundary
} syrinx_conv_call;

// Computes the output's rows. It must not overlap the input; it may be the residual itself.
void syrinx_conv_run(const syrinx_conv_call *call);
