import CKernels
import Glibc

/// Runs `body` once at each level that this CPU has, on this thread alone, then returns to the level found.
func atEachLevel(_ body: (_ level: String) throws -> Void) rethrows {
    let found = syrinx_kernel_level()
    defer { _ = syrinx_force_kernel_level(found) }
    for index in 0..<UInt32(syrinx_level_count) {
        let level = syrinx_level(rawValue: index)
        guard syrinx_force_kernel_level(level) else { continue }
        try body(String(cString: syrinx_kernel_level_name(level)))
    }
}

/// A small generator (SplitMix64) so that a failing run can be repeated from its printed seed.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
    /// `count` floats, evenly spread over -1...1.
    mutating func floats(_ count: Int, scale: Float = 1) -> [Float] {
        (0..<count).map { _ in Float.random(in: -1...1, using: &self) * scale }
    }
}

/// Signal-to-noise ratio of `values` against `exact`, in dB; NaN counts as no signal at all.
func signalToNoise(_ values: [Float], _ exact: [Double]) -> Double {
    precondition(values.count == exact.count)
    var signal = 0.0
    var noise = 0.0
    for (value, truth) in zip(values, exact) {
        signal += truth * truth
        noise += (Double(value) - truth) * (Double(value) - truth)
    }
    if noise.isNaN { return -.infinity }
    return noise == 0 ? .infinity : 10 * log10(signal / noise)
}
