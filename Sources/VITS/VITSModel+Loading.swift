import Glibc
import ONNX
import Tensor

extension VITSModel {
    init(_ checkpoint: Checkpoint, execution: Execution) throws {
        self.execution = execution
        let encoder = try TextEncoder(checkpoint)
        textEncoder = encoder
        speakerEmbedding = try SpeakerEmbedding(checkpoint)
        let conditioning = speakerEmbedding?.channels
        durationPredictor = try DurationPredictor(checkpoint, hidden: encoder.hidden, conditioning: conditioning)
        couplings = try Coupling.all(checkpoint, latent: encoder.latent, conditioning: conditioning)
        decoder = try Decoder(checkpoint, latent: encoder.latent, conditioning: conditioning)
        // A stream is sized for its largest step.
        guard lookahead <= Self.largestLookahead, decoder.largestRow * largestStep.decoder <= Self.largestWindow else {
            throw VITSError.unsupported("layers that look \(lookahead) frames ahead")
        }
    }

    /// Frames; full-size voices look some 45 ahead.
    private static let largestLookahead = 1024

    /// Numbers of a stream's largest signal in one step; a full-size voice has a million.
    private static let largestWindow = 1 << 23
}

extension VITSModel.SpeakerEmbedding {
    /// Nil where the graph takes no speaker, whatever the voice's configuration says.
    init?(_ checkpoint: Checkpoint) throws {
        guard checkpoint.model.inputs.contains(where: { $0.name == "sid" && checkpoint.tensor(named: "sid") == nil })
        else { return nil }
        let lookup = checkpoint.consumers(of: "sid").first { $0.opType == "Gather" && $0.inputs.count == 2 }
        let tensor = try checkpoint.named(lookup?.inputs[0] ?? "emb_g.weight")
        table = try checkpoint.floats(of: tensor, shape: [-1, -1])
        speakers = tensor.dims[0]
        channels = tensor.dims[1]
    }
}

extension TextEncoder {
    init(_ checkpoint: Checkpoint) throws {
        guard let input = checkpoint.model.inputs.first(where: { checkpoint.tensor(named: $0.name) == nil }) else {
            throw VITSError.missing("input for phoneme ids")
        }
        // Old exporters call the table by other names, even "sid": it is what the ids look up.
        let lookup = checkpoint.consumers(of: input.name).first { $0.opType == "Gather" && $0.inputs.count == 2 }
        let table = try checkpoint.named(lookup?.inputs[0] ?? "enc_p.emb.weight")
        let weights = try checkpoint.floats(of: table, shape: [-1, -1])
        symbols = table.dims[0]
        hidden = table.dims[1]
        let scale = Float(hidden).squareRoot()
        embedding = weights.map { $0 * scale }
        let hidden = self.hidden
        let indices = checkpoint.indices("enc_p.encoder.attn_layers", "conv_q")
        try checkpoint.requireGapless(indices, "enc_p.encoder.attn_layers")
        layers = try indices.map { try Layer(checkpoint, index: $0, hidden: hidden) }
        projection = try checkpoint.convolution("enc_p.proj", inputs: hidden, kernel: 1)
        guard projection.outputChannels % 2 == 0 else {
            throw VITSError.unsupported("an odd number of channels in layer enc_p.proj")
        }
    }
}

extension TextEncoder.Layer {
    init(_ checkpoint: Checkpoint, index: Int, hidden: Int) throws {
        let prefix = "enc_p.encoder.attn_layers.\(index)"
        let keyTable = try checkpoint.named("\(prefix).emb_rel_k")
        let relativeKey = try checkpoint.floats(of: keyTable, shape: [-1, -1, -1])
        let relativeValue = try checkpoint.floats("\(prefix).emb_rel_v", shape: keyTable.dims)
        let (tables, places, headChannels) = (keyTable.dims[0], keyTable.dims[1], keyTable.dims[2])
        guard hidden % headChannels == 0, places % 2 == 1, tables == 1 || tables == hidden / headChannels else {
            throw VITSError.shape(tensor: keyTable.name, expected: [1, -1, hidden / max(1, hidden / headChannels)], actual: keyTable.dims)
        }
        attention = RelativeAttention(
            heads: hidden / headChannels, headChannels: headChannels, window: places / 2,
            relativeKey: relativeKey, relativeValue: relativeValue)
        func projection(_ name: String, scale: Float = 1) throws -> Convolution {
            try checkpoint.convolution(
                "\(prefix).\(name)", inputs: hidden, outputs: hidden, kernel: 1, layout: .init(resultScale: scale))
        }
        query = try projection("conv_q", scale: 1 / Float(headChannels).squareRoot())
        key = try projection("conv_k")
        value = try projection("conv_v")
        output = try checkpoint.convolution("\(prefix).conv_o", inputs: hidden, outputs: hidden, kernel: 1)
        attentionNorm = try checkpoint.layerNorm("enc_p.encoder.norm_layers_1.\(index)", channels: hidden)
        expand = try checkpoint.convolution(
            "enc_p.encoder.ffn_layers.\(index).conv_1", inputs: hidden, hasPadNode: true)
        contract = try checkpoint.convolution(
            "enc_p.encoder.ffn_layers.\(index).conv_2", inputs: expand.outputChannels, outputs: hidden,
            hasPadNode: true)
        feedForwardNorm = try checkpoint.layerNorm("enc_p.encoder.norm_layers_2.\(index)", channels: hidden)
    }
}

extension DurationPredictor {
    init(_ checkpoint: Checkpoint, hidden: Int, conditioning: Int?) throws {
        if checkpoint.hasConvolution("dp.conv_1") {
            self = .plain(try PlainDurationPredictor(checkpoint, hidden: hidden, conditioning: conditioning))
        } else {
            self = .stochastic(
                try StochasticDurationPredictor(checkpoint, hidden: hidden, conditioning: conditioning))
        }
    }
}

extension PlainDurationPredictor {
    init(_ checkpoint: Checkpoint, hidden: Int, conditioning: Int?) throws {
        first = try checkpoint.convolution("dp.conv_1", inputs: hidden)
        firstNorm = try checkpoint.layerNorm("dp.norm_1", channels: first.outputChannels)
        second = try checkpoint.convolution("dp.conv_2", inputs: first.outputChannels)
        secondNorm = try checkpoint.layerNorm("dp.norm_2", channels: second.outputChannels)
        projection = try checkpoint.convolution("dp.proj", inputs: second.outputChannels, outputs: 1, kernel: 1)
        condition = try checkpoint.condition("dp.cond", conditioning: conditioning, outputs: hidden)
    }
}

extension StochasticDurationPredictor {
    init(_ checkpoint: Checkpoint, hidden: Int, conditioning: Int?) throws {
        pre = try checkpoint.convolution("dp.pre", inputs: hidden, kernel: 1)
        let channels = pre.outputChannels
        stack = try DilatedSeparableStack(checkpoint, "dp.convs", channels: channels)
        projection = try checkpoint.convolution("dp.proj", inputs: channels, kernel: 1)
        let context = projection.outputChannels
        condition = try checkpoint.condition("dp.cond", conditioning: conditioning, outputs: channels)
        // The first spline flow takes no part backwards, and exporters leave it out.
        flows = try checkpoint.indices("dp.flows", "pre").filter { $0 > 1 }.reversed().map { index in
            let prefix = "dp.flows.\(index)"
            let pre = try checkpoint.convolution("\(prefix).pre", inputs: 1, outputs: context, kernel: 1)
            let projection = try checkpoint.convolution("\(prefix).proj", inputs: context, kernel: 1)
            guard (projection.outputChannels + 1) % 3 == 0 else {
                throw VITSError.unsupported("\(projection.outputChannels) spline parameters in layer \(prefix).proj")
            }
            return SplineFlow(
                pre: pre, stack: try DilatedSeparableStack(checkpoint, "\(prefix).convs", channels: context),
                projection: projection, bins: (projection.outputChannels + 1) / 3,
                logitScale: Float(context).squareRoot())
        }
        guard !flows.isEmpty else { throw VITSError.missing("layer dp.flows.3.pre") }
        shift = try checkpoint.floats("dp.flows.0.m", shape: [2, 1])
        factor = try checkpoint.affineFactor()
    }
}

extension DilatedSeparableStack {
    init(_ checkpoint: Checkpoint, _ prefix: String, channels: Int) throws {
        let indices = checkpoint.indices("\(prefix).convs_sep")
        try checkpoint.requireGapless(indices, "\(prefix).convs_sep")
        layers = try indices.map { i in
            Layer(
                depthwise: try checkpoint.depthwiseConvolution("\(prefix).convs_sep.\(i)", channels: channels),
                depthwiseNorm: try checkpoint.layerNorm("\(prefix).norms_1.\(i)", channels: channels),
                pointwise: try checkpoint.convolution(
                    "\(prefix).convs_1x1.\(i)", inputs: channels, outputs: channels, kernel: 1),
                pointwiseNorm: try checkpoint.layerNorm("\(prefix).norms_2.\(i)", channels: channels))
        }
    }
}

extension Coupling {
    static func all(_ checkpoint: Checkpoint, latent: Int, conditioning: Int?) throws -> [Coupling] {
        let indices = Array(checkpoint.indices("flow.flows", "pre").reversed())
        guard !indices.isEmpty, latent % 2 == 0 else { throw VITSError.missing("layer flow.flows.0.pre") }
        // Counted by their ends too: one that is not found would be left out without a word.
        for index in checkpoint.indices("flow.flows", "post") where !indices.contains(index) {
            throw VITSError.missing("layer flow.flows.\(index).pre")
        }
        // A flip comes before each coupling; the signal starts in the order that makes it end unflipped.
        var isFlipped = indices.count % 2 == 1
        return try indices.map { index in
            isFlipped.toggle()
            return try Coupling(
                checkpoint, "flow.flows.\(index)", latent: latent, isFlipped: isFlipped, conditioning: conditioning)
        }
    }

    private init(
        _ checkpoint: Checkpoint, _ prefix: String, latent: Int, isFlipped: Bool, conditioning: Int?
    ) throws {
        let half = latent / 2
        firstColumn = isFlipped ? half : 0
        secondColumn = isFlipped ? 0 : half
        pre = try checkpoint.convolution(
            "\(prefix).pre", inputs: half, kernel: 1, layout: .init(reversesInputs: isFlipped))
        let hidden = pre.outputChannels
        let indices = checkpoint.indices("\(prefix).enc.in_layers")
        try checkpoint.requireGapless(indices, "\(prefix).enc.in_layers")
        layers = try indices.map { i in
            Layer(
                dilated: try checkpoint.convolution("\(prefix).enc.in_layers.\(i)", inputs: hidden, outputs: 2 * hidden),
                residualSkip: try checkpoint.convolution(
                    "\(prefix).enc.res_skip_layers.\(i)", inputs: hidden,
                    outputs: i == indices.last ? hidden : 2 * hidden, kernel: 1))
        }
        // m, or m and logs, each of which is a half of its own when it is reversed.
        let statistics = try checkpoint.weightShape("\(prefix).post")[0] / half
        post = try checkpoint.convolution(
            "\(prefix).post", inputs: hidden, outputs: statistics * half, kernel: 1,
            layout: .init(reversedOutputGroups: isFlipped ? statistics : 0))
        guard statistics == 1 || statistics == 2 else {
            throw VITSError.unsupported("\(post.outputChannels) channels in layer \(prefix).post")
        }
        condition = try checkpoint.condition(
            "\(prefix).enc.cond_layer", conditioning: conditioning, outputs: 2 * hidden * indices.count)
    }
}

extension Decoder {
    init(_ checkpoint: Checkpoint, latent: Int, conditioning: Int?) throws {
        pre = try checkpoint.convolution("dec.conv_pre", inputs: latent)
        condition = try checkpoint.condition("dec.cond", conditioning: conditioning, outputs: pre.outputChannels)
        let ups = checkpoint.indices("dec.ups")
        try checkpoint.requireGapless(ups, "dec.ups")
        let blocks = checkpoint.residualBlockCount
        guard blocks > 0, blocks % ups.count == 0 else {
            throw VITSError.unsupported("\(blocks) residual blocks for \(ups.count) upsamplers")
        }
        let branchCount = blocks / ups.count
        var channels = pre.outputChannels
        var stages: [UpsampleStage] = []
        var samples = 1
        for i in ups {
            let upsample = try checkpoint.transposedConvolution(
                "dec.ups.\(i)", inputs: channels, inputScale: i == 0 ? 1 : 1 / Float(branchCount))
            channels = upsample.outputChannels
            samples *= upsample.stride
            guard samples * channels <= Self.largestSignal else {
                throw VITSError.unsupported("\(channels) channels of \(samples) values a frame in layer dec.ups.\(i)")
            }
            stages.append(UpsampleStage(
                slope: try checkpoint.slope(before: "dec.ups.\(i)"), upsample: upsample,
                branches: try (0..<branchCount).map { j in
                    try ResidualBranch(checkpoint, "dec.resblocks.\(i * branchCount + j)", channels: channels)
                }))
        }
        self.stages = stages
        slope = try checkpoint.slope(before: "dec.conv_post")
        post = try checkpoint.convolution(
            "dec.conv_post", inputs: channels, outputs: 1, layout: .init(inputScale: 1 / Float(branchCount)))
    }

    /// Numbers a frame in any stage; full-size voices have 2^14.
    private static let largestSignal = 1 << 17

    /// Numbers a frame in the stage that has most.
    fileprivate var largestRow: Int {
        var samples = 1
        return stages.reduce(1) { largest, stage in
            samples *= stage.upsample.stride
            return max(largest, samples * stage.upsample.outputChannels)
        }
    }
}

extension ResidualBranch {
    init(_ checkpoint: Checkpoint, _ prefix: String, channels: Int) throws {
        let single = checkpoint.indices("\(prefix).convs")
        let pairs = checkpoint.indices("\(prefix).convs1")
        let first = single.isEmpty ? "\(prefix).convs1" : "\(prefix).convs"
        let indices = single.isEmpty ? pairs : single
        try checkpoint.requireGapless(indices, first)
        layers = try indices.map { i in
            Layer(
                first: try checkpoint.convolution("\(first).\(i)", inputs: channels, outputs: channels),
                second: single.isEmpty
                    ? try checkpoint.convolution("\(prefix).convs2.\(i)", inputs: channels, outputs: channels) : nil)
        }
        slope = try checkpoint.slope(before: "\(first).\(indices[0])")
    }
}

extension Checkpoint {
    /// Residual blocks of the decoder, numbered from 0 without gaps.
    fileprivate var residualBlockCount: Int {
        var count = 0
        while hasConvolution("dec.resblocks.\(count).convs.0") || hasConvolution("dec.resblocks.\(count).convs1.0") {
            count += 1
        }
        return count
    }

    /// Layers are numbered from 0 without gaps, and there is one at least.
    fileprivate func requireGapless(_ indices: [Int], _ prefix: String) throws(VITSError) {
        let gap = indices.indices.first { indices[$0] != $0 } ?? (indices.isEmpty ? 0 : nil)
        if let gap { throw .missing("layer \(prefix).\(gap)") }
    }

    /// The layer that turns a speaker's embedding into a bias; nil for a voice with one speaker.
    fileprivate func condition(_ name: String, conditioning: Int?, outputs: Int) throws -> Convolution? {
        guard let conditioning else { return nil }
        // Some voices have speakers that a part takes no notice of; then it has no tensors either.
        guard hasConvolution(name) || tensor(named: "\(name).bias") != nil else { return nil }
        return try convolution(name, inputs: conditioning, outputs: outputs, kernel: 1)
    }

    /// exp(−logs) of the duration predictor's last flow, which some exporters fold into a constant.
    fileprivate func affineFactor() throws -> [Float] {
        if let logs = tensor(named: "dp.flows.0.logs") {
            return try floats(of: logs, shape: [2, 1]).map { exp(-$0) }
        }
        guard let difference = consumers(of: "dp.flows.0.m").first(where: { $0.opType == "Sub" })?.outputs.first,
            let product = consumers(of: difference).first(where: { $0.opType == "Mul" }),
            let other = product.inputs.first(where: { $0 != difference })
        else { throw VITSError.missing("tensor dp.flows.0.logs") }
        if let folded = tensor(named: other) { return try floats(of: folded, shape: [2, 1]) }
        // Exp(folded −logs).
        guard let exponential = producer(of: other), exponential.opType == "Exp", let input = exponential.inputs.first,
            let negated = tensor(named: input)
        else { throw VITSError.missing("tensor dp.flows.0.logs") }
        return try floats(of: negated, shape: [2, 1]).map { exp($0) }
    }
}
