import Arguments
import DSP
import Glibc
import Syrinx
import Tensor

/// `syrinx say`: speaks a text.
enum SayCommand {
    private static let output = Parameter.option(
        "output", short: "o", as: .path, help: "write a WAV file, - for standard output")

    static let command = Command(
        name: "say", summary: "Speak a text.",
        discussion: "Text comes as an argument, with --file, or through a pipe.",
        groups: [
            ParameterGroup("Text", [TextSource.words, TextSource.file]),
            ParameterGroup("Output", [output]),
        ] + VoiceParameters.groups,
        examples: [
            Example("syrinx say \"Hello world.\" -o hello.wav", "speak into a file"),
            Example("echo \"Hello world.\" | syrinx say -o - | aplay", "speak through a pipe"),
        ]
    ) { arguments in
        guard let path = arguments[output] else {
            throw arguments.usageError("name a WAV file with --output, or - for standard output")
        }
        let text = try TextSource.text(arguments)
        let voice = try VoiceParameters.open(arguments)
        let options = VoiceParameters.options(arguments)
        let workers = WorkerPool(threads: options.threads ?? processorCount())
        var renderer = try SpeechRenderer(voice: voice, input: .text(text), options: options, workers: workers)
        Interruption.watch()
        let frames = try write(&renderer, to: path)
        if frames == 0 { Terminal.report("the text has nothing to say; the audio is empty") }
        reportSkipped(renderer.skippedPhonemes)
    }

    /// Renders to a WAV file that appears only when it is complete.
    /// - Returns: the frames written.
    private static func write(_ renderer: inout SpeechRenderer, to path: String) throws -> Int {
        var writer = path == "-"
            ? try WAVWriter(fileDescriptor: STDOUT_FILENO, name: "standard output", sampleRate: renderer.sampleRate)
            : try WAVWriter(path: path, sampleRate: renderer.sampleRate, allowsLargeFile: false)
        while let piece = try renderer.next() {
            try Interruption.check()
            try writer.step(piece.samples.span)
            if path == "-" { try writer.flush() }
        }
        let frames = writer.frames
        try writer.finish()
        return frames
    }

    private static func reportSkipped(_ phonemes: Set<Unicode.Scalar>) {
        guard !phonemes.isEmpty else { return }
        let listed = phonemes.sorted().map { "\($0)" }.joined(separator: " ")
        Terminal.report("the voice does not know these phonemes and left them out: \(listed)")
    }

    private static func processorCount() -> Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
