import Glibc

/// The mean squares of measured blocks, sorted into bins by their loudness.
struct LoudnessHistogram: Sendable {
    private static let lowest = -70.0
    private static let perUnit = 20.0
    /// To +30 LUFS; what is louder goes to the last bin, with its true energy.
    private static let bins = 2000
    private var counts = [Int](repeating: 0, count: Self.bins)
    private var sums = [Double](repeating: 0, count: Self.bins)

    /// BS.1770-5 Annex 1, equation (2): -0.691 dB makes a 997 Hz sine of 0 dBFS in one channel
    /// read -3.01 LUFS.
    static func loudness(_ energy: Double) -> Double { -0.691 + 10 * log10(energy) }

    /// Below the absolute gate: not kept.
    mutating func add(_ energy: Double) {
        let loudness = Self.loudness(energy)
        guard loudness >= Self.lowest else { return }
        let bin = Int(min((loudness - Self.lowest) * Self.perUnit, Double(Self.bins - 1)))
        counts[bin] += 1
        sums[bin] += energy
    }

    /// The mean over the blocks within 10 LU of the mean of all (equations (5) to (7)).
    var gatedLoudness: Double? {
        guard let mean = mean(atLeast: 0) else { return nil }
        return self.mean(atLeast: mean / 10).map(Self.loudness)
    }

    private func mean(atLeast gate: Double) -> Double? {
        var (count, sum) = (0, 0.0)
        for bin in counts.indices where counts[bin] > 0 && sums[bin] >= gate * Double(counts[bin]) {
            count += counts[bin]
            sum += sums[bin]
        }
        return count > 0 ? sum / Double(count) : nil
    }

    mutating func reset() {
        for bin in counts.indices { (counts[bin], sums[bin]) = (0, 0) }
    }
}
