/// Why a voice cannot be run, or a request cannot be served by it.
public enum VITSError: Error, Equatable, Sendable {
    /// The file lacks a tensor or node that every VITS voice has.
    case missing(String)
    /// A tensor has another shape than its place in the model asks for; −1 stands for any size.
    case shape(tensor: String, expected: [Int], actual: [Int])
    /// The file asks for something that is not implemented.
    case unsupported(String)
    /// A tensor holds infinities or values that are not numbers.
    case notFinite(tensor: String)
    /// A phoneme id lies outside the voice's table.
    case idOutOfRange(id: Int, symbols: Int)
    /// The voice has no such speaker.
    case speakerOutOfRange(speaker: Int, speakers: Int)
    /// A scale is not a finite number in its range.
    case scale(name: String, value: Float)
    /// The request is longer than one inference may be.
    case tooLong(what: String, count: Int, limit: Int)
    /// The voice file has been truncated since it was opened.
    case fileTruncated
    /// The request was cancelled meanwhile. The facade throws `CancellationError` in its place.
    case cancelled
}

extension VITSError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .missing(let name):
            "the voice file has no \(name); it is not a Piper (VITS) voice, or is damaged"
        case .shape(let tensor, let expected, let actual):
            "the voice file's tensor \(tensor) has shape \(actual), expected \(expected)"
        case .unsupported(let what):
            "the voice file uses \(what), which is not supported"
        case .notFinite(let tensor):
            "the voice file's tensor \(tensor) holds values that are not finite numbers; the file is damaged"
        case .idOutOfRange(let id, let symbols):
            "phoneme id \(id) is outside the voice's 0 ..< \(symbols)"
        case .speakerOutOfRange(let speaker, let speakers):
            speakers > 1
                ? "the voice has no speaker \(speaker); it has 0 to \(speakers - 1)"
                : "the voice has a single speaker, 0; speaker \(speaker) was asked for"
        case .scale(let name, let value):
            "\(name) \(value) is out of range; use a finite number, above 0 for the length scale and not below 0 for the noise scales"
        case .tooLong(let what, let count, let limit):
            "\(count) \(what) in one sentence are more than the limit of \(limit); split the text"
        case .fileTruncated:
            "the voice file has become shorter since it was opened; put it back whole and open the voice again"
        case .cancelled: "the request was cancelled"
        }
    }
}
