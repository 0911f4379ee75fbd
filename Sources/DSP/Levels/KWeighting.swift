import Glibc

/// The frequency weighting of loudness measurement: a shelf for the head's effect and a high-pass, in
/// series (ITU-R BS.1770-5 Annex 1).
///
/// The standard gives coefficients for 48 kHz only. Both filters are bilinear transforms of analogue
/// ones whose parameters follow from those coefficients (B. De Man, "Evaluation of implementations of
/// the EBU R 128 loudness measurement", AES 145, 2018); transformed for another rate they weight alike.
struct KWeighting: Sendable {
    /// The taps of one second-order section, normalised: a0 is 1.
    private struct Section: Sendable {
        var b0, b1, b2, a1, a2: Double
        var z1 = 0.0
        var z2 = 0.0

        /// Transposed direct form II.
        mutating func step(_ x: Double) -> Double {
            let y = b0 * x + z1
            z1 = b1 * x - a1 * y + z2
            z2 = b2 * x - a2 * y
            return y
        }
    }

    private var shelf: Section
    private var highPass: Section

    init(sampleRate: Double) {
        // High shelf: +4 dB above about 1.5 kHz.
        var k = tan(.pi * 1681.974_450_955_533 / sampleRate)
        var q = 0.707_175_236_955_419_6
        let high = pow(10, 3.999_843_853_973_347 / 20)
        let band = pow(high, 0.499_666_774_154_541_6)
        var scale = 1 / (1 + k / q + k * k)
        shelf = Section(
            b0: (high + band * k / q + k * k) * scale, b1: 2 * (k * k - high) * scale,
            b2: (high - band * k / q + k * k) * scale, a1: 2 * (k * k - 1) * scale,
            a2: (1 - k / q + k * k) * scale)
        // High-pass at 38 Hz, with the standard's numerator 1, -2, 1 (gain not normalised).
        k = tan(.pi * 38.135_470_876_024_44 / sampleRate)
        q = 0.500_327_037_323_877_3
        scale = 1 / (1 + k / q + k * k)
        highPass = Section(b0: 1, b1: -2, b2: 1, a1: 2 * (k * k - 1) * scale, a2: (1 - k / q + k * k) * scale)
    }

    mutating func step(_ x: Double) -> Double { highPass.step(shelf.step(x)) }

    mutating func reset() {
        (shelf.z1, shelf.z2, highPass.z1, highPass.z2) = (0, 0, 0, 0)
    }
}
