import Tensor
import VITS

/// Renders a request piece by piece, pulled by whoever wants the sound: the one way from text to
/// samples, below files, streams and playback alike.
///
/// Synchronous and single-threaded above the voice's worker threads. The pieces, and the samples
/// in them, depend on the request alone.
package struct SpeechRenderer {
    /// One step's samples, at the voice's rate.
    package struct Piece: Sendable {
        package var samples: [Float]
        /// Index of the sentence that the samples belong to.
        package var sentence: Int
        package var isLast: Bool
    }

    package let sampleRate: Int
    package let seed: UInt64
    private let voice: Voice
    private let options: GenerationOptions
    private let speaker: Int
    private let workers: WorkerPool
    private var sequence: InferenceSequence
    private var current: Active?
    private var prepared: Prepared?
    private var inferences = 0
    private var sentences = 0
    private var hasMore = true

    /// An inference whose encoder and durations have run.
    private struct Prepared {
        let plan: SentencePlan
        let noise: NoiseBox
        let inference: InferenceSequence.Inference
    }

    private struct Active {
        let stream: SentenceStream
        var schedule: StepSchedule
        let inference: InferenceSequence.Inference
        let halfway: Int
    }

    /// The noise that an inference's durations and frames draw from, in that order.
    private final class NoiseBox {
        var generator: NoiseGenerator
        init(_ generator: NoiseGenerator) { self.generator = generator }
    }

    package init(
        voice: Voice, input: SpeechInput, options: GenerationOptions, workers: WorkerPool
    ) throws(SpeechError) {
        self.voice = voice
        self.options = try options.validated()
        self.workers = workers
        speaker = try voice.speaker(options.speaker)
        sequence = try InferenceSequence(input, voice: voice)
        sampleRate = voice.sampleRate
        seed = options.seed ?? UInt64.random(in: 0 ... .max)
    }

    /// Phonemes met so far that the voice has no ids for; they are not spoken.
    package var skippedPhonemes: Set<Unicode.Scalar> { sequence.skipped }

    /// The next samples; nil at the end. A piece may be empty of samples.
    package mutating func next() throws(SpeechError) -> Piece? {
        guard let active = try activate() else { return nil }
        var piece = Piece(samples: [], sentence: sentences, isLast: false)
        var schedule = active.schedule
        active.stream.step(schedule.nextStep(), into: &piece.samples)
        current?.schedule = schedule
        // The next sentence's encoder runs while there is sound left of this one.
        if active.stream.samplesMade >= active.halfway, prepared == nil { prepared = try prepare() }
        if active.stream.isFinished {
            let pause = active.inference.silence
                + (active.inference.endsSentence && prepared != nil ? options.sentenceSilence : 0)
            piece.samples += repeatElement(0, count: Int((pause * Double(sampleRate)).rounded()))
            piece.isLast = prepared == nil
            if active.inference.endsSentence { sentences += 1 }
            current = nil
        }
        return piece
    }

    private mutating func activate() throws(SpeechError) -> Active? {
        if let current { return current }
        if prepared == nil { prepared = try prepare() }
        guard let next = prepared else { return nil }
        prepared = nil
        let stream = SentenceStream(
            voice.model, plan: next.plan, largestStep: voice.model.largestStep, workers: workers
        ) { next.noise.generator.next() }
        let active = Active(
            stream: stream, schedule: voice.model.schedule, inference: next.inference,
            halfway: stream.samples / 2)
        current = active
        return active
    }

    private mutating func prepare() throws(SpeechError) -> Prepared? {
        guard hasMore, let inference = try sequence.next() else {
            hasMore = false
            return nil
        }
        let noise = NoiseBox(NoiseGenerator(seed: seed, sentence: inferences))
        inferences += 1
        let configuration = voice.configuration
        let request = SentenceRequest(
            ids: inference.ids, speaker: speaker,
            noiseScale: Float(options.noiseScale ?? configuration.noiseScale),
            lengthScale: Float((options.lengthScale ?? configuration.lengthScale) / options.rate),
            noiseWidth: Float(options.noiseWidth ?? configuration.durationNoiseScale))
        do throws(VITSError) {
            let plan = try voice.model.plan(request, workers: workers) { noise.generator.next() }
            return Prepared(plan: plan, noise: noise, inference: inference)
        } catch {
            throw .synthesis(error)
        }
    }
}
