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
    private var step = Step(first: 0, end: 0, size: 1, isEager: true)

    /// The frames that are being decoded, and how they are cut.
    private struct Step {
        var first: Int
        var end: Int
        var size: Int
        var isEager: Bool

        var pieces: Int { (end - first + size - 1) / size }
        func end(ofPiece piece: Int) -> Int { min(end, first + (piece + 1) * size) }
    }

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

    /// Frames that a stage takes at a time. Long pieces read the weights less often, short ones keep
    /// all threads busy. Whole tiles give the same bits either way; an eager step, which cuts tiles, is
    /// always cut the same.
    private static func pieceFrames(_ frames: Int, isEager: Bool, threads: Int) -> Int {
        if isEager { return shortestPiece }
        return threads > 1 ? min(max(shortestPiece, frames / 4), longestPiece) : longestPiece
    }

    private static let shortestPiece = 16
    private static let longestPiece = 64

    /// - Parameter threads: those that will run the pipeline.
    init(kernels: [FusedStage], ends: DecoderEnds, threads: Int) {
        self.kernels = kernels
        self.ends = ends
        states = kernels.map { FusedStage.State($0) }
        seconds = Seconds(count: kernels.count + 2)
        chunks = (0..<Self.room).map { _ in
            var rows = Self.longestPiece
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

    func begin(upTo frames: Int, isEager: Bool, threads: Int) -> Int {
        step = Step(
            first: step.end, end: frames,
            size: Self.pieceFrames(frames - step.end, isEager: isEager, threads: threads),
            isEager: isEager)
        return step.pieces
    }

    func end(ofPiece piece: Int) -> Int { step.end(ofPiece: piece) }

    func hasRoom(_ station: Int, piece: Int, nextCompleted: Int) -> Bool {
        piece < nextCompleted + Self.room
    }

    func run(_ station: Int, piece: Int, pool: WorkerPool) {
        let end = step.end(ofPiece: piece)
        let isLast = end == ends.input.length
        let made = chunks[piece % Self.room]
        let start = Stopwatch.now
        var begun = start
        switch station {
        case 0:
            let rows = ends.advanceFirst(upTo: end, pool: pool)
            begun = Stopwatch.now
            seconds.values[0] += begun - start
            kernels[0].step(
                ends.signal, rows: rows, isLast: isLast, isEager: step.isEager, state: states[0], to: made[0])
            ends.signal.discard(before: rows.upperBound)
        case kernels.count:
            ends.advanceLast(made[station - 1])
        default:
            kernels[station].step(
                made[station - 1], isLast: isLast, isEager: step.isEager, state: states[station],
                to: made[station])
        }
        seconds.values[station + 1] += Stopwatch.now - begun
    }
}
