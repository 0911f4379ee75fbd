/// How a text is spoken. What is nil is as the voice's configuration says.
///
///     let options = GenerationOptions(rate: 1.2, seed: 7)
///
/// Values are checked when a request begins: ``SpeechError/invalidOption(name:value:expected:)`` names the one
/// that is out of range and what is allowed.
public struct GenerationOptions: Sendable, Equatable {
    /// Speed of speech, 0.1 to 10: 2 is twice as fast. The voice itself speaks faster; the pitch stays.
    public var rate: Double
    /// Pitch, 0.5 (an octave down) to 2 (an octave up). Duration and formants stay.
    public var pitch: Double
    /// Factor on the amplitude, 0 to 10. Above 1 a limiter with look-ahead keeps peaks below full scale.
    public var volume: Double
    /// Factor of all durations, instead of the voice's own; `rate` still applies.
    public var lengthScale: Double?
    /// How lively the voice sounds, 0 to 10.
    public var noiseScale: Double?
    /// How much durations vary, 0 to 10.
    public var noiseWidth: Double?
    /// A name of the voice's speakers, or a number.
    public var speaker: String?
    /// The language that the text is in, as "en", "en-US" or "en_US". A voice of another language is refused; nil
    /// takes the voice's word for it.
    public var language: String?
    /// The same seed gives the same samples; nil takes another one each time.
    public var seed: UInt64?
    /// Seconds of silence between sentences, 0 to 3600; none follows the last.
    public var sentenceSilence: Double
    /// Seconds, 0 to 5, that sentences overlap with an equal-power crossfade, instead of the silence between them.
    public var crossfade: Double?
    /// What is one inference.
    public var chunking: ChunkingStrategy
    /// Whether the peak of every inference is brought to full scale, as Piper does it. Loudness then differs from
    /// sentence to sentence, and no sound comes before the first inference is complete.
    public var normalizes: Bool
    /// Hertz of the audio that comes out, 8000 to 192 000; nil for the voice's own.
    public var sampleRate: Int?
    /// Sentences that are rendered at once, 1 to 64, where the whole is wanted (`generate`, and `play` with
    /// `generateFirst`). The samples are the same for any number.
    public var concurrentWorkerCount: Int
    /// Processor threads of a request, 1 to 256; nil for all processors.
    public var threads: Int?

    /// Everything as the voice has it, or as given.
    public init(
        rate: Double = 1, pitch: Double = 1, volume: Double = 1, lengthScale: Double? = nil,
        noiseScale: Double? = nil, noiseWidth: Double? = nil, speaker: String? = nil, language: String? = nil,
        seed: UInt64? = nil, sentenceSilence: Double = 0.2, crossfade: Double? = nil,
        chunking: ChunkingStrategy = .sentence, normalizes: Bool = false, sampleRate: Int? = nil,
        concurrentWorkerCount: Int = 1, threads: Int? = nil
    ) {
        self.rate = rate
        self.pitch = pitch
        self.volume = volume
        self.lengthScale = lengthScale
        self.noiseScale = noiseScale
        self.noiseWidth = noiseWidth
        self.speaker = speaker
        self.language = language
        self.seed = seed
        self.sentenceSilence = sentenceSilence
        self.crossfade = crossfade
        self.chunking = chunking
        self.normalizes = normalizes
        self.sampleRate = sampleRate
        self.concurrentWorkerCount = concurrentWorkerCount
        self.threads = threads
    }
}

/// How a long text is divided into inferences.
public enum ChunkingStrategy: String, Sendable, CaseIterable {
    /// One inference a sentence; very long sentences are cut at commas, then between words. Sound starts after
    /// the first sentence's encoder, and memory does not depend on the text.
    case sentence
    /// The whole text in one inference, as far as the model's limit allows. The voice then chooses the pauses
    /// between the sentences itself, and the first sound waits for the whole text's encoder.
    case none
}
