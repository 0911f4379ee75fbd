/// What to change in a recording. Everything else stays as it is.
public struct ConversionOptions: Equatable, Sendable {
    /// How recordings are brought to a common level. Either holds the whole recording in memory, as its loudest
    /// part may be its last.
    public enum Normalization: String, CaseIterable, Sendable {
        /// The true peak becomes −1 dB of full scale.
        case peak
        /// The loudness becomes ``ConversionOptions/loudness``, with no true peak above −1 dB. For 1 to 6 channels;
        /// what is shorter than 0.4 s has no loudness and stays as it is.
        case loudness
    }

    /// Hertz; `nil` keeps the input's.
    public var sampleRate: Int?
    /// Only to 1 (the mean of all channels) or from 1 (copies); `nil` keeps the input's.
    public var channels: Int?
    /// Decibels, −200 to 60. What amplification would take above full scale is turned down by a limiter.
    public var gain: Double = 0
    /// Ratio, 0.5 to 2: keeps the duration and the formants. For one channel.
    public var pitch: Double = 1
    /// Ratio, 0.5 to 2: keeps the pitch. For one channel.
    public var tempo: Double = 1
    /// Takes silence (below −50 dB) away at both ends, but for 50 ms.
    public var trimsSilence = false
    /// Brings the recording to a common level; `nil` leaves it. ``gain`` comes before it.
    public var normalization: Normalization?
    /// LUFS: what ``Normalization/loudness`` aims at.
    public var loudness: Double = -16

    /// Options that change nothing.
    public init() {}
}
