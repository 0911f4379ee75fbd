extension Resampler {
    /// `step` into a new array. All of the input is consumed, except samples after its last whole
    /// frame.
    public mutating func step(_ input: [Float]) -> [Float] {
        let room = maximumOutput(for: input.count / channels) * channels
        return [Float](room: room, of: 0) { output in
            step(input.span, into: &output).produced * channels
        }
    }

    /// `finish` into a new array.
    public mutating func finish() -> [Float] {
        let room = remainingOutput * channels
        return [Float](room: room, of: 0) { output in
            finish(into: &output) * channels
        }
    }

    /// Converts a whole recording.
    ///
    /// - Parameters:
    ///   - samples: interleaved; a whole number of frames; may be empty.
    ///   - inputRate: in hertz, above 0.
    ///   - outputRate: in hertz, above 0, within a factor of 256 of the input's.
    ///   - channels: interleaved channels, 1 to 64.
    /// - Returns: ⌈frames·L/M⌉ frames, interleaved, in time with the input.
    /// - Throws: `DSPError`.
    public static func resample(
        _ samples: [Float], from inputRate: Double, to outputRate: Double,
        quality: ResamplerQuality = .high, channels: Int = 1
    ) throws(DSPError) -> [Float] {
        let ratio = try RateRatio(from: inputRate, to: outputRate)
        guard channels > 0, samples.count % channels == 0 else {
            if channels > 0 { throw .partialFrame(samples: samples.count, channels: channels) }
            throw .invalidChannelCount(channels, allowed: 1...channelLimit)
        }
        // A filter at these rates can be larger than a short input deserves; none needs none.
        if samples.isEmpty || ratio.up == ratio.down { return samples.map { $0.isFinite ? $0 : 0 } }
        var resampler = try Resampler(from: inputRate, to: outputRate, quality: quality, channels: channels)
        let total = resampler.filter.outputFrames(for: samples.count / channels) * channels
        return [Float](unsafeUninitializedCapacity: total) { buffer, count in
            buffer.initialize(repeating: 0)
            var output = buffer.mutableSpan
            let made = resampler.step(samples.span, into: &output).produced * channels
            var rest = UnsafeMutableBufferPointer(rebasing: buffer[made...]).mutableSpan
            count = made + resampler.finish(into: &rest) * channels
        }
    }
}
