import Arguments
import Playback

/// The options that say how something is played.
enum PlaybackParameters {
    static let device = Parameter.option(
        "device", as: .text.placeholder("NAME"), default: "default",
        help: "an ALSA device, as aplay -L of the package alsa-utils lists them")

    /// Seconds that may be collected before sound starts.
    static let buffers = 0.0...3600
    private static let bufferLimits = "\(Int(buffers.lowerBound)) to \(Int(buffers.upperBound))"

    static let strategy = ValueParser<PlaybackStrategy>(
        placeholder: "auto|stream|buffered:SECONDS|generate-first",
        expectation: "auto, stream, buffered:SECONDS (\(bufferLimits)) or generate-first",
        limits: "SECONDS: \(bufferLimits)",
        describe: { strategy in
            switch strategy {
            case .auto: "auto"
            case .stream: "stream"
            case .buffered(let seconds): "buffered:\(seconds)"
            case .generateFirst: "generate-first"
            }
        },
        parse: { text in
            switch text {
            case "auto": return .auto
            case "stream": return .stream
            case "generate-first": return .generateFirst
            default:
                guard text.hasPrefix("buffered:"), let seconds = Double(text.dropFirst(9)),
                    buffers.contains(seconds)
                else { return nil }
                return .buffered(seconds: seconds)
            }
        })
}
