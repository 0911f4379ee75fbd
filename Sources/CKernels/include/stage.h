// One stage of a HiFi-GAN generator as a stream: upsampler, then the sum of its residual blocks.
//
//     Y = transposed conv(act(x))                     [T, inputs] -> [T * stride, channels]
//     out = sum over blocks of block(Y)               the mean's 1/blocks belongs into the scale
//                                                     of the next layer's weights
//     block, type 2:  x = x + conv_l(act(x))                     for each layer l
//     block, type 1:  x = x + conv_{l+1}(act(conv_l(act(x))))    for each pair of layers
//
// Everything between the stage's input and its output lives in cache: the stage runs in blocks of
// time, each intermediate keeps only the rows that its readers still need. The state holds those
// rows raw between calls; no row is computed twice.
//
// Two ways to advance, free to choose at each step:
//   aligned  every convolution stops at the end of a whole tile: the fastest, and any schedule of
//            steps gives the same bits; the output lags by up to one grid more
//   eager    as far as the input allows; costs partial tiles, and agrees within rounding
//
// No allocation, no locks, no global state. A stage is read only and may be shared; each stream
// has a state, each step a scratch.
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "conv.h"

enum { syrinx_stage_max_blocks = 4, syrinx_stage_max_layers = 8 };

typedef struct {
    syrinx_conv conv;
    const float *packed;
} syrinx_layer;

typedef struct {
    syrinx_layer upsampler;  // syrinx_transposed_conv: columns = stride * channels
    int stride;              // output rows an input row
    int padding;             // of the transposed convolution: (kernel - stride) / 2
    int channels;            // C of every layer of the blocks
    float slope;             // of act, before the upsampler too
    int blocks;              // residual blocks
    int layers;              // layers a block, even for type 1
    int type;                // 1 or 2
    syrinx_layer layer[syrinx_stage_max_blocks][syrinx_stage_max_layers];
} syrinx_stage;

// Rows [begin, end) that are kept for later.
typedef struct {
    float *rows;
    ptrdiff_t begin, end;
} syrinx_kept_rows;

// A stream's place and the rows it keeps; plain data, filled by syrinx_stage_start.
typedef struct {
    ptrdiff_t origin;       // first input row
    ptrdiff_t received;     // input rows taken in, up to here
    ptrdiff_t upsampled;    // virtual rows of the upsampler done
    ptrdiff_t done;         // output rows given out, up to here
    syrinx_kept_rows input;
    syrinx_kept_rows y;     // of the upsampler
    // Outputs of layer l - 1 of a block, l > 0.
    syrinx_kept_rows node[syrinx_stage_max_blocks][syrinx_stage_max_layers];
} syrinx_stage_state;

// Output rows that the stage computes at a time, for this many channels: a multiple of 96 (eight
// rows of tiles at dilation 12), sized so that the intermediates stay in the second-level cache.
int syrinx_stage_block_rows(int channels);

// Threads that share each layer of a step.
typedef struct {
    int threads;  // shares of a layer
    // Calls task(shares, i) once with each i of 0 ..< count, in any order and on any threads, and returns when all
    // have returned.
    void (*run)(void *context, int count, void (*task)(void *shares, int i), void *shares);
    void *context;
} syrinx_team;

// Floats of memory for the state's rows, and of scratch for a step by so many threads. 64-byte boundaries.
size_t syrinx_stage_memory_size(const syrinx_stage *stage);
size_t syrinx_stage_scratch_size(const syrinx_stage *stage, int threads);

// Starts a stream whose first input row is row `origin` of time; what lies before counts as zeros.
void syrinx_stage_start(const syrinx_stage *stage, syrinx_stage_state *state, ptrdiff_t origin,
                        float *memory);

// Output rows that a step with `rows` input rows can give at most.
size_t syrinx_stage_output_bound(const syrinx_stage *stage, size_t rows);

// Output rows that an eager stage holds back until later input or the end: its look-ahead.
int syrinx_stage_lookahead(const syrinx_stage *stage);

// Takes `rows` input rows [rows, inputs] and writes the output rows from state->done on that they
// settle, [., channels] without gaps; returns how many. `last`: the input ends here, all that is
// left comes out, in total stride rows for each input row. `team`: NULL for the calling thread alone; the bits are
// the same.
size_t syrinx_stage_step(const syrinx_stage *stage, syrinx_stage_state *state, const float *input,
                         ptrdiff_t input_stride, size_t rows, bool eager, bool last,
                         const syrinx_team *team, float *output, float *scratch);
