#include "include/gemm.h"

#include "dispatch.h"
#include "panels.h"

#define KERNEL_SOURCE "gemm.inc.h"
#include "each_level.h"

size_t syrinx_gemm_packed_size(size_t depth, size_t columns) {
    return depth * panel_round(columns);
}

void syrinx_gemm_pack(const float *b, ptrdiff_t row_stride, ptrdiff_t column_stride, size_t depth,
                      size_t columns, float *packed) {
    for (size_t first = 0; first < columns; first += panel_columns) {
        size_t width = panel_width(first, columns);
        for (size_t k = 0; k < depth; k++) {
            const float *row = b + (ptrdiff_t)k * row_stride;
            for (size_t j = first; j < first + width; j++)
                *packed++ = j < columns ? row[(ptrdiff_t)j * column_stride] : 0.0f;
        }
    }
}

void syrinx_gemm(const float *a, ptrdiff_t a_stride, const float *packed, const float *bias,
                 float *c, ptrdiff_t c_stride, size_t rows, size_t depth, size_t columns,
                 bool accumulate) {
    DISPATCH(gemm_at,
             (a, a_stride, packed, bias, c, c_stride, rows, depth, columns, accumulate))
}
