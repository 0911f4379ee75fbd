import Tensor

/// The decoder over fused stages, which the threads run as a pipeline: while one is at the last stage
/// of some frames, another is at the first stage of the next.
final class FusedDecoderStream: DecoderStream {
    private let kernels: [FusedStage]
    private let ends: DecoderEnds
    private let states: [FusedStage.State]
    /// What leaves each stage, for each of the pipeline's steps.
    private var chunks: [[RowChunk]] = []
    private let wavefront: Wavefront
    private let stationTimes: StationTimes
    private var firstTime = Stopwatch()

    // SAFETY: the wavefront runs each station on one thread at a time, in order.
    private final class StationTimes {
        let seconds: UnsafeMutableBufferPointer<Double>

        init(count: Int) {
            seconds = .allocate(capacity: count)
            seconds.initialize(repeating: 0)
        }

        deinit { seconds.deallocate() }

        func add(_ time: Double, to station: Int) { seconds[station] += time }
    }

    /// Frames that a stage takes at a time. Long pieces read the weights less often, short ones keep
    /// all threads busy. Whole tiles give the same bits either way; an eager step, which cuts tiles, is
    /// always cut the same.
    private func pieceFrames(isEager: Bool, threads: Int) -> Int { threads > 1 || isEager ? 16 : 64 }

    /// - Parameters:
    ///   - step: the most frames that come between two calls of `advance`.
    ///   - threads: those that will run the pipeline.
    init(kernels: [FusedStage], ends: DecoderEnds, step: Int, threads: Int) {
        self.kernels = kernels
        self.ends = ends
        states = kernels.map { FusedStage.State($0) }
        wavefront = Wavefront(stations: kernels.count + 1)
        stationTimes = StationTimes(count: kernels.count + 1)
        let size = pieceFrames(isEager: false, threads: threads)
        let pieces = (min(step, ends.input.length) + size - 1) / size
        chunks = (0..<pieces).map { _ in
            var rows = size
            return kernels.map { kernel in
                rows = kernel.outputBound(rows: rows)
                return RowChunk(channels: kernel.channels, capacity: rows)
            }
        }
    }

    var times: [Double] { [firstTime.seconds] + stationTimes.seconds }
    var input: RowWindow { ends.input }
    var audio: RowWindow { ends.audio }

    func advance(pool: WorkerPool) {
        let isEager = ends.audio.end == 0
        let rows = firstTime.measure { ends.advanceFirst(pool: pool) }
        let endsInput = ends.signal.end == ends.signal.length
        guard !rows.isEmpty else { return }
        let size = pieceFrames(isEager: isEager, threads: pool.threads)
        let steps = (rows.count + size - 1) / size
        while chunks.count < steps { chunks.append(kernels.map { RowChunk(channels: $0.channels) }) }
        let chunks = chunks
        wavefront.run(steps: steps, pool: pool) { station, step in
            let isLast = endsInput && step == steps - 1
            let start = Stopwatch.now
            defer { stationTimes.add(Stopwatch.now - start, to: station) }
            switch station {
            case 0:
                let first = rows.lowerBound + step * size
                kernels[0].step(
                    ends.signal, rows: first..<min(first + size, rows.upperBound),
                    isLast: isLast, isEager: isEager, state: states[0], to: chunks[step][0])
            case kernels.count:
                ends.advanceLast(chunks[step][station - 1])
            default:
                kernels[station].step(
                    chunks[step][station - 1], isLast: isLast, isEager: isEager, state: states[station],
                    to: chunks[step][station])
            }
        }
        ends.signal.discard(before: rows.upperBound)
    }
}
