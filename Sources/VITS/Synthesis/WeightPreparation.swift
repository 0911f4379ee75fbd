import Synchronization
import Tensor

/// Makes the weights of a plan's forms before the layers first ask for them: all layers at once over all threads,
/// where each layer by itself would keep the other threads waiting. The few weights that are taken as they are, such
/// as those of the last convolution, are still made on first use.
final class WeightPreparation: Sendable {
    private let prepared = Mutex<Set<KernelPlan>>([])

    /// Makes what `kernels` needs of the model, the first time that it is asked for.
    ///
    /// - Parameter isCancelled: asked before each layer; once it is true the layers that are left are skipped, and
    ///   made by the next sentence.
    func make(
        _ kernels: KernelPlan, of model: VITSModel, workers: WorkerPool, isCancelled: @Sendable () -> Bool
    ) {
        guard !prepared.withLock({ $0.contains(kernels) }) else { return }
        // Two sentences at once share the work: each layer's weights are made once, by who comes first.
        let layers = model.weights(kernels)
        workers.run(layers.count) { index in
            if !isCancelled() { layers[index]() }
        }
        if !isCancelled() { prepared.withLock { _ = $0.insert(kernels) } }
    }
}

extension VITSModel {
    /// The work of making each layer's weights, that which takes longest first.
    fileprivate func weights(_ kernels: KernelPlan) -> [() -> Void] {
        var layers: [() -> Void] = []
        let stages = decoder.stages
        let points = decoder.fusedPoints(kernels)
        if let points {
            for stage in stages { layers.append { stage.upsample.prepare(points: points) } }
            for stage in stages {
                for layer in stage.convolutions.joined() { layers.append { layer.prepare(.fast(points: points)) } }
            }
        } else {
            for stage in stages {
                for layer in stage.convolutions.joined() { layers.append { layer.prepare(kernels.decoder) } }
            }
        }
        let preForm = decoder.preForm(kernels, isFused: points != nil)
        layers.insert({ decoder.pre.prepare(preForm) }, at: min(1, layers.count))
        for layer in couplings.flatMap(\.convolutions) { layers.append { layer.prepare(kernels.flow) } }
        for layer in textEncoder.convolutions { layers.append { layer.prepare(kernels.encoder) } }
        for layer in durationPredictor.convolutions { layers.append { layer.prepare(kernels.durations) } }
        return layers
    }
}

extension Coupling {
    fileprivate var convolutions: [Convolution] {
        [pre] + layers.flatMap { layer in [layer.dilated] + (layer.residual.map { [$0] } ?? []) + layer.skips }
    }
}

extension TextEncoder {
    fileprivate var convolutions: [Convolution] {
        layers.flatMap { [$0.expand, $0.contract, $0.query, $0.key, $0.value, $0.output] } + [projection]
    }
}

extension DurationPredictor {
    fileprivate var convolutions: [Convolution] {
        switch self {
        case .plain(let predictor): [predictor.first, predictor.second, predictor.projection]
        case .stochastic(let predictor):
            [predictor.pre, predictor.projection] + predictor.stack.layers.map(\.pointwise)
                + predictor.flows.flatMap { [$0.pre, $0.projection] + $0.stack.layers.map(\.pointwise) }
        }
    }
}
