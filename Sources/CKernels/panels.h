// Packed matrices: the columns of B [K, N] in panels of 64, each panel [K][width] without gaps.
// The last panel is as wide as the rest of N, rounded up to a multiple of 16 with zeros. One
// format for every level; panel i starts at float i * 64 * K.
#pragma once
#include <stddef.h>

enum { panel_columns = 64, panel_granule = 16 };

static inline size_t panel_round(size_t n) {
    return (n + panel_granule - 1) / panel_granule * panel_granule;
}
static inline size_t panel_width(size_t first, size_t n) {
    size_t left = panel_round(n) - first;
    return left < panel_columns ? left : panel_columns;
}
