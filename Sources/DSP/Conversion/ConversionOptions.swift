/// What to change in a recording. Everything else stays as it is.
public struct ConversionOptions: Equatable, Sendable {
    public enum Normalization: String, CaseIterable, Sendable {
        /// The highest sample becomes −1 dB of full scale.
        case peak
    }

    /// Hertz; `nil` keeps the input's.
    public var sampleRate: Int?
    /// Only to 1 (the mean of all channels) or from 1 (copies); `nil` keeps the input's.
    public var channels: Int?
    /// Decibels. Amplification can clip; what does is counted.
    public var gain: Double = 0
    /// Ratio, 0.5 to 2: keeps the duration and the formants. For one channel.
    public var pitch: Double = 1
    /// Ratio, 0.5 to 2: keeps the pitch. For one channel.
    public var tempo: Double = 1
    /// Holds the whole recording in memory, as its loudest part may be its last.
    public var normalization: Normalization?

    public init() {}
}
