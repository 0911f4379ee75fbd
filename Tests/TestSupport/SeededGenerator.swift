import Foundation

/// SplitMix64 (Steele et al. 2014): small, seedable, the same everywhere.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }

    /// `count` numbers of −`limit` ... `limit`.
    package mutating func floats(_ count: Int, limit: Float = 1) -> [Float] {
        (0..<count).map { _ in Float.random(in: -limit...limit, using: &self) }
    }
}

/// Seeds of a random test: those given, or the one in `SYRINX_TEST_SEED`, to repeat a failure or to
/// look further.
package func testSeeds(_ seeds: ClosedRange<UInt64>) -> [UInt64] {
    guard let text = ProcessInfo.processInfo.environment["SYRINX_TEST_SEED"], let seed = UInt64(text) else {
        return Array(seeds)
    }
    return [seed]
}
