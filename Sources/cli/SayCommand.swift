import Arguments
import DSP
import Playback
import Syrinx

/// `syrinx say`: speaks a text, to a loudspeaker or into a file.
enum SayCommand {
    private static let output = Parameter.option(
        "output", short: "o", as: .path, help: "write a WAV file, - for standard output, and play nothing")
    private static let save = Parameter.option(
        "save", as: .path, help: "play, and write a WAV file too")
    private static let strategy = Parameter.option(
        "strategy", as: PlaybackParameters.strategy, default: .auto,
        help: "how much is collected before sound starts")

    static let command = Command(
        name: "say", summary: "Speak a text.",
        discussion: "Text comes as an argument, with --file, or through a pipe. Without --output it is played.",
        groups: [
            ParameterGroup("Text", [TextSource.words, TextSource.file]),
            ParameterGroup("Output", [output, save]),
            ParameterGroup("Playback", [strategy, PlaybackParameters.device]),
        ] + VoiceParameters.groups,
        exclusions: [[output, save], [output, strategy], [output, PlaybackParameters.device]]
            + VoiceParameters.exclusions,
        examples: [
            Example("syrinx say \"Hello world.\"", "speak"),
            Example("syrinx say \"Hello world.\" -o hello.wav", "speak into a file"),
            Example("echo \"Hello world.\" | syrinx say -o - | aplay", "speak through a pipe"),
            Example("syrinx say -f book.txt --strategy buffered:2 --save book.wav", "speak, and keep it"),
        ]
    ) { arguments in
        try SoundOutput.checkWAV(arguments[output] ?? arguments[save], arguments)
        let text = try TextSource.text(arguments)
        let options = VoiceParameters.options(arguments)
        let voice = try VoiceParameters.open(arguments, toSay: text)
        Terminal.noteUnclosedBlock(in: text, try? voice.configuration.phonemizer())
        let synthesizer = SpeechSynthesizer(
            voice: voice,
            audioOutput: AudioOutput(device: OutputDevice(arguments[PlaybackParameters.device])))
        // The process ends with the command: its memory goes at once, rather than block by block before that.
        _ = Unmanaged.passRetained(synthesizer)
        let result =
            if let path = arguments[output] {
                try await write(text, options, synthesizer, to: path)
            } else {
                try await play(text, options, synthesizer, strategy: arguments[strategy], savingTo: arguments[save])
            }
        if result.sampleCount == 0 {
            Terminal.report("the text has nothing to say; the audio is empty")
        }
        Terminal.noteSkipped(result.skippedPhonemes)
    }

    private static func write(
        _ text: String, _ options: GenerationOptions, _ synthesizer: SpeechSynthesizer, to path: String
    ) async throws -> SpeechResult {
        let file = try SpeechFile(path: path, sampleRate: options.sampleRate ?? synthesizer.sampleRate)
        // Whoever reads a pipe has the terminal to itself.
        let line = path == "-" ? nil : ProgressLine.writing()
        defer { line?.end() }
        let result = try await Interruption.stopping {
            // What reads the pipe may play it; sentences at once are for whoever wants them all.
            let wantsAll = path != "-" || options.concurrentWorkerCount > 1
            return try await synthesizer.generate(
                .text(text), options: options, keepsAudio: false, wantsAll: wantsAll
            ) { news in
                line?.update(news)
                return file.write(news)
            }
        }
        try file.finish()
        return result
    }

    private static func play(
        _ text: String, _ options: GenerationOptions, _ synthesizer: SpeechSynthesizer,
        strategy: PlaybackStrategy, savingTo path: String?
    ) async throws -> SpeechResult {
        let rate = options.sampleRate ?? synthesizer.sampleRate
        let file = try path.map { try SpeechFile(path: $0, sampleRate: rate) }
        let line = ProgressLine.playing(synthesizer.audioOutput)
        defer { line.end() }
        let result = try await Interruption.stopping {
            try await synthesizer.play(
                .text(text), options: options, playbackStrategy: strategy, keepsAudio: false
            ) { news in
                line.update(news)
                return file?.write(news)
            }
        }
        try file?.finish()
        return result
    }
}
