/// One period of a voice: where its energy is, and how far it is to its neighbours.
struct PitchMark {
    /// Samples from the start of the stream.
    var position: Double
    /// Samples from the mark before, and to the mark after; the other one's value at the ends of a run.
    var left: Double
    var right: Double
    /// Marks of one stretch of unbroken voice have the same run.
    var run: Int

    static let none = PitchMark(position: 0, left: 0, right: 0, run: -1)
}
