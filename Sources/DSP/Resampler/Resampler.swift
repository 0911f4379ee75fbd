import CKernels

/// Converts audio from one sample rate to another with a linear-phase filter, a stream at a time.
///
/// The output is delay-compensated: the first output frame is at the time of the first input frame,
/// and an impulse at input sample n is centred on output sample n·L/M, where L/M is the ratio of the
/// rates in lowest terms. The length is exact: n frames become ⌈n·L/M⌉, all of them out once
/// `finish` has been called. Any way of cutting the input into steps gives the same bits.
///
///     var resampler = try Resampler(from: 22_050, to: 24_000)
///     var sound = resampler.step(chunk)
///     sound += resampler.finish()
///
/// How: a polyphase filter bank for the ratios that occur in practice, taps interpolated by cubics
/// for the others. Samples that are NaN or infinite are taken as 0, so one of them does not silence
/// the filter's length around it. Finite samples of any size pass; a full-scale input can overshoot
/// ±1 (a square wave by 14 %) and is not clipped here.
///
/// With more than one channel, input and output are interleaved, and counts are in frames.
public struct Resampler: ~Copyable, Sendable {
    /// The taps in use.
    public let filter: ResamplerFilter
    /// Channels, interleaved in input and output.
    public let channels: Int
    private let engine: Engine

    /// Frames taken from the input since the start.
    private var consumed = 0
    /// Frames given to the output since the start.
    private var produced = 0
    /// Silence still to be fed after the end of the input; nil before `finish`.
    private var silence: Int?

    // SAFETY of Sendable: the engine belongs to this value alone, which cannot be copied.
    private enum Engine: @unchecked Sendable {
        case identity
        case single(ResamplerEngine<Float>)
        case double(ResamplerEngine<Double>)
    }

    /// The channels that a resampler takes at most.
    public static let channelLimit = 64

    /// Makes a stream with a filter designed for it.
    ///
    /// - Parameters:
    ///   - inputRate: in hertz, above 0.
    ///   - outputRate: in hertz, above 0, within a factor of 256 of the input's.
    ///   - channels: interleaved channels, 1 to 64.
    /// - Throws: `DSPError.invalidRate`, `.unsupportedRatio` or `.invalidChannelCount`.
    public init(
        from inputRate: Double, to outputRate: Double, quality: ResamplerQuality = .high, channels: Int = 1
    ) throws(DSPError) {
        try Self.check(channels: channels)
        let filter = try ResamplerFilter(from: inputRate, to: outputRate, quality: quality)
        try self.init(filter, channels: channels)
    }

    /// Makes a stream with a filter that other streams may share. Allocates its buffers, tens of
    /// kilobytes a channel; nothing after that does.
    ///
    /// - Throws: `DSPError.invalidChannelCount`.
    public init(_ filter: ResamplerFilter, channels: Int = 1) throws(DSPError) {
        try self.init(filter, channels: channels, level: syrinx_kernel_level())
    }

    init(_ filter: ResamplerFilter, channels: Int, level: syrinx_level) throws(DSPError) {
        try Self.check(channels: channels)
        self.filter = filter
        self.channels = channels
        switch filter.bank {
        case .identity:
            engine = .identity
        case .single(let bank):
            engine = .single(
                ResamplerEngine(bank: bank, ratio: filter.ratio, channels: channels, level: level))
        case .double(let bank):
            engine = .double(
                ResamplerEngine(bank: bank, ratio: filter.ratio, channels: channels, level: level))
        }
    }

    private static func check(channels: Int) throws(DSPError) {
        guard (1...channelLimit).contains(channels) else {
            throw .invalidChannelCount(channels, allowed: 1...channelLimit)
        }
    }

    /// How far, in input frames, the input must be ahead of an output: see `ResamplerFilter.latency`.
    public var latency: Int { filter.latency }

    /// Output frames that one `step` of `inputFrames` frames makes at most, if no earlier step was
    /// short of room.
    public func maximumOutput(for inputFrames: Int) -> Int {
        let count = filter.outputFrames(for: inputFrames)
        return count == Int.max ? count : count + 1
    }

    /// Output frames that are still to come if the input ends here: what `finish` gives.
    public var remainingOutput: Int { filter.outputFrames(for: consumed) - produced }

    /// Takes the next frames of the input and gives the output frames that they complete.
    ///
    /// Does not allocate, lock or block. After a `finish` that has given everything, starts a new
    /// stream.
    ///
    /// - Parameters:
    ///   - input: interleaved, any number of frames, 0 included. Samples after the last whole frame
    ///     are not taken.
    ///   - output: room for the result. With `maximumOutput(for:)` frames of it everything is
    ///     consumed; with less, perhaps not.
    /// - Returns: frames consumed and produced.
    public mutating func step(_ input: Span<Float>, into output: inout MutableSpan<Float>) -> StreamCount {
        if silence != nil { reset() }
        let count = input.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                switch engine {
                case .identity: copy(input, to: output)
                case .single(let engine): run(engine, input, output)
                case .double(let engine): run(engine, input, output)
                }
            }
        }
        consumed += count.consumed
        produced += count.produced
        return count
    }

    /// Ends the input and gives the rest of the output: `remainingOutput` frames, or as many of them as
    /// there is room for. Call again until it returns 0. Does not allocate.
    public mutating func finish(into output: inout MutableSpan<Float>) -> Int {
        var silence = self.silence ?? filter.latency + 1
        let limit = min(remainingOutput, output.count / channels)
        let count = output.withUnsafeMutableBufferPointer { output in
            switch engine {
            case .identity: 0
            case .single(let engine): flush(engine, output, limit: limit, silence: &silence)
            case .double(let engine): flush(engine, output, limit: limit, silence: &silence)
            }
        }
        self.silence = silence
        produced += count
        return count
    }

    /// Forgets the input so far. What follows is as from a new resampler.
    public mutating func reset() {
        (consumed, produced, silence) = (0, 0, nil)
        switch engine {
        case .identity: break
        case .single(let engine): engine.reset()
        case .double(let engine): engine.reset()
        }
    }

    private func run<Scalar>(
        _ engine: ResamplerEngine<Scalar>, _ input: UnsafeBufferPointer<Float>,
        _ output: UnsafeMutableBufferPointer<Float>
    ) -> StreamCount {
        let frames = input.count / channels
        let room = output.count / channels
        var count = StreamCount(consumed: 0, produced: 0)
        while true {
            let taken = engine.append(input, from: count.consumed, count: frames - count.consumed)
            count.consumed += taken
            let made = engine.produce(
                output, from: count.produced, limit: room - count.produced, more: count.consumed < frames)
            count.produced += made
            if taken == 0, made == 0 { return count }
        }
    }

    private func flush<Scalar>(
        _ engine: ResamplerEngine<Scalar>, _ output: UnsafeMutableBufferPointer<Float>, limit: Int,
        silence: inout Int
    ) -> Int {
        var produced = 0
        while produced < limit {
            let taken = engine.appendSilence(silence)
            silence -= taken
            let made = engine.produce(output, from: produced, limit: limit - produced)
            produced += made
            if taken == 0, made == 0 { break }
        }
        return produced
    }

    private func copy(
        _ input: UnsafeBufferPointer<Float>, to output: UnsafeMutableBufferPointer<Float>
    ) -> StreamCount {
        let frames = min(input.count, output.count) / channels
        for index in 0..<frames * channels {
            output[index] = input[index].isFinite ? input[index] : 0
        }
        return StreamCount(consumed: frames, produced: frames)
    }
}
