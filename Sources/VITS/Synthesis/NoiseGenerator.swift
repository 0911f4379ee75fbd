import Glibc

/// Normally distributed numbers, reproducible from a seed.
///
/// xoshiro256** (Blackman and Vigna 2018) feeds the Box–Muller transform. One generator serves one
/// sentence; its sequence depends on the seed and the sentence's index alone, so neither the order
/// in which sentences are rendered nor the number of threads changes a sample.
package struct NoiseGenerator: Sendable {
    private var state: (UInt64, UInt64, UInt64, UInt64)
    private var spare: Float?

    /// - Parameters:
    ///   - seed: the request's.
    ///   - sentence: which sentence of the request.
    package init(seed: UInt64, sentence: Int = 0) {
        var mixer = SplitMix64(state: seed)
        let base = mixer.next()
        mixer = SplitMix64(state: base ^ (UInt64(truncatingIfNeeded: sentence) &* 0x9E37_79B9_7F4A_7C15))
        state = (mixer.next(), mixer.next(), mixer.next(), mixer.next())
    }

    /// A number of mean 0 and variance 1.
    package mutating func next() -> Float {
        if let value = spare {
            spare = nil
            return value
        }
        // In (0, 1], so that the logarithm is finite.
        let u = (Float(nextBits() >> 40) + 1) * 0x1p-24
        let angle = Float(nextBits() >> 40) * 0x1p-24 * 2 * Float.pi
        let radius = (-2 * log(u)).squareRoot()
        spare = radius * sin(angle)
        return radius * cos(angle)
    }

    private mutating func nextBits() -> UInt64 {
        let result = rotate(state.1 &* 5, 7) &* 9
        let t = state.1 << 17
        state.2 ^= state.0
        state.3 ^= state.1
        state.1 ^= state.2
        state.0 ^= state.3
        state.2 ^= t
        state.3 = rotate(state.3, 45)
        return result
    }

    private func rotate(_ x: UInt64, _ k: UInt64) -> UInt64 { (x << k) | (x >> (64 - k)) }
}

/// Spreads a seed over as many words as are asked for (Steele et al. 2014).
private struct SplitMix64 {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
