/// The newest marks, oldest first, in a ring of fixed size.
struct PitchMarkTrack {
    private var ring: [PitchMark]
    private(set) var first = 0
    private(set) var end = 0
    /// All marks before this position are in the track.
    var horizon = 0.0

    init(capacity: Int) { ring = [PitchMark](repeating: .none, count: capacity) }

    subscript(number: Int) -> PitchMark { ring[number % ring.count] }

    mutating func append(_ mark: PitchMark) {
        ring[end % ring.count] = mark
        end += 1
        first = max(first, end - ring.count)
    }

    /// The number of the mark nearest to `position`, or nil if there is none at all. Older marks than those
    /// of the call before are not needed again: positions never go back by more than a run.
    func nearest(to position: Double) -> Int? {
        guard first < end else { return nil }
        var best = end - 1
        while best > first, abs(self[best - 1].position - position) <= abs(self[best].position - position) {
            best -= 1
        }
        return best
    }

    func isFirstOfRun(_ number: Int) -> Bool { number == first || self[number - 1].run != self[number].run }

    mutating func reset() {
        first = 0
        end = 0
        horizon = 0
    }
}
