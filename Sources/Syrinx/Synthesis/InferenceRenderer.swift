import Tensor
import VITS

/// How a voice is asked to speak: the part of the options that concerns the model.
struct VoiceManner {
    let voice: Voice
    let speaker: Int
    let noiseScale: Float
    let lengthScale: Float
    let noiseWidth: Float
    let seed: UInt64

    init(_ voice: Voice, _ options: GenerationOptions) throws(SpeechError) {
        let configuration = voice.configuration
        self.voice = voice
        speaker = try voice.speaker(options.speaker)
        noiseScale = Float(options.noiseScale ?? configuration.noiseScale)
        lengthScale = Float((options.lengthScale ?? configuration.lengthScale) / options.rate)
        noiseWidth = Float(options.noiseWidth ?? configuration.durationNoiseScale)
        seed = options.seed ?? UInt64.random(in: 0 ... .max)
    }
}

/// One inference: its encoder and durations run at once, its samples come step by step.
///
/// The samples depend on the request and the inference's number alone. One thread at a time.
final class InferenceRenderer {
    let inference: Inference
    let marks: [SpeechMark]
    /// Samples of the whole inference.
    let samples: Int
    private(set) var samplesMade = 0
    private let plan: SentencePlan
    private let manner: VoiceManner
    private let workers: WorkerPool
    private let cancellation: SpeechCancellation
    private let wantsAll: Bool
    private var noise: NoiseGenerator
    private var stream: SentenceStream?
    private var schedule: StepSchedule
    /// Frames of sound that the steps made so far are meant to give. What the decoder's tiles hold back comes later.
    private var framesDue = 0

    /// - Parameter wantsAll: whether nobody listens before the end.
    /// - Throws: `SpeechError`, or `CancellationError`.
    init(
        _ inference: Inference, _ manner: VoiceManner, workers: WorkerPool, wantsAll: Bool,
        cancellation: SpeechCancellation
    ) throws {
        let model = manner.voice.model
        self.inference = inference
        self.manner = manner
        self.workers = workers
        self.cancellation = cancellation
        self.wantsAll = wantsAll
        schedule = model.schedule(wantsAll: wantsAll)
        // Durations draw from it first, frames after them.
        var generator = NoiseGenerator(seed: manner.seed, sentence: inference.index)
        let request = SentenceRequest(
            ids: inference.ids, speaker: manner.speaker, noiseScale: manner.noiseScale,
            lengthScale: manner.lengthScale, noiseWidth: manner.noiseWidth)
        do throws(VITSError) {
            plan = try model.plan(request, workers: workers, cancellation: cancellation.flag) { generator.next() }
        } catch {
            throw error == .cancelled ? CancellationError() : SpeechError.synthesis(error)
        }
        noise = generator
        samples = model.samples(frames: plan.frames)
        marks = inference.script.marks(
            durations: plan.durations, frameSeconds: Double(model.hop) / Double(manner.voice.sampleRate),
            sentence: inference.sentence)
    }

    /// Seconds of the whole inference.
    var seconds: Double { Double(samples) / Double(manner.voice.sampleRate) }
    var isFinished: Bool { samplesMade >= samples }

    /// What a step made.
    struct Step {
        var samples: [Float] = []
        var isFirst: Bool
        var isFinished = false
    }

    /// Makes the next step.
    /// - Throws: `CancellationError`; what had been made of the step is lost then.
    func step() throws(CancellationError) -> Step {
        let stream = self.stream ?? open()
        var made = Step(isFirst: samplesMade == 0)
        let step = schedule.nextStep()
        framesDue += made.isFirst ? schedule.firstSound : step
        stream.step(step, into: &made.samples)
        if cancellation.isCancelled { throw CancellationError() }
        samplesMade += made.samples.count
        made.isFinished = isFinished
        return made
    }

    /// Seconds of audio of each step to come. Their sum is exact.
    var comingSteps: [Double] {
        let hop = manner.voice.model.hop
        var (schedule, due, made) = (schedule, framesDue, samplesMade)
        var steps: [Double] = []
        while made < samples {
            let step = schedule.nextStep()
            due += due == 0 ? schedule.firstSound : step
            let count = min(due * hop, samples) - made
            guard count > 0 else { continue }
            steps.append(Double(count) / Double(manner.voice.sampleRate))
            made += count
        }
        return steps
    }

    /// Seconds of audio of the largest step of any sentence of the voice.
    var largestStep: Double {
        Double(StepSchedule.largest * manner.voice.model.hop) / Double(manner.voice.sampleRate)
    }

    private func open() -> SentenceStream {
        let model = manner.voice.model
        // The stream belongs to this renderer and draws noise only inside `step`.
        let stream = SentenceStream(
            model, plan: plan, largestStep: model.largestStep, workers: workers, wantsAll: wantsAll,
            cancellation: cancellation.flag
        ) { [unowned self] in noise.next() }
        self.stream = stream
        return stream
    }
}
