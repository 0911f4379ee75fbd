import Glibc
import ONNX

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
        projection = try checkpoint.convolution(
            "dp.proj", inputs: second.outputChannels, outputs: 1, kernel: 1)
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
                throw VITSError.unsupported(
                    "\(projection.outputChannels) spline parameters in layer \(prefix).proj")
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
                depthwise: try checkpoint.depthwiseConvolution(
                    "\(prefix).convs_sep.\(i)", channels: channels),
                depthwiseNorm: try checkpoint.layerNorm("\(prefix).norms_1.\(i)", channels: channels),
                pointwise: try checkpoint.convolution(
                    "\(prefix).convs_1x1.\(i)", inputs: channels, outputs: channels, kernel: 1),
                pointwiseNorm: try checkpoint.layerNorm("\(prefix).norms_2.\(i)", channels: channels))
        }
    }
}

extension Checkpoint {
    /// exp(−logs) of the duration predictor's last flow, which some exporters fold into a constant.
    fileprivate func affineFactor() throws -> [Float] {
        if let logs = tensor(named: "dp.flows.0.logs") {
            return try floats(of: logs, shape: [2, 1]).map { exp(-$0) }
        }
        guard
            let difference = model.value("dp.flows.0.m")?.consumers.first(where: { $0.opType == "Sub" })?.outputs
                .first,
            let product = difference.consumers.first(where: { $0.opType == "Mul" }),
            let other = product.inputs.first(where: { $0 != difference })
        else { throw VITSError.missing("tensor dp.flows.0.logs") }
        if let folded = tensor(of: other) { return try floats(of: folded, shape: [2, 1]) }
        // Exp(folded −logs).
        guard let exponential = other.producer, exponential.opType == "Exp",
            let negated = exponential.input(0).flatMap(tensor(of:))
        else { throw VITSError.missing("tensor dp.flows.0.logs") }
        return try floats(of: negated, shape: [2, 1]).map { exp($0) }
    }
}
