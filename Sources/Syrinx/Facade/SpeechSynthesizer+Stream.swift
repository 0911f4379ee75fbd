extension SpeechSynthesizer {
    /// Speaks a text as an asynchronous sequence: the audio comes in the chunks in which it is made.
    ///
    ///     for try await chunk in tts.stream(text: text) { write(chunk.audio) }
    ///
    /// Speech is made as it is asked for, two chunks ahead, so memory does not depend on the text. Leaving the loop
    /// or cancelling the task ends the request.
    public func stream(text: String, options: GenerationOptions = GenerationOptions()) -> SpeechStream {
        stream(.text(text), options: options)
    }

    /// Speaks text or phoneme ids as an asynchronous sequence.
    public func stream(_ input: SpeechInput, options: GenerationOptions = GenerationOptions()) -> SpeechStream {
        SpeechStream(source: source, input: input, options: options)
    }
}
