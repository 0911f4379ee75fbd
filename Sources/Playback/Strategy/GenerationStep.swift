/// What a producer tells the output with the audio of a step, so that `auto` can size its buffer.
public struct GenerationStep: Sendable, Equatable {
    /// Seconds that the step took.
    public var stepTime: Double
    /// Seconds of audio of the request that remain to be made after this step. A producer that knows only
    /// an upper bound gives that.
    public var remaining: Double
    /// Seconds of audio of the next step, nil if it is as long as this one.
    public var nextAudio: Double?

    public init(stepTime: Double, remaining: Double, nextAudio: Double? = nil) {
        self.stepTime = stepTime
        self.remaining = remaining
        self.nextAudio = nextAudio
    }
}
