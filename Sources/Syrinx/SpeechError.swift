import Phonemes
import Playback
import VITS

/// Why a request could not be served; each case says what the caller can do.
public enum SpeechError: Error, Sendable {
    /// No voice of this name was found; `known` lists those that are installed.
    case voiceNotFound(name: String, known: [String], folders: [String])
    /// A voice's file does not exist or may not be read.
    case missingVoiceFile(path: String, reason: String)
    /// A voice's file is damaged, or asks for what is not supported.
    case unusableVoice(path: String, reason: String)
    /// The voice has no such speaker.
    case unknownSpeaker(name: String, known: [String])
    /// The text was said to be in a language that the voice does not speak.
    case wrongLanguage(asked: String, voice: String, language: String)
    /// An option is out of range, or the source cannot do it.
    case invalidOption(name: String, value: String, expected: String)
    /// Text cannot be turned into phonemes.
    case text(PhonemeError)
    /// The voice cannot say what was asked of it.
    case synthesis(VITSError)
    /// The sound device cannot be used, went away, or is playing something else.
    case playback(PlaybackError)
}

extension SpeechError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .voiceNotFound(let name, let known, let folders):
            "no voice named \(name) in \(folders.joined(separator: ", ")); "
                + (known.isEmpty
                    ? "install one with weights/fetch or name an .onnx file"
                    : "installed: \(known.joined(separator: ", "))")
        case .missingVoiceFile(let path, let reason):
            "cannot open the voice file \(path): \(reason)"
        case .unusableVoice(let path, let reason):
            "cannot use the voice \(path): \(reason)"
        case .unknownSpeaker(let name, let known):
            known.isEmpty
                ? "no speaker '\(name)': the voice has a single speaker"
                : "no speaker '\(name)'; the voice has \(Self.listed(known))"
        case .wrongLanguage(let asked, let voice, let language):
            "the voice \(voice) speaks \(language), not \(asked); choose another voice or leave the language out"
        case .invalidOption(let name, let value, let expected):
            "\(name) is \(value); expected \(expected)"
        case .text(let error): "\(error)"
        case .synthesis(let error): "\(error)"
        case .playback(let error): "\(error)"
        }
    }

    private static func listed(_ names: [String]) -> String {
        names.count > 10
            ? names.prefix(10).joined(separator: ", ") + " … (\(names.count) in all)"
            : names.joined(separator: ", ")
    }
}
