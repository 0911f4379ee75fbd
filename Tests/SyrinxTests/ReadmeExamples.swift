// The README's examples, with no import but those that they show: they have to compile.
import DSP
import Syrinx

func localExample(longText: String, send: ([Float]) -> Void) async throws {
    let tts = try await SpeechSynthesizer()
    try await tts.play(text: "This starts before it is all made.")
    let speech = try await tts.generate(text: "Hello.", options: GenerationOptions(rate: 1.2, seed: 7))
    for try await chunk in tts.stream(text: longText) { send(chunk.audio) }
    _ = speech
}

func deviceExample() async throws {
    let speaker = try await SpeechSynthesizer(audioOutput: AudioOutput(device: OutputDevice("hw:1")))
    try await speaker.play(text: "Hello.", playbackStrategy: .buffered(seconds: 1))
}

func fileExample(speech: SpeechResult) throws {
    try WAVWriter.write(speech.audio, to: "hello.wav", sampleRate: speech.sampleRate)
}

/// The names for those who come from TTSKit.
func portingExample(_ progress: SpeechProgress, _ result: SpeechResult) -> [Any] {
    let options = GenerationOptions(
        noiseScale: 0.5, noiseWidth: 0.5, speaker: "0", language: "en", seed: 1, crossfade: 0.1,
        chunking: .sentence, concurrentWorkerCount: 4)
    return [
        VoiceLibrary().names, options, progress.fraction, progress.remainingDuration, result.seed,
        result.timings.audioDuration,
        (any SpeechSource).self, (any SpeechReader).self, SpeechError.self, SpeechSynthesizer.self,
    ]
}
