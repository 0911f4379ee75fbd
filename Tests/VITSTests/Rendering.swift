import Tensor
import VITS

/// How a sentence is cut into steps.
enum Steps: CustomStringConvertible {
    case all
    case each(Int)
    case scheduled

    var description: String {
        switch self {
        case .all: "all at once"
        case .each(let size): "steps of \(size)"
        case .scheduled: "the default schedule"
        }
    }
}

/// A sentence with seeded noise, and a way through it.
struct Rendering {
    let model: VITSModel
    var request: SentenceRequest
    var seed: UInt64 = 1
    var sentence = 0
    var workers = WorkerPool(threads: 1)

    func plan() throws -> (SentencePlan, NoiseGenerator) {
        var noise = NoiseGenerator(seed: seed, sentence: sentence)
        let plan = try model.plan(request, workers: workers) { noise.next() }
        return (plan, noise)
    }

    /// - Parameter passes: how the flow is cut; nil for the default.
    func stream(
        largestStep: Int? = nil, passes: PieceSizes? = nil, wantsAll: Bool = false,
        cancellation: CancelFlag = CancelFlag()
    ) throws -> SentenceStream {
        let (plan, generator) = try plan()
        var noise = generator
        return SentenceStream(
            model, plan: plan, largestStep: largestStep ?? model.largestStep, passes: passes, workers: workers,
            wantsAll: wantsAll, cancellation: cancellation
        ) { noise.next() }
    }

    /// - Parameters:
    ///   - cutsFlow: the flow's passes are cut like the steps.
    ///   - wantsAll: the first sound is not hurried.
    func audio(_ steps: Steps, cutsFlow: Bool = false, wantsAll: Bool = false) throws -> [Float] {
        let (plan, _) = try plan()
        let size: Int? =
            switch steps {
            case .all: plan.frames
            case .each(let size): size
            case .scheduled: nil
            }
        let stream = try stream(
            largestStep: size, passes: cutsFlow ? size.map { PieceSizes(each: $0) } : nil, wantsAll: wantsAll)
        var schedule = model.schedule(wantsAll: wantsAll)
        var audio: [Float] = []
        while !stream.isFinished { stream.step(size ?? schedule.nextStep(), into: &audio) }
        return audio
    }
}

extension Rendering {
    /// Ids that every voice has, odd ones among them, as many as asked for.
    static func ids(_ count: Int, symbols: Int = 130) -> [Int] {
        (0..<count).map { i in i % 2 == 0 ? 0 : (7 * i + 13) % min(symbols, 130) }
    }
}
