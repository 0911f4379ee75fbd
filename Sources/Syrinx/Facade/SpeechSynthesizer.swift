import Playback

/// Turns text into speech: to samples, to a stream, to a loudspeaker.
///
///     let tts = try await SpeechSynthesizer()
///     try await tts.play(text: "Hello.")
///     let speech = try await tts.generate(text: "Hello.", options: GenerationOptions(rate: 1.2))
///     for try await chunk in tts.stream(text: longText) { … chunk.audio … }
///
/// The same options with the same seed give the same samples each way. Speech is made on threads of its own, never
/// on those that tasks share. Any number of requests may run at once; one of them may play.
///
/// Cancelling the task that waits for a request ends it with `CancellationError`; a callback that returns false ends
/// it with what is ready. Either way nothing more is made or delivered, the device is closed, and the
/// next request begins at once: the voice stays loaded.
public final class SpeechSynthesizer: Sendable {
    /// What makes the sound.
    public let source: any SpeechSource
    /// What `play` plays to: asked for the position, paused, resumed, made louder or quieter while it plays.
    public let audioOutput: AudioOutput

    /// A synthesizer with an installed voice.
    ///
    /// - Parameters:
    ///   - voice: a name or the path of an `.onnx` file.
    ///   - library: where voices are looked for.
    /// - Throws: `SpeechError.voiceNotFound`, which lists the voices there are, and why a voice cannot be used.
    public convenience init(
        voice: String = VoiceLibrary.defaultVoice, library: VoiceLibrary = VoiceLibrary(),
        audioOutput: AudioOutput = AudioOutput()
    ) async throws(SpeechError) {
        // Reading a voice takes some milliseconds, of which a task's thread should not be kept.
        let opened: Result<Voice, SpeechError> = await withCheckedContinuation { continuation in
            startSpeechThread(name: "voice") {
                continuation.resume(
                    returning: Result { () throws(SpeechError) in try library.voice(named: voice) })
            }
        }
        self.init(voice: try opened.get(), audioOutput: audioOutput)
    }

    /// A synthesizer with a voice that is open.
    public convenience init(voice: Voice, audioOutput: AudioOutput = AudioOutput()) {
        self.init(source: VoiceSpeechSource(voice: voice), audioOutput: audioOutput)
    }

    /// A synthesizer with any source.
    public init(source: any SpeechSource, audioOutput: AudioOutput = AudioOutput()) {
        self.source = source
        self.audioOutput = audioOutput
    }

    /// Hertz of the audio, where the options do not ask for another rate.
    public var sampleRate: Int { source.sampleRate }
}
