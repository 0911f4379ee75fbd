// A convolution down to one channel, [T, C] -> [T]: a generator's last layer.
//
//     y[t] = f(bias + sum_k w_k . act(x[t + k - left]))      f: tanh or nothing
//
// A product would fill one column in sixteen; this is a dot product of K C terms a sample, the
// window being contiguous, four samples at a time. Error below (K C + 4) 2^-24 sum |w x| before f.
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "conv.h"

typedef struct {
    int taps;              // K
    int left;              // taps before the output's own row
    int inputs;            // C, any
    float slope;           // act(x) = max(x, slope x), 0 <= slope <= 1; 1: none
    const float *weights;  // [K, C], tap-major: ONNX's [1, C, K] transposed
    float bias;
    bool tanh;             // the generator's closing tanh
} syrinx_mono;

// Floats of scratch for a run.
size_t syrinx_mono_scratch_size(const syrinx_mono *mono);

// Samples [begin, end) of the output to y[0 ..< end - begin]. Rows out of the input's view count
// as zeros. Does not allocate; scratch on a 64-byte boundary is fastest.
void syrinx_mono_run(const syrinx_mono *mono, syrinx_view input, ptrdiff_t begin, ptrdiff_t end,
                     float *y, float *scratch);
