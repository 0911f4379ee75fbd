// The product of gemm.h at one level.
#include "tiles.inc.h"

static void KERNEL(gemm_at)(const float *a, ptrdiff_t a_stride, const float *packed,
                            const float *bias, float *c, ptrdiff_t c_stride, size_t rows,
                            size_t depth, size_t columns, bool accumulate) {
    tile_source s = {a, a_stride, 0, 1, depth};
    tile_target t = {c, c_stride, bias, NULL, 0, accumulate, columns};
    for (size_t first = 0; first < columns; first += panel_columns)
        tile_panel(s, rows, packed + first * depth, panel_width(first, columns), t, first);
}
