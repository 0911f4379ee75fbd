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
    private var sequence: InferenceSequence
    private var current: InferenceRenderer?
    /// The one after `current`: its encoder has run, its decoder has not.
    private var prepared: InferenceRenderer?
    private var hasLookedAhead = false
    private var remaining = RemainingAudio()
    private var watch = PhaseWatch()

    package init(
        voice: Voice, input: SpeechInput, options: GenerationOptions, workers: WorkerPool
    ) throws(SpeechError) {
        self.options = try options.validated()
        self.workers = workers
        sampleRate = voice.sampleRate
        manner = try VoiceManner(voice, options)
        sequence = try InferenceSequence(input, voice: voice, chunking: options.chunking)
    }

    package var skippedPhonemes: Set<Unicode.Scalar> { sequence.skipped }

    package func prepare() throws {
        if current == nil, prepared == nil { prepared = try prepareNext() }
    }

    package func next() throws -> SpeechPiece? {
        let planned = planningTime
        if current == nil {
            current = try prepared ?? prepareNext()
            (prepared, hasLookedAhead) = (nil, false)
        }
        guard let current else { return nil }
        let step = watch.measure(&phases.decoding) { current.step() }
        // The next one's encoder runs while there is sound left of this one.
        if !hasLookedAhead, 2 * current.samplesMade >= current.samples {
            prepared = try prepareNext()
            hasLookedAhead = true
        }
        let left = Double(current.samples - current.samplesMade + (prepared?.samples ?? 0))
            + remaining.samples(ofWeight: sequence.remainingWeight)
        let unplanned = sequence.remainingWeight
        let outlook = SpeechOutlook(
            coming: current.comingSteps + (prepared?.comingSteps ?? []), largestPiece: current.largestStep,
            preparation: planningTime - planned,
            remainingPreparation: remaining.planning(ofWeight: unplanned, spent: planningTime))
        let piece = SpeechPiece(
            current, step, isLast: step.isFinished && prepared == nil,
            remaining: left / Double(sampleRate), outlook: outlook)
        if step.isFinished { self.current = nil }
        return piece
    }

    /// Seconds spent so far in reading and encoding.
    private var planningTime: Double { phases.reading + phases.encoding }

    private func prepareNext() throws(SpeechError) -> InferenceRenderer? {
        guard let inference = try watch.measure(&phases.reading, { () throws(SpeechError) in try sequence.next() })
        else { return nil }
        let renderer = try watch.measure(&phases.encoding) { () throws(SpeechError) in
            try InferenceRenderer(inference, manner, workers: workers)
        }
        remaining.planned(inference, samples: renderer.samples)
        return renderer
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
