import Tensor

extension Coupling {
    static func all(_ checkpoint: Checkpoint, latent: Int, conditioning: Int?) throws -> [Coupling] {
        let indices = Array(checkpoint.indices("flow.flows", "pre").reversed())
        guard !indices.isEmpty, latent % 2 == 0 else { throw VITSError.missing("layer flow.flows.0.pre") }
        // Counted by their ends too: one that is not found would be left out without a word.
        for index in checkpoint.indices("flow.flows", "post") where !indices.contains(index) {
            throw VITSError.missing("layer flow.flows.\(index).pre")
        }
        // A flip comes before each coupling; the signal starts in the order that makes it end unflipped.
        var isFlipped = indices.count % 2 == 1
        return try indices.map { index in
            isFlipped.toggle()
            return try Coupling(
                checkpoint, "flow.flows.\(index)", latent: latent, isFlipped: isFlipped,
                conditioning: conditioning)
        }
    }

    private init(
        _ checkpoint: Checkpoint, _ prefix: String, latent: Int, isFlipped: Bool, conditioning: Int?
    ) throws {
        let half = latent / 2
        firstColumn = isFlipped ? half : 0
        secondColumn = isFlipped ? 0 : half
        pre = try checkpoint.convolution(
            "\(prefix).pre", inputs: half, kernel: 1, layout: .init(reversesInputs: isFlipped))
        let hidden = pre.outputChannels
        let indices = checkpoint.indices("\(prefix).enc.in_layers")
        try checkpoint.requireGapless(indices, "\(prefix).enc.in_layers")
        let post = try checkpoint.convolution("\(prefix).post", inputs: hidden, kernel: 1)
        // m, or m and logs, each of which is a half of its own when it is reversed.
        statistics = post.outputChannels / half
        guard post.outputChannels == half || post.outputChannels == 2 * half else {
            throw VITSError.unsupported("\(post.outputChannels) channels in layer \(prefix).post")
        }
        guard indices.count <= Self.mostLayers else {
            throw VITSError.unsupported("\(indices.count) layers in \(prefix).enc")
        }
        layers = try indices.map { [statistics] i in
            let isLast = i == indices.last
            let both = try checkpoint.convolution(
                "\(prefix).enc.res_skip_layers.\(i)", inputs: hidden, outputs: isLast ? hidden : 2 * hidden,
                kernel: 1)
            let skip = both.outputs(both.outputChannels - hidden..<both.outputChannels)
            return Layer(
                dilated: try checkpoint.convolution(
                    "\(prefix).enc.in_layers.\(i)", inputs: hidden, outputs: 2 * hidden),
                residual: isLast ? nil : both.outputs(0..<hidden),
                skips: (0..<statistics).map { part in
                    skip.followed(
                        by: post.outputs(part * half..<(part + 1) * half), addsBias: i == 0,
                        layout: .init(reversesOutputs: isFlipped))
                })
        }
        condition = try checkpoint.condition(
            "\(prefix).enc.cond_layer", conditioning: conditioning, outputs: 2 * hidden * indices.count)
    }

    /// Piper's voices have 4; each costs a product while loading.
    private static let mostLayers = 64
}
