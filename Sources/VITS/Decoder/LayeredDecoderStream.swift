import Tensor

/// The decoder layer by layer: the oracle of the fused form, and what runs shapes that its kernels do
/// not know.
final class LayeredDecoderStream: DecoderStream {
    private let decoder: Decoder
    private let ends: DecoderEnds
    private let states: [UpsampleStage.State]
    /// `[T·…, C]`: what leaves each stage.
    private let signals: [RowWindow]
    private let cancellation: CancelFlag
    private var seconds: [Double]
    private var target = 0
    private var pieces = 0

    init(_ decoder: Decoder, ends: DecoderEnds, step: Int, cancellation: CancelFlag) {
        self.decoder = decoder
        self.cancellation = cancellation
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
        ends.last.reserve(rows: min(rows, length))
        self.states = states
        self.signals = signals
        seconds = Array(repeating: 0, count: signals.count + 2)
    }

    var times: [Double] { seconds }
    var input: RowWindow { ends.input }
    var audio: RowWindow { ends.audio }
    var stationCount: Int { 1 }
    var takesPieces: Bool { false }

    /// A step is a piece.
    func pieces(upTo frames: Int) -> Int {
        if frames > target {
            target = frames
            pieces += 1
        }
        return pieces
    }

    func end(ofPiece piece: Int) -> Int { target }

    func hasRoom(_ station: Int, piece: Int, nextCompleted: Int) -> Bool { true }

    func run(_ station: Int, piece: Int, pool: WorkerPool) {
        measure(0, pool) { _ = ends.advanceFirst(upTo: target, isEager: true, pool: pool) }
        var signal = ends.signal
        for (i, stage) in decoder.stages.enumerated() {
            // What comes of a cancelled step is thrown away.
            if cancellation.isSet { return }
            measure(i + 1, pool) {
                stage.advance(signal, to: signals[i], state: states[i], form: ends.plan.decoder, pool: pool)
            }
            signal = signals[i]
        }
        measure(signals.count + 1, pool) { ends.advanceLast(signal, pool: pool) }
    }

    private func measure(_ part: Int, _ pool: WorkerPool, _ body: () -> Void) {
        let start = Stopwatch.now
        body()
        seconds[part] += (Stopwatch.now - start) * Double(pool.threads)
    }
}
