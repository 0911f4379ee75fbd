import Tensor

/// The HiFi-GAN decoder: latent frames `[T, latent]` to samples `[T·hop]`.
struct Decoder: Sendable {
    let pre: Convolution
    /// gin → the channels of `pre`; nil without speakers.
    let condition: Convolution?
    let stages: [UpsampleStage]
    /// The leaky ReLU before `post`.
    let slope: Float
    let post: Convolution

    /// Samples a frame.
    var hop: Int { stages.reduce(1) { $0 * $1.upsample.stride } }

    func outputLength(frames: Int) -> Int {
        stages.reduce(frames) { $1.upsample.outputLength($0) }
    }

    /// What a stream carries from step to step.
    final class State {
        /// `[T, latent]`.
        let input: RowWindow
        let stages: [UpsampleStage.State]
        /// `[T·hop, C]`: the activated input of `post`.
        let last: RowWindow
        /// `[T·hop, 1]`.
        let audio: RowWindow
        let condition: AlignedBuffer?

        init(_ decoder: Decoder, frames: Int, step: Int, speaker: [Float]?) {
            let padding = decoder.pre.padding
            input = RowWindow(channels: decoder.pre.inputChannels, capacity: min(step, frames) + 4 * padding + 1)
            input.reset(length: frames, padding: padding)
            var length = frames
            var rows = step
            var states: [UpsampleStage.State] = []
            for stage in decoder.stages {
                states.append(UpsampleStage.State(stage, length: length, step: rows))
                length = stage.upsample.outputLength(length)
                rows *= stage.upsample.stride
            }
            stages = states
            last = RowWindow(
                channels: decoder.post.inputChannels, capacity: min(rows, length) + 4 * decoder.post.padding + 1)
            last.reset(length: length, padding: decoder.post.padding)
            audio = RowWindow(channels: 1, capacity: min(rows, length) + 1)
            audio.reset(length: length, padding: 0)
            condition = speaker.flatMap { decoder.condition?.vector($0) }
        }
    }

    /// Takes the decoder as far as the rows of `state.input` reach, appending to `state.audio`.
    func advance(_ state: State, pool: WorkerPool) {
        let first = stages[0]
        var target = state.stages[0].input
        var rows = target.end..<pre.producible(from: state.input)
        target.append(rows.count)
        pre.apply(state.input, rows: rows, to: target, extraBias: state.condition, pool: pool)
        target.setLeakyReLU(of: target, slope: first.slope, rows: rows, pool: pool)
        state.input.discard(before: rows.upperBound - pre.padding)
        for (i, stage) in stages.enumerated() {
            let done = stage.advance(state.stages[i], pool: pool)
            let isLast = i == stages.count - 1
            target = isLast ? state.last : state.stages[i + 1].input
            rows = target.end..<max(done, target.end)
            target.append(rows.count)
            target.setLeakyReLU(
                of: state.stages[i].sum, slope: isLast ? slope : stages[i + 1].slope, rows: rows, pool: pool)
            state.stages[i].sum.discard(before: rows.upperBound)
        }
        rows = state.audio.end..<post.producible(from: state.last)
        state.audio.append(rows.count)
        post.apply(state.last, rows: rows, to: state.audio, pool: pool)
        state.audio.applyTanh(rows: rows)
        state.last.discard(before: rows.upperBound - post.padding)
    }
}
