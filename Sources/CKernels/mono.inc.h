// The kernel of mono.h at one level.
#include "lanes.inc.h"

#define mono_dots KERNEL(mono_dots)

// y[0 ..< count] = bias + the dot product of w [length] with x + i * step.
INLINE void mono_dots(const int count, const float *w, const float *x, size_t step, size_t length,
                      float bias, float *y) {
    vfloat sum[4];
    #pragma unroll
    for (int i = 0; i < count; i++) sum[i] = (vfloat){};
    size_t j = 0;
    for (; j + LANES <= length; j += LANES) {
        vfloat weight = v_load(w + j);
        #pragma unroll
        for (int i = 0; i < count; i++) sum[i] += weight * v_load(x + (size_t)i * step + j);
    }
    float rest[4] = {bias, bias, bias, bias};
    for (; j < length; j++)
        for (int i = 0; i < count; i++) rest[i] += w[j] * x[(size_t)i * step + j];
    #pragma unroll
    for (int i = 0; i < count; i++) y[i] = v_sum(sum[i]) + rest[i];
}

// Activates `rows` rows from row `first` of the view into x, then takes `count` dot products.
static void KERNEL(mono_at)(const syrinx_mono *mono, syrinx_view in, ptrdiff_t first, size_t rows,
                            float *x, float *y, size_t count) {
    size_t inputs = (size_t)mono->inputs, length = inputs * (size_t)mono->taps;
    for (size_t r = 0; r < rows; r++) {
        ptrdiff_t t = first + (ptrdiff_t)r;
        float *row = x + r * inputs;
        if (t < in.begin || t >= in.end) {
            memset(row, 0, inputs * sizeof(float));
            continue;
        }
        const float *from = in.rows + (t - in.begin) * in.stride;
        size_t c = 0;
        for (; c + LANES <= inputs; c += LANES) {
            vfloat v = v_load(from + c);
            v_store(row + c, v_max(v, v * mono->slope));
        }
        for (; c < inputs; c++)
            row[c] = from[c] > from[c] * mono->slope ? from[c] : from[c] * mono->slope;
    }
    size_t i = 0;
    for (; i + 4 <= count; i += 4)
        mono_dots(4, mono->weights, x + i * inputs, inputs, length, mono->bias, y + i);
    for (; i < count; i++)
        mono_dots(1, mono->weights, x + i * inputs, inputs, length, mono->bias, y + i);
}
