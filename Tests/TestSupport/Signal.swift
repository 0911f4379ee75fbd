import Foundation

/// The largest absolute difference; infinite where the counts differ or a value is not a number.
package func maximumDifference(_ a: [Float], _ b: [Float]) -> Double {
    guard a.count == b.count else { return .infinity }
    var largest = 0.0
    for (x, y) in zip(a, b) where x != y {
        let difference = abs(Double(x) - Double(y))
        guard !difference.isNaN else { return .infinity }
        largest = max(largest, difference)
    }
    return largest
}

/// The signal-to-noise ratio in dB of `a` against the reference `b`: infinite where they are equal,
/// −infinite where the counts differ or a value is not a number.
package func signalToNoise(_ a: [Float], reference b: [Float]) -> Double {
    guard a.count == b.count else { return -.infinity }
    var signal = 0.0
    var noise = 0.0
    for (x, y) in zip(a, b) {
        signal += Double(y) * Double(y)
        noise += (Double(x) - Double(y)) * (Double(x) - Double(y))
    }
    guard !noise.isNaN else { return -.infinity }
    return noise == 0 ? .infinity : 10 * log10(signal / noise)
}

extension Collection where Element == Float {
    /// Whether every number has the same bits as its counterpart.
    package func hasSameBits(as other: some Collection<Float>) -> Bool {
        count == other.count && zip(self, other).allSatisfy { $0.bitPattern == $1.bitPattern }
    }
}
