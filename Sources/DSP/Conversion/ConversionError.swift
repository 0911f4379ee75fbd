/// What a conversion refuses before it begins. `description` is one line that says what to do.
public enum ConversionError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Only one channel becomes several, or several one.
    case unsupportedChannels(from: Int, to: Int)
    /// Pitch and tempo are changed in one voice, not in several channels.
    case pitchNeedsOneChannel(channels: Int)
    /// Neither the rate of the input nor that of the output is one at which the pitch can be followed.
    case pitchNeedsSpeechRate(inputRate: Int, outputRate: Int)
    /// A rate, ratio or gain that a processor does not take; the text is the processor's.
    case refused(String)

    /// One line that says what to do.
    public var description: String {
        switch self {
        case .unsupportedChannels(let from, let to):
            "\(from) channels cannot become \(to); only to 1, or from 1"
        case .pitchNeedsOneChannel(let channels):
            "pitch and tempo are changed in one channel, and there are \(channels); mix them to 1"
        case .pitchNeedsSpeechRate(let inputRate, let outputRate):
            "pitch and tempo need a rate of 8000 to 48000 Hz, and the input has \(inputRate) and the output "
                + "\(outputRate); resample to one of these first"
        case .refused(let text): text
        }
    }
}
