import Tensor

/// The flow and the decoder of one sentence, run in steps of frames with carried state.
///
/// No frame is computed twice. The samples are the same in any steps: bit for bit with the fast kernels,
/// within rounding in the plain form; and on any number of threads. Memory depends on the largest step,
/// not on the sentence. One thread at a time.
///
/// Setting the cancel flag, from any thread, ends a step that is under way after the task that each thread is at: a
/// coupling's layer, or a decoder stage of a piece of up to 64 frames. The stream is then finished, and good for
/// nothing but to be let go.
package final class SentenceStream {
    private let workers: WorkerPool
    private let cancellation: CancelFlag
    private let frames: Int
    /// Frames that the first step takes at least.
    private let firstFrames: Int
    private let wantsAll: Bool
    private let sharing: WorkSharing
    private let pipeline: SentencePipeline
    /// Frames that were decoded.
    private var taken = 0
    /// Called with what was computed, for the golden check: on any thread, with one kind at a time.
    package var observer: ((_ latent: Latent, _ rows: [Float]) -> Void)? {
        didSet {
            pipeline.flow.observer = observer.map { observer in { observer(.prior, $0) } }
            pipeline.observer = observer.map { observer in { observer(.flowOutput, $0) } }
        }
    }

    package enum Latent { case prior, flowOutput }

    /// - Parameters:
    ///   - largestStep: the most frames that will be asked for; more work too, but allocate.
    ///   - passes: how the flow takes the frames in; nil for what runs best.
    ///   - wantsAll: nobody listens before the end: no thread waits for the first sound.
    ///   - cancellation: ends the stream early.
    ///   - noise: called for `[frames, latent]` unit-normal numbers, in order, during `step` and on any thread.
    package init(
        _ model: VITSModel, plan: SentencePlan, largestStep: Int, passes: PieceSizes? = nil, workers: WorkerPool,
        wantsAll: Bool = false, cancellation: CancelFlag = CancelFlag(), noise: @escaping () -> Float
    ) {
        self.workers = workers
        self.wantsAll = wantsAll
        self.cancellation = cancellation
        frames = plan.frames
        sharing = WorkSharing(frames: frames, threads: workers.threads)
        let kernels = model.kernelPlan(ids: plan.durations.count)
        let flow = FlowStream(
            model, plan: plan, passes: passes ?? model.flowPasses(kernels), noise: noise)
        let decoder = model.decoder.stream(
            frames: plan.frames, first: model.schedule.first, step: largestStep, ahead: flow.largestPass,
            speaker: plan.speaker, plan: kernels, sharing: sharing, cancellation: cancellation)
        // Where tiles are cut for the first sound depends on what it takes in.
        firstFrames = decoder.takesPieces ? model.schedule.first : 1
        pipeline = SentencePipeline(flow: flow, decoder: decoder, cancellation: cancellation)
    }

    private var audio: RowWindow { pipeline.decoder.audio }

    /// Samples that have come out.
    package var samplesMade: Int { audio.end }
    /// Samples of the whole sentence.
    package var samples: Int { audio.length }
    /// Whether no more samples come: all have, or the stream was cancelled.
    package var isFinished: Bool { samplesMade == samples || cancellation.isSet }

    /// Processor seconds spent so far in the flow, and in the decoder's first convolution, stages and last
    /// convolution.
    package var times: (flow: Double, decoder: [Double]) {
        (pipeline.flow.seconds, pipeline.decoder.times)
    }

    /// Decodes `frames` more frames, or those that are left, and appends the samples that become final to
    /// `audio`.
    ///
    /// Samples are in −1 ... 1 whatever the voice's weights are: where those overflow it is silent.
    ///
    /// The fast kernels take the frames in pieces of their own: a step brings at least those that it is asked for in,
    /// the first step what the first sound needs, unless all is wanted at once. `VITSModel.lookahead` tells how far
    /// behind the first sample is; later whole tiles come out, and a step may give some frames less than it took, or
    /// none. With the last frame comes all that is left. A step of a finished stream does nothing; one that is
    /// cancelled gives whole parts of what was asked for, or nothing.
    package func step(_ frames: Int, into audio: inout [Float]) {
        let target = taken + min(self.frames - taken, max(1, frames))
        if taken == 0, !wantsAll {
            advance(to: min(self.frames, firstFrames), sharing: .layers, into: &audio)
        }
        if taken < target { advance(to: target, sharing: sharing, into: &audio) }
    }

    private func advance(to target: Int, sharing: WorkSharing, into samples: inout [Float]) {
        if cancellation.isSet { return }
        let made = audio.end
        let reached = pipeline.advance(to: target, sharing: sharing, workers: workers)
        if cancellation.isSet { return }
        taken = reached
        let new = made..<audio.end
        audio.clearNaN(rows: new)
        audio.appendRows(new, to: &samples)
        audio.discard(before: new.upperBound)
    }
}
