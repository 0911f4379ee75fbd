/// Cuts a stream of any chunking into whole hops, so that what is made of it cannot depend on the chunks.
struct HopInput {
    private(set) var history: SampleHistory
    /// Samples taken so far, those of an unfinished hop included.
    private(set) var received = 0
    private var pending: [Float]
    private var filled = 0

    init(hop: Int, keeping kept: Int) {
        pending = [Float](repeating: 0, count: hop)
        history = SampleHistory(keeping: kept, room: max(kept, hop))
    }

    /// Takes samples up to the end of a hop or of the range; gives the position after the last one taken, and whether a hop
    /// is complete and stands in `history`. Samples that are not finite are taken as 0 and huge ones limited,
    /// so that sums of squares stay finite.
    mutating func take(_ input: Span<Float>, in range: Range<Int>) -> (next: Int, isComplete: Bool) {
        let start = range.lowerBound
        let count = min(pending.count - filled, range.count)
        for i in 0..<count {
            let value = input[start + i]
            pending[filled + i] = value.isFinite ? min(max(value, -1e15), 1e15) : 0
        }
        received += count
        filled += count
        return (start + count, completeIfFull())
    }

    /// Fills the hop up with zeros.
    mutating func takeSilence() {
        for i in filled..<pending.count { pending[i] = 0 }
        received += pending.count - filled
        filled = pending.count
        _ = completeIfFull()
    }

    mutating func reset() {
        history.reset()
        received = 0
        filled = 0
    }

    private mutating func completeIfFull() -> Bool {
        guard filled == pending.count else { return false }
        for value in pending { history.append(value) }
        filled = 0
        return true
    }
}
