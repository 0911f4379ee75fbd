import Arguments
import Syrinx

/// The options that choose a voice and how it speaks.
enum VoiceParameters {
    static let voice = Parameter.option(
        "voice", short: "v", as: .voice, default: VoiceLibrary.defaultVoice,
        help: "an installed voice, or the path of an .onnx file")
    static let configuration = Parameter.option(
        "config", short: "c", as: .path, otherwise: "its path with .json added", help: "the voice's configuration")
    static let speaker = Parameter.option(
        "speaker", short: "s", as: .text.placeholder("NAME"), help: "a speaker of the voice, by name or number")
    static let rate = Parameter.option(
        "rate", as: .number(in: GenerationOptions.Limits.rate), default: 1,
        help: "speed of speech; 2 is twice as fast")
    static let pitch = Parameter.option(
        "pitch", as: .number(in: GenerationOptions.Limits.pitch), default: 1,
        help: "2 is an octave up; the speed stays")
    static let volume = Parameter.option(
        "volume", as: .number(in: GenerationOptions.Limits.volume), default: 1,
        help: "loudness; above 1 a limiter keeps peaks from clipping")
    static let normalize = Parameter.flag(
        "normalize", help: "bring every sentence's peak to full scale, as Piper does")
    static let sampleRate = Parameter.option(
        "sample-rate", as: .integer(in: GenerationOptions.Limits.sampleRate).placeholder("HERTZ"),
        otherwise: "the voice's", help: "rate of the audio")
    static let crossfade = Parameter.option(
        "crossfade", as: .number(in: GenerationOptions.Limits.crossfade).placeholder("SECONDS"),
        help: "let sentences overlap so long, instead of the silence between them")
    static let chunking = Parameter.option(
        "chunking", as: .choice(ChunkingStrategy.self), default: .sentence,
        help: "speak sentence by sentence, or the whole text in one")
    static let language = Parameter.option(
        "language", as: .text.placeholder("CODE"),
        help: "the text's language, such as en-US: a voice of another one is refused")
    static let workers = Parameter.option(
        "workers", as: .integer(in: GenerationOptions.Limits.concurrentWorkerCount), default: 1,
        help: "sentences rendered at once, where nothing is heard before the end")
    static let lengthScale = Parameter.option(
        "length-scale", as: .number(in: GenerationOptions.Limits.lengthScale), otherwise: "the voice's",
        help: "factor of all durations")
    static let noiseScale = Parameter.option(
        "noise-scale", as: .number(in: GenerationOptions.Limits.noiseScale), otherwise: "the voice's",
        help: "liveliness, 0 for none")
    static let noiseWidth = Parameter.option(
        "noise-w", as: .number(in: GenerationOptions.Limits.noiseWidth), otherwise: "the voice's",
        help: "variation of durations, 0 for none")
    static let sentenceSilence = Parameter.option(
        "sentence-silence", as: .number(in: GenerationOptions.Limits.sentenceSilence), default: 0.2,
        help: "seconds of silence between sentences")
    static let seed = Parameter.option(
        "seed", as: .seed, otherwise: "another each time", help: "the same seed gives the same sound")
    static let threads = Parameter.option(
        "threads", as: .integer(in: GenerationOptions.Limits.threads), otherwise: "all",
        help: "processor threads")

    static let groups = [
        ParameterGroup("Voice", [voice, configuration, speaker, language]),
        ParameterGroup(
            "Speech",
            [rate, pitch, lengthScale, noiseScale, noiseWidth, sentenceSilence, crossfade, chunking, seed]),
        ParameterGroup("Sound", [volume, normalize, sampleRate]),
        ParameterGroup("Machine", [threads, workers]),
    ]
    static let exclusions: [[any AnyParameter]] = [[sentenceSilence, crossfade]]

    /// Opens the voice that was asked for.
    /// - Parameter text: what it will say: for little of it no packed weights are kept, which halves the time of
    ///   the process; the samples are the same.
    static func open(_ arguments: ParsedArguments, toSay text: String) throws(SpeechError) -> Voice {
        try VoiceLibrary().voice(
            named: arguments[voice], configurationPath: arguments[configuration],
            execution: text.utf8.count < 256 ? .once : .automatic)
    }

    static func options(_ arguments: ParsedArguments) -> GenerationOptions {
        var options = GenerationOptions()
        options.rate = arguments[rate]
        options.lengthScale = arguments[lengthScale]
        options.noiseScale = arguments[noiseScale]
        options.noiseWidth = arguments[noiseWidth]
        options.speaker = arguments[speaker]
        options.seed = arguments[seed]
        options.sentenceSilence = arguments[sentenceSilence]
        options.threads = arguments[threads]
        options.pitch = arguments[pitch]
        options.volume = arguments[volume]
        options.normalizes = arguments[normalize]
        options.sampleRate = arguments[sampleRate]
        options.crossfade = arguments[crossfade]
        options.chunking = arguments[chunking]
        options.language = arguments[language]
        options.concurrentWorkerCount = arguments[workers]
        return options
    }
}

extension ValueParser<String> {
    /// What ``VoiceLibrary/path(of:)`` takes.
    static var voice: Self {
        path.placeholder("NAME", expecting: "the name of a voice, or the path of its .onnx file")
    }
}
