// C [T, N] = A [T, K] B [K, N] with B packed beforehand: a linear layer, and what the
// convolutions stand on. Exact shapes: any T, K, N, 0 included.
//
// Each sum runs over K in order, in float32 with FMA where the level has it, whatever the tile or
// the number of rows: an element's bits depend on its own row of A and column of B alone. Its
// error is below (K + 2) 2^-24 sum |a b|, asserted by the tests against double precision.
// Nothing allocates or blocks. Threads may share A and B and write disjoint rows or columns of C.
#pragma once
#include <stdbool.h>
#include <stddef.h>

// Floats that B [K, N] takes once packed: panels of 64 columns, [N / 64][K][64], the last one
// narrower and rounded up to 16 columns. The columns from j on, j a multiple of 64, start at
// float j * K: that is how a caller takes a range of columns.
size_t syrinx_gemm_packed_size(size_t depth, size_t columns);

// Packs B, whose element (k, n) is b[k * row_stride + n * column_stride]: strides (N, 1) for
// B [K, N], (1, K) for its transpose, as Linear layers store it. On 64-byte boundaries the
// product is fastest.
void syrinx_gemm_pack(const float *b, ptrdiff_t row_stride, ptrdiff_t column_stride, size_t depth,
                      size_t columns, float *packed);

// C = A B + bias, or C += A B + bias. Row t of A starts at a + t * a_stride: strides below K,
// rows that overlap, are allowed, so that a [T + k - 1, Cin] signal is the [T, k Cin] matrix of
// its windows at stride Cin. bias [N] or NULL. C must not overlap A.
void syrinx_gemm(const float *a, ptrdiff_t a_stride, const float *packed, const float *bias,
                 float *c, ptrdiff_t c_stride, size_t rows, size_t depth, size_t columns,
                 bool accumulate);
