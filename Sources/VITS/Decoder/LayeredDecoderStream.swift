import Tensor

/// The decoder layer by layer: the oracle of the fused form, and what runs shapes that its kernels do
/// not know.
final class LayeredDecoderStream: DecoderStream {
    private let decoder: Decoder
    private let ends: DecoderEnds
    private let states: [UpsampleStage.State]
    /// `[T·…, C]`: what leaves each stage.
    private let signals: [RowWindow]
    private var stopwatches: [Stopwatch]

    init(_ decoder: Decoder, ends: DecoderEnds, step: Int) {
        self.decoder = decoder
        self.ends = ends
        var length = ends.input.length
        var rows = step
        var states: [UpsampleStage.State] = []
        var signals: [RowWindow] = []
        for stage in decoder.stages {
            states.append(UpsampleStage.State(stage, length: length, step: rows))
            length = stage.upsample.outputLength(length)
            rows *= stage.upsample.stride
            let signal = RowWindow(
                channels: stage.upsample.outputChannels, capacity: min(2 * rows, length) + 1)
            signal.reset(length: length, padding: 0)
            signals.append(signal)
        }
        self.states = states
        self.signals = signals
        stopwatches = Array(repeating: Stopwatch(), count: signals.count + 2)
    }

    var times: [Double] { stopwatches.map(\.seconds) }
    var input: RowWindow { ends.input }
    var audio: RowWindow { ends.audio }

    func advance(pool: WorkerPool) {
        _ = stopwatches[0].measure { ends.advanceFirst(pool: pool) }
        var signal = ends.signal
        for (i, stage) in decoder.stages.enumerated() {
            stopwatches[i + 1].measure {
                stage.advance(signal, to: signals[i], state: states[i], form: ends.plan.decoder, pool: pool)
            }
            signal = signals[i]
        }
        stopwatches[signals.count + 1].measure { ends.advanceLast(signal, pool: pool) }
    }
}
