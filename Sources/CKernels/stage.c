#include "include/stage.h"

#include <stdint.h>
#include <string.h>

#include "conv_plan.h"

// Everything here counts in rows; times are absolute. "Node" l of a block is the input of its
// layer l: node 0 is Y, node l the output of layer l - 1, and the last layer writes the sum.

static ptrdiff_t smaller(ptrdiff_t a, ptrdiff_t b) { return a < b ? a : b; }
static ptrdiff_t larger(ptrdiff_t a, ptrdiff_t b) { return a > b ? a : b; }
static ptrdiff_t round_down(ptrdiff_t a, ptrdiff_t grid) { return floor_divide(a, grid) * grid; }
static ptrdiff_t round_up(ptrdiff_t a, ptrdiff_t grid) { return -round_down(-a, grid); }

// Rows before and after its own that an output row of the layer reads.
static ptrdiff_t rows_before(const syrinx_layer *layer) {
    return (ptrdiff_t)layer->conv.left * layer->conv.dilation;
}
static ptrdiff_t rows_after(const syrinx_layer *layer) {
    return (ptrdiff_t)(layer->conv.taps - 1 - layer->conv.left) * layer->conv.dilation;
}
// Rows of a group of whole tiles; the plain path has no grid.
static ptrdiff_t grid_of(const syrinx_layer *layer) {
    return layer->conv.tile > 0 ? (ptrdiff_t)layer->conv.tile * layer->conv.dilation : 1;
}

static ptrdiff_t common_multiple(ptrdiff_t a, ptrdiff_t b) {
    ptrdiff_t x = a, y = b;
    while (y) {
        ptrdiff_t rest = x % y;
        x = y;
        y = rest;
    }
    return a / x * b;
}

// The grid on which all blocks' last layers end whole tiles.
static ptrdiff_t output_grid(const syrinx_stage *stage) {
    ptrdiff_t grid = 1;
    for (int r = 0; r < stage->blocks; r++)
        grid = common_multiple(grid, grid_of(&stage->layer[r][stage->layers - 1]));
    return grid;
}

// Where the nodes of a block must end for its output to reach `end`: need[l] for node l. Nodes
// beyond Y end on their layer's grid unless `eager`; none passes `length`.
static void needs_of(const syrinx_stage *stage, int block, ptrdiff_t end, ptrdiff_t length,
                     bool eager, ptrdiff_t need[]) {
    need[stage->layers] = end;
    for (int l = stage->layers - 1; l >= 0; l--) {
        ptrdiff_t next = need[l + 1] + rows_after(&stage->layer[block][l]);
        if (l > 0 && !eager) next = round_up(next, grid_of(&stage->layer[block][l - 1]));
        need[l] = smaller(next, length);
    }
}

// How far rows of Y reach beyond the output at most (look-ahead), and back.
static ptrdiff_t reach_after(const syrinx_stage *stage, bool eager) {
    ptrdiff_t most = 0, need[syrinx_stage_max_layers + 1];
    for (int r = 0; r < stage->blocks; r++) {
        if (eager) {
            needs_of(stage, r, 0, PTRDIFF_MAX, true, need);
            most = larger(most, need[0]);
        } else {
            ptrdiff_t reach = 0;
            for (int l = 0; l < stage->layers; l++)
                reach += rows_after(&stage->layer[r][l]) + (l > 0 ? grid_of(&stage->layer[r][l - 1]) : 0);
            most = larger(most, reach);
        }
    }
    return most;
}
static ptrdiff_t reach_before(const syrinx_stage *stage) {
    ptrdiff_t most = 0;
    for (int r = 0; r < stage->blocks; r++) {
        ptrdiff_t reach = 0;
        for (int l = 0; l < stage->layers; l++) reach += rows_before(&stage->layer[r][l]);
        most = larger(most, reach);
    }
    return most;
}

int syrinx_stage_lookahead(const syrinx_stage *stage) {
    return (int)reach_after(stage, true) + stage->padding;
}

int syrinx_stage_block_rows(int channels) {
    // Y, one intermediate and the sum beside a batch of tiles.
    int rows = (channels >= 128 ? 480 : 768);
    return channels > 256 ? 192 : rows;
}

static size_t input_block(const syrinx_stage *stage) {
    int rows = syrinx_stage_block_rows(stage->channels) / stage->stride;
    return rows > 1 ? (size_t)rows : 1;
}

// Rows that may have to be kept of the input, of Y and of node l > 0 of a block.
static size_t kept_of_input(const syrinx_stage *stage) {
    return (size_t)(stage->upsampler.conv.left + larger(stage->upsampler.conv.tile, 1));
}
static size_t kept_of_y(const syrinx_stage *stage) {
    return (size_t)(output_grid(stage) + reach_after(stage, false) + reach_before(stage)
                    + stage->padding + stage->stride);
}
static size_t kept_of_node(const syrinx_stage *stage, int block, int l) {
    const syrinx_layer *layer = stage->layer[block];
    ptrdiff_t rows = rows_before(&layer[l]) + rows_after(&layer[l]) + grid_of(&layer[l - 1]);
    // Type 1 also adds an even node to what the next layer makes.
    if (stage->type == 1 && l + 1 < stage->layers)
        rows += rows_after(&layer[l + 1]) + grid_of(&layer[l]);
    return (size_t)rows;
}

// Rows of a work buffer: what was kept and what a block of input adds.
static size_t work_rows(const syrinx_stage *stage) {
    size_t added = (input_block(stage) + kept_of_input(stage)) * (size_t)stage->stride;
    return added + 2 * kept_of_y(stage);
}
static int work_buffers(const syrinx_stage *stage) {
    if (stage->type == 1) return 3;
    return stage->layers > 2 ? 2 : 1;
}

size_t syrinx_stage_memory_size(const syrinx_stage *stage) {
    size_t rows = kept_of_y(stage);
    for (int r = 0; r < stage->blocks; r++)
        for (int l = 1; l < stage->layers; l++) rows += kept_of_node(stage, r, l);
    return rows * (size_t)stage->channels
        + kept_of_input(stage) * (size_t)stage->upsampler.conv.inputs;
}

static size_t conv_scratch(const syrinx_stage *stage) {
    size_t most = syrinx_conv_scratch_size(&stage->upsampler.conv);
    for (int r = 0; r < stage->blocks; r++)
        for (int l = 0; l < stage->layers; l++) {
            size_t size = syrinx_conv_scratch_size(&stage->layer[r][l].conv);
            most = size > most ? size : most;
        }
    return (most + 15) / 16 * 16;
}

size_t syrinx_stage_scratch_size(const syrinx_stage *stage, int threads) {
    size_t buffers = 1 + (size_t)work_buffers(stage);
    return (size_t)threads * conv_scratch(stage) + buffers * work_rows(stage) * (size_t)stage->channels
        + (input_block(stage) + kept_of_input(stage)) * (size_t)stage->upsampler.conv.inputs;
}

size_t syrinx_stage_output_bound(const syrinx_stage *stage, size_t rows) {
    return (rows + kept_of_input(stage)) * (size_t)stage->stride + kept_of_y(stage);
}

void syrinx_stage_start(const syrinx_stage *stage, syrinx_stage_state *state, ptrdiff_t origin,
                        float *memory) {
    memset(state, 0, sizeof *state);
    state->origin = state->received = state->upsampled = origin;
    state->input = (syrinx_kept_rows){memory, origin, origin};
    memory += kept_of_input(stage) * (size_t)stage->upsampler.conv.inputs;
    ptrdiff_t first = origin * stage->stride;
    state->done = first;
    // The upsampler's first virtual row starts `padding` rows before the output does.
    state->y = (syrinx_kept_rows){memory, first - stage->padding, first - stage->padding};
    memory += kept_of_y(stage) * (size_t)stage->channels;
    for (int r = 0; r < stage->blocks; r++)
        for (int l = 1; l < stage->layers; l++) {
            state->node[r][l] = (syrinx_kept_rows){memory, first, first};
            memory += kept_of_node(stage, r, l) * (size_t)stage->channels;
        }
}

// Copies the kept rows to the front of a work buffer.
static void take_out(const syrinx_kept_rows *kept, float *work, size_t channels) {
    memcpy(work, kept->rows, (size_t)(kept->end - kept->begin) * channels * sizeof(float));
}
// Keeps rows [from, end) of a work buffer that starts at row kept->begin.
static void put_back(syrinx_kept_rows *kept, const float *work, ptrdiff_t from, ptrdiff_t end,
                     size_t channels) {
    from = smaller(larger(from, kept->begin), end);
    memcpy(kept->rows, work + (from - kept->begin) * (ptrdiff_t)channels,
           (size_t)(end - from) * channels * sizeof(float));
    kept->begin = from;
    kept->end = end;
}

typedef struct {
    const syrinx_stage *stage;
    syrinx_stage_state *state;
    float *y;           // work buffer of Y; row 0 is row state->y.begin
    ptrdiff_t y_end;
    float *work[3];     // of the nodes
    const syrinx_team *team;
    float *scratch;     // of a convolution, for each thread
    size_t scratch_size;
} block_run;

// A layer's shares: of the panels where each thread gets whole ones, and so reads its own weights alone; otherwise of
// the rows.
typedef struct {
    syrinx_conv_call call;
    size_t scratch_size;
    int count;
    bool by_panels;
} layer_shares;

static void run_share(void *context, int i) {
    const layer_shares *shares = context;
    syrinx_conv_call call = shares->call;
    call.scratch += (size_t)i * shares->scratch_size;
    if (shares->by_panels) {
        int panels = (call.end_column + panel_columns - 1) / panel_columns;
        call.first_column = panels * i / shares->count * panel_columns;
        if (i + 1 < shares->count) call.end_column = panels * (i + 1) / shares->count * panel_columns;
    } else {
        call.part = i;
        call.parts = shares->count;
    }
    syrinx_conv_run(&call);
}

static void run_layer(const block_run *run, const syrinx_layer *layer, syrinx_view input,
                      syrinx_view output, const syrinx_view *residual, bool accumulate) {
    syrinx_conv_call call = {
        .conv = &layer->conv,
        .packed = layer->packed,
        .slope = run->stage->slope,
        .input = input,
        .output = output,
        .residual = residual,
        .accumulate = accumulate,
        .first_column = 0,
        .end_column = layer->conv.columns,
        .scratch = run->scratch,
    };
    if (!run->team) {
        syrinx_conv_run(&call);
        return;
    }
    layer_shares shares = {call, run->scratch_size, run->team->threads, false};
    int panels = (layer->conv.columns + panel_columns - 1) / panel_columns;
    shares.by_panels = panels % shares.count == 0;
    run->team->run(run->team->context, shares.count, run_share, &shares);
}

// Upsamples what the input allows; the new rows follow the kept ones in run->y.
static void upsample(block_run *run, syrinx_view input, ptrdiff_t target) {
    const syrinx_stage *stage = run->stage;
    syrinx_stage_state *state = run->state;
    ptrdiff_t channels = stage->channels;
    if (target <= state->upsampled) return;
    syrinx_view output = {
        .rows = run->y
            + (state->upsampled * stage->stride - stage->padding - state->y.begin) * channels,
        .stride = stage->stride * channels,
        .begin = state->upsampled,
        .end = target,
    };
    run_layer(run, &stage->upsampler, input, output, NULL, false);
    state->upsampled = target;
    run->y_end = target * stage->stride - stage->padding;
}

// One residual block up to output row `end`: adds to, or starts, the sum. Returns the first row
// of Y that it will read again.
static ptrdiff_t run_block(block_run *run, int r, ptrdiff_t end, ptrdiff_t length, bool eager,
                           float *output, bool accumulate) {
    const syrinx_stage *stage = run->stage;
    syrinx_stage_state *state = run->state;
    size_t channels = (size_t)stage->channels;
    ptrdiff_t stride = stage->channels, first = state->origin * stage->stride;
    ptrdiff_t need[syrinx_stage_max_layers + 1];
    needs_of(stage, r, end, length, eager, need);
    // An aligned step may already have made more than an eager one asks for.
    for (int l = 1; l < stage->layers; l++) need[l] = larger(need[l], state->node[r][l].end);

    syrinx_view node[syrinx_stage_max_layers];
    ptrdiff_t y_begin = larger(state->y.begin, first);
    node[0] = (syrinx_view){run->y + (y_begin - state->y.begin) * stride, stride, y_begin,
                            smaller(run->y_end, length)};
    ptrdiff_t y_from = need[1] - rows_before(&stage->layer[r][0]);
    for (int l = 0; l < stage->layers; l++) {
        // Type 1 adds every other node; type 2 every one.
        const syrinx_view *residual = stage->type == 2 ? &node[l] : l % 2 ? &node[l - 1] : NULL;
        syrinx_view made;
        if (l + 1 < stage->layers) {
            syrinx_kept_rows *kept = &state->node[r][l + 1];
            float *work = run->work[l % work_buffers(stage)];
            take_out(kept, work, channels);
            node[l + 1] = (syrinx_view){work, stride, kept->begin, need[l + 1]};
            made = (syrinx_view){work + (kept->end - kept->begin) * stride, stride, kept->end,
                                 need[l + 1]};
        } else {
            made = (syrinx_view){output, stride, state->done, end};
        }
        if (made.begin < made.end)
            run_layer(run, &stage->layer[r][l], node[l], made, residual,
                      accumulate && l + 1 == stage->layers);
        // Keep what the next block of time reads of the nodes that are done with.
        int finished[2] = {-1, -1};
        if (stage->type == 2) {
            finished[0] = l;
        } else if (l % 2) {
            finished[0] = l - 1;
            finished[1] = l;
        }
        for (int i = 0; i < 2; i++) {
            int f = finished[i];
            if (f < 0) continue;
            ptrdiff_t from = need[f + 1] - rows_before(&stage->layer[r][f]);
            if (stage->type == 1 && f % 2 == 0) from = smaller(from, need[f + 2]);
            if (f == 0)
                y_from = from;
            else
                put_back(&state->node[r][f], node[f].rows, from, need[f], channels);
        }
    }
    return y_from;
}

// The furthest output row that Y, known up to `y_end`, settles.
static ptrdiff_t settled(const syrinx_stage *stage, ptrdiff_t y_end, ptrdiff_t length, bool eager,
                         ptrdiff_t done) {
    if (y_end >= length) return length;
    if (eager) return larger(done, y_end - reach_after(stage, true));
    ptrdiff_t grid = output_grid(stage), need[syrinx_stage_max_layers + 1];
    for (ptrdiff_t end = round_down(y_end, grid); end > done; end -= grid) {
        bool fits = true;
        for (int r = 0; r < stage->blocks && fits; r++) {
            needs_of(stage, r, end, length, false, need);
            fits = need[0] <= y_end;
        }
        if (fits) return end;
    }
    return done;
}

size_t syrinx_stage_step(const syrinx_stage *stage, syrinx_stage_state *state, const float *input,
                         ptrdiff_t input_stride, size_t rows, bool eager, bool last,
                         const syrinx_team *team, float *output, float *scratch) {
    size_t inputs = (size_t)stage->upsampler.conv.inputs, channels = (size_t)stage->channels;
    ptrdiff_t start = state->done;
    block_run run = {
        .stage = stage,
        .state = state,
        .team = team,
        .scratch = scratch,
        .scratch_size = conv_scratch(stage),
    };
    scratch += (team ? (size_t)team->threads : 1) * run.scratch_size;
    size_t buffer = work_rows(stage) * channels;
    run.y = scratch;
    for (int i = 0; i < work_buffers(stage); i++) run.work[i] = scratch + (size_t)(i + 1) * buffer;
    float *input_rows = scratch + (1 + (size_t)work_buffers(stage)) * buffer;

    do {
        size_t taken = rows < input_block(stage) ? rows : input_block(stage);
        bool ends = last && taken == rows;
        size_t held = (size_t)(state->input.end - state->input.begin);
        take_out(&state->input, input_rows, inputs);
        for (size_t i = 0; i < taken; i++)
            memcpy(input_rows + (held + i) * inputs, input + (ptrdiff_t)i * input_stride,
                   inputs * sizeof(float));
        input += (ptrdiff_t)taken * input_stride;
        rows -= taken;
        state->received += (ptrdiff_t)taken;
        ptrdiff_t length = ends ? state->received * stage->stride : PTRDIFF_MAX / 2;

        ptrdiff_t target = state->received;
        if (ends)
            target += stage->upsampler.conv.left;
        else if (!eager && stage->upsampler.conv.tile > 0)
            target = round_down(target, stage->upsampler.conv.tile);
        take_out(&state->y, run.y, channels);
        run.y_end = state->y.end;
        syrinx_view view = {input_rows, (ptrdiff_t)inputs, state->input.begin, state->received};
        upsample(&run, view, target);
        put_back(&state->input, input_rows, state->upsampled - stage->upsampler.conv.left,
                 state->received, inputs);

        ptrdiff_t end = settled(stage, run.y_end, length, eager, state->done);
        // Without progress, everything known of Y is kept.
        ptrdiff_t from = end > state->done ? PTRDIFF_MAX : state->y.begin;
        for (int r = 0; r < stage->blocks && end > state->done; r++)
            from = smaller(from, run_block(&run, r, end, length, eager,
                                           output + (state->done - start) * (ptrdiff_t)channels,
                                           r > 0));
        state->done = end;
        put_back(&state->y, run.y, from, smaller(run.y_end, length), channels);
    } while (rows > 0);
    return (size_t)(state->done - start);
}
