/// How many frames each step of a sentence takes in.
///
/// The first step takes just what the layers look ahead and a little more, for an early first
/// sound; the later ones double up to the size that runs best. A function of the sentence's length
/// alone, never of timing, so that the same request gives the same bytes each time.
public struct StepSchedule: Sendable {
    private var next: Int
    private let growth: Int
    private let largest: Int

    /// Frames of sound that the first step gives.
    public static let firstFrames = 8
    /// Frames of the largest step.
    public static let largestFrames = 32

    init(lookahead: Int) {
        next = lookahead + Self.firstFrames
        growth = 2 * Self.firstFrames
        largest = Self.largestFrames
    }

    /// The frames of the next step.
    public mutating func nextStep() -> Int {
        let step = next
        next = min(isFirst ? growth : 2 * next, largest)
        isFirst = false
        return step
    }

    private var isFirst = true
}

extension VITSModel {
    /// Frames that must have gone in before the first `samples` samples come out.
    func framesNeeded(forSamples samples: Int) -> Int {
        var rows = samples + decoder.post.padding
        for stage in decoder.stages.reversed() {
            rows += stage.branches.map(\.reach).max() ?? 0
            rows = (rows + stage.upsample.cut + stage.upsample.stride - 1) / stage.upsample.stride
        }
        rows += decoder.pre.padding
        for coupling in couplings { rows += coupling.layers.reduce(0) { $0 + $1.dilated.padding } }
        return rows
    }

    /// Frames that the layers look ahead.
    public var lookahead: Int { framesNeeded(forSamples: 1) }

    /// The steps of any sentence of this voice.
    public var schedule: StepSchedule { StepSchedule(lookahead: lookahead) }

    /// The largest step of the schedule, which streams are sized for.
    public var largestStep: Int { max(lookahead + StepSchedule.firstFrames, StepSchedule.largestFrames) }
}
