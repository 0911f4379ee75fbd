/// Changes the number of interleaved channels: many to one by their mean, one to many by copies.
struct ChannelMixer: Sendable {
    let inputChannels: Int
    let outputChannels: Int

    init(from inputChannels: Int, to outputChannels: Int) throws(ConversionError) {
        guard inputChannels == outputChannels || inputChannels == 1 || outputChannels == 1 else {
            throw .unsupportedChannels(from: inputChannels, to: outputChannels)
        }
        self.inputChannels = inputChannels
        self.outputChannels = outputChannels
    }

    /// - Parameter samples: whole frames.
    func mix(_ samples: consuming [Float]) -> [Float] {
        if inputChannels == outputChannels { return samples }
        if inputChannels == 1 {
            return samples.flatMap { repeatElement($0, count: outputChannels) }
        }
        let scale = 1 / Float(inputChannels)
        return stride(from: 0, to: samples.count, by: inputChannels).map { start in
            var sum: Float = 0
            for i in start..<(start + inputChannels) { sum += samples[i] }
            return sum * scale
        }
    }
}
