/// A pessimistic running estimate of how long generation takes for a second of audio.
///
/// Mean and mean deviation are exponentially weighted, and the estimate is mean + 2·deviation (the
/// retransmission timer of TCP: Jacobson, "Congestion avoidance and control", 1988, with his gains of 1/8 and
/// 1/4 raised to 1/4 both, as a request has tens of steps and not thousands). Times are taken per second of
/// audio because steps grow in size. The first step, small and cold, makes the estimate pessimistic; a
/// stall raises mean and deviation and is forgotten within about ten steps.
public struct StepTimeEstimator: Sendable, Equatable {
    private var mean = 0.0
    private var deviation = 0.0
    /// Steps recorded.
    public private(set) var count = 0

    public init() {}

    /// - Parameters:
    ///   - audio: seconds of audio that the step made. 0 or less: not a measurement, ignored.
    ///   - time: seconds that it took. Negative or NaN: ignored.
    public mutating func record(audio: Double, time: Double) {
        guard audio > 0, time >= 0, audio.isFinite, time.isFinite else { return }
        let slowness = time / audio
        if count == 0 {
            mean = slowness
            deviation = slowness / 8
        } else {
            deviation += (abs(slowness - mean) - deviation) / 4
            mean += (slowness - mean) / 4
        }
        count += 1
    }

    /// Seconds of work for a second of audio (the real-time factor, pessimistic), nil before the first step.
    public var slowness: Double? { count == 0 ? nil : mean + 2 * deviation }

    /// The estimate for a step of this much audio, in seconds; nil before the first step.
    public func stepTime(audioPerStep: Double) -> Double? {
        slowness.map { $0 * audioPerStep }
    }
}
