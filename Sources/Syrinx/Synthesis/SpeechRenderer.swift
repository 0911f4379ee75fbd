import Tensor
import VITS

/// Renders a request step by step, pulled by whoever wants the sound.
///
/// The pieces, and the samples in them, depend on the request alone. One thread at a time; a step is shared among
/// the worker threads.
package final class SpeechRenderer: SpeechReader {
    package let sampleRate: Int
    package var seed: UInt64 { manner.seed }
    package private(set) var phases = SpeechPhases()
    private let manner: VoiceManner
    private let options: GenerationOptions
    private let workers: WorkerPool
    private let wantsAll: Bool
    private let cancellation: SpeechCancellation
    private var sequence: InferenceSequence
    private var current: InferenceRenderer?
    /// The one after `current`: its encoder has run, its decoder has not.
    private var prepared: InferenceRenderer?
    /// The one after `current`: read, as that tells whether there is one, and not encoded.
    private var upcoming: Inference?
    private var hasReadEnd = false
    private var remaining = RemainingAudio()
    private var watch = PhaseWatch()

    /// - Parameters:
    ///   - wantsAll: whether nobody listens before the end: steps are then as large as runs best from the first on.
    ///   - cancellation: ends a call that is under way within a layer or a piece of the decoder, with
    ///     `CancellationError`; nothing more comes then.
    package init(
        voice: Voice, input: SpeechInput, options: GenerationOptions, workers: WorkerPool,
        wantsAll: Bool = false, cancellation: SpeechCancellation = SpeechCancellation()
    ) throws(SpeechError) {
        self.options = try options.validated()
        self.workers = workers
        self.wantsAll = wantsAll
        self.cancellation = cancellation
        sampleRate = voice.sampleRate
        manner = try VoiceManner(voice, options)
        sequence = try InferenceSequence(
            input, voice: voice, chunking: options.chunking, cancellation: cancellation)
    }

    package var skippedPhonemes: Set<Unicode.Scalar> { sequence.skipped }

    package func prepare() throws {
        if current == nil { try prepareNext() }
    }

    /// What a later piece needs is got ready at the beginning of a call: samples that are made are given at once,
    /// whatever follows them.
    package func next() throws -> SpeechPiece? {
        try cancellation.check()
        let planned = planningTime
        if let current {
            // The next one's encoder runs while there is sound left of this one.
            if 2 * current.samplesMade >= current.samples { try prepareNext() }
        } else {
            try prepareNext()
            current = prepared.take()
        }
        guard let current else { return nil }
        let step = try watch.measure(&phases.decoding) { () throws(CancellationError) in try current.step() }
        if step.isFinished { try readNext() }
        let piece = SpeechPiece(
            current, step, isLast: step.isFinished && prepared == nil && upcoming == nil,
            remaining: remainingSamples(current) / Double(sampleRate),
            outlook: outlook(current, preparation: planningTime - planned))
        if step.isFinished { self.current = nil }
        return piece
    }

    // MARK: What is to come

    private func remainingSamples(_ current: InferenceRenderer) -> Double {
        let planned = current.samples - current.samplesMade + (prepared?.samples ?? 0)
        return Double(planned) + remaining.samples(ofWeight: unplanned)
    }

    private func outlook(_ current: InferenceRenderer, preparation: Double) -> SpeechOutlook {
        SpeechOutlook(
            coming: current.comingSteps + (prepared?.comingSteps ?? []), largestPiece: current.largestStep,
            preparation: preparation,
            remainingPreparation: remaining.planning(ofWeight: unplanned, spent: planningTime))
    }

    /// The part of the request whose durations are not known.
    private var unplanned: Double { sequence.remainingWeight + (upcoming?.weight ?? 0) }

    /// Seconds spent so far in reading and encoding.
    private var planningTime: Double { phases.reading + phases.encoding }

    private func readNext() throws(SpeechError) {
        guard prepared == nil, upcoming == nil, !hasReadEnd else { return }
        upcoming = try watch.measure(&phases.reading) { () throws(SpeechError) in try sequence.next() }
        hasReadEnd = upcoming == nil
    }

    private func prepareNext() throws {
        try readNext()
        guard prepared == nil, let inference = upcoming.take() else { return }
        let renderer = try watch.measure(&phases.encoding) {
            try InferenceRenderer(
                inference, manner, workers: workers, wantsAll: wantsAll, cancellation: cancellation)
        }
        remaining.planned(inference, samples: renderer.samples)
        prepared = renderer
    }
}

extension SpeechPiece {
    /// A step of an inference.
    init(
        _ renderer: InferenceRenderer, _ step: InferenceRenderer.Step, isLast: Bool, remaining: Double,
        outlook: SpeechOutlook
    ) {
        let inference = renderer.inference
        self.init(
            samples: step.samples, sentence: inference.sentence, endsInference: step.isFinished,
            endsSentence: step.isFinished && inference.endsSentence, isLast: isLast,
            pause: step.isFinished ? inference.silence : 0, marks: step.isFirst ? Self.marks(renderer) : [],
            remaining: remaining, outlook: outlook,
            recordingSamples: step.isFirst ? renderer.samples : 0)
    }

    private static func marks(_ renderer: InferenceRenderer) -> [SpeechMark] {
        let inference = renderer.inference
        guard inference.startsSentence else { return renderer.marks }
        let sentence = SpeechMark(
            kind: .sentence, text: inference.script.text, sentence: inference.sentence, start: 0,
            duration: renderer.seconds)
        return [sentence] + renderer.marks
    }
}
