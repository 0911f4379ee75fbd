/// How samples lie in a device's frames.
struct FrameLayout: Sendable {
    var format: PCMFormat
    var channels: Int

    var frameBytes: Int { format.bytes * channels }

    /// Writes mono samples as frames with the sample on every channel, clamped to -1 ... 1; NaN becomes 0.
    /// `frames` must have room. Native byte order.
    func interleave(_ samples: Span<Float>, into frames: UnsafeMutableRawBufferPointer) {
        switch format {
        case .float32:
            write(samples, into: frames) { min(1, max(-1, $0)) }
        case .int16:
            write(samples, into: frames) { Int16(min(1, max(-1, $0)) * 32_767 + ($0 < 0 ? -0.5 : 0.5)) }
        }
    }

    @inline(__always)
    private func write<Value>(
        _ samples: Span<Float>, into frames: UnsafeMutableRawBufferPointer, convert: (Float) -> Value
    ) {
        let out = frames.bindMemory(to: Value.self)
        for index in 0..<samples.count {
            let sample = samples[index]
            let value = convert(sample.isNaN ? 0 : sample)
            for channel in 0..<channels { out[index * channels + channel] = value }
        }
    }
}
