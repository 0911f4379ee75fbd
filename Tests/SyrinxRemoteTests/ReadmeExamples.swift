// The README's examples, with no import but the one that they show: they have to compile.
import SyrinxRemote

func remoteExample() async throws {
    let cloud = SpeechSynthesizer(source: try GeminiSpeechSource(voice: "Kore"))
    try await cloud.play(text: "Have a wonderful day!")
}
