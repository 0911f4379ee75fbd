import Tensor

/// The decoder over fused stages: while one thread is at the last stage of some frames, another is at the
/// first stage of the next.
final class FusedDecoderStream: DecoderStream {
    private let kernels: [FusedStage]
    private let ends: DecoderEnds
    private let states: [FusedStage.State]
    /// What leaves each stage, in places that are used in turn.
    private let chunks: [[RowChunk]]
    private let seconds: Seconds
    private let sizes: PieceSizes
    /// Pieces of the first sound.
    private let eagerPieces: Int

    /// Pieces that may wait between a stage and the next one: few, so that they stay in cache.
    private static let room = 2

    // SAFETY: an element belongs to whoever runs its station, one thread at a time.
    private final class Seconds {
        let values: UnsafeMutableBufferPointer<Double>

        init(count: Int) {
            values = .allocate(capacity: count)
            values.initialize(repeating: 0)
        }

        deinit { values.deallocate() }
    }

    /// Frames.
    static let longestPiece = 64

    /// Frames that a stage takes at a time. Long pieces read the weights less often, short ones keep
    /// all threads busy and give their sound sooner. Whole tiles give the same bits either way; the first
    /// sound, which cuts tiles, is always cut the same.
    private static func sizes(first: Int, threads: Int) -> PieceSizes {
        let eager = Array(repeating: 16, count: first / 16) + (first % 16 > 0 ? [first % 16] : [])
        return PieceSizes(eager + (threads > 1 ? [16, 32] : [32, longestPiece]))
    }

    /// - Parameters:
    ///   - first: frames of the first sound, at least 1.
    ///   - threads: those that will run the pipeline.
    init(kernels: [FusedStage], ends: DecoderEnds, first: Int, threads: Int) {
        sizes = Self.sizes(first: first, threads: threads)
        eagerPieces = sizes.count(taking: first)
        self.kernels = kernels
        self.ends = ends
        states = kernels.map { FusedStage.State($0) }
        seconds = Seconds(count: kernels.count + 2)
        chunks = (0..<Self.room).map { [sizes, ends] _ in
            // The last piece, or one after a tile that was held back, brings more than it takes in.
            var rows = sizes.largest + ends.largestRest
            return kernels.map { kernel in
                rows = kernel.outputBound(rows: rows)
                return RowChunk(channels: kernel.channels, capacity: rows)
            }
        }
    }

    var times: [Double] { Array(seconds.values) }
    var input: RowWindow { ends.input }
    var audio: RowWindow { ends.audio }
    var stationCount: Int { kernels.count + 1 }
    var isPipelined: Bool { true }

    func pieces(upTo frames: Int) -> Int { sizes.count(taking: frames) }

    func end(ofPiece piece: Int) -> Int { min(ends.input.length, sizes.frames(after: piece + 1)) }

    func hasRoom(_ station: Int, piece: Int, nextCompleted: Int) -> Bool {
        piece < nextCompleted + Self.room
    }

    func run(_ station: Int, piece: Int, pool: WorkerPool) {
        let end = end(ofPiece: piece)
        let isEager = piece < eagerPieces
        let isLast = end == ends.input.length
        let made = chunks[piece % Self.room]
        let start = Stopwatch.now
        var begun = start
        switch station {
        case 0:
            let rows = ends.advanceFirst(upTo: end, isEager: isEager, pool: pool)
            begun = Stopwatch.now
            seconds.values[0] += begun - start
            kernels[0].step(
                ends.signal, rows: rows, isLast: isLast, isEager: isEager, state: states[0], to: made[0])
            ends.signal.discard(before: rows.upperBound)
        case kernels.count:
            ends.advanceLast(made[station - 1])
        default:
            kernels[station].step(
                made[station - 1], isLast: isLast, isEager: isEager, state: states[station],
                to: made[station])
        }
        seconds.values[station + 1] += Stopwatch.now - begun
    }
}
