// The FIR kernels at one instruction-set level: each_level.h includes this, `LANES` floats a vector.
// What the functions compute is in include/fir.h.
//
// An input sample is broadcast and multiplies a vector of coefficients, one lane an output, so there
// are no horizontal sums and every store is whole. A vector of coefficients, once loaded, serves
// four places of the input; without that the filter bank (100 KB and more) would come from the
// second-level cache for every output, which cannot keep up with the multipliers.

#define VECTOR(type, lanes) \
    type __attribute__((vector_size((lanes) * sizeof(type)), aligned(__alignof__(type))))

// `COUNT` vectors of a group at `REPEATS` places. The sums of one half stay in registers while those of
// the other wait in `out`.
#define FIR_ONE_HALF(type, vector, lanes, COUNT, REPEATS, FROM, WHILE, NEXT) \
    for (ptrdiff_t j = (FROM); j WHILE; NEXT) { \
        vector row[COUNT]; \
        for (int v = 0; v < COUNT; v++) \
            row[v] = ((const vector *)(coefficients + j * lanes))[v]; \
        _Pragma("clang loop unroll(full)") for (int r = 0; r < REPEATS; r++) \
            for (int v = 0; v < COUNT; v++) sum[r][v] += row[v] * x[r * x_stride + j]; \
    }

#define FIR_BLOCK(name, type, vector, lanes, COUNT, REPEATS) \
    static inline __attribute__((always_inline)) void KERNEL(name)( \
        type *out, ptrdiff_t out_stride, const type *x, ptrdiff_t x_stride, \
        const type *coefficients, ptrdiff_t rows) { \
        vector sum[REPEATS][COUNT]; \
        for (int r = 0; r < REPEATS; r++) \
            for (int v = 0; v < COUNT; v++) sum[r][v] = (vector){0}; \
        FIR_ONE_HALF(type, vector, lanes, COUNT, REPEATS, 0, < rows / 2, j++) \
        for (int r = 0; r < REPEATS; r++) \
            for (int v = 0; v < COUNT; v++) { \
                ((vector *)(out + r * out_stride))[v] = sum[r][v]; \
                sum[r][v] = (vector){0}; \
            } \
        FIR_ONE_HALF(type, vector, lanes, COUNT, REPEATS, rows - 1, >= rows / 2, j--) \
        for (int r = 0; r < REPEATS; r++) \
            for (int v = 0; v < COUNT; v++) ((vector *)(out + r * out_stride))[v] += sum[r][v]; \
    }

// A single place: both halves side by side, to hide the latency of the adds.
#define FIR_PAIRED(name, type, vector, lanes, COUNT) \
    static inline __attribute__((always_inline)) void KERNEL(name)( \
        type *out, ptrdiff_t out_stride, const type *x, ptrdiff_t x_stride, \
        const type *coefficients, ptrdiff_t rows) { \
        (void)out_stride; \
        (void)x_stride; \
        vector up[COUNT], down[COUNT]; \
        for (int v = 0; v < COUNT; v++) up[v] = down[v] = (vector){0}; \
        for (ptrdiff_t j = 0, k = rows - 1; j < k; j++, k--) \
            for (int v = 0; v < COUNT; v++) { \
                up[v] += ((const vector *)(coefficients + j * lanes))[v] * x[j]; \
                down[v] += ((const vector *)(coefficients + k * lanes))[v] * x[k]; \
            } \
        for (int v = 0; v < COUNT; v++) ((vector *)out)[v] = up[v] + down[v]; \
    }

// The whole group, `part` lanes at a time where all of it would not fit the registers.
#define FIR_PARTS(name, part, lanes) \
    for (int l = 0; l < lanes; l += part) \
        KERNEL(name)(out + r * out_stride + l, out_stride, x + r * x_stride, x_stride, \
                     coefficients + l, rows);

#define FIR_GROUP(name, type, lanes, part) \
    static void KERNEL(group_##name)(type *out, ptrdiff_t out_stride, const type *x, \
                                     ptrdiff_t x_stride, ptrdiff_t repeats, \
                                     const type *coefficients, ptrdiff_t rows) { \
        ptrdiff_t r = 0; \
        for (; r + 4 <= repeats; r += 4) FIR_PARTS(four_##name, part, lanes) \
        switch (repeats - r) { \
        case 3: FIR_PARTS(three_##name, part, lanes) break; \
        case 2: FIR_PARTS(two_##name, part, lanes) break; \
        case 1: FIR_PARTS(one_##name, part, lanes) break; \
        } \
    }

typedef VECTOR(float, LANES) KERNEL(vector_f32);
typedef VECTOR(double, LANES / 2) KERNEL(vector_f64);

// The baseline has 16 registers of 4 floats: half a group there, whole groups above.
#if LANES == 4
#define PART_F32 8
#define PART_F64 4
#else
#define PART_F32 16
#define PART_F64 8
#endif
#define COUNT_F32 (PART_F32 / LANES)
#define COUNT_F64 (PART_F64 / (LANES / 2))

#define FIR_PRECISION(name, type, vector, lanes, count, part) \
    FIR_BLOCK(four_##name, type, vector, lanes, count, 4) \
    FIR_BLOCK(three_##name, type, vector, lanes, count, 3) \
    FIR_BLOCK(two_##name, type, vector, lanes, count, 2) \
    FIR_PAIRED(one_##name, type, vector, lanes, count) \
    FIR_GROUP(name, type, lanes, part)

FIR_PRECISION(f32, float, KERNEL(vector_f32), 16, COUNT_F32, PART_F32)
FIR_PRECISION(f64, double, KERNEL(vector_f64), 8, COUNT_F64, PART_F64)

#define FIR_CUBIC(name, type, vector, lanes, width) \
    static type KERNEL(name)(const type *x, const type *coefficients, ptrdiff_t taps, type u) { \
        enum { count = lanes / (width) }; \
        const type *a = coefficients, *b = a + taps, *c = b + taps, *d = c + taps; \
        vector sum[count]; \
        for (int v = 0; v < count; v++) sum[v] = (vector){0}; \
        for (ptrdiff_t j = 0; j < taps; j += lanes) \
            for (int v = 0; v < count; v++) { \
                vector tap = ((const vector *)(d + j))[v] * u + ((const vector *)(c + j))[v]; \
                tap = tap * u + ((const vector *)(b + j))[v]; \
                tap = tap * u + ((const vector *)(a + j))[v]; \
                sum[v] += tap * ((const vector *)(x + j))[v]; \
            } \
        type total[lanes]; \
        for (int v = 0; v < count; v++) ((vector *)total)[v] = sum[v]; \
        for (int half = lanes / 2; half > 0; half /= 2) \
            for (int l = 0; l < half; l++) total[l] += total[l + half]; \
        return total[0]; \
    }

FIR_CUBIC(cubic_f32, float, KERNEL(vector_f32), 16, LANES)
FIR_CUBIC(cubic_f64, double, KERNEL(vector_f64), 8, LANES / 2)

#undef FIR_ONE_HALF
#undef FIR_BLOCK
#undef FIR_PAIRED
#undef FIR_PARTS
#undef FIR_GROUP
#undef FIR_PRECISION
#undef FIR_CUBIC
#undef VECTOR
#undef PART_F32
#undef PART_F64
#undef COUNT_F32
#undef COUNT_F64
