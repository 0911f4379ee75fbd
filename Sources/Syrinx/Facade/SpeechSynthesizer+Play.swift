import Playback
import Synchronization

extension SpeechSynthesizer {
    /// Speaks a text to ``audioOutput`` while it is being made, and returns when its end has been heard.
    ///
    /// `audioOutput.stopPlayback(waitForCompletion: false)` stops the sound from outside: the request ends and returns
    /// what was ready, with the finish reason `cancelled`.
    ///
    /// - Parameters:
    ///   - playbackStrategy: how much is collected before sound starts.
    ///   - callback: called after every step; false fades out what is heard and ends the request.
    /// - Throws: `SpeechError.playback(.alreadyPlaying)` while another `play` of the same output goes on: wait for
    ///   it, or use a second ``AudioOutput``. `SpeechError.playback` for a device that cannot be used. Everything
    ///   that `generate` throws. The device is closed in each case.
    @discardableResult
    public func play(
        text: String, options: GenerationOptions = GenerationOptions(),
        playbackStrategy: PlaybackStrategy = .auto, callback: SpeechCallback? = nil
    ) async throws -> SpeechResult {
        try await play(.text(text), options: options, playbackStrategy: playbackStrategy, callback: callback)
    }

    /// Speaks text or phoneme ids to ``audioOutput``.
    ///
    /// - Parameter keepsAudio: false for long texts: the result has no audio and no marks (the callback gets both),
    ///   and memory does not grow with the text (unless the strategy is `generateFirst`).
    @discardableResult
    public func play(
        _ input: SpeechInput, options: GenerationOptions = GenerationOptions(),
        playbackStrategy: PlaybackStrategy = .auto, keepsAudio: Bool = true, callback: SpeechCallback? = nil
    ) async throws -> SpeechResult {
        let request = SpeechRequest(
            source, input, options, wantsAll: playbackStrategy == .generateFirst, keepsAudio: keepsAudio)
        let player = RequestPlayer(output: audioOutput, strategy: playbackStrategy, request: request)
        do {
            var result = try await RequestControl().run { control in
                try player.run(control, callback)
            }
            await player.end(result)
            try Task.checkCancellation()
            if player.isCut { result.finishReason = .cancelled }
            // Another request may have taken the output after somebody had stopped this one.
            guard player.isOurs else { return result }
            if let failure = audioOutput.failure { throw SpeechError.playback(failure) }
            result.timings.timeToFirstSound = player.timeToFirstSound
            result.underrunCount = audioOutput.underrunCount
            return result
        } catch {
            await player.end(nil)
            throw error
        }
    }
}
