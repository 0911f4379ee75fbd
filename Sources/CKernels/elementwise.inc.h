// The kernels of elementwise.h at one level. The polynomials come from generate/polynomials.py.
#include "lanes.inc.h"

#define scaled KERNEL(scaled)
#define exp_of_sum KERNEL(exp_of_sum)
#define expm1_of KERNEL(expm1_of)
#define exp_of KERNEL(exp_of)
#define tanh_of KERNEL(tanh_of)
#define sigmoid_of KERNEL(sigmoid_of)
#define normal_tail KERNEL(normal_tail)
#define erf_of KERNEL(erf_of)
#define gelu_of KERNEL(gelu_of)
#define softplus_of KERNEL(softplus_of)
#define relu_of KERNEL(relu_of)
#define leaky_relu_of KERNEL(leaky_relu_of)
#define gate_of KERNEL(gate_of)
#define sum_of_squares KERNEL(sum_of_squares)
#define row_sum KERNEL(row_sum)

// Adding it rounds a float below 2^22 to an integer, which its low bits then hold.
#define ROUNDER 0x1.8p23f
#define LOG2E 0x1.715476p0f
// ln 2 in two parts: the first has 10 bits, so that its products with |n| < 2^14 are exact.
#define LN2_HIGH 0.693359375f
#define LN2_LOW -2.12194440e-4f

// e * 2^n for an integral n in [-170, 130] that t = n + ROUNDER holds, rounded once.
INLINE vfloat scaled(vfloat e, vfloat t) {
#if LANES == 16
    return (vfloat)_mm512_scalef_ps((__m512)e, (__m512)(t - ROUNDER));
#else
    // Two factors, for the whole range of n: the first product is exact.
    vint n = (vint)t - (vint)v_set(ROUNDER), first = n >> 1, second = n - first;
    return e * (vfloat)((first + 127) << 23) * (vfloat)((second + 127) << 23);
#endif
}

// factor * exp(a + b) for a in [-113, 89], a small b and a factor near 1.
INLINE vfloat exp_of_sum(vfloat a, vfloat b, vfloat factor) {
    vfloat t = a * LOG2E + ROUNDER;
    vfloat n = t - ROUNDER;
    vfloat r = (a - n * LN2_HIGH) - n * LN2_LOW + b;
    vfloat q = 0.0013941054f + (vfloat){};
    q = q * r + 0.00836314168f;
    q = q * r + 0.0416663773f;
    q = q * r + 0.166665778f;
    q = q * r + 0.5f;
    return scaled((r * r * q + r + 1.0f) * factor, t);
}

INLINE vfloat exp_of(vfloat x) {
    // The operand order lets NaN through.
    return exp_of_sum(v_max(v_set(-105.0f), v_min(v_set(89.0f), x)), (vfloat){}, v_set(1.0f));
}

// exp(x) - 1 for x in [0, 64], of small relative error at 0 too.
INLINE vfloat expm1_of(vfloat x) {
    vfloat t = x * LOG2E + ROUNDER;
    vfloat n = t - ROUNDER;
    vint power = (vint)t - (vint)v_set(ROUNDER);
    vfloat r = (x - n * LN2_HIGH) - n * LN2_LOW;
    vfloat q = 0.0013941054f + (vfloat){};
    q = q * r + 0.00836314168f;
    q = q * r + 0.0416663773f;
    q = q * r + 0.166665778f;
    q = q * r + 0.5f;
    vfloat scale = (vfloat)((power + 127) << 23);
    vfloat small = r * r * q + r;
    return scale * small + (scale - 1.0f);
}

// e / (e + 2) with e = exp(2|x|) - 1: no cancellation, and one polynomial for every x.
INLINE vfloat tanh_of(vfloat x) {
    vfloat e = expm1_of(v_min(v_set(20.0f), v_abs(x) * 2.0f));
    vint sign = (vint)x & (vint)v_set(-0.0f);
    return (vfloat)((vint)(e / (e + 2.0f)) | sign);
}

// With z = exp(-|x|) <= 1, neither side overflows or cancels.
INLINE vfloat sigmoid_of(vfloat x) {
    vfloat z = exp_of_sum(v_max(v_set(-105.0f), -v_abs(x)), (vfloat){}, v_set(1.0f));
    return v_select(x >= 0.0f, v_set(1.0f), z) / (z + 1.0f);
}

// factor * Phi(-a), the normal distribution's lower tail, for a in [0, 15]. The square is taken
// in two parts: rounded in one it would cost a^2/2 ulp.
INLINE vfloat normal_tail(vfloat a, vfloat factor) {
    vfloat v = 1.0f / (a * 0.5f + 1.0f);
    vfloat q = -0.040508911f + (vfloat){};
    q = q * v + 0.195653513f;
    q = q * v + -0.331674844f;
    q = q * v + 0.116558902f;
    q = q * v + 0.330562651f;
    q = q * v + -0.395605683f;
    q = q * v + 0.049205102f;
    q = q * v + 0.023950005f;
    q = q * v + 0.153177872f;
    q = q * v + 0.199201718f;
    q = q * v + 0.19947964f;
    vfloat high = (vfloat)((vint)a & (int)0xfffff000);
    vfloat square = high * high * -0.5f;
    vfloat rest = (a - high) * (a + high) * -0.5f;
    return exp_of_sum(square, rest, factor * (v * q));
}

// x Phi(x) = max(x, 0) - |x| Phi(-|x|)
INLINE vfloat gelu_of(vfloat x) {
    vfloat a = v_min(v_set(15.0f), v_abs(x));
    return v_max((vfloat){}, x) - normal_tail(a, a);
}

INLINE vfloat erf_of(vfloat x) {
    vfloat a = v_abs(x);
    vfloat s = x * x;
    vfloat q = 7.8538309e-05f + (vfloat){};
    q = q * s + -0.000801012793f;
    q = q * s + 0.00518831238f;
    q = q * s + -0.026853798f;
    q = q * s + 0.112835847f;
    q = q * s + -0.37612626f;
    q = q * s + 0.128379107f;
    vfloat near = q * a + a;
    vfloat far = 1.0f - normal_tail(v_min(v_set(15.0f), a * 1.41421354f), v_set(2.0f));
    vint sign = (vint)x & (vint)v_set(-0.0f);
    return (vfloat)((vint)v_select(a > 1.0f, far, near) | sign);
}

// max(x, 0) + log(1 + exp(-|x|))
INLINE vfloat softplus_of(vfloat x) {
    vfloat z = exp_of_sum(v_max(v_set(-105.0f), -v_abs(x)), (vfloat){}, v_set(1.0f));
    vfloat q = -0.00324283028f + (vfloat){};
    q = q * z + 0.019844329f;
    q = q * z + -0.05694234f;
    q = q * z + 0.106014527f;
    q = q * z + -0.153039515f;
    q = q * z + 0.196752116f;
    q = q * z + -0.249539465f;
    q = q * z + 0.333299369f;
    q = q * z + -0.499999017f;
    return v_max((vfloat){}, x) + (q * z * z + z);
}

INLINE vfloat relu_of(vfloat x) { return v_max((vfloat){}, x); }

INLINE vfloat leaky_relu_of(vfloat x, float slope) { return v_select(x > 0.0f, x, x * slope); }

// tanh(a) sigmoid(b) over one division: e / ((e + 2) (1 + exp(-b))).
INLINE vfloat gate_of(vfloat a, vfloat b) {
    vfloat e = expm1_of(v_min(v_set(20.0f), v_abs(a) * 2.0f));
    vfloat z = exp_of(-b);
    vint sign = (vint)a & (vint)v_set(-0.0f);
    return (vfloat)((vint)(e / ((e + 2.0f) * (z + 1.0f))) | sign);
}

// y[i] = expression, where `x` is the vector at i.
#define MAP(name, parameters, expression)                                              \
    static void KERNEL(name) parameters {                                              \
        size_t i = 0;                                                                  \
        for (; i + LANES <= count; i += LANES) {                                       \
            vfloat x = v_load(px + i);                                                 \
            v_store(py + i, expression);                                               \
        }                                                                              \
        if (i < count) {                                                               \
            vfloat x = v_load_part(px + i, count - i);                                 \
            v_store_part(py + i, expression, count - i);                               \
        }                                                                              \
    }

MAP(exp_at, (const float *px, float *py, size_t count), exp_of(x))
MAP(tanh_at, (const float *px, float *py, size_t count), tanh_of(x))
MAP(sigmoid_at, (const float *px, float *py, size_t count), sigmoid_of(x))
MAP(erf_at, (const float *px, float *py, size_t count), erf_of(x))
MAP(gelu_at, (const float *px, float *py, size_t count), gelu_of(x))
MAP(softplus_at, (const float *px, float *py, size_t count), softplus_of(x))
MAP(relu_at, (const float *px, float *py, size_t count), relu_of(x))
MAP(leaky_relu_at, (const float *px, float *py, size_t count, float slope), leaky_relu_of(x, slope))
MAP(scale_at, (const float *px, float *py, size_t count, float factor), x *factor)

// The same for two inputs, `x` and `z`.
#define MAP_TWO(name, parameters, second, expression)                                  \
    static void KERNEL(name) parameters {                                              \
        size_t i = 0;                                                                  \
        for (; i + LANES <= count; i += LANES) {                                       \
            vfloat x = v_load(px + i), z = v_load(second + i);                         \
            v_store(py + i, expression);                                               \
        }                                                                              \
        if (i < count) {                                                               \
            vfloat x = v_load_part(px + i, count - i);                                 \
            vfloat z = v_load_part(second + i, count - i);                             \
            v_store_part(py + i, expression, count - i);                               \
        }                                                                              \
    }

MAP_TWO(add_at, (const float *px, const float *pz, float *py, size_t count), pz, x + z)
MAP_TWO(multiply_at, (const float *px, const float *pz, float *py, size_t count), pz, x *z)
MAP_TWO(add_scaled_at, (const float *px, float *py, size_t count, float factor), py, x *factor + z)
MAP_TWO(gate_row, (const float *px, const float *pz, float *py, size_t count), pz, gate_of(x, z))

static void KERNEL(gate_at)(const float *x, size_t x_stride, float *y, size_t y_stride,
                            size_t rows, size_t channels) {
    for (size_t t = 0; t < rows; t++, x += x_stride, y += y_stride)
        KERNEL(gate_row)(x, x + channels, y, channels);
}

static void KERNEL(add_row_at)(const float *x, size_t x_stride, const float *row, float *y,
                               size_t y_stride, size_t rows, size_t channels) {
    for (size_t t = 0; t < rows; t++, x += x_stride, y += y_stride)
        KERNEL(add_at)(x, row, y, channels);
}

INLINE float row_sum(const float *x, size_t count) {
    vfloat sum = {};
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) sum += v_load(x + i);
    return v_sum(sum + v_load_part(x + i, count - i));
}

INLINE float sum_of_squares(const float *x, size_t count, float mean) {
    vfloat sum = {};
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        vfloat d = v_load(x + i) - mean;
        sum += d * d;
    }
    for (; i < count; i++) sum[0] += (x[i] - mean) * (x[i] - mean);
    return v_sum(sum);
}

static void KERNEL(softmax_at)(const float *x, size_t x_stride, float *y, size_t y_stride,
                               size_t rows, size_t columns) {
    for (size_t t = 0; t < rows; t++, x += x_stride, y += y_stride) {
        vfloat top = v_set(-__builtin_inff());
        size_t i = 0;
        // A NaN may be lost here; exp meets it again below.
        for (; i + LANES <= columns; i += LANES) top = v_max(v_load(x + i), top);
        float largest = v_largest(top);
        for (; i < columns; i++) largest = x[i] > largest ? x[i] : largest;
        vfloat sum = {};
        for (i = 0; i + LANES <= columns; i += LANES) {
            vfloat e = exp_of(v_load(x + i) - largest);
            v_store(y + i, e);
            sum += e;
        }
        if (i < columns) {
            v_store_part(y + i, exp_of(v_load_part(x + i, columns - i) - largest), columns - i);
            sum += v_load_part(y + i, columns - i);
        }
        KERNEL(scale_at)(y, y, columns, 1.0f / v_sum(sum));
    }
}

static void KERNEL(layer_norm_at)(const float *x, size_t x_stride, const float *gain,
                                  const float *bias, float epsilon, float *y, size_t y_stride,
                                  size_t rows, size_t channels) {
    for (size_t t = 0; t < rows; t++, x += x_stride, y += y_stride) {
        float mean = row_sum(x, channels) / (float)channels;
        float variance = sum_of_squares(x, channels, mean) / (float)channels;
        float scale = 1.0f / __builtin_sqrtf(variance + epsilon);
        size_t i = 0;
        for (; i + LANES <= channels; i += LANES)
            v_store(y + i, (v_load(x + i) - mean) * scale * v_load(gain + i) + v_load(bias + i));
        for (; i < channels; i++) y[i] = (x[i] - mean) * scale * gain[i] + bias[i];
    }
}

#undef MAP
#undef MAP_TWO
