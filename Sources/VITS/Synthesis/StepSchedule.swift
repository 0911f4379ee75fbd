/// How many frames each step of a sentence takes.
///
/// The first step decodes just what the layers look ahead and a little more, for an early first
/// sound; the later ones double up to the size that runs best. Where nobody listens before the end, all are of that
/// size, or the first is larger where the layers look further ahead. A function of the voice alone, never of timing.
package struct StepSchedule: Sendable {
    /// Frames of sound that the first step gives where somebody waits for them.
    static let firstFrames = 8
    /// Frames of the largest step.
    package static let largest = 128

    /// Frames of the first step.
    let first: Int
    /// Frames of sound that the first step is meant to give.
    package let firstSound: Int
    private let second: Int
    private var next: Int
    private var isFirst = true

    /// - Parameters:
    ///   - lookahead: frames that the decoder looks ahead.
    ///   - wantsAll: whether nobody listens before the end.
    init(lookahead: Int, wantsAll: Bool = false) {
        first = wantsAll ? max(Self.largest, lookahead + Self.firstFrames) : lookahead + Self.firstFrames
        firstSound = first - lookahead
        second = wantsAll ? Self.largest : 2 * Self.firstFrames
        next = first
    }

    package mutating func nextStep() -> Int {
        defer {
            next = isFirst ? second : min(2 * next, Self.largest)
            isFirst = false
        }
        return next
    }
}

extension VITSModel {
    /// Frames of the flow's output that must have gone in before the first `samples` samples come out.
    private func decoderFrames(forSamples samples: Int) -> Int {
        var rows = samples + decoder.post.padding
        for stage in decoder.stages.reversed() {
            rows += stage.branches.map(\.reach).max() ?? 0
            rows = (rows + stage.upsample.cut + stage.upsample.stride - 1) / stage.upsample.stride
        }
        return rows + decoder.pre.padding
    }

    private var decoderLookahead: Int { decoderFrames(forSamples: 1) }
    /// Frames that the flow looks ahead.
    var flowLookahead: Int { couplings.reduce(0) { $0 + $1.reach } }

    /// Frames that must have gone in before the first sample comes out.
    package var lookahead: Int { decoderLookahead + flowLookahead }

    /// The steps of any sentence of this voice.
    package var schedule: StepSchedule { schedule(wantsAll: false) }

    /// The steps of any sentence of this voice.
    /// - Parameter wantsAll: whether nobody listens before the end.
    package func schedule(wantsAll: Bool) -> StepSchedule {
        StepSchedule(lookahead: decoderLookahead, wantsAll: wantsAll)
    }

    /// Frames of the schedule's largest step, which streams are sized for.
    package var largestStep: Int { max(schedule.first, StepSchedule.largest) }

    /// The flow's passes. The first is what the first sound needs; then they grow up to a size at which
    /// reading the weights costs little beside using them. On any number of threads the same: where a pass
    /// ends is in the bits.
    func flowPasses(_ kernels: KernelPlan) -> PieceSizes {
        // Weights that are packed while in use are best used once; their bits do not depend on the cut.
        kernels.flow == .direct
            ? PieceSizes(each: Self.largestPass)
            : PieceSizes([schedule.first + flowLookahead, 64, 128, Self.largestPass])
    }

    private static let largestPass = 256
}
