/// The edge fades of a recording that comes in pieces: the same samples as `EdgeFade.apply`.
///
/// Where a recording ends is known only when it does, so the last `length` samples are held back;
/// and until 2·`length` samples have come, whether the fade at the start is to be shorter is not known
/// either, so nothing is given out before. Mono.
public struct EdgeFader: ~Copyable, Sendable {
    /// The fades.
    public let fade: EdgeFade
    /// Which edges fade.
    public let edges: EdgeFade.Edges
    /// A ring of the samples held, the oldest at `head`.
    private var held: [Float]
    private var head = 0
    private var count = 0
    /// Samples given out.
    private var produced = 0
    /// Length of the fade at the end, once the end is known.
    private var endLength: Int?

    /// The longest fade: a minute at 192 kHz.
    public static let longest = 60 * 192_000

    /// Allocates two fades' length.
    ///
    /// - Throws: `DSPError.invalidParameter` for a fade longer than `longest`.
    public init(_ fade: EdgeFade, edges: EdgeFade.Edges = .both) throws(DSPError) {
        guard fade.length <= Self.longest else {
            throw .invalidParameter(
                name: "fade length", value: Double(fade.length), allowed: "0 to \(Self.longest) samples")
        }
        self.fade = fade
        self.edges = edges
        held = [Float](repeating: 0, count: 2 * fade.length)
    }

    /// Samples that must have come before the first is given out; from then on half as many are held.
    public var latency: Int { 2 * fade.length }

    /// Samples that `finish` gives if nothing more comes.
    public var remainingOutput: Int { count }

    /// Takes the next samples. Does not allocate or block.
    ///
    /// - Parameters:
    ///   - output: with `latency` more samples of room than there is input everything is consumed;
    ///     with less, perhaps not.
    public mutating func step(_ input: Span<Float>, into output: inout MutableSpan<Float>) -> StreamCount {
        if endLength != nil { reset() }
        var result = StreamCount(consumed: 0, produced: 0)
        while true {
            // Once two fades' length has come, all but the last fade's length may go.
            let free = produced + count >= 2 * fade.length ? count - fade.length : 0
            let given = min(max(0, free), output.count - result.produced)
            for _ in 0..<given {
                output[result.produced] = popFirst() * startGain(produced, of: fade.length)
                result.produced += 1
                produced += 1
            }
            if fade.length == 0 {
                let passed = min(input.count - result.consumed, output.count - result.produced)
                for index in 0..<passed { output[result.produced + index] = input[result.consumed + index] }
                result.consumed += passed
                result.produced += passed
                produced += passed
                return result
            }
            let taken = min(input.count - result.consumed, held.count - count)
            for index in 0..<taken { append(input[result.consumed + index]) }
            result.consumed += taken
            if given == 0, taken == 0 { return result }
        }
    }

    /// Ends the recording and gives what was held back, as much as there is room for; call again until
    /// it returns 0.
    public mutating func finish(into output: inout MutableSpan<Float>) -> Int {
        let total = produced + count
        let length = endLength ?? fade.length(in: total)
        endLength = length
        let given = min(count, output.count)
        for index in 0..<given {
            var sample = popFirst() * startGain(produced, of: length)
            let fromEnd = total - 1 - produced
            if edges != .start, fromEnd < length { sample *= EdgeFade.gain(fromEnd, of: length) }
            output[index] = sample
            produced += 1
        }
        return given
    }

    /// Forgets everything taken so far.
    public mutating func reset() {
        (head, count, produced, endLength) = (0, 0, 0, nil)
    }

    private func startGain(_ index: Int, of length: Int) -> Float {
        edges != .end && index < length ? EdgeFade.gain(index, of: length) : 1
    }

    private mutating func append(_ sample: Float) {
        held[(head + count) % held.count] = sample
        count += 1
    }

    private mutating func popFirst() -> Float {
        let sample = held[head]
        head = (head + 1) % held.count
        count -= 1
        return sample
    }
}

extension EdgeFader {
    /// `step` into a new array.
    public mutating func step(_ input: [Float]) -> [Float] {
        [Float](room: input.count + count, of: 0) { output in
            step(input.span, into: &output).produced
        }
    }

    /// `finish` into a new array.
    public mutating func finish() -> [Float] {
        [Float](room: count, of: 0) { output in
            finish(into: &output)
        }
    }
}
