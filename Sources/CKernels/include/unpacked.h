// The plain convolution of conv.h for a few rows, out of weights as a checkpoint stores them: each
// weight is read once, in the order of the file, and nothing is packed.
//
// Vectors run over time rather than over columns: a weight is broadcast to them. So it is the
// input that is transposed beforehand, and each result on its way out, which for a sentence of
// some dozen rows is a small part of what packing the weights moves.
//
// The sums are those of the plain path in their order: its bits, at every level.
#pragma once
#include "conv.h"

// The most rows of output that a call takes.
enum { syrinx_unpacked_rows = 256 };

// Floats of the transposed input for `rows` rows of output.
size_t syrinx_unpacked_inputs_size(const syrinx_conv *conv, size_t rows);

// Transposes what the output rows [begin, end) read of `input` to [inputs][time]; rows out of view
// are zeros. Threads may do ranges of the inputs.
void syrinx_unpacked_inputs(const syrinx_conv *conv, syrinx_view input, ptrdiff_t begin,
                            ptrdiff_t end, int first_input, int end_input, float *inputs);

typedef struct {
    const syrinx_conv *conv;        // its tile is not looked at
    const float *inputs;            // of syrinx_unpacked_inputs for the output's rows
    const float *weights;           // at any byte
    syrinx_weight_strides strides;  // phase and period are not looked at: columns lie evenly
    const float *bias;              // [columns] or NULL
    syrinx_view output;             // [., columns]: all its rows are computed
    bool accumulate;                // adds to what the output holds
    int first_column, end_column;   // the columns to compute
    float *scratch;                 // syrinx_unpacked_scratch_size() floats
} syrinx_unpacked_call;

size_t syrinx_unpacked_scratch_size(void);

void syrinx_unpacked_run(const syrinx_unpacked_call *call);
