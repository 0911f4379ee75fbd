/// Adds the grains up. What lies between the centres of two successive grains is made when the second is
/// known.
struct GrainRenderer {
    /// Output samples before this position are final.
    private(set) var complete = 0.0

    /// Sums of the output from `origin`, the oldest sample not taken, on: a ring.
    private var sums: [Float]
    private var origin = 0
    private let overhang: Double
    private let reader = FractionalReader()
    private var first: [Float]
    private var second: [Float]
    private let pitch: Double
    /// Keeps the loudness: with the same grains more often, power grows with the pitch ratio.
    private let voicedGain: Double

    /// - Parameters:
    ///   - overhang: output samples before the newest grain's centre that later grains may still add to.
    ///   - capacity: output samples from the oldest not yet taken to the newest written.
    ///   - longest: output samples of the longest half grain or crossfade.
    init(pitch: Double, overhang: Int, capacity: Int, longest: Int) {
        self.pitch = pitch
        self.overhang = Double(overhang)
        voicedGain = (1 / pitch).squareRoot()
        sums = [Float](repeating: 0, count: capacity)
        first = [Float](repeating: 0, count: longest)
        second = [Float](repeating: 0, count: longest)
    }

    /// Takes `count` output samples from where the last call ended.
    mutating func take(_ count: Int, into output: inout MutableSpan<Float>, at offset: Int) {
        for i in 0..<count {
            let slot = (origin + i) % sums.count
            output[offset + i] = sums[slot]
            sums[slot] = 0
        }
        origin += count
    }

    mutating func reset() {
        for i in sums.indices { sums[i] = 0 }
        origin = 0
        complete = 0
    }

    /// Makes the sound from grain `a` to the next, `b`.
    mutating func join(_ a: Grain, _ b: Grain, from raw: SampleHistory) {
        if a.isVoiced && b.isVoiced && pitch != 1 {
            fall(a, from: raw)
            rise(b, from: raw)
        } else {
            crossfade(a, b, from: raw)
        }
        complete = b.output - overhang
    }

    private func gain(_ grain: Grain) -> Double { grain.isVoiced ? voicedGain : 1 }

    /// The right half of a grain, over its own period.
    private mutating func fall(_ grain: Grain, from raw: SampleHistory) {
        let start = Int(grain.output.rounded(.up))
        let count = Int((grain.output + grain.right).rounded(.up)) - start
        reader.read(raw, from: start, count: count, shift: grain.shift, into: &first)
        var window = RaisedCosine(at: (Double(start) - grain.output) / grain.right, step: 1 / grain.right)
        for i in 0..<count { add(first[i] * Float(voicedGain * window.next()), at: start + i) }
    }

    /// The left half of a grain, over its own period.
    private mutating func rise(_ grain: Grain, from raw: SampleHistory) {
        let start = Int((grain.output - grain.left).rounded(.up))
        let count = Int(grain.output.rounded(.up)) - start
        reader.read(raw, from: start, count: count, shift: grain.shift, into: &first)
        var window = RaisedCosine(at: (grain.output - Double(start)) / grain.left, step: -1 / grain.left)
        for i in 0..<count { add(first[i] * Float(voicedGain * window.next()), at: start + i) }
    }

    /// From one grain to the other over the whole way between them. The sum is as loud as its parts, however
    /// alike they are: equal ones add up to themselves, unlike ones to equal power.
    private mutating func crossfade(_ a: Grain, _ b: Grain, from raw: SampleHistory) {
        let start = Int(a.output.rounded(.up))
        let count = Int(b.output.rounded(.up)) - start
        guard count > 0 else { return }
        reader.read(raw, from: start, count: count, shift: a.shift, into: &first)
        if a.shift == b.shift && gain(a) == gain(b) {
            for i in 0..<count { add(first[i], at: start + i) }
            return
        }
        reader.read(raw, from: start, count: count, shift: b.shift, into: &second)
        let likeness = Double(max(0, first.span.correlation(from: 0, second.span, from: 0, count: count)))
        let step = 1 / (b.output - a.output)
        var window = RaisedCosine(at: (Double(start) - a.output) * step, step: step)
        for i in 0..<count {
            let old = window.next()
            let new = 1 - old
            let level = 1 / (old * old + new * new + 2 * old * new * likeness).squareRoot()
            add(
                Float(level) * (first[i] * Float(old * gain(a)) + second[i] * Float(new * gain(b))),
                at: start + i)
        }
    }

    private mutating func add(_ value: Float, at position: Int) {
        // The left half of an early grain may reach before the stream.
        guard position >= origin else { return }
        sums[position % sums.count] += value
    }
}
