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

    /// The stages as fused kernels, made when they are first used.
    let fused = FusedStages()
}
