/// What can be wrong with a request to follow or to change pitch and tempo.
public enum PitchError: Error, Equatable, Sendable {
    /// The sample rate, in hertz, is outside 8 000 to 48 000.
    case unsupportedSampleRate(Int)
    /// The pitch ratio is not a number from 0.5 to 2.
    case pitchOutOfRange(Double)
    /// The tempo ratio is not a number from 0.5 to 2.
    case tempoOutOfRange(Double)
    /// The caller's buffer is too short for what the call gives. Nothing was consumed.
    case outputTooShort(needed: Int, available: Int)
}

extension PitchError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unsupportedSampleRate(let rate):
            "the sample rate is \(rate) Hz; pitch needs 8000 to 48000 Hz: resample first"
        case .pitchOutOfRange(let ratio):
            "the pitch ratio is \(ratio); give a number from 0.5 (an octave down) to 2 (an octave up)"
        case .tempoOutOfRange(let ratio):
            "the tempo ratio is \(ratio); give a number from 0.5 (half as fast) to 2 (twice as fast)"
        case .outputTooShort(let needed, let available):
            "the output buffer holds \(available) values and \(needed) are due: size it by outputCapacity"
        }
    }
}
