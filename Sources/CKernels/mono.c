#include "include/mono.h"

#include <string.h>

#include "dispatch.h"
#include "include/elementwise.h"

#define KERNEL_SOURCE "mono.inc.h"
#include "each_level.h"

// Samples at a time: their rows stay in the first-level cache.
enum { mono_samples = 64 };

size_t syrinx_mono_scratch_size(const syrinx_mono *mono) {
    return (size_t)(mono_samples + mono->taps - 1) * (size_t)mono->inputs;
}

static void run_samples(const syrinx_mono *mono, syrinx_view input, ptrdiff_t first, size_t rows,
                        float *x, float *y, size_t count) {
    DISPATCH(mono_at, (mono, input, first, rows, x, y, count))
}

void syrinx_mono_run(const syrinx_mono *mono, syrinx_view input, ptrdiff_t begin, ptrdiff_t end,
                     float *y, float *scratch) {
    while (begin < end) {
        size_t count = end - begin < mono_samples ? (size_t)(end - begin) : mono_samples;
        run_samples(mono, input, begin - mono->left, count + (size_t)mono->taps - 1, scratch, y,
                    count);
        if (mono->tanh) syrinx_tanh(y, y, count);
        y += count;
        begin += (ptrdiff_t)count;
    }
}
