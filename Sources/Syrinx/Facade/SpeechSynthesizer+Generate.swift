extension SpeechSynthesizer {
    /// Speaks a text into memory.
    ///
    /// - Parameter callback: called after every step; false ends the request, which then returns what is ready.
    /// - Returns: the audio and when what is said in it. Text with nothing to say gives no audio.
    /// - Throws: `SpeechError`, `CancellationError`, and what a source of your own throws.
    @discardableResult
    public func generate(
        text: String, options: GenerationOptions = GenerationOptions(), callback: SpeechCallback? = nil
    ) async throws -> SpeechResult {
        try await generate(.text(text), options: options, callback: callback)
    }

    /// Speaks text or phoneme ids into memory.
    ///
    /// Nothing hurries: the first audio comes later than ``stream(_:options:)`` gives it, in steps of up to some 1.5 s.
    ///
    /// - Parameter keepsAudio: false for a callback that puts the audio elsewhere: the result has none,
    ///   nor marks (``SpeechProgress/marks`` has them), and memory does not grow with the text.
    @discardableResult
    public func generate(
        _ input: SpeechInput, options: GenerationOptions = GenerationOptions(), keepsAudio: Bool = true,
        callback: SpeechCallback? = nil
    ) async throws -> SpeechResult {
        try await generate(input, options: options, keepsAudio: keepsAudio, wantsAll: true, callback: callback)
    }

    /// The same for a callback whose audio somebody may hear meanwhile, unless all is wanted.
    package func generate(
        _ input: SpeechInput, options: GenerationOptions, keepsAudio: Bool, wantsAll: Bool, callback: SpeechCallback?
    ) async throws -> SpeechResult {
        let request = SpeechRequest(source, input, options, wantsAll: wantsAll, keepsAudio: keepsAudio)
        return try await RequestControl().run { control in
            try request.run(control.cancellation) { news in
                guard let callback else { return true }
                return try control.deliver { callback(news) ?? true }
            }
        }
    }
}
