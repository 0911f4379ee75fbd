/// What a source can tell of the pieces to come, so that playback under `auto` starts neither too early nor too late.
/// All in seconds. A source that can tell nothing leaves it as it is.
public struct SpeechOutlook: Sendable, Equatable {
    /// Audio that each of the next pieces will hold, the next one first, as far as known: for a voice, to the end of the
    /// sentence, and of the next one if its encoder has run. Within a tile of the decoder's kernels (an eighth of the
    /// largest step) for single pieces, exact in sum.
    public var coming: [Double]
    /// Audio of the largest piece that may come after those; nil if not known.
    public var largestPiece: Double?
    /// The part of the piece's time that went into getting ready a later one: the encoder of the next sentence.
    public var preparation: Double
    /// Time that such preparation will probably take between now and the end.
    public var remainingPreparation: Double

    /// What is left out is not known.
    public init(
        coming: [Double] = [], largestPiece: Double? = nil, preparation: Double = 0,
        remainingPreparation: Double = 0
    ) {
        self.coming = coming
        self.largestPiece = largestPiece
        self.preparation = preparation
        self.remainingPreparation = remainingPreparation
    }
}
