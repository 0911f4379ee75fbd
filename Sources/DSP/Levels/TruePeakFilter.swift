/// Four-fold oversampling for peaks between samples, as ITU-R BS.1770-5 Annex 2 asks for: a peak
/// meter that only looks at samples can read a sine near a quarter of the sample rate 3 dB low.
///
/// Not the Annex's table of 48 taps but a designed filter of its kind: 48 input samples long, flat to
/// 0.92 of Nyquist, where the Annex's own begins to fall at 0.6.
enum TruePeakFilter {
    static let factor = 4
    static let taps = 48

    /// Centred on Nyquist, unlike the resampler's: what folds there is far less than what would be
    /// missed.
    static let filter = ResamplerFilter(
        ratio: RateRatio(up: factor, down: 1),
        prototype: LowpassPrototype(halfWidth: Double(taps) / 2, attenuation: 60, cutoff: 0.5))
}
