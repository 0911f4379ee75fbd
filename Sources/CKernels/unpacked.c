#include "include/unpacked.h"

#include <string.h>

#include "dispatch.h"

// Weights may lie at any byte of a mapped file.
typedef float unaligned_float __attribute__((aligned(1)));

// Columns whose sums wait to be transposed, and rows that a weight is broadcast to at once.
enum { unpacked_columns = 16, unpacked_block = 80 };

// Time from one input's row to the next, in floats: whole vectors beyond the last output row.
static size_t unpacked_stride(const syrinx_conv *conv, size_t rows) {
    size_t reach = (size_t)(conv->taps - 1) * (size_t)conv->dilation;
    return (rows + 15) / 16 * 16 + (reach + 15) / 16 * 16 + 16;
}

#define KERNEL_SOURCE "unpacked.inc.h"
#include "each_level.h"

size_t syrinx_unpacked_inputs_size(const syrinx_conv *conv, size_t rows) {
    return (size_t)conv->inputs * unpacked_stride(conv, rows);
}

size_t syrinx_unpacked_scratch_size(void) { return unpacked_columns * unpacked_block; }

void syrinx_unpacked_inputs(const syrinx_conv *conv, syrinx_view input, ptrdiff_t begin,
                            ptrdiff_t end, int first_input, int end_input, float *inputs) {
    DISPATCH(unpacked_inputs_at, (conv, input, begin, end, first_input, end_input, inputs))
}

void syrinx_unpacked_run(const syrinx_unpacked_call *call) { DISPATCH(unpacked_run_at, (call)) }
