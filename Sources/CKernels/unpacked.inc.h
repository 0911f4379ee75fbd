// The convolution of unpacked.h at one level.
#include "lanes.inc.h"
#include "transpose.inc.h"

#define unpacked_tile KERNEL(unpacked_tile)
#define unpacked_tiles KERNEL(unpacked_tiles)
#define unpacked_sums KERNEL(unpacked_sums)
#define unpacked_store KERNEL(unpacked_store)

// [time][inputs] to [inputs][time].
static void KERNEL(unpacked_inputs_at)(const syrinx_conv *conv, syrinx_view in, ptrdiff_t begin,
                                       ptrdiff_t end, int first_input, int end_input, float *x) {
    size_t stride = unpacked_stride(conv, (size_t)(end - begin));
    ptrdiff_t first = begin - conv->left * (ptrdiff_t)conv->dilation;
    for (size_t p = 0; p < stride; p += LANES) {
        ptrdiff_t t = first + (ptrdiff_t)p;
        bool inside = t >= in.begin && t + LANES <= in.end;
        int i = first_input;
        for (; inside && i + LANES <= end_input; i += LANES) {
            vfloat rows[LANES];
            for (int r = 0; r < LANES; r++)
                rows[r] = v_load(in.rows + (t + r - in.begin) * in.stride + i);
            transpose(rows);
            for (int r = 0; r < LANES; r++) v_store(x + (size_t)(i + r) * stride + p, rows[r]);
        }
        for (; i < end_input; i++)
            for (int r = 0; r < LANES; r++)
                x[(size_t)i * stride + p + (size_t)r] = t + r >= in.begin && t + r < in.end
                    ? in.rows[(t + r - in.begin) * in.stride + i]
                    : 0.0f;
    }
}

// Sums of `columns` columns from `column` on, over `vectors` vectors of rows from `row` on.
INLINE void unpacked_tile(const int columns, const int vectors, const syrinx_unpacked_call *call,
                          size_t stride, size_t row, int column, float *sums) {
    const syrinx_conv *conv = call->conv;
    ptrdiff_t w_input = call->strides.input, w_column = call->strides.column;
    vfloat sum[8][5];
    #pragma unroll
    for (int j = 0; j < columns; j++)
        #pragma unroll
        for (int v = 0; v < vectors; v++) sum[j][v] = (vfloat){};
    for (int k = 0; k < conv->taps; k++) {
        const float *x = call->inputs + row + (size_t)k * (size_t)conv->dilation;
        const unaligned_float *w = (const unaligned_float *)call->weights + call->strides.offset
            + k * call->strides.tap + column * w_column;
        for (int i = 0; i < conv->inputs; i++, x += stride, w += w_input) {
            vfloat in[5];
            #pragma unroll
            for (int v = 0; v < vectors; v++) in[v] = v_load(x + v * LANES);
            #pragma unroll
            for (int j = 0; j < columns; j++) {
                float weight = w[j * w_column];
                #pragma unroll
                for (int v = 0; v < vectors; v++) sum[j][v] += in[v] * weight;
            }
        }
    }
    #pragma unroll
    for (int j = 0; j < columns; j++)
        #pragma unroll
        for (int v = 0; v < vectors; v++)
            v_store(sums + j * unpacked_block + v * LANES, sum[j][v]);
}

INLINE void unpacked_tiles(const int most, const int vectors, const syrinx_unpacked_call *call,
                           size_t stride, size_t row, int column, int columns, float *sums) {
    int j = 0;
    for (; j + most <= columns; j += most)
        unpacked_tile(most, vectors, call, stride, row, column + j, sums + j * unpacked_block);
    for (; j < columns; j++)
        unpacked_tile(1, vectors, call, stride, row, column + j, sums + j * unpacked_block);
}

// Sums of up to unpacked_columns columns over `rows` rows, whole vectors, up to unpacked_block.
static __attribute__((noinline)) void unpacked_sums(const syrinx_unpacked_call *call,
                                                    size_t stride, size_t row, size_t rows,
                                                    int column, int columns) {
    size_t vectors = (rows + LANES - 1) / LANES;
    float *sums = call->scratch;
#if LANES == 16
    switch (vectors) {
    case 1: unpacked_tiles(8, 1, call, stride, row, column, columns, sums); return;
    case 2: unpacked_tiles(8, 2, call, stride, row, column, columns, sums); return;
    case 3: unpacked_tiles(8, 3, call, stride, row, column, columns, sums); return;
    case 4: unpacked_tiles(4, 4, call, stride, row, column, columns, sums); return;
    default: unpacked_tiles(4, 5, call, stride, row, column, columns, sums); return;
    }
#else
    // Of 16 registers.
    size_t v = 0;
    for (; v + 2 <= vectors; v += 2)
        unpacked_tiles(4, 2, call, stride, row + v * LANES, column, columns, sums + v * LANES);
    if (v < vectors)
        unpacked_tiles(8, 1, call, stride, row + v * LANES, column, columns, sums + v * LANES);
#endif
}

// [columns][time] to the output's rows, with bias and sum.
static void unpacked_store(const syrinx_unpacked_call *call, size_t row, size_t rows, int column,
                           int columns) {
    for (int j = 0; j < columns; j += LANES) {
        int width = columns - j < LANES ? columns - j : LANES;
        const float *bias = call->bias ? call->bias + column + j : NULL;
        for (size_t r = 0; r < rows; r += LANES) {
            vfloat block[LANES];
            for (int l = 0; l < LANES; l++)
                block[l] = l < width ? v_load(call->scratch + (j + l) * unpacked_block + r) : (vfloat){};
            transpose(block);
            size_t count = rows - r < LANES ? rows - r : LANES;
            float *y = call->output.rows + (ptrdiff_t)(row + r) * call->output.stride + column + j;
            for (size_t l = 0; l < count; l++, y += call->output.stride) {
                if (width == LANES) {
                    vfloat v = block[l];
                    v += bias ? v_load(bias) : (vfloat){};
                    if (call->accumulate) v += v_load(y);
                    v_store(y, v);
                    continue;
                }
                for (int c = 0; c < width; c++) {
                    float v = block[l][c] + (bias ? bias[c] : 0.0f);
                    if (call->accumulate) v += y[c];
                    y[c] = v;
                }
            }
        }
    }
}

static void KERNEL(unpacked_run_at)(const syrinx_unpacked_call *call) {
    size_t rows = (size_t)(call->output.end - call->output.begin);
    size_t stride = unpacked_stride(call->conv, rows);
    // Blocks of one height, or the last one would be too low to keep the units busy.
    size_t blocks = (rows + unpacked_block - 1) / unpacked_block;
    size_t height = blocks ? (rows + blocks * LANES - 1) / (blocks * LANES) * LANES : 0;
    for (int column = call->first_column; column < call->end_column; column += unpacked_columns) {
        int left = call->end_column - column;
        int columns = left < unpacked_columns ? left : unpacked_columns;
        for (size_t row = 0; row < rows; row += height) {
            size_t count = rows - row < height ? rows - row : height;
            unpacked_sums(call, stride, row, count, column, columns);
            unpacked_store(call, row, count, column, columns);
        }
    }
}
