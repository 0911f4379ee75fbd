// Register-tiled products at one level; included by the sources that each_level.h compiles.
//
// A tile is `rows` x `vectors` accumulators that stay in registers over the whole depth: one
// broadcast of A feeds `vectors` products, one load of B feeds `rows`. The shapes are those that
// ran best (Zen 4): AVX-512 4 x 4, 8 x 2 and 8 x 1 of 32 registers; AVX2 6 x 2 of 16; SSE2, which
// has no FMA and needs a register for each product, 4 x 2 of 16. NEON's 8 x 2 of 32 is untried.
//
// The weights of a large layer come from memory, and nothing but a product over few rows hides how
// long that takes. So while a panel is used, the one behind it is fetched into the second-level
// cache: `lines` cache lines for each step of the depth, as many as make the rows there are suffice.
// Measured at AVX2 and AVX-512 alone; the other levels fetch nothing.
#include "lanes.inc.h"
#include "panels.h"

#define tile_source KERNEL(tile_source)
#define tile_target KERNEL(tile_target)
#define tile_block KERNEL(tile_block)
#define tile_column KERNEL(tile_column)
#define tile_panel KERNEL(tile_panel)
#define tile_any KERNEL(tile_any)
#define tile_products KERNEL(tile_products)

// Where the rows of A are: row r of tap k starts at a + r * stride + k * tap_stride, `depth` long.
typedef struct {
    const float *a;
    ptrdiff_t stride, tap_stride;
    size_t taps, depth;
} tile_source;

// What becomes of the sums: + bias[column] if there is one, + residual[row][column] if there is
// one, + what c holds if `accumulate`; then stored to c. Only the first `columns` are stored.
typedef struct {
    float *c;
    ptrdiff_t stride;
    const float *bias;
    const float *residual;
    ptrdiff_t residual_stride;
    bool accumulate;
    size_t columns;
} tile_target;

INLINE void tile_block(const int rows, const int vectors, const int lines, tile_source s,
                       const float *b, size_t width, tile_target t, size_t row, size_t column,
                       const float *ahead) {
    vfloat sum[8][4];
    #pragma unroll
    for (int r = 0; r < rows; r++)
        #pragma unroll
        for (int v = 0; v < vectors; v++) sum[r][v] = (vfloat){};
    for (size_t k = 0; k < s.taps; k++) {
        const float *a = s.a + (ptrdiff_t)row * s.stride + (ptrdiff_t)k * s.tap_stride;
        const float *panel = b + k * s.depth * width;
        for (size_t i = 0; i < s.depth; i++, panel += width) {
            #pragma unroll
            for (int l = 0; l < lines; l++, ahead += 16) __builtin_prefetch(ahead, 0, 2);
            vfloat w[4];
            #pragma unroll
            for (int v = 0; v < vectors; v++) w[v] = v_load(panel + v * LANES);
            #pragma unroll
            for (int r = 0; r < rows; r++) {
                float x = a[r * s.stride + (ptrdiff_t)i];
                #pragma unroll
                for (int v = 0; v < vectors; v++) sum[r][v] += w[v] * x;
            }
        }
    }
    float *c = t.c + (ptrdiff_t)row * t.stride + column;
    const float *residual =
        t.residual ? t.residual + (ptrdiff_t)row * t.residual_stride + column : NULL;
    if (column + (size_t)(vectors * LANES) <= t.columns) {
        #pragma unroll
        for (int v = 0; v < vectors; v++) {
            vfloat bias = t.bias ? v_load(t.bias + column + v * LANES) : (vfloat){};
            #pragma unroll
            for (int r = 0; r < rows; r++) {
                vfloat y = sum[r][v] + bias;
                if (residual) y += v_load(residual + r * t.residual_stride + v * LANES);
                if (t.accumulate) y += v_load(c + r * t.stride + v * LANES);
                v_store(c + r * t.stride + v * LANES, y);
            }
        }
        return;
    }
    // The panel is wider than C: the same additions, one by one.
    float spilled[8][4 * LANES];
    #pragma unroll
    for (int r = 0; r < rows; r++)
        #pragma unroll
        for (int v = 0; v < vectors; v++) v_store(&spilled[r][v * LANES], sum[r][v]);
    for (int r = 0; r < rows; r++)
        for (size_t j = 0; column + j < t.columns; j++) {
            float y = spilled[r][j] + (t.bias ? t.bias[column + j] : 0.0f);
            if (residual) y += residual[r * t.residual_stride + (ptrdiff_t)j];
            if (t.accumulate) y += c[r * t.stride + (ptrdiff_t)j];
            c[r * t.stride + (ptrdiff_t)j] = y;
        }
}

// All rows of `vectors` vectors of columns; meanwhile the lines [ahead, end) are fetched.
INLINE void tile_column(const int tall, const int vectors, const int lines, tile_source s,
                        size_t rows, const float *b, size_t width, tile_target t, size_t column,
                        const float *ahead, const float *end) {
    size_t row = 0, fetched = s.taps * s.depth * (size_t)lines * 16;
    for (; lines > 0 && row + (size_t)tall <= rows && ahead < end; row += (size_t)tall) {
        tile_block(tall, vectors, lines, s, b, width, t, row, column, ahead);
        ahead += fetched;
    }
    for (; row + (size_t)tall <= rows; row += (size_t)tall)
        tile_block(tall, vectors, 0, s, b, width, t, row, column, b);
    if (tall > 4 && row + 4 <= rows) {
        tile_block(4, vectors, 0, s, b, width, t, row, column, b);
        row += 4;
    }
    if (row + 2 <= rows) {
        tile_block(2, vectors, 0, s, b, width, t, row, column, b);
        row += 2;
    }
    if (row < rows) tile_block(1, vectors, 0, s, b, width, t, row, column, b);
}

// All rows of the panel `b`, whose first column is t's column `first`; the panel behind it is
// fetched.
INLINE void tile_any(tile_source s, size_t rows, const float *b, size_t width, tile_target t,
                     size_t first) {
    const float *ahead = b + s.taps * s.depth * width, *end = ahead + s.taps * s.depth * width;
#if LANES == 16
    switch (width) {
    case 64:
        // A panel has four lines for each step of the depth: four blocks of rows fetch one each.
        if (rows >= 16)
            tile_column(4, 4, 1, s, rows, b, width, t, first, ahead, end);
        else if (rows >= 8)
            tile_column(4, 4, 2, s, rows, b, width, t, first, ahead, end);
        else
            tile_column(4, 4, 4, s, rows, b, width, t, first, ahead, end);
        return;
    case 48: tile_column(4, 3, 0, s, rows, b, width, t, first, ahead, end); return;
    case 32: tile_column(8, 2, 0, s, rows, b, width, t, first, ahead, end); return;
    default: tile_column(8, 1, 0, s, rows, b, width, t, first, ahead, end); return;
    }
#elif LANES == 8
    // Each pair of vectors fetches its share.
    size_t share = s.taps * s.depth * 16;
    for (size_t column = 0; column < width; column += 16, ahead += share)
        tile_column(6, 2, 1, s, rows, b + column, width, t, first + column, ahead, ahead + share);
#else
#if defined(__aarch64__)
    enum { tall = 8 };  // of 32 registers
#else
    enum { tall = 4 };
#endif
    for (size_t column = 0; column < width; column += 8)
        tile_column(tall, 2, 0, s, rows, b + column, width, t, first + column, ahead, end);
#endif
}

static __attribute__((noinline)) void tile_panel(tile_source s, size_t rows, const float *b,
                                                 size_t width, tile_target t, size_t first) {
    tile_any(s, rows, b, width, t, first);
}

// The bare products of `rows` contiguous rows of A, `depth` long, and the panel, [rows, width], to c.
// What tile_panel leaves open is known here: a shallow product is all prologue otherwise.
static __attribute__((noinline)) void tile_products(const float *a, size_t rows, size_t depth,
                                                    const float *b, size_t width, float *c) {
    tile_source s = {a, (ptrdiff_t)depth, 0, 1, depth};
    tile_target t = {.c = c, .stride = (ptrdiff_t)width, .columns = width};
    tile_any(s, rows, b, width, t, 0);
}
