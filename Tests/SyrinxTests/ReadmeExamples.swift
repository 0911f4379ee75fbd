// The README's examples, with no import but the one that they show: they have to compile.
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
