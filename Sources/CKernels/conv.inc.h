// The convolutions of conv.h at one level.
#include "tiles.inc.h"
#include "transforms.inc.h"
#include "transpose.inc.h"

#define conv_forward KERNEL(conv_forward)
#define conv_backward KERNEL(conv_backward)
#define conv_forward_of KERNEL(conv_forward_of)
#define conv_backward_of KERNEL(conv_backward_of)
#define conv_rows_out KERNEL(conv_rows_out)
#define conv_read_tile KERNEL(conv_read_tile)
#define conv_write_tile KERNEL(conv_write_tile)
#define conv_activate KERNEL(conv_activate)
#define part_of KERNEL(part_of)
#define unaligned_vfloat KERNEL(unaligned_vfloat)

// Weights may lie at any byte of a mapped file.
typedef float unaligned_vfloat __attribute__((vector_size(4 * LANES), aligned(1)));

// One tile in: rows x + i * step of `channels`, activated, to value p at u + p * slot.
#define ROW(i) ROW_ACTIVATED(v_load(x + (i) * step + c))
#define ROW_ACTIVATED(v) v_max((v), (v) * slope)
#define SLOT(p, v) v_store(u + (p) * slot + c, (v))
#define DEFINE_FORWARD(n)                                                                      \
    static void KERNEL(forward_##n)(const float *x, ptrdiff_t step, float slope, float *u,     \
                                    size_t slot, size_t channels) {                            \
        for (size_t c = 0; c < channels; c += LANES) { FORWARD_##n }                           \
    }
FORWARD_EACH(DEFINE_FORWARD)

typedef void (*conv_forward)(const float *x, ptrdiff_t step, float slope, float *u, size_t slot,
                             size_t channels);

static conv_forward conv_forward_of(int points) {
#define CASE(n) case n: return KERNEL(forward_##n);
    switch (points) { FORWARD_EACH(CASE) }
#undef CASE
    return NULL;
}

// One tile out: products at products + p * slot to rows y + j * step.
typedef struct {
    size_t slot;
    ptrdiff_t step;
    const float *bias;
    ptrdiff_t residual_step;
    bool accumulate;
    size_t columns;
} conv_rows_out;

#define PRODUCT(p) v_load(products + (p) * slot + c)
#define OUTPUT(j, v)                                                              \
    do {                                                                          \
        vfloat out = (v) + bias;                                                  \
        if (residual) out += v_load(residual + (j) * residual_step + c);          \
        if (accumulate) out += v_load(y + (j) * step + c);                        \
        v_store(y + (j) * step + c, out);                                         \
    } while (0)
// residual: NULL for none.
#define DEFINE_BACKWARD(m, n)                                                     \
    static void KERNEL(backward_##m##_##n)(const conv_rows_out *rows,             \
                                           const float *products, float *y,      \
                                           const float *residual) {               \
        size_t slot = rows->slot, columns = rows->columns;                        \
        ptrdiff_t step = rows->step, residual_step = rows->residual_step;         \
        bool accumulate = rows->accumulate;                                       \
        for (size_t c = 0; c < columns; c += LANES) {                             \
            vfloat bias = v_load(rows->bias + c);                                 \
            BACKWARD_##m##_##n                                                    \
        }                                                                         \
    }
BACKWARD_EACH(DEFINE_BACKWARD)

typedef void (*conv_backward)(const conv_rows_out *rows, const float *products, float *y,
                              const float *residual);

static conv_backward conv_backward_of(int tile, int points) {
#define CASE(m, n) case 100 * m + n: return KERNEL(backward_##m##_##n);
    switch (100 * tile + points) { BACKWARD_EACH(CASE) }
#undef CASE
    return NULL;
}

#undef ROW
#undef ROW_ACTIVATED
#undef SLOT
#undef PRODUCT
#undef OUTPUT

// The tile whose first output is row `base`: its inputs to u. Rows out of view are zeros.
static void conv_read_tile(const syrinx_conv_call *call, const conv_plan *plan,
                           conv_forward forward, ptrdiff_t base, float *u, float *edge) {
    const syrinx_conv *conv = call->conv;
    syrinx_view in = call->input;
    ptrdiff_t dilation = conv->dilation, first = base - conv->left * dilation;
    size_t channels = (size_t)conv->inputs;
    const float *x = in.rows + (first - in.begin) * in.stride;
    ptrdiff_t step = dilation * in.stride;
    if (first < in.begin || first + (plan->points - 1) * dilation >= in.end) {
        for (int i = 0; i < plan->points; i++) {
            ptrdiff_t t = first + i * dilation;
            float *row = edge + (size_t)i * channels;
            if (t >= in.begin && t < in.end)
                memcpy(row, in.rows + (t - in.begin) * in.stride, channels * sizeof(float));
            else
                memset(row, 0, channels * sizeof(float));
        }
        x = edge;
        step = (ptrdiff_t)channels;
    }
    forward(x, step, call->slope, u, plan->slot, channels);
}

// The outputs of that tile; rows out of view are left alone. `rows` and the pointers into the
// output and the residual (NULL for none), which is where row 0 would be, are for one panel.
static void conv_write_tile(const syrinx_conv_call *call, conv_backward backward,
                            const conv_rows_out *rows, ptrdiff_t base, const float *products,
                            float *y, const float *residual, float *edge) {
    const syrinx_conv *conv = call->conv;
    ptrdiff_t dilation = conv->dilation, begin = call->output.begin, end = call->output.end;
    y += base * call->output.stride;
    if (residual) residual += base * call->residual->stride;
    if (base >= begin && base + (conv->tile - 1) * dilation < end) {
        backward(rows, products, y, residual);
        return;
    }
    // Into the edge without residual and sum; those are added row by row.
    conv_rows_out whole = *rows;
    whole.step = (ptrdiff_t)rows->columns;
    whole.accumulate = false;
    backward(&whole, products, edge, NULL);
    for (int j = 0; j < conv->tile; j++) {
        ptrdiff_t t = base + j * dilation;
        if (t < begin || t >= end) continue;
        float *row = y + j * rows->step;
        for (size_t c = 0; c < rows->columns; c += LANES) {
            vfloat v = v_load(edge + (size_t)j * rows->columns + c);
            if (residual) v += v_load(residual + j * rows->residual_step + c);
            if (rows->accumulate) v += v_load(row + c);
            v_store(row + c, v);
        }
    }
}

// Leaves the call's part of [begin, end).
INLINE void part_of(const syrinx_conv_call *call, ptrdiff_t *begin, ptrdiff_t *end) {
    if (call->parts <= 1) return;
    ptrdiff_t first = *begin, count = *end - first;
    *begin = first + count * call->part / call->parts;
    *end = first + count * (call->part + 1) / call->parts;
}

static void KERNEL(conv_fast)(const syrinx_conv_call *call) {
    const syrinx_conv *conv = call->conv;
    conv_plan plan = conv_plan_of(conv);
    syrinx_view out = call->output;
    if (out.begin >= out.end) return;
    size_t inputs = (size_t)conv->inputs, columns = (size_t)conv->columns;
    ptrdiff_t dilation = conv->dilation, group = conv->tile * dilation;
    const float *weights = call->packed + panel_round(columns);
    conv_forward forward = conv_forward_of(plan.points);
    conv_backward backward = conv_backward_of(conv->tile, plan.points);

    // Shifted: products from slot 0, inputs from slot 1.
    float *products = call->scratch;
    float *u = plan.shifted ? products + plan.slot
                            : products + (size_t)plan.points * plan.product;
    float *edge = u + (size_t)plan.points * plan.slot;

    // Group g is rows g * group ... of `dilation` interleaved tiles.
    ptrdiff_t next = floor_divide(out.begin, group) * dilation;
    ptrdiff_t stop = (floor_divide(out.end - 1, group) + 1) * dilation;
    part_of(call, &next, &stop);
    while (next < stop) {
        ptrdiff_t bases[most_tiles];
        size_t tiles = 0;
        size_t limit = (size_t)(stop - next) <= plan.most ? plan.most : plan.batch;
        for (; next < stop && tiles < limit; next++) {
            ptrdiff_t base = floor_divide(next, dilation) * group
                + (next - floor_divide(next, dilation) * dilation);
            ptrdiff_t first = base;
            if (first < out.begin)
                first += (out.begin - first + dilation - 1) / dilation * dilation;
            if (first >= out.end || first > base + (conv->tile - 1) * dilation) continue;
            conv_read_tile(call, &plan, forward, base, u + tiles * inputs, edge);
            bases[tiles++] = base;
        }
        for (size_t column = (size_t)call->first_column; column < (size_t)call->end_column;
             column += panel_columns) {
            size_t width = panel_width(column, columns);
            const float *panel = weights + column * inputs * (size_t)plan.points;
            for (int p = 0; p < plan.points; p++, panel += inputs * width) {
                tile_products(u + (size_t)p * plan.slot, tiles, inputs, panel, width,
                              products + (size_t)p * plan.product);
            }
            conv_rows_out rows = {
                .slot = plan.product,
                .step = dilation * out.stride,
                .bias = call->packed + column,
                .accumulate = call->accumulate,
                .columns = width,
            };
            float *y = out.rows - out.begin * out.stride + column;
            const float *residual = NULL;
            if (call->residual) {
                rows.residual_step = dilation * call->residual->stride;
                residual = call->residual->rows
                    - call->residual->begin * call->residual->stride + column;
            }
            for (size_t i = 0; i < tiles; i++)
                conv_write_tile(call, backward, &rows, bases[i], products + i * width, y, residual,
                                edge);
        }
    }
}

INLINE void conv_activate(const float *x, float slope, float *y, size_t count) {
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        vfloat v = v_load(x + i);
        v_store(y + i, v_max(v, v * slope));
    }
    for (; i < count; i++) y[i] = x[i] > x[i] * slope ? x[i] : x[i] * slope;
}

static void KERNEL(conv_plain)(const syrinx_conv_call *call) {
    const syrinx_conv *conv = call->conv;
    syrinx_view in = call->input, out = call->output;
    size_t inputs = (size_t)conv->inputs, columns = (size_t)conv->columns;
    ptrdiff_t reach = (conv->taps - 1) * (ptrdiff_t)conv->dilation;
    const float *weights = call->packed + panel_round(columns);
    ptrdiff_t from = out.begin, stop = out.end;
    part_of(call, &from, &stop);
    for (ptrdiff_t begin = from; begin < stop; begin += plain_rows) {
        ptrdiff_t end = begin + plain_rows < stop ? begin + plain_rows : stop;
        ptrdiff_t first = begin - conv->left * (ptrdiff_t)conv->dilation;
        ptrdiff_t last = end - 1 + reach - conv->left * (ptrdiff_t)conv->dilation;
        tile_source source = {NULL, 0, 0, (size_t)conv->taps, inputs};
        if (call->slope == 1.0f && first >= in.begin && last < in.end) {
            source.a = in.rows + (first - in.begin) * in.stride;
            source.stride = in.stride;
        } else {
            for (ptrdiff_t t = first; t <= last; t++) {
                float *row = call->scratch + (t - first) * (ptrdiff_t)inputs;
                if (t >= in.begin && t < in.end)
                    conv_activate(in.rows + (t - in.begin) * in.stride, call->slope, row, inputs);
                else
                    memset(row, 0, inputs * sizeof(float));
            }
            source.a = call->scratch;
            source.stride = (ptrdiff_t)inputs;
        }
        source.tap_stride = conv->dilation * source.stride;
        tile_target target = {
            .c = out.rows + (begin - out.begin) * out.stride,
            .stride = out.stride,
            .bias = call->packed,
            .accumulate = call->accumulate,
            .columns = (size_t)call->end_column,
        };
        if (call->residual) {
            target.residual =
                call->residual->rows + (begin - call->residual->begin) * call->residual->stride;
            target.residual_stride = call->residual->stride;
        }
        for (size_t column = (size_t)call->first_column; column < (size_t)call->end_column;
             column += panel_columns) {
            size_t width = panel_width(column, columns);
            tile_panel(source, (size_t)(end - begin),
                       weights + column * inputs * (size_t)conv->taps, width, target, column);
        }
    }
}

static void KERNEL(conv_run_at)(const syrinx_conv_call *call) {
    if (call->conv->tile > 0)
        KERNEL(conv_fast)(call);
    else
        KERNEL(conv_plain)(call);
}

// `count` floats from column[j] + offset on, at any byte, to column j of w [count][64].
static void KERNEL(conv_gather_at)(const float *const column[], ptrdiff_t offset, size_t width,
                                   size_t count, float *w) {
    for (size_t j = 0; j < width; j += LANES) {
        size_t f = 0;
        for (; f + LANES <= count; f += LANES) {
            vfloat rows[LANES];
            for (int r = 0; r < LANES; r++)
                rows[r] = (vfloat)*(const unaligned_vfloat *)(const void *)(column[j + (size_t)r] + offset + f);
            transpose(rows);
            for (int r = 0; r < LANES; r++) v_store(w + (f + (size_t)r) * panel_columns + j, rows[r]);
        }
        for (; f < count; f++)
            for (size_t r = 0; r < LANES; r++)
                w[f * panel_columns + j + r] = ((const unaligned_float *)column[j + r])[offset + (ptrdiff_t)f];
    }
}

// One input's weights, scale * w [taps][64], to V: point p's row of `width` columns at packed + p * stride.
// g is G, [points][taps]; a pair of points +-a shares the sums over even and over odd taps.
static void KERNEL(conv_transform_at)(const float *w, int taps, double scale, const double (*g)[11],
                                      int points, float *packed, size_t stride, size_t width) {
    enum { half = LANES / 2 };
    typedef double doubles __attribute__((vector_size(8 * half), aligned(8)));
    typedef float floats __attribute__((vector_size(4 * half), aligned(4)));
    for (size_t j = 0; j < width; j += half) {
        doubles even = {}, odd = {}, tap[11];
        for (int k = 0; k < taps; k++)
            tap[k] = scale
                * __builtin_convertvector(*(const floats *)(w + (size_t)k * panel_columns + j), doubles);
#define STORE(p, v) \
    *(floats *)(packed + (size_t)(p) * stride + j) = __builtin_convertvector((v), floats)
        // The point 0 has but its own tap 0, infinity the last one.
        STORE(0, tap[0] * g[0][0]);
        for (int p = 1; p + 1 < points; p += 2) {
            even = tap[0] * g[p][0];
            odd = tap[1] * g[p][1];
            for (int k = 2; k < taps; k += 2) even += tap[k] * g[p][k];
            for (int k = 3; k < taps; k += 2) odd += tap[k] * g[p][k];
            STORE(p, even + odd);
            STORE(p + 1, even - odd);
        }
        STORE(points - 1, tap[taps - 1]);
#undef STORE
    }
}
