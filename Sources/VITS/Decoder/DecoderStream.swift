import Tensor

/// The decoder of one sentence as a stream, in either of its forms: stations of a pipeline, each of which
/// takes pieces of frames in order.
protocol DecoderStream: AnyObject {
    /// `[T, latent]`: where the flow's frames are appended, by whoever runs the first station.
    var input: RowWindow { get }
    /// `[T·hop, 1]`: where the samples appear.
    var audio: RowWindow { get }
    var stationCount: Int { get }
    /// Whether it takes the frames in pieces of its own; otherwise the steps are its pieces, and the threads share
    /// each layer of them.
    var takesPieces: Bool { get }
    /// Processor seconds spent so far in the first convolution, in each stage, and in the last convolution.
    var times: [Double] { get }

    /// Pieces, counted from the sentence's first, until at least the frames before `frames` are decoded.
    func pieces(upTo frames: Int) -> Int
    /// The row of `input` up to which a piece reads.
    func end(ofPiece piece: Int) -> Int
    /// Whether the station has a place for what comes out of its next piece.
    func hasRoom(_ station: Int, piece: Int, nextCompleted: Int) -> Bool
    /// Runs a station over a piece; what it reads has been made.
    func run(_ station: Int, piece: Int, pool: WorkerPool)
}

extension Decoder {
    /// - Parameters:
    ///   - first: frames of the first sound; they come out as far as they allow, at the price of partial tiles.
    ///   - step: the most frames that are decoded in a step; larger ones work, but allocate.
    ///   - ahead: the most frames that `input` holds beside those.
    ///   - speaker: `[gin]`, or nil.
    ///   - sharing: what the sentence will run with once its first sound is made.
    ///   - cancellation: ends a piece that runs layer by layer between two stages.
    func stream(
        frames: Int, first: Int, step: Int, ahead: Int, speaker: [Float]?, plan: KernelPlan, sharing: WorkSharing,
        cancellation: CancelFlag
    ) -> any DecoderStream {
        var plan = plan
        let points = fusedPoints(plan)
        plan.decoderPre = preForm(plan, isFused: points != nil)
        let ends = DecoderEnds(
            self, frames: frames, first: first, step: step, ahead: ahead, speaker: speaker, plan: plan)
        guard let points else {
            return LayeredDecoderStream(self, ends: ends, step: step, cancellation: cancellation)
        }
        return FusedDecoderStream(
            kernels: fused.stages(stages, points: points), ends: ends, first: min(first, frames),
            sharing: sharing)
    }

    /// Products a tile of the fused stages; nil where the stages run layer by layer.
    func fusedPoints(_ plan: KernelPlan) -> Int? {
        plan.decoderPoints.flatMap { isFusible(points: $0) ? $0 : nil }
    }

    /// How the first convolution runs.
    func preForm(_ plan: KernelPlan, isFused: Bool) -> ConvolutionForm {
        // Layer by layer the pieces are the steps, and must not show in the bits.
        guard isFused else { return plan.decoder }
        // What a piece leaves for the next one is up to a tile.
        return pre.tileRows(plan.decoderPre) > Self.longestTile ? plan.decoder : plan.decoderPre
    }

    /// Frames that the first convolution may hold back, as its tiles are whole.
    private static let longestTile = 16
}

/// What both forms have in common: the convolutions before the first stage and after the last.
final class DecoderEnds {
    let decoder: Decoder
    let plan: KernelPlan
    let input: RowWindow
    /// `[T, C]`: what enters the first stage.
    let signal: RowWindow
    /// `[T·hop, C]`: the input of the last convolution; activated where that runs layer by layer. The stream
    /// reserves its rows.
    let last: RowWindow
    let audio: RowWindow
    private let condition: AlignedBuffer?

    init(
        _ decoder: Decoder, frames: Int, first: Int, step: Int, ahead: Int, speaker: [Float]?, plan: KernelPlan
    ) {
        self.decoder = decoder
        self.plan = plan
        let length = decoder.outputLength(frames: frames)
        func window(_ channels: Int, rows: Int, length: Int, padding: Int) -> RowWindow {
            let window = RowWindow(channels: channels, capacity: rows + 4 * padding + 1)
            window.reset(length: length, padding: padding)
            return window
        }
        input = window(
            decoder.pre.inputChannels, rows: min(step + ahead, frames), length: frames,
            padding: decoder.pre.padding)
        signal = window(decoder.pre.outputChannels, rows: min(step, frames), length: frames, padding: 0)
        last = window(decoder.post.inputChannels, rows: 0, length: length, padding: decoder.post.padding)
        // A step runs whole pieces, and its last one gives what the tiles held back.
        let more = (first + 2 * FusedDecoderStream.longestPiece) * decoder.hop
        audio = window(1, rows: min(step * decoder.hop + more, length), length: length, padding: 0)
        condition = speaker.flatMap { decoder.condition?.vector($0) }
    }

    /// Frames that the first convolution has not given yet of those that it has read, at most.
    var largestRest: Int {
        (decoder.pre.kernel - 1) * decoder.pre.dilation - decoder.pre.padding + decoder.pre.tileRows(plan.decoderPre)
    }

    /// Runs the first convolution as far as the rows of `input` before `end` allow.
    /// - Parameter isEager: also the outputs of a tile that `end` cuts; else whole tiles, whose bits are the
    ///   same wherever the pieces end.
    /// - Returns: the new rows of `signal`.
    func advanceFirst(upTo end: Int, isEager: Bool, pool: WorkerPool) -> Range<Int> {
        let pre = decoder.pre
        let reach = (pre.kernel - 1) * pre.dilation - pre.padding
        let tile = isEager ? 1 : pre.tileRows(plan.decoderPre)
        let rows = signal.end..<max(signal.end, end == input.length ? end : (end - reach) / tile * tile)
        signal.append(rows.count)
        pre.apply(input, rows: rows, to: signal, extraBias: condition, form: plan.decoderPre, pool: pool)
        input.discard(before: rows.upperBound - pre.padding)
        return rows
    }

    /// Runs the last convolution, with the activations before and after it, as far as the rows of `last` allow.
    func advanceLast(pool: WorkerPool) {
        let rows = appendSamples()
        decoder.post.applyToOneChannel(
            leakyReLUOf: last, slope: decoder.slope, rows: rows, tanhTo: audio, pool: pool)
        last.discard(before: rows.upperBound - decoder.post.padding)
    }

    /// Runs the last convolution over the new rows of `signal`, layer by layer.
    func advanceLast(_ signal: RowWindow, pool: WorkerPool) {
        let new = last.end..<signal.end
        last.append(new.count)
        last.setLeakyReLU(of: signal, slope: decoder.slope, rows: new, pool: pool)
        signal.discard(before: new.upperBound)
        let rows = appendSamples()
        decoder.post.apply(last, rows: rows, to: audio, form: plan.decoder, pool: pool)
        audio.applyTanh(rows: rows)
        last.discard(before: rows.upperBound - decoder.post.padding)
    }

    private func appendSamples() -> Range<Int> {
        let rows = audio.end..<decoder.post.producible(from: last)
        audio.append(rows.count)
        return rows
    }
}
