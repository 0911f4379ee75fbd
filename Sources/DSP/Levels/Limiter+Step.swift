extension Limiter {
    /// Frames that `finish` gives if nothing more comes.
    public var remainingOutput: Int { consumed - produced }

    /// Takes the next frames and gives those `latency` frames earlier. Does not allocate or block.
    ///
    /// - Parameters:
    ///   - input: interleaved, whole frames; samples after the last whole frame are not taken.
    ///   - output: with as much room as there is input, everything is consumed; with less, perhaps not.
    public mutating func step(_ input: Span<Float>, into output: inout MutableSpan<Float>) -> StreamCount {
        if isFinishing { reset() }
        let frames = input.count / channels
        let room = output.count / channels
        var count = StreamCount(consumed: 0, produced: 0)
        while true {
            // As many as will be given out, and as the delay line can hold meanwhile.
            let held = consumed - produced
            let taken = min(
                frames - count.consumed, Self.blockLength, max(0, latency - held) + room - count.produced)
            guard taken > 0 else { return count }
            take(input, from: count.consumed, frames: taken)
            var target = oversampled.buffer.mutableSpan
            let made = oversampler.step(block.prefix(taken * channels).span, into: &target).produced
            count.consumed += taken
            for frame in 0..<made / TruePeakFilter.factor {
                measure(peak(ofFrame: frame), into: &output, at: &count.produced)
            }
        }
    }

    /// Ends the input and gives what was held back, as many frames as there is room for; call again
    /// until it returns 0.
    public mutating func finish(into output: inout MutableSpan<Float>) -> Int {
        isFinishing = true
        let room = output.count / channels
        var count = 0
        while count < room, produced < consumed {
            // A measured frame gives one frame of output at most.
            let limit = min(room - count, Self.blockLength) * TruePeakFilter.factor * channels
            var target = oversampled.prefix(limit).mutableSpan
            let made = oversampler.finish(into: &target) / TruePeakFilter.factor
            for frame in 0..<made { measure(peak(ofFrame: frame), into: &output, at: &count) }
            if made == 0 { measure(0, into: &output, at: &count) }
        }
        return count
    }

    /// Forgets everything taken so far.
    public mutating func reset() {
        oversampler.reset()
        minimum.reset()
        averages.reset()
        (released, peakBefore) = (1, 0)
        (consumed, measured, produced, isFinishing) = (0, 0, 0, false)
    }

    /// Copies frames to the block and the delay line, with the gain.
    private mutating func take(_ input: Span<Float>, from start: Int, frames: Int) {
        for frame in 0..<frames {
            let place = (consumed + frame) % delayLength * channels
            for channel in 0..<channels {
                let sample = input[(start + frame) * channels + channel]
                // Far beyond any sound, and far from what would overflow in the filter.
                let scaled = sample.isFinite ? min(max(sample * gain, -1e30), 1e30) : 0
                block.pointer[frame * channels + channel] = scaled
                delayed.pointer[place + channel] = scaled
            }
        }
        consumed += frames
    }

    /// The largest magnitude among the oversampled points of a frame, in all channels.
    private func peak(ofFrame frame: Int) -> Float {
        let width = TruePeakFilter.factor * channels
        let points = oversampled.pointer + frame * width
        var peak: Float = 0
        for point in 0..<width { peak = max(peak, abs(points[point])) }
        return peak
    }

    /// Takes the next frame's peak into the gain, and gives out the frame that the gain is for.
    private mutating func measure(
        _ peakAfter: Float, into output: inout MutableSpan<Float>, at index: inout Int
    ) {
        var peak = max(peakBefore, peakAfter)
        peakBefore = peakAfter
        if measured < consumed {
            let frame = delayed.pointer + measured % delayLength * channels
            for channel in 0..<channels { peak = max(peak, abs(frame[channel])) }
        }
        measured += 1
        let least = minimum.push(peak > ceiling ? ceiling / peak : 1)
        released += (1 - released) * recovery
        // An exponential never arrives; from here on the difference is less than 0.0001 dB.
        if released > 0.99999 { released = 1 }
        released = min(released, Double(least))
        let gain = averages.push(released)
        guard measured >= minimum.length, produced < consumed else { return }
        let frame = delayed.pointer + produced % delayLength * channels
        for channel in 0..<channels {
            // The bound is for the product's rounding; the gain has done the work.
            output[index * channels + channel] = min(max(frame[channel] * gain, -ceiling), ceiling)
        }
        index += 1
        produced += 1
    }
}

extension Limiter {
    /// `step` into a new array.
    public mutating func step(_ input: [Float]) -> [Float] {
        [Float](room: input.count, of: 0) { output in
            step(input.span, into: &output).produced * channels
        }
    }

    /// `finish` into a new array.
    public mutating func finish() -> [Float] {
        [Float](room: remainingOutput * channels, of: 0) { output in
            finish(into: &output) * channels
        }
    }

    /// Limits a whole recording: same length, same timing. The parameters are those of `init`.
    ///
    /// - Throws: `DSPError`, also for samples that are not a whole number of frames.
    public static func limit(
        _ samples: [Float], sampleRate: Double, ceiling: Double = -1, gain: Double = 1,
        lookAhead: Double = 0.005, release: Double = 0.1, channels: Int = 1
    ) throws(DSPError) -> [Float] {
        var limiter = try Limiter(
            sampleRate: sampleRate, ceiling: ceiling, gain: gain, lookAhead: lookAhead, release: release,
            channels: channels)
        guard samples.count % channels == 0 else {
            throw .partialFrame(samples: samples.count, channels: channels)
        }
        return limiter.step(samples) + limiter.finish()
    }
}
