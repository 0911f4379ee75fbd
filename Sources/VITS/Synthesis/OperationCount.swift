import Tensor

/// The floating-point operations of a sentence, counted as the layers are defined: a multiplication and
/// an addition for each weight and row. Fast convolutions do fewer; the same count makes their speed
/// comparable.
public struct OperationCount: Sendable {
    public var encoder = 0.0
    public var durations = 0.0
    public var flow = 0.0
    /// The first convolution, each stage, the last convolution.
    public var decoder: [Double] = []

    public init() {}
}

extension VITSModel {
    /// - Parameters:
    ///   - ids: phoneme ids, T.
    ///   - frames: of the sentence.
    public func operations(ids: Int, frames: Int) -> OperationCount {
        let rows = Double(ids)
        var count = OperationCount()
        for layer in textEncoder.layers {
            let convolutions = [layer.query, layer.key, layer.value, layer.output, layer.expand, layer.contract]
            count.encoder += rows * convolutions.reduce(0) { $0 + $1.operationsPerRow }
            count.encoder += 4 * rows * rows * Double(textEncoder.hidden)
        }
        count.encoder += rows * textEncoder.projection.operationsPerRow
        count.durations = rows * durationPredictor.operationsPerRow
        for coupling in couplings {
            // As the voice defines them: each layer's skip as wide as the layer, and one `post`.
            let square = Double(2 * coupling.hidden * coupling.hidden)
            var perRow = coupling.pre.operationsPerRow
            perRow += Double(2 * coupling.hidden * coupling.half * coupling.statistics)
            for layer in coupling.layers {
                perRow += layer.dilated.operationsPerRow + (layer.residual == nil ? square : 2 * square)
            }
            count.flow += Double(frames) * perRow
        }
        var length = frames
        count.decoder = [Double(length) * decoder.pre.operationsPerRow]
        for stage in decoder.stages {
            var operations = Double(length) * stage.upsample.operationsPerRow
            length = stage.upsample.outputLength(length)
            let layers = stage.branches.flatMap { $0.layers.flatMap(\.convolutions) }
            operations += Double(length) * layers.reduce(0) { $0 + $1.operationsPerRow }
            count.decoder.append(operations)
        }
        count.decoder.append(Double(length) * decoder.post.operationsPerRow)
        return count
    }
}

extension DurationPredictor {
    fileprivate var operationsPerRow: Double {
        switch self {
        case .plain(let predictor):
            return [predictor.first, predictor.second, predictor.projection].reduce(0) { $0 + $1.operationsPerRow }
        case .stochastic(let predictor):
            let flows = predictor.flows.reduce(0) {
                $0 + $1.pre.operationsPerRow + $1.projection.operationsPerRow + $1.stack.operationsPerRow
            }
            return predictor.pre.operationsPerRow + predictor.projection.operationsPerRow
                + predictor.stack.operationsPerRow + flows
        }
    }
}

extension DilatedSeparableStack {
    fileprivate var operationsPerRow: Double {
        layers.reduce(0) {
            $0 + $1.pointwise.operationsPerRow + 2 * Double($1.depthwise.kernel * $1.depthwise.channels)
        }
    }
}

extension Convolution {
    fileprivate var operationsPerRow: Double { 2 * Double(kernel * inputChannels * outputChannels) }
}

extension TransposedConvolution {
    fileprivate var operationsPerRow: Double { 2 * Double(kernel * inputChannels * outputChannels) }
}
