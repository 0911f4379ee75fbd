/// Where the time of a request went, in seconds.
public struct SpeechPhases: Sendable, Equatable {
    /// Text to phonemes and ids.
    public var reading = 0.0
    /// Encoders and durations of the sentences.
    public var encoding = 0.0
    /// Flow and decoder: the samples.
    public var decoding = 0.0
    /// Joins, pitch, level and sample rate.
    public var assembling = 0.0

    /// All 0.
    public init() {}
}

/// How long a request took, in seconds.
public struct SpeechTimings: Sendable, Equatable {
    /// From the call to the first samples, ready to be heard; 0 without audio.
    ///
    /// Everything on the way counts: opening the device, and callbacks for steps that gave no samples yet (of an
    /// inference that is normalised, say). Those are not in `fullPipeline`, which may therefore be the smaller of the two.
    public var timeToFirstBuffer = 0.0
    /// From the call to the first sample at the loudspeaker, as far as the device knows; nil if nothing was played.
    /// Never before `timeToFirstBuffer`; later by what the strategy collects and the device's own delay.
    public var timeToFirstSound: Double?
    /// From the call to the last sample, without what was spent in opening the device, in callbacks and in waiting for a
    /// player or reader that had enough for the time being.
    public var fullPipeline = 0.0
    /// Seconds of audio.
    public var audioDuration = 0.0
    /// What `fullPipeline` is made of. Sentences that are rendered at once count each for itself.
    public var phases = SpeechPhases()

    /// All 0: nothing was made.
    public init() {}

    /// Time over audio: lower is better. 0 without audio.
    public var realTimeFactor: Double { audioDuration > 0 ? fullPipeline / audioDuration : 0 }
    /// Audio over time: higher is better. 0 without audio.
    public var speedFactor: Double { fullPipeline > 0 ? audioDuration / fullPipeline : 0 }
}
