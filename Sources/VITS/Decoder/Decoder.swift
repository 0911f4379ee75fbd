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

    /// The stages as fused kernels, made when they are first used; nil where the kernel does not know
    /// the shape.
    let fused = FusedStages()

    /// What a stream carries from step to step.
    final class State {
        /// `[T, latent]`.
        let input: RowWindow
        /// `[T·…, C]`: what enters each stage, and what leaves the last.
        let signals: [RowWindow]
        let stages: [StageState]
        /// `[T·hop, C]`: the activated input of `post`.
        let last: RowWindow
        /// `[T·hop, 1]`.
        let audio: RowWindow
        let condition: AlignedBuffer?

        enum StageState {
            case plain(UpsampleStage.State)
            case fused(FusedStage, FusedStage.State)
        }

        init(_ decoder: Decoder, frames: Int, step: Int, speaker: [Float]?, plan: KernelPlan) {
            let padding = decoder.pre.padding
            input = RowWindow(channels: decoder.pre.inputChannels, capacity: min(step, frames) + 4 * padding + 1)
            input.reset(length: frames, padding: padding)
            var length = frames
            var rows = step
            var states: [StageState] = []
            var signals = [Self.signal(decoder.pre.outputChannels, rows: rows, length: length)]
            let fused = plan.decoderPoints.map { decoder.fused.stages(decoder.stages, points: $0) }
            for (i, stage) in decoder.stages.enumerated() {
                if let kernel = fused?[i] {
                    states.append(.fused(kernel, FusedStage.State(kernel)))
                } else {
                    states.append(.plain(UpsampleStage.State(stage, length: length, step: rows)))
                }
                length = stage.upsample.outputLength(length)
                rows *= stage.upsample.stride
                signals.append(Self.signal(stage.upsample.outputChannels, rows: rows, length: length))
            }
            self.signals = signals
            stages = states
            last = RowWindow(
                channels: decoder.post.inputChannels, capacity: min(rows, length) + 4 * decoder.post.padding + 1)
            last.reset(length: length, padding: decoder.post.padding)
            audio = RowWindow(channels: 1, capacity: min(rows, length) + 1)
            audio.reset(length: length, padding: 0)
            condition = speaker.flatMap { decoder.condition?.vector($0) }
        }

        private static func signal(_ channels: Int, rows: Int, length: Int) -> RowWindow {
            let window = RowWindow(channels: channels, capacity: min(2 * rows, length) + 1)
            window.reset(length: length, padding: 0)
            return window
        }
    }

    /// Takes the decoder as far as the rows of `state.input` reach, appending to `state.audio`.
    /// - Parameter isEager: gives all that the input allows, at the price of partial tiles.
    func advance(_ state: State, isEager: Bool, plan: KernelPlan, pool: WorkerPool) {
        let form = plan.decoder
        let first = state.signals[0]
        var rows = first.end..<pre.producible(from: state.input)
        first.append(rows.count)
        pre.apply(
            state.input, rows: rows, to: first, extraBias: state.condition, form: plan.decoderPre, pool: pool)
        state.input.discard(before: rows.upperBound - pre.padding)
        for (i, stage) in stages.enumerated() {
            switch state.stages[i] {
            case .plain(let stageState):
                stage.advance(state.signals[i], to: state.signals[i + 1], state: stageState, form: form, pool: pool)
            case .fused(let kernel, let stageState):
                kernel.step(state.signals[i], to: state.signals[i + 1], state: stageState, isEager: isEager)
            }
        }
        let signal = state.signals[stages.count]
        rows = state.last.end..<signal.end
        state.last.append(rows.count)
        state.last.setLeakyReLU(of: signal, slope: slope, rows: rows, pool: pool)
        signal.discard(before: rows.upperBound)
        rows = state.audio.end..<post.producible(from: state.last)
        state.audio.append(rows.count)
        post.apply(state.last, rows: rows, to: state.audio, form: form, pool: pool)
        state.audio.applyTanh(rows: rows)
        state.last.discard(before: rows.upperBound - post.padding)
    }
}
