/// How many frames each step of a sentence takes.
///
/// The first step decodes just what the layers look ahead and a little more, for an early first
/// sound; the later ones double up to the size that runs best. The flow runs ahead of the decoder in
/// pieces of its own, larger ones, as each piece reads all of its weights. A function of the voice
/// alone, never of timing, so that the same request gives the same bytes each time.
package struct StepSchedule: Sendable {
    package struct Step: Sendable, Equatable {
        /// Frames that the decoder takes at most.
        package var decoder: Int
        /// Frames that the flow takes at a time, where the decoder needs more of it.
        package var flow: Int

        package init(decoder: Int, flow: Int) {
            self.decoder = decoder
            self.flow = flow
        }
    }

    /// Frames of sound that the first step gives.
    package static let firstFrames = 8
    /// The largest step.
    package static let largest = Step(decoder: 128, flow: 256)

    private var next: Step
    private var isFirst = true

    /// - Parameters: frames that flow and decoder look ahead.
    init(flowLookahead: Int, decoderLookahead: Int) {
        let decoder = decoderLookahead + Self.firstFrames
        next = Step(decoder: decoder, flow: decoder + flowLookahead)
    }

    package mutating func nextStep() -> Step {
        defer {
            next =
                isFirst
                ? Step(decoder: 2 * Self.firstFrames, flow: 64)
                : Step(
                    decoder: min(2 * next.decoder, Self.largest.decoder),
                    flow: min(2 * next.flow, Self.largest.flow))
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
    private var flowLookahead: Int { couplings.reduce(0) { $0 + $1.reach } }

    /// Frames that must have gone in before the first sample comes out.
    package var lookahead: Int { decoderLookahead + flowLookahead }

    /// The steps of any sentence of this voice.
    package var schedule: StepSchedule {
        StepSchedule(flowLookahead: flowLookahead, decoderLookahead: decoderLookahead)
    }

    /// The largest step of the schedule, which streams are sized for.
    package var largestStep: StepSchedule.Step {
        let first = decoderLookahead + StepSchedule.firstFrames
        return StepSchedule.Step(
            decoder: max(first, StepSchedule.largest.decoder),
            flow: max(first + flowLookahead, StepSchedule.largest.flow))
    }
}
