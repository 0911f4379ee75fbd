// Vectors of LANES floats for the kernel sources that each_level.h compiles; included by each of
// them, once per level. Generic vectors: the same text is SSE2, AVX2, AVX-512 or NEON.
#include <stddef.h>

#define INLINE static inline __attribute__((always_inline))

#define vfloat KERNEL(vfloat)
#define vint KERNEL(vint)
#define v_load KERNEL(v_load)
#define v_store KERNEL(v_store)
#define v_load_part KERNEL(v_load_part)
#define v_store_part KERNEL(v_store_part)
#define v_select KERNEL(v_select)
#define v_max KERNEL(v_max)
#define v_min KERNEL(v_min)
#define v_abs KERNEL(v_abs)
#define v_set KERNEL(v_set)
#define v_sum KERNEL(v_sum)
#define v_largest KERNEL(v_largest)

// aligned(4): any float pointer may be loaded from.
typedef float vfloat __attribute__((vector_size(4 * LANES), aligned(4)));
typedef int vint __attribute__((vector_size(4 * LANES), aligned(4)));

INLINE vfloat v_load(const float *p) { return *(const vfloat *)p; }
INLINE void v_store(float *p, vfloat v) { *(vfloat *)p = v; }
INLINE vfloat v_set(float x) { return x - (vfloat){}; }

// The first `count` < LANES floats at p, zero in the other lanes; and their store.
INLINE vfloat v_load_part(const float *p, size_t count) {
    vfloat v = {};
    for (size_t i = 0; i < LANES; i++)
        if (i < count) v[i] = p[i];
    return v;
}
INLINE void v_store_part(float *p, vfloat v, size_t count) {
    for (size_t i = 0; i < LANES; i++)
        if (i < count) p[i] = v[i];
}

INLINE vfloat v_select(vint mask, vfloat yes, vfloat no) {
    return (vfloat)((mask & (vint)yes) | (~mask & (vint)no));
}
// As the SSE instructions are: the second operand where either is NaN.
INLINE vfloat v_max(vfloat a, vfloat b) { return v_select(a > b, a, b); }
INLINE vfloat v_min(vfloat a, vfloat b) { return v_select(a < b, a, b); }
INLINE vfloat v_abs(vfloat a) { return (vfloat)((vint)a & 0x7fffffff); }

// Folded by halves, in an order that only LANES determines.
INLINE float v_sum(vfloat v) {
    for (int half = LANES / 2; half > 0; half /= 2)
        for (int i = 0; i < half; i++) v[i] += v[i + half];
    return v[0];
}
INLINE float v_largest(vfloat v) {
    for (int half = LANES / 2; half > 0; half /= 2)
        for (int i = 0; i < half; i++) v[i] = v[i] > v[i + half] ? v[i] : v[i + half];
    return v[0];
}
