import Tensor

/// The decoder over fused stages: while one thread is at the last stage of some frames, another may be at the
/// first stage of the next.
final class FusedDecoderStream: DecoderStream {
    private let kernels: [FusedStage]
    private let ends: DecoderEnds
    private let states: [FusedStage.State]
    /// What leaves each stage but the last one, in places that are used in turn.
    private let chunks: [[RowChunk]]
    private let seconds: Seconds
    private let sizes: PieceSizes
    /// Pieces of the first sound.
    private let eagerPieces: Int

    /// Pieces that may wait between a stage and the next one: few, so that they stay in cache.
    private let room: Int

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
    private static func sizes(first: Int, sharing: WorkSharing) -> PieceSizes {
        let eager = Array(repeating: 16, count: first / 16) + (first % 16 > 0 ? [first % 16] : [])
        return PieceSizes(eager + (sharing == .pieces ? [16, 32] : [32, longestPiece]))
    }

    /// - Parameters:
    ///   - first: frames of the first sound, at least 1.
    ///   - sharing: what the sentence will run with once its first sound is made.
    init(kernels: [FusedStage], ends: DecoderEnds, first: Int, sharing: WorkSharing) {
        sizes = Self.sizes(first: first, sharing: sharing)
        eagerPieces = sizes.count(taking: first)
        self.kernels = kernels
        self.ends = ends
        states = kernels.map { FusedStage.State($0) }
        seconds = Seconds(count: kernels.count + 2)
        room = sharing == .pieces ? 2 : 1
        // The last piece, or one after a tile that was held back, brings more than it takes in.
        var rows = min(sizes.largest, ends.input.length) + ends.largestRest
        var bounds: [Int] = []
        for kernel in kernels {
            rows = kernel.outputBound(rows: rows)
            bounds.append(rows)
        }
        chunks = (0..<room).map { _ in
            zip(kernels, bounds).dropLast().map { RowChunk(channels: $0.channels, capacity: $1) }
        }
        ends.last.reserve(rows: rows)
    }

    var times: [Double] { Array(seconds.values) }
    var input: RowWindow { ends.input }
    var audio: RowWindow { ends.audio }
    var stationCount: Int { kernels.count }
    var takesPieces: Bool { true }

    func pieces(upTo frames: Int) -> Int { sizes.count(taking: frames) }

    func end(ofPiece piece: Int) -> Int { min(ends.input.length, sizes.frames(after: piece + 1)) }

    func hasRoom(_ station: Int, piece: Int, nextCompleted: Int) -> Bool {
        piece < nextCompleted + room
    }

    func run(_ station: Int, piece: Int, pool: WorkerPool) {
        let end = end(ofPiece: piece)
        let isEager = piece < eagerPieces
        let isLast = end == ends.input.length
        let kernel = kernels[station]
        let state = states[station]
        let made = chunks[piece % room]
        var begun = Stopwatch.now
        func lap(_ part: Int) {
            let now = Stopwatch.now
            seconds.values[part] += (now - begun) * Double(pool.threads)
            begun = now
        }
        var rows = 0..<0
        if station == 0 {
            rows = ends.advanceFirst(upTo: end, isEager: isEager, pool: pool)
            lap(0)
        }
        let input = station == 0 ? FusedStage.Input(ends.signal, rows: rows) : FusedStage.Input(made[station - 1])
        if station + 1 < kernels.count {
            kernel.step(input, isLast: isLast, isEager: isEager, state: state, pool: pool, to: made[station])
            lap(station + 1)
        } else {
            kernel.step(
                input, isLast: isLast, isEager: isEager, state: state, pool: pool, appendingTo: ends.last)
            lap(station + 1)
            ends.advanceLast(pool: pool)
            lap(station + 2)
        }
        if station == 0 { ends.signal.discard(before: rows.upperBound) }
    }
}
