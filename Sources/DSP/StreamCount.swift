/// What one `step` of a streaming processor did, in frames: a frame is one sample of each channel. What
/// `PitchTracker` consumes is samples, and what it produces pitch frames.
public struct StreamCount: Equatable, Sendable {
    /// Input frames taken. Fewer than were given only where the output had no room for what they
    /// would have become; give the rest again.
    public var consumed: Int
    /// Output frames written, from the start of the output.
    public var produced: Int

    /// A count of these values.
    public init(consumed: Int, produced: Int) {
        self.consumed = consumed
        self.produced = produced
    }
}
