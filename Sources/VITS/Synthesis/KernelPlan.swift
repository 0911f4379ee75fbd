import Tensor

/// Which form of the layers a sentence runs through.
///
/// A function of the sentence's length and the voice alone, so that the same request gives the same
/// bytes, however often the voice has spoken before.
struct KernelPlan: Sendable, Hashable {
    var encoder: ConvolutionForm
    var durations: ConvolutionForm
    var flow: ConvolutionForm
    var decoderPre: ConvolutionForm
    /// Where a stage runs layer by layer.
    var decoder: ConvolutionForm
    /// Products a tile of the fused stages; nil for all stages layer by layer.
    var decoderPoints: Int?

    static let plain = KernelPlan(
        encoder: .plain, durations: .plain, flow: .plain, decoderPre: .plain, decoder: .plain,
        decoderPoints: nil)

    /// What pays off for a sentence of so many ids.
    ///
    /// Transformed weights cost three times the memory traffic of the weights themselves: a short
    /// sentence never earns that back where a layer is as heavy as the encoder's and the flow's.
    static func automatic(ids: Int, keepsWeights: Bool) -> KernelPlan {
        let direct: ConvolutionForm = keepsWeights ? .directKept : .direct
        let isShort = ids < shortSentence
        return KernelPlan(
            encoder: isShort ? direct : .fast(points: 6), durations: direct,
            flow: isShort ? direct : .fast(points: 10),
            decoderPre: isShort ? .directKept : .fast(points: 10), decoder: .directKept, decoderPoints: 14)
    }

    /// Ids below which the encoder and the flow run untransformed: some 1.5 seconds of speech.
    static let shortSentence = 64
}
