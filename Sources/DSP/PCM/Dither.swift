/// Noise of triangular distribution, two steps of the quantiser wide, that makes the error of rounding
/// independent of the signal (Lipshitz, Wannamaker and Vanderkooy, "Quantization and Dither", 1992).
///
/// Reproducible: the noise is a function of the seed and of the number of samples before, so any chunking of
/// the same samples gives the same bytes. Digital silence becomes noise of ±1 step.
struct Dither: Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// The next value, in steps of the quantiser: above −1 and below 1.
    mutating func next() -> Float {
        // SplitMix64 (Steele, Lea and Flood, 2014).
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        z ^= z >> 31
        // The difference of two uniform values of 24 bits.
        let difference = Int32(truncatingIfNeeded: z >> 40) - Int32(truncatingIfNeeded: (z >> 16) & 0xff_ffff)
        return Float(difference) * 0x1p-24
    }
}
