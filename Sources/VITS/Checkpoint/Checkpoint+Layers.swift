import ONNX
import Tensor

/// Layers made from a checkpoint, their shapes checked while they are loaded.
extension Checkpoint {
    /// The attributes of a convolution that decide its geometry.
    private struct Geometry {
        let weight: ONNXTensor
        let bias: ONNXTensor?
        let kernel: Int
        let stride: Int
        let dilation: Int
        let group: Int
        let pads: (Int, Int)
    }

    /// No layer of a speech model comes near these; they keep products of sizes from overflowing.
    private static let largestSize = 1 << 20

    /// Rows between the first and the last tap of a convolution: 72 in Piper's voices. What a stream
    /// keeps grows with it.
    private static let largestSpan = 2048

    private func geometry(_ name: String, opType: String) throws -> Geometry {
        let node = try convolutionNode(name)
        guard node.opType == opType else {
            throw VITSError.unsupported("a \(node.opType) node as layer \(name), where \(opType) belongs")
        }
        guard let weightValue = node.input(1) else { throw VITSError.missing("weight of layer \(name)") }
        let weight = try constant(weightValue)
        guard weight.dims.count == 3, weight.dims.allSatisfy({ $0 > 0 && $0 <= Self.largestSize }) else {
            throw VITSError.shape(tensor: weight.name, expected: [-1, -1, -1], actual: weight.dims)
        }
        if let sizes = try node.ints("kernel_shape"), sizes != [weight.dims[2]] {
            throw VITSError.unsupported(
                "kernel_shape \(sizes) with a kernel of \(weight.dims[2]) in layer \(name)")
        }
        let bias = try node.input(2).map { try constant($0) }
        func single(_ attribute: String, default value: Int) throws -> Int {
            guard let values = try node.ints(attribute) else { return value }
            guard values.count == 1, values[0] > 0, values[0] <= Self.largestSize else {
                throw VITSError.unsupported("\(attribute) \(values) in layer \(name)")
            }
            return values[0]
        }
        if let padding = try node.string("auto_pad"), padding != "NOTSET" {
            throw VITSError.unsupported("auto_pad \(padding) in layer \(name)")
        }
        let pads = try node.ints("pads") ?? [0, 0]
        guard pads.count == 2, pads.allSatisfy({ $0 >= 0 && $0 <= Self.largestSize }) else {
            throw VITSError.unsupported("pads \(pads) in layer \(name)")
        }
        for extra in try node.ints("output_padding") ?? [] where extra != 0 {
            throw VITSError.unsupported("output_padding \(extra) in layer \(name)")
        }
        return Geometry(
            weight: weight, bias: bias, kernel: weight.dims[2], stride: try single("strides", default: 1),
            dilation: try single("dilations", default: 1), group: try node.int("group") ?? 1,
            pads: (pads[0], pads[1]))
    }

    /// A stride-1 convolution that keeps the length.
    /// - Parameters:
    ///   - inputs, outputs, kernel: the sizes it must have, where they are known.
    ///   - layout: how the weights are read.
    ///   - hasPadNode: whether its padding may be a node of its own, and uneven.
    func convolution(
        _ name: String, inputs: Int? = nil, outputs: Int? = nil, kernel: Int? = nil,
        layout: Convolution.Layout = .init(), hasPadNode: Bool = false
    ) throws -> Convolution {
        let g = try geometry(name, opType: "Conv")
        guard g.stride == 1, g.group == 1 else {
            throw VITSError.unsupported("stride \(g.stride) and group \(g.group) in layer \(name)")
        }
        let span = (g.kernel - 1) * g.dilation
        let weight = try weights(of: g.weight, shape: [outputs ?? -1, inputs ?? -1, kernel ?? -1])
        let source = try convolutionNode(name).input(0)?.producer
        let isSeparate = hasPadNode && g.pads == (0, 0) && source?.opType == "Pad"
        guard isSeparate || g.pads.0 + g.pads.1 == span && (hasPadNode || g.pads.0 == g.pads.1),
            span <= Self.largestSpan
        else {
            throw VITSError.unsupported(
                "pads \(g.pads.0), \(g.pads.1) with kernel \(g.kernel) and dilation \(g.dilation) in layer \(name)"
            )
        }
        return Convolution(
            weight: weight, bias: try g.bias.map { try floats(of: $0, shape: [g.weight.dims[0]]) } ?? [],
            inputChannels: g.weight.dims[1], outputChannels: g.weight.dims[0],
            kernel: g.kernel, dilation: g.dilation, padding: isSeparate ? span / 2 : g.pads.0, layout: layout)
    }

    /// `[Cout, Cin, K]` of the convolution `name`.
    func weightShape(_ name: String) throws -> [Int] {
        try geometry(name, opType: "Conv").weight.dims
    }

    func transposedConvolution(_ name: String, inputs: Int, inputScale: Float = 1) throws
        -> TransposedConvolution
    {
        let g = try geometry(name, opType: "ConvTranspose")
        guard g.dilation == 1, g.group == 1, g.pads.0 == g.pads.1, g.kernel >= g.stride,
            2 * g.pads.0 <= g.kernel, g.stride <= 1024
        else {
            throw VITSError.unsupported(
                "kernel \(g.kernel), stride \(g.stride), dilation \(g.dilation), pads \(g.pads.0), \(g.pads.1) in layer \(name)"
            )
        }
        let bias = try g.bias.map { try floats(of: $0, shape: [g.weight.dims[1]]) } ?? []
        return TransposedConvolution(
            weight: try weights(of: g.weight, shape: [inputs, -1, -1]), bias: bias, inputChannels: inputs,
            outputChannels: g.weight.dims[1], kernel: g.kernel, stride: g.stride, padding: g.pads.0,
            inputScale: inputScale)
    }

    func depthwiseConvolution(_ name: String, channels: Int) throws -> DepthwiseConvolution {
        let g = try geometry(name, opType: "Conv")
        let span = (g.kernel - 1) * g.dilation
        guard g.group == channels, g.stride == 1, g.pads.0 == g.pads.1, 2 * g.pads.0 == span,
            span <= Self.largestSpan
        else {
            throw VITSError.unsupported(
                "group \(g.group), stride \(g.stride), pads \(g.pads.0), dilation \(g.dilation) in layer \(name)"
            )
        }
        let bias = try g.bias.map { try floats(of: $0, shape: [channels]) } ?? []
        return DepthwiseConvolution(
            weight: try floats(of: g.weight, shape: [channels, 1, -1]), bias: bias, channels: channels,
            kernel: g.kernel, dilation: g.dilation)
    }

    func layerNorm(_ name: String, channels: Int) throws -> LayerNorm {
        LayerNorm(
            gain: try floats("\(name).gamma", shape: [channels]),
            bias: try floats("\(name).beta", shape: [channels]))
    }

    /// The layer that turns a speaker's embedding into a bias; nil for a voice with one speaker.
    func condition(_ name: String, conditioning: Int?, outputs: Int) throws -> Convolution? {
        guard let conditioning else { return nil }
        // Some voices have speakers that a part takes no notice of; then it has no tensors either.
        guard hasConvolution(name) || tensor(named: "\(name).bias") != nil else { return nil }
        return try convolution(name, inputs: conditioning, outputs: outputs, kernel: 1)
    }

    /// The table in which the model's input `name` is looked up.
    /// - Parameter fallback: what it is called where the graph does not look it up by itself.
    func table(of name: String, orNamed fallback: String) throws(VITSError) -> ONNXTensor {
        let lookup = model.value(name)?.consumers.first { $0.opType == "Gather" && $0.inputs.count == 2 }
        if let table = lookup?.inputs[0] { return try constant(table) }
        return try named(fallback)
    }

    /// Layers are numbered from 0 without gaps, and there is one at least.
    func requireGapless(_ indices: [Int], _ prefix: String) throws(VITSError) {
        let gap = indices.indices.first { indices[$0] != $0 } ?? (indices.isEmpty ? 0 : nil)
        if let gap { throw .missing("layer \(prefix).\(gap)") }
    }
}
