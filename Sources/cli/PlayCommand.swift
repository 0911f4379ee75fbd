import Arguments
import DSP
import Foundation
import Glibc
import Playback

/// `syrinx play`: plays a recording, or the raw samples that a speech service returned.
enum PlayCommand {
    private static let input = Parameter.argument(
        "FILE", as: .path, help: "a WAV file, or raw samples with --raw, - for standard input")
    private static let raw = Parameter.flag("raw", help: "the samples have no header")
    private static let rate = Parameter.option(
        "rate", as: .integer(in: 1000...768_000).placeholder("HERTZ"), default: 24_000,
        help: "sample rate of raw samples")
    private static let encoding = Parameter.option(
        "encoding", as: ValueParser<SampleEncoding>.choice().placeholder("NAME"), default: .signed16,
        help: "encoding of raw samples")
    private static let channels = Parameter.option(
        "channels", as: .integer(in: 1...WAVReader.maximumChannels), default: 1, help: "channels of raw samples")
    private static let byteOrder = Parameter.option(
        "byte-order", as: .choice(["little": ByteOrder.littleEndian, "big": .bigEndian]), default: .littleEndian,
        help: "which byte of a raw sample comes first")
    private static let base64 = Parameter.flag("base64", help: "raw samples come as Base64 text")
    private static let buffer = Parameter.option(
        "buffer", as: .number(in: PlaybackParameters.buffers).placeholder("SECONDS"), default: 0.1,
        help: "seconds to collect before sound starts")

    static let command = Command(
        name: "play", summary: "Play a recording.",
        discussion: "Several channels are mixed to one.",
        groups: [
            ParameterGroup("Input", [input]),
            ParameterGroup("Raw input", [raw, rate, encoding, channels, byteOrder, base64]),
            ParameterGroup("Playback", [PlaybackParameters.device, buffer]),
        ],
        examples: [
            Example("syrinx play hello.wav", "play a file"),
            Example("syrinx play --raw --rate 24000 --encoding s16 --base64 reply.txt", "what a speech API returned"),
        ]
    ) { arguments in
        let isRaw = arguments[raw]
        let onlyRaw = [
            arguments.isGiven(rate), arguments.isGiven(encoding), arguments.isGiven(channels),
            arguments.isGiven(byteOrder), arguments[base64],
        ]
        guard isRaw || !onlyRaw.contains(true) else {
            throw arguments.usageError("a WAV file says what it holds; for samples without a header add --raw")
        }
        let path = arguments[input]
        guard path != "-" || isatty(STDIN_FILENO) == 0 else {
            throw arguments.usageError("standard input is a terminal; name a file, or pipe one in")
        }
        let format =
            isRaw
            ? PCMFormat(
                sampleRate: arguments[rate], channels: arguments[channels], encoding: arguments[encoding],
                byteOrder: arguments[byteOrder]) : nil
        let isBase64 = arguments[base64]
        let player = RecordingPlayer(
            output: AudioOutput(device: OutputDevice(arguments[PlaybackParameters.device])),
            buffer: arguments[buffer])
        let name = path == "-" ? "standard input" : path
        let ending: Ending
        do {
            ending = try await Interruption.stopping {
                try await player.play { try $0.pump(path, format, isBase64: isBase64) }
            }
        } catch let error as AudioFileError {
            throw CommandFailure(error.naming(name), error.exitStatus)
        }
        switch ending {
        case .whole: break
        case .short: Terminal.report("\(name) was cut short")
        case .damaged(let error):
            throw CommandFailure("\(error.naming(name)); what comes before was played", error.exitStatus)
        }
    }

    /// How an input ended.
    fileprivate enum Ending {
        case whole
        /// Before its header said, or in the middle of a frame.
        case short
        /// Where it cannot be decoded or read; what came before was played.
        case damaged(AudioFileError)
    }
}

extension RecordingPlayer {
    /// Reads a file, or standard input, and hands its samples on.
    ///
    /// - Parameter format: of raw samples; nil for a WAV file.
    /// - Returns: how the input ended, if anything of it could be read.
    fileprivate func pump(_ path: String, _ format: PCMFormat?, isBase64: Bool) throws -> PlayCommand.Ending {
        let name = "standard input"
        do {
            if let format {
                var reader =
                    path == "-"
                    ? try PCMReader(fileDescriptor: STDIN_FILENO, name: name, format: format, isBase64: isBase64)
                    : try PCMReader(path: path, format: format, isBase64: isBase64)
                try start(sampleRate: format.sampleRate)
                try hand(over: format.channels) { span throws(AudioFileError) in try reader.read(into: &span) }
                return reader.isTruncated ? .short : .whole
            }
            var reader =
                path == "-"
                ? try WAVReader(fileDescriptor: STDIN_FILENO, name: name) : try WAVReader(path: path)
            try start(sampleRate: reader.sampleRate)
            try hand(over: reader.channels) { span throws(AudioFileError) in try reader.read(into: &span) }
            return reader.isTruncated ? .short : .whole
        } catch let error as AudioFileError where hasHandedOver {
            return .damaged(error)
        }
    }
}
