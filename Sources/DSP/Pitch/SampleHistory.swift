/// The newest values of a stream, addressed by their position in the stream. What lies before the stream is
/// zero.
///
/// The values are contiguous, so that loops over them vectorise: `samples` from `index(of: position)` on.
struct SampleHistory {
    private(set) var samples: [Float]
    /// The position after the newest value.
    private(set) var end = 0
    private var used: Int
    private let kept: Int

    /// - Parameters:
    ///   - kept: how many of the newest values can always be read.
    ///   - room: how many more fit before the oldest are moved out.
    init(keeping kept: Int, room: Int) {
        self.kept = kept
        used = kept
        samples = [Float](repeating: 0, count: kept + room)
    }

    /// The position of the oldest value that can be read.
    var start: Int { end - used }

    func index(of position: Int) -> Int { position - start }

    subscript(position: Int) -> Float { samples[position - start] }

    mutating func append(_ value: Float) {
        if used == samples.count { discard() }
        samples[used] = value
        used += 1
        end += 1
    }

    mutating func reset() {
        for i in 0..<kept { samples[i] = 0 }
        used = kept
        end = 0
    }

    private mutating func discard() {
        let moved = used - kept
        for i in 0..<kept { samples[i] = samples[i + moved] }
        used = kept
    }
}
