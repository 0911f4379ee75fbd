import Arguments
import DSP
import Glibc
import Phonemes
import Playback
import Syrinx
import VITS

/// An error as the shell sees it: a line and an exit code.
struct CommandFailure: Error {
    let message: String
    let exitStatus: Int32

    private init(message: String, exitStatus: Int32) {
        self.message = message
        self.exitStatus = exitStatus
    }

    init(_ message: String, _ status: ExitStatus) {
        self.init(message: message, exitStatus: status.rawValue)
    }

    /// - Parameter command: the one that failed: advice names only options that it has.
    init(_ error: any Error, of command: Command? = nil) {
        switch error {
        case let error as CommandFailure: self = error
        case let error as StandardStream.Failure: self.init("\(error)", error.exitStatus)
        case let error as UsageError: self.init("\(error)", error.exitStatus)
        case SpeechError.playback(let error): self.init(error.advice(to: command), error.exitStatus)
        case SpeechError.synthesis(.tooLong(what: "frames", count: _, limit: let limit)):
            self.init(
                "a sentence would become longer than \(limit) frames; lower --length-scale, raise --rate, or split the text",
                .usage)
        case let error as SpeechError: self.init("\(error)", error.exitStatus)
        case let error as PlaybackError: self.init(error.advice(to: command), error.exitStatus)
        case let error as AudioFileError: self.init("\(error)", error.exitStatus)
        default: self.init("\(error)", .badData)
        }
    }
}

extension SpeechError {
    var exitStatus: ExitStatus {
        switch self {
        case .voiceNotFound: .unavailable
        case .missingVoiceFile: .noInput
        case .unusableVoice: .badData
        case .unknownSpeaker, .invalidOption, .wrongLanguage: .usage
        case .playback(let error): error.exitStatus
        case .text(let error): error.exitStatus
        case .synthesis: .badData
        }
    }
}

extension AudioFileError {
    var exitStatus: ExitStatus {
        switch self {
        case .cannotOpen: .noInput
        case .cannotRead, .cannotCreate, .cannotWrite, .tooLarge, .wrongFrameCount: .inputOutput
        case .unwritableFormat: .usage
        case .notWAV, .malformed, .unsupported, .notBase64, .truncatedBase64: .badData
        }
    }
}

extension AudioFileError {
    /// The error with the name of its input, which most have already.
    func naming(_ input: String) -> String {
        switch self {
        case .notBase64, .truncatedBase64: "\(input): \(self)"
        default: "\(self)"
        }
    }
}

extension PhonemeError {
    /// What is missing from the machine is unavailable; the rest is bad data.
    var exitStatus: ExitStatus {
        switch self {
        case .espeakLibraryMissing, .espeakFunctionMissing, .espeakDataMissing, .espeakFailed, .espeakNotBuilt:
            .unavailable
        default: .badData
        }
    }
}

extension PlaybackError {
    var exitStatus: ExitStatus {
        switch self {
        case .brokenPipe, .deviceLost: .inputOutput
        // What the device writes to, ALSA's file plugin for one, takes no more.
        case .deviceFailed(_, _, let code) where [-ENOSPC, -EDQUOT, -EFBIG].contains(code): .inputOutput
        case .invalidSampleRate, .invalidBufferDuration: .usage
        default: .unavailable
        }
    }

    /// The error, and the ways out that the command has.
    func advice(to command: Command?) -> String {
        let file = command?.hasOption("output") == true ? "write to a file with -o FILE" : nil
        switch self {
        case .deviceNotFound(let device):
            // ALSA's names for whatever sound server there is.
            let isServer = ["default", "pulse", "pipewire"].contains(String(device.prefix { $0 != ":" }))
            let problem =
                isServer
                ? "no audio device '\(device)': no sound server answers, and no sound card is set up under this name"
                : "no audio device called '\(device)'"
            let server = isServer ? "start a sound server (PipeWire or PulseAudio)" : nil
            let list =
                command?.hasOption("device") == true
                ? "name one of `aplay -L` (package alsa-utils) with --device" : nil
            let ways = [server, list, file].compactMap(\.self)
            return ways.isEmpty ? problem : "\(problem); \(ways.joined(separator: ", or "))"
        case .deviceBusy, .devicePermission, .unsupportedFormat, .deviceFailed:
            return "\(self)" + (file.map { "; or \($0)" } ?? "")
        default: return "\(self)"
        }
    }
}
