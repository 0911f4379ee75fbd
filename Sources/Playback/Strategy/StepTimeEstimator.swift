import Glibc

/// A running estimate of how long generation takes for a second of audio, and of how sure that is.
///
/// Steps differ in size, so this is not a mean over steps: a step counts by audio^1.5, since small steps bear costs
/// of their own that say little about the rate (with the steps of VITS, 8 to 128 frames), and half as much for every
/// ``halfLife`` seconds of audio made since. Of the first step (cold, and it fills the decoder's look-ahead) and
/// of the one that lost most time, the time lost does not count: one stall is an accident, and its cost is told by
/// ``largestExcess``; a second one is the machine, and counts in full.
public struct StepTimeEstimator: Sendable, Equatable {
    /// Seconds of audio after which a step counts half.
    public static let halfLife = 8.0
    /// A step that takes more than so many times what it would at the median rate has lost the difference: enough to
    /// see 0.3 s in one of 1.9 s, and hardly reached by a rate that scatters by 5 %.
    public static let tolerance = 1.15
    /// As long as there are no more than ``warmUp`` steps they are small and dear, and their median is not worth much: so
    /// long a step has lost only what goes beyond so many times the median rate.
    static let earlyTolerance = 1.5
    static let warmUp = 4
    /// Deviation of the time for a second of audio, as a part of it, that is taken for granted before it
    /// has been measured; it weighs as much as 2 s of audio.
    static let expectedDeviation = 0.007
    static let expectationWeight = 2.0
    /// Steps remembered.
    static let capacity = 32

    private struct Step: Equatable {
        var audio: Double
        var time: Double
        /// Per second of audio.
        var weight: Double
        var rate: Double { time / audio }
    }

    private var steps: [Step] = []
    /// Steps recorded.
    public private(set) var count = 0
    /// Seconds of work for a second of audio (the real-time factor), nil before the first step.
    public private(set) var slowness: Double?
    /// Seconds that the worst stall cost, among the steps remembered and without the first.
    public private(set) var largestExcess = 0.0
    /// Of the time that a second of audio takes, in seconds squared.
    private var variance = 0.0
    /// Seconds of audio, equally weighted, that the estimate is worth.
    private var evidence = 0.0

    public init() {}

    /// - Parameters:
    ///   - audio: seconds of audio that the step made. 0 or less: not a measurement, ignored.
    ///   - time: seconds that it took. Negative or NaN: ignored.
    public mutating func record(audio: Double, time: Double) {
        guard audio > 0, time >= 0, audio.isFinite, time.isFinite else { return }
        let fading = exp2(-audio / Self.halfLife)
        for index in steps.indices { steps[index].weight *= fading }
        if steps.count == Self.capacity { steps.removeFirst() }
        steps.append(Step(audio: audio, time: time, weight: audio.squareRoot()))
        count += 1
        estimate()
    }

    private mutating func estimate() {
        let median = medianRate
        let excesses = steps.map { step in
            let usual = median * step.audio
            if count <= Self.warmUp { return max(0, step.time - Self.earlyTolerance * usual) }
            return step.time > Self.tolerance * usual ? step.time - usual : 0
        }
        let first = count == steps.count ? 0 : nil
        let worst = excesses.indices.filter { $0 != first }.max { excesses[$0] < excesses[$1] }
        largestExcess = worst.map { excesses[$0] } ?? 0

        var (time, audio, squaredWeights, squaredShares) = (0.0, 0.0, 0.0, 0.0)
        let times = steps.indices.map { steps[$0].time - ($0 == first || $0 == worst ? excesses[$0] : 0) }
        for (step, taken) in zip(steps, times) {
            time += step.weight * taken
            audio += step.weight * step.audio
            squaredWeights += step.weight * step.weight * step.audio
            squaredShares += step.weight * step.audio * step.weight * step.audio
        }
        let mean = time / audio
        slowness = mean
        evidence = audio * audio / squaredWeights

        var squares = 0.0
        for (step, taken) in zip(steps, times) {
            let residual = taken - mean * step.audio
            squares += step.weight * residual * residual
        }
        // Few steps that agree may agree by chance: with n of equal weight, as Student's distribution is wider.
        let measured = squares / audio * (1 + 4 * squaredShares / (audio * audio))
        let expected = Self.expectedDeviation * mean
        variance =
            (Self.expectationWeight * expected * expected + evidence * measured)
            / (Self.expectationWeight + evidence)
    }

    /// The rate at or below which half of the weight is.
    private var medianRate: Double {
        let sorted = steps.sorted { $0.rate < $1.rate }
        let half = sorted.reduce(0) { $0 + $1.weight * $1.audio } / 2
        var sum = 0.0
        for step in sorted {
            sum += step.weight * step.audio
            if sum >= half { return step.rate }
        }
        return 0
    }

    /// The estimate for a step of this much audio, in seconds; nil before the first step.
    public func stepTime(audioPerStep: Double) -> Double? {
        slowness.map { $0 * audioPerStep }
    }

    /// Standard error, in seconds, of the estimated time for so many seconds of audio to come: how the rate varies on
    /// the way, v·t, and how little is known about its mean, v·t²/e, with v the variance for a second of audio and e
    /// the seconds it was measured on. 0 before the first step.
    public func uncertainty(audio: Double) -> Double {
        guard evidence > 0, audio > 0 else { return 0 }
        return (variance * audio * (1 + audio / evidence)).squareRoot()
    }
}
