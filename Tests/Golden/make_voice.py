#!/usr/bin/env python3
"""Builds a voice of any shape, with random weights, that loads wherever a Piper voice does.

Usage: make_voice.py OUT.onnx [--preset NAME] [--OPTION VALUE ...]
       make_voice.py --shapes DIR       every small preset, as DIR/NAME.onnx
       make_voice.py --list             the presets
Needs: pip install onnx numpy

The graph is VITS as published (Kim et al. 2021, "Conditional Variational Autoencoder with
Adversarial Learning for End-to-End Text-to-Speech"; decoder: Kong et al. 2020, "HiFi-GAN"), in
inference, for a batch of one, in plain ONNX of opset 15. Tensors, inputs and the nodes that
make_golden.py looks for are called what Piper's exporter calls them; the flow's weights have
anonymous names there, and here. The formulas are written out anew where ONNX allows a shorter way
(relative attention by gathering, the spline without a mask), so a voice from this script and
one from Piper agree in the numbers and not in the nodes.

The same options and seed give the same file. Weights are scaled so that an id lasts a few frames
and the audio does not saturate; it sounds of nothing.
"""
import argparse
import json
import math
import pathlib

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

DEFAULTS = dict(
    hidden=16, inter=16, filter=32, heads=2, layers=2, window=4, per_head=False, ffn_kernel=3,
    symbols=256, sample_rate=22050, speakers=1, gin=12,
    duration="sdp", dp_filter=0, dp_flows=4, dp_kernel=3, dp_layers=3, dp_bins=10,
    couplings=4, wn_layers=4, wn_kernel=5, wn_dilation=1, logs=False,
    resblock=2, kernels="3,5,7", dilations="1,2;2,6;3,12",
    ups="8,8,4", up_kernels="16,16,8", initial=32, pre_kernel=7, post_kernel=7, seed=1,
)
RESBLOCK1 = dict(resblock=1, kernels="3,7,11", dilations="1,3,5;1,3,5;1,3,5")
HIGH = dict(**RESBLOCK1, ups="8,8,2,2", up_kernels="16,16,4,4")

# What is stored in shapes/: as small as shows the shape.
SMALL = dict(hidden=8, inter=8, filter=16, wn_layers=2, dp_flows=3, initial=16)
SHAPES = {name: {**SMALL, **options} for name, options in {
    "multi-resblock1": dict(**RESBLOCK1, speakers=7, gin=8, ups="4,4,2", up_kernels="8,8,4"),
    "plain": dict(duration="plain"),
    "plain-multi": dict(duration="plain", speakers=3, gin=6, dp_filter=12),
    "hop512": dict(ups="8,8,4,2", up_kernels="16,16,8,4"),
    "three-heads": dict(hidden=18, heads=3, layers=3, couplings=2),
    "x-low": dict(hidden=12, inter=12, filter=48, layers=3, dp_flows=4, initial=32, sample_rate=16000),
    "per-head-tables": dict(per_head=True, window=2, hidden=12, layers=3),
    "odd-couplings": dict(couplings=3, wn_layers=3, wn_kernel=3, wn_dilation=2),
    "one-coupling-multi": dict(couplings=1, speakers=3, initial=8, ups="5,3,2", up_kernels="11,7,4"),
    "symbols130": dict(symbols=130, layers=1, heads=1, window=6),
    "mean-and-logs": dict(logs=True, speakers=4, gin=5, couplings=3),
    "odd-channels": dict(hidden=15, heads=3, inter=10, filter=21, initial=24, dp_bins=7, dp_flows=2),
    "even-kernel": dict(ffn_kernel=4, dp_kernel=5, wn_kernel=7, kernels="3,11", dilations="1,3;1,5"),
}.items()}
# Full size, for benchmarks.
FULL = dict(hidden=192, inter=192, filter=768, layers=6, initial=256, gin=512)
BIG = {
    "medium": FULL,
    "low": {**FULL, "sample_rate": 16000},
    "high": {**FULL, **HIGH, "initial": 512},
    "high-multi": {**FULL, **HIGH, "initial": 512, "speakers": 904},
    "x_low": {**FULL, "hidden": 96, "inter": 96, "filter": 384, "sample_rate": 16000},
}
TINY = {"tiny-medium": {}, "tiny-high": {**HIGH, "initial": 48}}
PRESETS = {**SHAPES, **BIG, **TINY}


class Graph:
    """Nodes and tensors with the exporter's names."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.nodes, self.tensors, self.counts = [], [], {}
        self.anonymous = 6000

    def node(self, op, inputs, scope, outputs=1, **attributes):
        path = f"{scope}/{op}"
        n = self.counts[path] = self.counts.get(path, -1) + 1
        name = path if n == 0 else f"{path}_{n}"
        results = [f"{name}_output_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(op, inputs, results, name=name, **attributes))
        return results[0] if outputs == 1 else results

    def constant(self, value, scope, dtype=np.float32):
        tensor = numpy_helper.from_array(np.asarray(value, dtype=dtype))
        return self.node("Constant", [], scope, value=tensor)

    def ints(self, value, scope):
        return self.constant(value, scope, np.int64)

    def tensor(self, name, value):
        self.tensors.append(numpy_helper.from_array(np.ascontiguousarray(value, np.float32), name))
        return name

    def normal(self, *shape, std=1.0, mean=0.0):
        return self.random.standard_normal(shape, dtype=np.float32) * np.float32(std) + np.float32(mean)

    def conv(self, x, name, outputs, inputs, kernel=1, dilation=1, group=1, pads=None, gain=1.0, bias=0.1,
             mean=0.0, anonymous=False, stride=None):
        """The convolution `name`, transposed where there is a stride; no bias where that is None."""
        transposed = stride is not None
        shape = (inputs, outputs // group, kernel) if transposed else (outputs, inputs // group, kernel)
        fan = inputs // group * kernel / (stride or 1)
        weight = f"{name}.weight"
        if anonymous:
            weight = f"onnx::Conv_{self.anonymous}"
            self.anonymous += 3
        feed = [x, self.tensor(weight, self.normal(*shape, std=gain / math.sqrt(fan)))]
        if bias is not None:
            feed.append(self.tensor(f"{name}.bias", self.normal(outputs, std=bias, mean=mean)))
        if pads is None:
            side = (kernel - (stride or 1)) // 2 if transposed else (kernel - 1) * dilation // 2
            pads = [side, side]
        return self.node(
            "ConvTranspose" if transposed else "Conv", feed, scope_of(name), dilations=[dilation], group=group,
            kernel_shape=[kernel], pads=pads, strides=[stride or 1])

    def layer_norm(self, x, name, channels):
        """Over the channels of [1, C, T]."""
        scope = scope_of(name)
        y = self.node("Transpose", [x], scope, perm=[0, 2, 1])
        centred = self.node("Sub", [y, self.node("ReduceMean", [y], scope, axes=[-1])], scope)
        square = self.node("Mul", [centred, centred], scope)
        variance = self.node("ReduceMean", [square], scope, axes=[-1])
        epsilon = self.constant(1e-5, scope)
        root = self.node("Sqrt", [self.node("Add", [variance, epsilon], scope)], scope)
        y = self.node("Div", [centred, root], scope)
        gamma = self.tensor(f"{name}.gamma", self.normal(channels, std=0.1, mean=1))
        beta = self.tensor(f"{name}.beta", self.normal(channels, std=0.1))
        y = self.node("Add", [self.node("Mul", [y, gamma], scope), beta], scope)
        return self.node("Transpose", [y], scope, perm=[0, 2, 1])

    def gelu(self, x, scope):
        y = self.node("Div", [x, self.constant(math.sqrt(2), scope)], scope)
        y = self.node("Add", [self.node("Erf", [y], scope), self.constant(1, scope)], scope)
        return self.node("Mul", [self.node("Mul", [x, y], scope), self.constant(0.5, scope)], scope)

    def slice(self, x, start, end, axis, scope, step=1):
        return self.node("Slice", [x] + [self.ints([v], scope) for v in (start, end, axis, step)], scope)

    def length(self, x, axis, scope):
        """The size of an axis, as a scalar."""
        return self.node("Gather", [self.node("Shape", [x], scope), self.ints(axis, scope)], scope, axis=0)

    def range(self, size, scope):
        return self.node("Range", [self.ints(0, scope), size, self.ints(1, scope)], scope)

    def column(self, x, scope):
        return self.node("Unsqueeze", [x, self.ints([1], scope)], scope)


def scope_of(name):
    """'dec.resblocks.0.convs.1' as '/dec/resblocks.0/convs.1': a number stays with what it counts."""
    parts = []
    for part in name.split("."):
        if part.isdigit():
            parts[-1] += "." + part
        else:
            parts.append(part)
    return "/" + "/".join(parts)


def text_encoder(g, o):
    """[1, T] ids to x [1, H, T] and m_p, logs_p [1, C, T]."""
    table = g.tensor("enc_p.emb.weight", g.normal(o.symbols, o.hidden, std=o.hidden ** -0.5))
    x = g.node("Gather", [table, "input"], "/enc_p/emb")
    x = g.node("Mul", [x, g.constant(math.sqrt(o.hidden), "/enc_p")], "/enc_p")
    x = g.node("Transpose", [x], "/enc_p", perm=[0, 2, 1])
    scope = "/enc_p/encoder"
    steps = g.range(g.length(x, 2, scope), scope)
    # j - i, [T, T], and i + place - window, [T, 2·window + 1].
    distance = g.node("Sub", [steps, g.column(steps, scope)], scope)
    places = g.ints(np.arange(2 * o.window + 1) - o.window, scope)
    target = g.node("Add", [g.column(steps, scope), places], scope)
    last = g.node("Sub", [g.length(x, 2, scope), g.ints(1, scope)], scope)

    def clipped(index, low, high):
        """The index inside its limits, as [1, heads, ...], and 1 where it was there before."""
        inside = g.node("Max", [g.node("Min", [index, high], scope), low], scope)
        valid = g.node("Cast", [g.node("Equal", [inside, index], scope)], scope, to=TensorProto.FLOAT)
        shape = g.node("Concat", [g.ints([1, o.heads], scope), g.node("Shape", [index], scope)], scope, axis=0)
        return g.node("Expand", [inside, shape], scope), valid

    place_of = clipped(
        g.node("Add", [distance, g.ints(o.window, scope)], scope), g.ints(0, scope), g.ints(2 * o.window, scope))
    row_of = clipped(target, g.ints(0, scope), last)
    for i in range(o.layers):
        y = attention(g, o, x, f"enc_p.encoder.attn_layers.{i}", place_of, row_of)
        x = g.layer_norm(g.node("Add", [x, y], scope), f"enc_p.encoder.norm_layers_1.{i}", o.hidden)
        name = f"enc_p.encoder.ffn_layers.{i}"
        y = x
        for j, (inputs, outputs) in enumerate([(o.hidden, o.filter), (o.filter, o.hidden)]):
            pads = [0, 0, (o.ffn_kernel - 1) // 2, 0, 0, o.ffn_kernel // 2]
            if o.ffn_kernel > 1:
                y = g.node("Pad", [y, g.ints(pads, scope_of(name))], scope_of(name), mode="constant")
            y = g.conv(y, f"{name}.conv_{j + 1}", outputs, inputs, o.ffn_kernel, pads=[0, 0], gain=1.4 - 0.4 * j)
            if j == 0:
                y = g.node("Relu", [y], scope_of(name))
        x = g.layer_norm(g.node("Add", [x, y], scope), f"enc_p.encoder.norm_layers_2.{i}", o.hidden)
    statistics = g.conv(x, "enc_p.proj", 2 * o.inter, o.hidden, gain=0.7)
    sizes = g.ints([o.inter, o.inter], "/enc_p")
    m, logs = g.node("Split", [statistics, sizes], "/enc_p", outputs=2, axis=1)
    return x, m, logs


def attention(g, o, x, name, place_of, row_of):
    scope = scope_of(name)
    size = o.hidden // o.heads

    def headed(part, gain):
        y = g.conv(x, f"{name}.conv_{part}", o.hidden, o.hidden, gain=gain)
        y = g.node("Reshape", [y, g.ints([1, o.heads, size, -1], scope)], scope)
        return g.node("Transpose", [y], scope, perm=[0, 1, 3, 2])

    q, k, v = headed("q", 1.5), headed("k", 1.5), headed("v", 1)
    q = g.node("Div", [q, g.constant(math.sqrt(size), scope)], scope)
    tables = o.heads if o.per_head else 1
    shape = (tables, 2 * o.window + 1, size)
    key = g.tensor(f"{name}.emb_rel_k", g.normal(*shape, std=size ** -0.5))
    value = g.tensor(f"{name}.emb_rel_v", g.normal(*shape, std=size ** -0.5))
    scores = g.node("MatMul", [q, g.node("Transpose", [k], scope, perm=[0, 1, 3, 2])], scope)
    relative = g.node("MatMul", [q, g.node("Transpose", [key], scope, perm=[0, 2, 1])], scope)
    relative = g.node("GatherElements", [relative, place_of[0]], scope, axis=3)
    scores = g.node("Add", [scores, g.node("Mul", [relative, place_of[1]], scope)], scope)
    p = g.node("Softmax", [scores], scope, axis=3)
    y = g.node("MatMul", [p, v], scope)
    near = g.node("Mul", [g.node("GatherElements", [p, row_of[0]], scope, axis=3), row_of[1]], scope)
    y = g.node("Add", [y, g.node("MatMul", [near, value], scope)], scope)
    y = g.node("Transpose", [y], scope, perm=[0, 1, 3, 2])
    y = g.node("Reshape", [y, g.ints([1, o.hidden, -1], scope)], scope)
    return g.conv(y, f"{name}.conv_o", o.hidden, o.hidden)


def separable_stack(g, o, x, name, channels):
    """DDSConv: dilated depthwise and pointwise convolutions."""
    scope = scope_of(name)
    for i in range(o.dp_layers):
        dilation = o.dp_kernel ** i
        y = g.conv(x, f"{name}.convs_sep.{i}", channels, channels, o.dp_kernel, dilation, group=channels)
        y = g.gelu(g.layer_norm(y, f"{name}.norms_1.{i}", channels), scope)
        y = g.conv(y, f"{name}.convs_1x1.{i}", channels, channels)
        y = g.gelu(g.layer_norm(y, f"{name}.norms_2.{i}", channels), scope)
        x = g.node("Add", [x, y], scope)
    return x


def condition(g, x, speaker, name, channels, o, anonymous=False):
    if speaker is None:
        return x
    return g.node(
        "Add", [x, g.conv(speaker, name, channels, o.gin, gain=0.5, anonymous=anonymous)], scope_of(name))


def stochastic_durations(g, o, x, speaker):
    channels = o.dp_filter or o.hidden
    h = condition(g, g.conv(x, "dp.pre", channels, o.hidden), speaker, "dp.cond", channels, o)
    context = g.conv(separable_stack(g, o, h, "dp.convs", channels), "dp.proj", channels, channels)
    like = g.node("Slice", [x] + [g.ints([v], "/dp") for v in (0, 1, 1)], "/dp")
    like = g.node("Concat", [like, like], "/dp", axis=1)
    z = g.node("RandomNormalLike", [like], "/dp", mean=0.0, scale=1.0)
    z = g.node("Mul", [z, "/Gather_2_output_0"], "/dp")

    def flip(z, index):
        return g.slice(z, -1, -(2 ** 31), 1, f"/dp/flows.{index}", step=-1)

    # The first spline flow takes no part backwards.
    for i in reversed(range(1, o.dp_flows)):
        index = 2 * i + 1
        z = spline_flow(g, o, flip(z, index + 1), context, f"dp.flows.{index}", channels)
    z = flip(z, 2)
    shift = g.tensor("dp.flows.0.m", np.array([[-1.6], [0.3]]))
    scale = g.tensor(f"onnx::Exp_{g.anonymous}", np.array([[-0.6], [0.1]]))
    z = g.node("Sub", [z, shift], "/dp/flows.0")
    z = g.node("Mul", [z, g.node("Exp", [scale], "/dp/flows.0")], "/dp/flows.0")
    return g.slice(z, 0, 1, 1, "/dp")


def spline_flow(g, o, z, context, name, channels):
    """A rational-quadratic spline, backwards (Durkan et al. 2019, "Neural Spline Flows")."""
    scope = scope_of(name)
    bins, bound, least = o.dp_bins, 5.0, 1e-3
    first, second = (g.slice(z, i, i + 1, 1, scope) for i in (0, 1))
    h = g.node("Add", [g.conv(first, f"{name}.pre", channels, 1), context], scope)
    h = separable_stack(g, o, h, f"{name}.convs", channels)
    h = g.conv(h, f"{name}.proj", 3 * bins - 1, channels, gain=1.0)
    h = g.node("Transpose", [h], scope, perm=[0, 2, 1])
    v = g.node("Transpose", [second], scope, perm=[0, 2, 1])

    def add(a, b):
        return g.node("Add", [a, b], scope)

    def sub(a, b):
        return g.node("Sub", [a, b], scope)

    def mul(a, b):
        return g.node("Mul", [a, b], scope)

    def number(x):
        return g.constant(x, scope)

    def knots(start):
        y = g.slice(h, start, start + bins, 2, scope)
        y = g.node("Softmax", [g.node("Div", [y, number(math.sqrt(channels))], scope)], scope, axis=2)
        y = add(mul(y, number(1 - least * bins)), number(least))
        y = g.node("CumSum", [y, g.ints(2, scope)], scope)
        y = sub(mul(y, number(2 * bound)), number(bound))
        # The ends are the bounds, whatever the sum's rounding.
        inner = g.slice(y, 0, bins - 1, 2, scope)
        pads = [g.ints(p, scope) for p in ([0, 0, 1, 0, 0, 0], [0, 0, 0, 0, 0, 1])]
        y = g.node("Pad", [inner, pads[0], number(-bound)], scope, mode="constant")
        return g.node("Pad", [y, pads[1], number(bound)], scope, mode="constant")

    x_knots, y_knots = knots(0), knots(bins)
    slopes = g.node("Softplus", [g.slice(h, 2 * bins, 3 * bins - 1, 2, scope)], scope)
    slopes = g.node(
        "Pad", [add(slopes, number(least)), g.ints([0, 0, 1, 0, 0, 1], scope), number(1)], scope, mode="constant")
    above = g.node("GreaterOrEqual", [v, g.slice(y_knots, 1, bins, 2, scope)], scope)
    above = g.node("Cast", [above], scope, to=TensorProto.INT64)
    bin_index = g.node("ReduceSum", [above, g.ints([2], scope)], scope, keepdims=1)
    next_index = add(bin_index, g.ints(1, scope))

    def ends(values):
        return [g.node("GatherElements", [values, i], scope, axis=2) for i in (bin_index, next_index)]

    (x0, x1), (y0, y1), (d0, d1) = ends(x_knots), ends(y_knots), ends(slopes)
    width, height, rise = sub(x1, x0), sub(y1, y0), sub(v, y0)
    ratio = g.node("Div", [height, width], scope)
    curve = mul(rise, sub(add(d0, d1), mul(number(2), ratio)))
    a = add(curve, mul(height, sub(ratio, d0)))
    b = sub(mul(height, d0), curve)
    c = g.node("Neg", [mul(ratio, rise)], scope)
    root = g.node("Sqrt", [g.node("Relu", [sub(mul(b, b), mul(number(4), mul(a, c)))], scope)], scope)
    root = g.node("Div", [mul(number(2), c), sub(g.node("Neg", [b], scope), root)], scope)
    inside = g.node("LessOrEqual", [g.node("Abs", [v], scope), number(bound)], scope)
    y = g.node("Where", [inside, add(mul(root, width), x0), v], scope)
    y = g.node("Transpose", [y], scope, perm=[0, 2, 1])
    return g.node("Concat", [first, y], scope, axis=1)


def plain_durations(g, o, x, speaker):
    channels = o.dp_filter or o.hidden
    x = condition(g, x, speaker, "dp.cond", o.hidden, o)
    for i, inputs in enumerate([o.hidden, channels]):
        x = g.node("Relu", [g.conv(x, f"dp.conv_{i + 1}", channels, inputs, o.dp_kernel, gain=1.4)], "/dp")
        x = g.layer_norm(x, f"dp.norm_{i + 1}", channels)
    return g.conv(x, "dp.proj", 1, channels, gain=0.6, bias=0.01, mean=1.0)


def coupling(g, o, x, speaker, name):
    scope = scope_of(name)
    half, hidden = o.inter // 2, o.hidden
    first, second = g.node("Split", [x, g.ints([half, half], scope)], scope, outputs=2, axis=1)
    h = g.conv(first, f"{name}.pre", hidden, half)
    total = None
    gate = None
    if speaker is not None:
        gate = g.conv(
            speaker, f"{name}.enc.cond_layer", 2 * hidden * o.wn_layers, o.gin, gain=0.5, anonymous=True)
    for i in range(o.wn_layers):
        inner = f"{scope}/enc"
        y = g.conv(
            h, f"{name}.enc.in_layers.{i}", 2 * hidden, hidden, o.wn_kernel, o.wn_dilation ** i, anonymous=True)
        if gate is not None:
            y = g.node("Add", [y, g.slice(gate, 2 * hidden * i, 2 * hidden * (i + 1), 1, inner)], inner)
        t = g.node("Tanh", [g.slice(y, 0, hidden, 1, inner)], inner)
        s = g.node("Sigmoid", [g.slice(y, hidden, 2 * hidden, 1, inner)], inner)
        is_last = i == o.wn_layers - 1
        y = g.conv(
            g.node("Mul", [t, s], inner), f"{name}.enc.res_skip_layers.{i}", hidden if is_last else 2 * hidden,
            hidden, anonymous=True)
        if not is_last:
            h = g.node("Add", [h, g.slice(y, 0, hidden, 1, inner)], inner)
            y = g.slice(y, hidden, 2 * hidden, 1, inner)
        total = y if total is None else g.node("Add", [total, y], inner)
    y = g.conv(total, f"{name}.post", half * (2 if o.logs else 1), hidden, gain=0.5)
    if o.logs:
        mean, logs = g.node("Split", [y, g.ints([half, half], scope)], scope, outputs=2, axis=1)
        second = g.node("Sub", [second, mean], scope)
        second = g.node("Mul", [second, g.node("Exp", [g.node("Neg", [logs], scope)], scope)], scope)
    else:
        second = g.node("Sub", [second, y], scope)
    return g.node("Concat", [first, second], scope, axis=1)


def decoder(g, o, z, speaker):
    kernels = [int(k) for k in o.kernels.split(",")]
    dilations = [[int(d) for d in part.split(",")] for part in o.dilations.split(";")]
    ups = [int(u) for u in o.ups.split(",")]
    up_kernels = [int(k) for k in o.up_kernels.split(",")]
    x = g.conv(z, "dec.conv_pre", o.initial, o.inter, o.pre_kernel)
    x = condition(g, x, speaker, "dec.cond", o.initial, o)

    def activated(x, scope, slope=0.1):
        return g.node("LeakyRelu", [x], scope, alpha=slope)

    channels = o.initial
    for i, (stride, kernel) in enumerate(zip(ups, up_kernels)):
        x = g.conv(
            activated(x, "/dec"), f"dec.ups.{i}", channels // 2, channels, kernel, stride=stride, gain=1.4)
        channels //= 2
        total = None
        for j, (size, steps) in enumerate(zip(kernels, dilations)):
            name = f"dec.resblocks.{i * len(kernels) + j}"
            scope = scope_of(name)
            y = x
            for n, dilation in enumerate(steps):
                part = "convs" if o.resblock == 2 else "convs1"
                h = g.conv(
                    activated(y, scope), f"{name}.{part}.{n}", channels, channels, size, dilation, gain=0.7)
                if o.resblock == 1:
                    h = g.conv(activated(h, scope), f"{name}.convs2.{n}", channels, channels, size)
                y = g.node("Add", [h, y], scope)
            total = y if total is None else g.node("Add", [total, y], "/dec")
        x = g.node("Div", [total, g.constant(len(kernels), "/dec")], "/dec")
    x = g.conv(
        activated(x, "/dec", 0.01), "dec.conv_post", 1, channels, o.post_kernel, bias=None,
        gain=0.35 / len(ups))
    return g.node("Tanh", [x], "/dec")


def voice(o):
    """The model of options `o`."""
    g = Graph(o.seed)
    scales = [g.node("Gather", ["scales", g.ints(i, "")], "", axis=0) for i in range(3)]
    x, m, logs = text_encoder(g, o)
    speaker = None
    if o.speakers > 1:
        table = g.tensor("emb_g.weight", g.normal(o.speakers, o.gin))
        speaker = g.node("Gather", [table, "sid"], "/emb_g")
        speaker = g.node("Unsqueeze", [speaker, g.ints([-1], "")], "")
    durations = stochastic_durations if o.duration == "sdp" else plain_durations
    logw = durations(g, o, x, speaker)
    w = g.node("Mul", [g.node("Exp", [logw], ""), scales[1]], "")
    w = g.node("Ceil", [w], "")
    # Which frame belongs to which id, [1, Ty, Tx].
    ends = g.node("CumSum", [w, g.ints(2, "")], "")
    starts = g.node("Sub", [ends, w], "")
    frames = g.node("ReduceSum", [w], "", keepdims=0)
    frames = g.node("Cast", [g.node("Max", [frames, g.constant(1, "")], "")], "", to=TensorProto.INT64)
    frame = g.node("Cast", [g.column(g.range(frames, ""), "")], "", to=TensorProto.FLOAT)
    path = g.node("And", [g.node("Less", [frame, ends], ""), g.node("GreaterOrEqual", [frame, starts], "")], "")
    path = g.node("Cast", [path], "", to=TensorProto.FLOAT)
    path = g.node("Transpose", [path], "", perm=[0, 2, 1])
    m, logs = (g.node("MatMul", [value, path], "") for value in (m, logs))
    noise = g.node("RandomNormalLike", [m], "", mean=0.0, scale=1.0)
    noise = g.node("Mul", [noise, g.node("Exp", [logs], "")], "")
    z = g.node("Add", [m, g.node("Mul", [noise, scales[0]], "")], "")
    for i in reversed(range(o.couplings)):
        z = g.slice(z, -1, -(2 ** 31), 1, f"/flow/flows.{2 * i + 1}", step=-1)
        z = coupling(g, o, z, speaker, f"flow.flows.{2 * i}")
    audio = decoder(g, o, z, speaker)
    g.nodes.append(helper.make_node(
        "Unsqueeze", [audio, g.ints([1], "")], ["output"], name="/Unsqueeze_output"))
    inputs = [
        helper.make_tensor_value_info("input", TensorProto.INT64, ["batch_size", "phonemes"]),
        helper.make_tensor_value_info("input_lengths", TensorProto.INT64, ["batch_size"]),
        helper.make_tensor_value_info("scales", TensorProto.FLOAT, [3]),
    ]
    if o.speakers > 1:
        inputs.append(helper.make_tensor_value_info("sid", TensorProto.INT64, ["batch_size"]))
    outputs = [helper.make_tensor_value_info("output", TensorProto.FLOAT, ["batch_size", 1, 1, "time"])]
    graph = helper.make_graph(g.nodes, "main_graph", inputs, outputs, g.tensors)
    return helper.make_model(
        graph, producer_name="make_voice", ir_version=8, opset_imports=[helper.make_opsetid("", 15)])


def configuration(o, name):
    """The .onnx.json beside it, with the phoneme map that Piper voices share."""
    shared = pathlib.Path(__file__).parent / "voices/tiny-medium.onnx.json"
    template = json.loads(shared.read_text())
    template["audio"] = {"sample_rate": o.sample_rate, "quality": name}
    template["phoneme_id_map"] = {
        p: ids for p, ids in template["phoneme_id_map"].items() if max(ids) < o.symbols}
    template["num_symbols"] = o.symbols
    template["num_speakers"] = o.speakers
    template["speaker_id_map"] = {f"speaker{i}": i for i in range(o.speakers)} if o.speakers > 1 else {}
    template["dataset"] = name
    return template


def write(o, path):
    path.write_bytes(voice(o).SerializeToString(deterministic=True))
    pathlib.Path(f"{path}.json").write_text(json.dumps(configuration(o, path.stem), ensure_ascii=False))
    print(path, path.stat().st_size, "bytes")


def main():
    parser = argparse.ArgumentParser(description="Builds a Piper-compatible voice with random weights.")
    parser.add_argument("out", nargs="?", type=pathlib.Path, metavar="OUT.onnx")
    parser.add_argument("--preset", choices=sorted(PRESETS))
    parser.add_argument("--shapes", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--list", action="store_true")
    for name, value in DEFAULTS.items():
        flag = "--" + name.replace("_", "-")
        if isinstance(value, bool):
            parser.add_argument(flag, action="store_true", default=None)
        else:
            parser.add_argument(flag, type=type(value), help=f"default: {value}")
    given = parser.parse_args()
    if given.list:
        for name, options in PRESETS.items():
            print(name, " ".join(f"{k}={v}" for k, v in options.items()))
        return
    if given.shapes:
        given.shapes.mkdir(parents=True, exist_ok=True)
        for name, options in SHAPES.items():
            write(argparse.Namespace(**{**DEFAULTS, **options}), given.shapes / f"{name}.onnx")
        return
    if not given.out:
        parser.error("OUT.onnx is missing")
    chosen = {k: v for k, v in vars(given).items() if k in DEFAULTS and v is not None}
    write(argparse.Namespace(**{**DEFAULTS, **PRESETS.get(given.preset, {}), **chosen}), given.out)


if __name__ == "__main__":
    main()
