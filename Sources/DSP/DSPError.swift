/// What the processors of this library refuse, and why. Every case says what was given and what is
/// accepted; none is a matter of the samples themselves, which may hold anything.
public enum DSPError: Error, Equatable, Sendable {
    /// A sample rate that is zero, negative, infinite or not a number.
    case invalidRate(hertz: Double)
    /// A pair of rates further apart than a factor of 256, in hertz.
    case unsupportedRatio(from: Double, to: Double)
    /// A channel count outside `allowed`.
    case invalidChannelCount(Int, allowed: ClosedRange<Int>)
    /// Interleaved samples that do not divide into whole frames.
    case partialFrame(samples: Int, channels: Int)
    /// A parameter outside its range: its name, its value and what is accepted.
    case invalidParameter(name: String, value: Double, allowed: String)
}

extension DSPError: CustomStringConvertible {
    /// One line: what was given, and what is accepted.
    public var description: String {
        switch self {
        case .invalidRate(let hertz):
            "a sample rate must be a positive number of hertz, not \(hertz)"
        case .unsupportedRatio(let from, let to):
            "cannot resample from \(Self.plain(from)) to \(Self.plain(to)) Hz: the rates may differ by a factor of 256 at most;"
                + " resample in two steps"
        case .invalidChannelCount(let count, let allowed):
            "\(count) channels: this processor takes \(allowed.lowerBound) to \(allowed.upperBound)"
        case .partialFrame(let samples, let channels):
            "\(samples) interleaved samples are not a whole number of frames of \(channels) channels"
        case .invalidParameter(let name, let value, let allowed):
            "\(name) is \(value); it must be \(allowed)"
        }
    }

    /// "8000", and not "8000.0".
    private static func plain(_ hertz: Double) -> String {
        Int(exactly: hertz).map(String.init) ?? "\(hertz)"
    }
}
