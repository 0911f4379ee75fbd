/// How clean a resampler is, against how much work and latency it costs.
///
/// Every figure is relative to the lower of the two Nyquist frequencies. "Stop band" is everything
/// from that frequency up: images of the input when the rate rises, aliases when it falls. Nothing
/// is let through between the pass band and Nyquist that would fold back.
public enum ResamplerQuality: String, CaseIterable, Sendable {
    /// Flat within 0.01 dB to 0.85 of Nyquist, stop band at -96 dB or below: the range of 16-bit
    /// audio. 80 taps, half the work of `high`.
    case fast
    /// Flat within 0.01 dB to 0.91 of Nyquist, stop band at -132.5 dB or below, distortion and noise
    /// of a full-scale sine at -135 dB or below: more than 21 bits. 176 taps, float32 sums.
    case high
    /// Flat within 0.01 dB to 0.91 of Nyquist, stop band at -165 dB or below, distortion and noise at
    /// -150 dB or below, which is the rounding of float32 samples. 236 taps, float64 taps and sums.
    case veryHigh
}

extension ResamplerQuality {
    /// Taps of the filter when the rate rises; when it falls, that many times the ratio of the rates.
    var taps: Int {
        switch self {
        case .fast: 80
        case .high: 176
        case .veryHigh: 236
        }
    }

    /// The attenuation that the Kaiser window is designed for, in dB. The largest side lobe of the
    /// stop band comes out up to 8 dB above it, the more the deeper it is: the formulas are fits to
    /// shallower filters. Hence the margin over the bound that is promised.
    var designAttenuation: Double {
        switch self {
        case .fast: 100
        case .high: 137
        case .veryHigh: 178
        }
    }
}
