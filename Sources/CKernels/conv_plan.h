// How a convolution lies in its weights and its scratch; the same at every level.
#pragma once
#include <stddef.h>

#include "include/conv.h"
#include "panels.h"

// Rows of A that the plain path takes at a time.
enum { plain_rows = 48 };

// Tiles of the largest batch, and those that are taken at once where no more are left.
enum { most_batch = 96, most_tiles = most_batch + most_batch / 4 };

typedef struct {
    int points;         // products a tile; on the plain path taps
    size_t batch;       // tiles transformed at a time, a multiple of 24: of every tile's rows
    size_t most;        // tiles that are taken at once instead where no more are left
    size_t slot;        // floats from one point's inputs to the next one's
    size_t product;     // floats from one point's products to the next one's
    // One panel only: the products of point p overwrite the inputs of point p - 1, which are
    // done with. Otherwise the inputs serve the next panel too.
    bool shifted;
    size_t edge;        // floats of a tile whose rows are partly out of view
} conv_plan;

static inline conv_plan conv_plan_of(const syrinx_conv *conv) {
    conv_plan plan = {0};
    size_t inputs = (size_t)conv->inputs, columns = (size_t)conv->columns;
    if (conv->tile == 0) {
        plan.points = conv->taps;
        return plan;
    }
    plan.points = conv->tile + conv->taps - 1;
    plan.shifted = columns <= panel_columns;
    size_t row_bytes = 4 * (size_t)plan.points * inputs;
    // Some 384 KB of inputs at a time: of a 1 MB second-level cache, beside weights and products.
    plan.batch = 24;
    while (plan.batch < most_batch && (plan.batch + 24) * row_bytes <= 384 << 10) plan.batch += 24;
    // A rest of a few tiles would read all weights again.
    plan.most = plan.batch + plan.batch / 4;
    size_t widest = plan.shifted && columns > inputs ? columns : inputs;
    // Three cache lines beyond, or the points' rows fall on the same sets of the cache.
    plan.slot = plan.most * widest + 48;
    plan.product = plan.shifted ? plan.slot : plan.most * panel_columns + 48;
    size_t row = inputs > panel_columns ? inputs : panel_columns;
    plan.edge = (size_t)plan.points * row;
    return plan;
}

static inline ptrdiff_t floor_divide(ptrdiff_t a, ptrdiff_t b) {
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
