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
