// Transposes of blocks of LANES x LANES floats at one level; included once per level, after
// lanes.inc.h.
//
// Log2(LANES) rounds: round h swaps, between rows i and i + h, the lanes l that have bit h with the
// lanes l - h.
#define transpose KERNEL(transpose)

#define TRANSPOSE_FIRST(l, h) ((l) & (h) ? LANES + (l) - (h) : (l))
#define TRANSPOSE_SECOND(l, h) ((l) & (h) ? LANES + (l) : (l) + (h))
#define TRANSPOSE_4(F, h) F(0, h), F(1, h), F(2, h), F(3, h)
#define TRANSPOSE_8(F, h) TRANSPOSE_4(F, h), F(4, h), F(5, h), F(6, h), F(7, h)
#define TRANSPOSE_16(F, h)                                                                    \
    TRANSPOSE_8(F, h), F(8, h), F(9, h), F(10, h), F(11, h), F(12, h), F(13, h), F(14, h), F(15, h)
#if LANES == 16
#define TRANSPOSE_EACH TRANSPOSE_16
#elif LANES == 8
#define TRANSPOSE_EACH TRANSPOSE_8
#else
#define TRANSPOSE_EACH TRANSPOSE_4
#endif
#define TRANSPOSE_ROUND(h)                                                                    \
    _Pragma("unroll") for (int i = 0; i < LANES; i++) {                                       \
        if (i & (h)) continue;                                                                \
        vfloat a = rows[i], b = rows[i + (h)];                                                \
        rows[i] = __builtin_shufflevector(a, b, TRANSPOSE_EACH(TRANSPOSE_FIRST, h));          \
        rows[i + (h)] = __builtin_shufflevector(a, b, TRANSPOSE_EACH(TRANSPOSE_SECOND, h));   \
    }

INLINE void transpose(vfloat rows[LANES]) {
#if LANES > 8
    TRANSPOSE_ROUND(8)
#endif
#if LANES > 4
    TRANSPOSE_ROUND(4)
#endif
    TRANSPOSE_ROUND(2)
    TRANSPOSE_ROUND(1)
}

#undef TRANSPOSE_ROUND
#undef TRANSPOSE_EACH
#undef TRANSPOSE_16
#undef TRANSPOSE_8
#undef TRANSPOSE_4
#undef TRANSPOSE_SECOND
#undef TRANSPOSE_FIRST
