/// How threads share the work of a sentence. The bits are the same.
enum WorkSharing {
    /// All are in the same layer: a step is over as soon as it can be.
    case layers
    /// Each takes a station's next piece, and they meet less often. Where a step leaves a thread nothing to do, it
    /// takes up what later ones need.
    case pieces

    /// What runs a whole sentence best. A first sound that somebody waits for is made layer by layer all the same.
    init(frames: Int, threads: Int) {
        self = threads == 1 || frames <= Self.shortSentence ? .layers : .pieces
    }

    /// Frames of a sentence whose pieces are too few to keep a pipeline full.
    private static let shortSentence = 128
}
