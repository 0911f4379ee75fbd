import Arguments
import DSP
import Glibc

/// `syrinx convert`: changes the rate, encoding, level, pitch or tempo of a recording.
enum ConvertCommand {
    private static let anyEncoding = ValueParser<SampleEncoding>.choice().placeholder("NAME")

    private static let input = Parameter.argument(
        "IN", as: .path, help: "a WAV file or raw samples, - for standard input")
    private static let output = Parameter.argument(
        "OUT", as: .path, help: "a WAV file, or raw samples if it ends in .raw or .pcm, - for standard output"
    )

    private static let rate = Parameter.option(
        "rate", short: "r", as: .integer(in: 1...768_000).placeholder("HERTZ"), otherwise: "the input's",
        help: "sample rate")
    private static let encoding = Parameter.option(
        "encoding", short: "e", as: anyEncoding, otherwise: "the input's", help: "how a sample is stored")
    private static let channels = Parameter.option(
        "channels", as: .integer(in: 1...WAVReader.maximumChannels).placeholder("N"),
        otherwise: "the input's", help: "1 mixes all channels, more copies a single one")
    private static let dither = Parameter.flag(
        "dither", help: "add triangular dither when samples become 8, 16 or 24 bits")
    private static let seed = Parameter.option("seed", as: .seed, default: 0, help: "seed of the dither")
    private static let raw = Parameter.flag("raw", help: "write samples without a header")

    private static let gain = Parameter.option(
        "gain", short: "g", as: .number(in: -200...60).placeholder("DB"), default: 0,
        help: "decibels; a limiter keeps what is amplified below full scale")
    private static let normalize = Parameter.option(
        "normalize", as: .choice(ConversionOptions.Normalization.self),
        help: "bring to a common level: the peak to -1 dB, or the loudness")
    private static let loudness = Parameter.option(
        "loudness", as: .number(in: -70...0).placeholder("LUFS"), default: -16,
        help: "what --normalize loudness aims at")
    private static let trim = Parameter.flag("trim", help: "take silence away at both ends, but for 50 ms")
    private static let pitch = Parameter.option(
        "pitch", as: .number(in: TimePitch.range).placeholder("RATIO"), default: 1,
        help: "2 is an octave up; keeps duration and formants; one channel")
    private static let tempo = Parameter.option(
        "tempo", as: .number(in: TimePitch.range).placeholder("RATIO"), default: 1,
        help: "2 is twice as fast; keeps the pitch; one channel")

    private static let rawRate = Parameter.option(
        "raw-rate", as: .integer(in: 1...768_000).placeholder("HERTZ"),
        help: "the input has no header and this sample rate")
    private static let rawEncoding = Parameter.option(
        "raw-encoding", as: anyEncoding, default: .signed16, help: "encoding of such samples")
    private static let rawChannels = Parameter.option(
        "raw-channels", as: .integer(in: 1...WAVReader.maximumChannels).placeholder("N"), default: 1,
        help: "channels of such samples")
    private static let rawByteOrder = Parameter.option(
        "raw-byte-order", as: .choice(["little": ByteOrder.littleEndian, "big": .bigEndian]),
        default: .littleEndian, help: "which byte of such samples comes first, in the output too")
    private static let rawBase64 = Parameter.flag("raw-base64", help: "such samples come as Base64 text")

    static let command = Command(
        name: "convert", summary: "Change the rate, encoding, level, pitch or tempo of a recording.",
        discussion: "OUT may be IN: it is replaced when it is complete.",
        groups: [
            ParameterGroup("Files", [input, output]),
            ParameterGroup("Format", [rate, encoding, channels, raw, dither, seed]),
            ParameterGroup("Sound", [gain, normalize, loudness, pitch, tempo, trim]),
            ParameterGroup("Raw input", [rawRate, rawEncoding, rawChannels, rawByteOrder, rawBase64]),
        ],
        exclusions: [[gain, normalize]],
        examples: [
            Example("syrinx convert in.wav out.wav --rate 24000 --encoding s16", "resample, to 16 bits"),
            Example(
                "syrinx convert - out.wav --raw-rate 24000 --raw-base64 < reply.txt",
                "what a speech API returned"),
            Example("syrinx say \"Hello.\" -o - | syrinx convert - - --pitch 1.2 | aplay", "in a pipe"),
        ]
    ) { arguments in
        var conversion = AudioFileConversion(from: try source(arguments), to: try target(arguments))
        conversion.rawInput = try rawFormat(arguments)
        conversion.inputIsBase64 = arguments[rawBase64]
        conversion.container = try container(arguments)
        try refuseIdleOptions(arguments, conversion.container)
        conversion.encoding = arguments[encoding]
        conversion.ditherSeed = arguments[dither] ? arguments[seed] : nil
        conversion.options.sampleRate = arguments[rate]
        conversion.options.channels = arguments[channels]
        conversion.options.gain = arguments[gain]
        conversion.options.normalization = arguments[normalize]
        conversion.options.loudness = arguments[loudness]
        conversion.options.trimsSilence = arguments[trim]
        conversion.options.pitch = arguments[pitch]
        conversion.options.tempo = arguments[tempo]
        do {
            report(try conversion.run(), name: arguments[input])
        } catch let error as ConversionError {
            throw arguments.usageError(named(error, arguments))
        } catch let error as AudioFileError {
            let name = arguments[input] == "-" ? "standard input" : arguments[input]
            throw CommandFailure(error.naming(name), error.exitStatus)
        }
    }

    /// The refusal, with the option that asked for it and its value.
    private static func named(_ error: ConversionError, _ arguments: ParsedArguments) -> String {
        let option: String? =
            switch error {
            case .unsupportedChannels: arguments[channels].map { "--channels \($0)" }
            case .pitchNeedsOneChannel, .pitchNeedsSpeechRate:
                arguments.isGiven(pitch) ? "--pitch \(arguments[pitch])" : "--tempo \(arguments[tempo])"
            case .refused: arguments[rate].map { "--rate \($0)" }
            }
        let advice = if case .pitchNeedsOneChannel = error { " with --channels 1" } else { "" }
        return (option.map { $0 + ": " } ?? "") + "\(error)" + advice
    }

    // MARK: Where from and where to

    private static func source(_ arguments: ParsedArguments) throws -> AudioFileConversion.Endpoint {
        guard arguments[input] == "-" else { return .path(arguments[input]) }
        guard isatty(STDIN_FILENO) == 0 else {
            throw arguments.usageError("standard input is a terminal; name a file, or pipe one in")
        }
        return .descriptor(STDIN_FILENO, name: "standard input")
    }

    private static func target(_ arguments: ParsedArguments) throws -> AudioFileConversion.Endpoint {
        guard arguments[output] == "-" else { return .path(arguments[output]) }
        try SoundOutput.checkTerminal("-", arguments)
        return .descriptor(STDOUT_FILENO, name: "standard output")
    }

    private static func rawFormat(_ arguments: ParsedArguments) throws -> PCMFormat? {
        if let rate = arguments[rawRate] {
            return PCMFormat(
                sampleRate: rate, channels: arguments[rawChannels], encoding: arguments[rawEncoding],
                byteOrder: arguments[rawByteOrder])
        }
        let isRaw = arguments.isGiven(rawEncoding) || arguments.isGiven(rawChannels) || arguments[rawBase64]
        if isRaw { throw arguments.usageError("raw input needs its sample rate, add --raw-rate HERTZ") }
        return nil
    }

    /// Options that would change nothing as they stand: something else was meant.
    private static func refuseIdleOptions(
        _ arguments: ParsedArguments, _ container: AudioFileConversion.Container
    ) throws {
        if arguments.isGiven(loudness), arguments[normalize] != .loudness {
            throw arguments.usageError("--loudness is for --normalize loudness, add that")
        }
        if arguments.isGiven(seed), !arguments[dither] {
            throw arguments.usageError("--seed is the seed of the dither, add --dither")
        }
        if arguments.isGiven(rawByteOrder), arguments[rawRate] == nil, container == .wav {
            throw arguments.usageError(
                "--raw-byte-order is for samples without a header, add --raw-rate or --raw")
        }
    }

    /// The name tells the container, and may not promise another one.
    private static func container(_ arguments: ParsedArguments) throws -> AudioFileConversion.Container {
        let order = arguments[rawByteOrder]
        switch try SoundOutput.kind(of: arguments[output], arguments) {
        case .raw: return .raw(order)
        case .any: return arguments[raw] ? .raw(order) : .wav
        case .wav:
            guard !arguments[raw] else {
                throw arguments.usageError(
                    "--raw writes no WAV file; name the output .raw or leave --raw out")
            }
            return .wav
        }
    }

    private static func report(_ summary: AudioFileConversion.Summary, name: String) {
        let name = name == "-" ? "standard input" : name
        if summary.inputIsTruncated {
            Terminal.report(
                "\(name) was cut short; converted are the \(summary.inputFrames) frames that are there")
        }
        if summary.clippedSamples > 0 {
            Terminal.report(
                "\(summary.clippedSamples) samples were above full scale and were cut off; lower them with --gain or --normalize"
            )
        }
    }
}
