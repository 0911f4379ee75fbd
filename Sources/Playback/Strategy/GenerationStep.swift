/// What a producer tells the output with the audio of a step, so that `auto` can size its buffer. All in seconds.
public struct GenerationStep: Sendable, Equatable {
    /// What the step took.
    public var stepTime: Double
    /// Audio of the request that remains to be made after this step. A producer that knows only an upper bound gives
    /// that.
    public var remaining: Double
    /// Audio of each step to come, the next one first, as far as known; they are a part of `remaining`. Empty if all
    /// steps are as long as this one.
    public var coming: [Double]
    /// Audio of the largest step that may come after those of `coming`; nil if that is not known: then none is expected
    /// to be larger than those seen and those in `coming`.
    public var largestStep: Double?
    /// The part of `stepTime` that went into getting ready what comes later, and not into the audio of the step: for
    /// VITS, the encoder of the next sentence.
    public var preparation: Double
    /// Time that such preparation will take between now and the end.
    public var remainingPreparation: Double

    public init(
        stepTime: Double, remaining: Double, coming: [Double] = [], largestStep: Double? = nil,
        preparation: Double = 0, remainingPreparation: Double = 0
    ) {
        self.stepTime = stepTime
        self.remaining = remaining
        self.coming = coming
        self.largestStep = largestStep
        self.preparation = preparation
        self.remainingPreparation = remainingPreparation
    }
}
