import Tensor

/// The flow and the decoder of one sentence, run in steps of frames with carried state.
///
/// No frame is computed twice, and any step sizes give the same samples (within rounding) as one
/// pass; the same sizes give the same bits, on any number of threads. Memory depends on the largest
/// step, not on the sentence. One thread at a time.
package final class SentenceStream {
    private let workers: WorkerPool
    private let frames: Int
    private let flow: FlowStream
    private let decoder: any DecoderStream
    /// Called with what was computed, for the golden check.
    package var observer: ((_ latent: Latent, _ rows: [Float]) -> Void)? {
        didSet { flow.observer = observer.map { observer in { observer(.prior, $0) } } }
    }

    package enum Latent { case prior, flowOutput }

    /// - Parameters:
    ///   - largestStep: the largest that will be asked for; larger ones work, but allocate.
    ///   - noise: called for `[frames, latent]` unit-normal numbers, in order.
    package init(
        _ model: VITSModel, plan: SentencePlan, largestStep: StepSchedule.Step, workers: WorkerPool,
        noise: @escaping () -> Float
    ) {
        self.workers = workers
        frames = plan.frames
        flow = FlowStream(model, plan: plan, step: largestStep.flow, workers: workers, noise: noise)
        decoder = model.decoder.stream(
            frames: plan.frames, step: largestStep.decoder, speaker: plan.speaker,
            plan: model.kernelPlan(ids: plan.durations.count), pool: workers)
    }

    /// Samples that have come out.
    package var samplesMade: Int { decoder.audio.end }
    /// Samples of the whole sentence.
    package var samples: Int { decoder.audio.length }
    package var isFinished: Bool { samplesMade == samples }

    /// Seconds spent so far in the flow, and, added up over the threads, in the decoder's first convolution, stages and last convolution.
    package var times: (flow: Double, decoder: [Double]) { (flow.seconds, decoder.times) }

    /// Decodes up to `step.decoder` more frames and appends the samples that become final to `audio`.
    ///
    /// Samples are in −1 ... 1 whatever the voice's weights are: where those overflow it is silent.
    ///
    /// Where the flow has not come so far, it takes in `step.flow` frames at a time until it has. Until
    /// the first samples come, all that the frames allow comes out: `VITSModel.lookahead` tells how far
    /// behind that is. Later the fast kernels keep to whole tiles, and a step may give some frames
    /// less than it took, or none; with the last frame comes all that is left. A step of a finished
    /// stream does nothing.
    package func step(_ step: StepSchedule.Step, into audio: inout [Float]) {
        let first = decoder.input.end
        let target = first + min(frames - first, max(1, step.decoder))
        while flow.output.end < target { flow.advance(frames: max(1, step.flow)) }
        let rows = first..<target
        decoder.input.append(rows.count)
        decoder.input.set(to: flow.output, rows: rows)
        observer?(.flowOutput, flow.output.copy(rows: rows))
        flow.output.discard(before: target)
        let made = decoder.audio.end
        decoder.advance(pool: workers)
        let new = made..<decoder.audio.end
        decoder.audio.clearNaN(rows: new)
        decoder.audio.appendRows(new, to: &audio)
        decoder.audio.discard(before: new.upperBound)
    }
}
