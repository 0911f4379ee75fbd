import Tensor

extension Decoder {
    init(_ checkpoint: Checkpoint, latent: Int, conditioning: Int?) throws {
        pre = try checkpoint.convolution("dec.conv_pre", inputs: latent)
        condition = try checkpoint.condition(
            "dec.cond", conditioning: conditioning, outputs: pre.outputChannels)
        let ups = checkpoint.indices("dec.ups")
        try checkpoint.requireGapless(ups, "dec.ups")
        let blocks = checkpoint.residualBlockCount
        guard blocks > 0, blocks % ups.count == 0 else {
            throw VITSError.unsupported("\(blocks) residual blocks for \(ups.count) upsamplers")
        }
        let branchCount = blocks / ups.count
        var channels = pre.outputChannels
        var stages: [UpsampleStage] = []
        var samples = 1
        for i in ups {
            let upsample = try checkpoint.transposedConvolution(
                "dec.ups.\(i)", inputs: channels, inputScale: i == 0 ? 1 : 1 / Float(branchCount))
            channels = upsample.outputChannels
            samples *= upsample.stride
            guard samples * channels <= Self.largestSignal else {
                throw VITSError.unsupported(
                    "\(channels) channels of \(samples) values a frame in layer dec.ups.\(i)")
            }
            stages.append(
                UpsampleStage(
                    slope: try checkpoint.slope(before: "dec.ups.\(i)"), upsample: upsample,
                    branches: try (0..<branchCount).map { j in
                        try ResidualBranch(
                            checkpoint, "dec.resblocks.\(i * branchCount + j)", channels: channels)
                    }))
        }
        self.stages = stages
        slope = try checkpoint.slope(before: "dec.conv_post")
        post = try checkpoint.convolution(
            "dec.conv_post", inputs: channels, outputs: 1, layout: .init(inputScale: 1 / Float(branchCount)))
        guard post.isDotProduct else {
            throw VITSError.unsupported("dilation \(post.dilation) in layer dec.conv_post")
        }
    }

    /// Numbers a frame in any stage; full-size voices have 2^14.
    private static let largestSignal = 1 << 17

    /// Numbers a frame in the stage that has most.
    var largestRow: Int {
        var samples = 1
        return stages.reduce(1) { largest, stage in
            samples *= stage.upsample.stride
            return max(largest, samples * stage.upsample.outputChannels)
        }
    }
}

extension ResidualBranch {
    init(_ checkpoint: Checkpoint, _ prefix: String, channels: Int) throws {
        let single = checkpoint.indices("\(prefix).convs")
        let pairs = checkpoint.indices("\(prefix).convs1")
        let first = single.isEmpty ? "\(prefix).convs1" : "\(prefix).convs"
        let indices = single.isEmpty ? pairs : single
        try checkpoint.requireGapless(indices, first)
        layers = try indices.map { i in
            Layer(
                first: try checkpoint.convolution("\(first).\(i)", inputs: channels, outputs: channels),
                second: single.isEmpty
                    ? try checkpoint.convolution("\(prefix).convs2.\(i)", inputs: channels, outputs: channels)
                    : nil)
        }
        slope = try checkpoint.slope(before: "\(first).\(indices[0])")
    }
}

extension Checkpoint {
    /// Residual blocks of the decoder, numbered from 0 without gaps.
    fileprivate var residualBlockCount: Int {
        var count = 0
        while hasConvolution("dec.resblocks.\(count).convs.0")
            || hasConvolution("dec.resblocks.\(count).convs1.0")
        {
            count += 1
        }
        return count
    }
}
