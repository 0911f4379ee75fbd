import Glibc

/// Joins recordings with equal-power crossfades, as they come.
///
/// Where one recording ends and the next begins, the last `length` samples of what has been joined so
/// far and the first of the next are laid over each other with the gains cos θ and sin θ, θ rising
/// evenly from 0 to π/2. cos² + sin² = 1: two signals that have nothing to do with each other, which
/// is what two sentences are, keep their power throughout. Two *equal* signals would add up to
/// √2 times their amplitude (+3 dB) in the middle; if the joined material may be alike and close to
/// full scale, put a `Limiter` behind.
///
/// A recording shorter than the crossfade, or a beginning shorter than it, overlaps by its whole
/// length: the overlap is min(length, joined so far, next). So n recordings become
/// Σ lengths - Σ overlaps, and empty ones change nothing.
///
///     var crossfader = try Crossfader(length: 2400)        // 100 ms at 24 kHz
///     var sound = crossfader.step(first)
///     crossfader.startNext()
///     sound += crossfader.step(second)
///     sound += crossfader.finish()
///
/// Samples that are not finite stay so, and in an overlap spoil the sample that they are added to, no other.
///
/// Mono. What was given comes out `length` samples later, and up to as many more while a join is
/// being made. Any chunking of the recordings gives the same samples.
public struct Crossfader: ~Copyable, Sendable {
    /// Samples that two recordings overlap, where both are that long.
    public let length: Int
    /// The last samples joined, as many as `length`: a ring whose oldest is at `head`.
    private var tail: [Float]
    private var head = 0
    private var tailCount = 0
    /// The first samples of the recording that is being joined.
    private var opening: [Float]
    private var openingCount = 0
    private var isJoining = false

    /// The longest crossfade: a minute at 192 kHz.
    public static let longest = 60 * 192_000

    /// - Parameter length: samples, 0 (recordings are only put after each other) to `longest`.
    ///   Allocates twice that.
    /// - Throws: `DSPError.invalidParameter`.
    public init(length: Int) throws(DSPError) {
        guard (0...Self.longest).contains(length) else {
            throw .invalidParameter(
                name: "crossfade length", value: Double(length), allowed: "0 to \(Self.longest) samples")
        }
        self.length = length
        tail = [Float](repeating: 0, count: length)
        opening = [Float](repeating: 0, count: length)
    }

    /// Samples held back at most: how much later the output is than the input.
    public var latency: Int { 2 * length }

    /// Samples that `finish` gives if nothing more comes.
    public var remainingOutput: Int { tailCount }

    /// Takes the next samples of the current recording. Does not allocate or block.
    ///
    /// - Parameters:
    ///   - output: with as much room as there is input, everything is consumed; with less, perhaps not.
    public mutating func step(_ input: Span<Float>, into output: inout MutableSpan<Float>) -> StreamCount {
        var count = StreamCount(consumed: 0, produced: 0)
        while count.consumed < input.count {
            if isJoining {
                if openingCount < tailCount {
                    opening[openingCount] = input[count.consumed]
                    openingCount += 1
                    count.consumed += 1
                }
                if openingCount == tailCount { mix() }
                continue
            }
            let sample = input[count.consumed]
            if tailCount < length {
                tail[place(tailCount)] = sample
                tailCount += 1
            } else {
                guard count.produced < output.count else { break }
                if length == 0 {
                    output[count.produced] = sample
                } else {
                    output[count.produced] = tail[head]
                    tail[head] = sample
                    head = place(1)
                }
                count.produced += 1
            }
            count.consumed += 1
        }
        return count
    }

    /// The current recording ends here, and what `step` is given next is the start of another.
    public mutating func startNext() {
        if isJoining { mix() }
        isJoining = true
    }

    /// The last recording ends. Gives what was held back, as much as there is room for; call again
    /// until it returns 0. Then the crossfader is as new.
    public mutating func finish(into output: inout MutableSpan<Float>) -> Int {
        if isJoining { mix() }
        let count = min(tailCount, output.count)
        for index in 0..<count { output[index] = tail[place(index)] }
        head = place(count)
        tailCount -= count
        if tailCount == 0 { reset() }
        return count
    }

    /// Forgets everything taken so far.
    public mutating func reset() {
        (head, tailCount, openingCount, isJoining) = (0, 0, 0, false)
    }

    /// Lays the opening over the end of the tail. Called when the opening has reached the tail's
    /// length, or is shorter for good.
    private mutating func mix() {
        let start = tailCount - openingCount
        for index in 0..<openingCount {
            let gains = Self.gains(index, of: openingCount)
            let position = place(start + index)
            tail[position] = tail[position] * gains.falling + opening[index] * gains.rising
        }
        openingCount = 0
        isJoining = false
    }

    /// The index in the ring of the tail's sample `offset`.
    private func place(_ offset: Int) -> Int { length == 0 ? 0 : (head + offset) % length }

    /// The gains at sample `index` of an overlap of `count`: θ at the samples' centres, so that both
    /// sides are alike and a single sample is shared evenly.
    static func gains(_ index: Int, of count: Int) -> (falling: Float, rising: Float) {
        let angle = .pi / 2 * (Double(index) + 0.5) / Double(count)
        return (Float(cos(angle)), Float(sin(angle)))
    }
}

extension Crossfader {
    /// `step` into a new array.
    public mutating func step(_ input: [Float]) -> [Float] {
        [Float](room: input.count, of: 0) { output in
            step(input.span, into: &output).produced
        }
    }

    /// `finish` into a new array.
    public mutating func finish() -> [Float] {
        if isJoining { mix() }
        return [Float](room: tailCount, of: 0) { output in
            finish(into: &output)
        }
    }

    /// Joins whole recordings. An empty list is an empty recording; one recording is itself. A
    /// `length` below 0 counts as 0, and one beyond the longest recording as its length.
    public static func join(_ recordings: [[Float]], length: Int) -> [Float] {
        let longest = recordings.map(\.count).max() ?? 0
        let overlap = max(0, min(length, longest))
        var joined: [Float] = []
        joined.reserveCapacity(recordings.reduce(0) { $0 + $1.count })
        for recording in recordings {
            let count = min(overlap, joined.count, recording.count)
            let start = joined.count - count
            for index in 0..<count {
                let gains = gains(index, of: count)
                joined[start + index] =
                    joined[start + index] * gains.falling + recording[index] * gains.rising
            }
            joined += recording[count...]
        }
        return joined
    }
}
