import Glibc

/// Changes channels, pitch, tempo, rate and level of a recording, a block at a time.
///
///     var converter = try AudioConverter(from: 44_100, channels: 2, options: options)
///     for block in blocks { try write(converter.step(block)) }
///     try write(converter.finish())
///
/// The order is fixed: channels are mixed first, so that the rest works on fewer; pitch and tempo follow where the
/// rate suits them, before or after the resampler; the level comes last, so that it holds for what is written.
/// Blocks may be cut anywhere between frames without any change to the result. Memory is bounded by the block,
/// but for normalisation.
public struct AudioConverter: ~Copyable {
    public let outputRate: Int
    public let outputChannels: Int

    private let mixer: ChannelMixer
    private var timePitch: TimePitch?
    private var resampler: Resampler
    private let tempo: Double
    private let resamplesFirst: Bool
    private let factor: Float
    private let normalization: ConversionOptions.Normalization?
    /// Everything so far, if the level depends on what is still to come.
    private var held: [Float] = []

    /// - Parameters:
    ///   - inputRate: hertz.
    ///   - inputChannels: interleaved, 1 to 64.
    public init(
        from inputRate: Int, channels inputChannels: Int = 1, options: ConversionOptions
    ) throws(ConversionError) {
        let outputRate = options.sampleRate ?? inputRate
        let outputChannels = options.channels ?? inputChannels
        let mixer = try ChannelMixer(from: inputChannels, to: outputChannels)
        let changesTime = options.pitch != 1 || options.tempo != 1
        if changesTime, outputChannels != 1 { throw .pitchNeedsOneChannel(channels: outputChannels) }
        let speechRates = 8_000...48_000
        if changesTime, !speechRates.contains(inputRate), !speechRates.contains(outputRate) {
            throw .pitchNeedsSpeechRate(inputRate: inputRate, outputRate: outputRate)
        }
        let resamplesFirst = !speechRates.contains(inputRate)
        guard options.gain.isFinite, abs(options.gain) <= 200 else {
            throw .refused("the gain is \(options.gain) dB; give a number from -200 to 200")
        }
        let resampler = try Self.resampler(from: inputRate, to: outputRate, channels: outputChannels)
        let timePitch = try Self.timePitch(resamplesFirst ? outputRate : inputRate, options)
        self.resampler = resampler
        self.timePitch = timePitch
        tempo = options.tempo
        self.mixer = mixer
        self.outputRate = outputRate
        self.outputChannels = outputChannels
        self.resamplesFirst = resamplesFirst
        factor = Float(pow(10, options.gain / 20))
        normalization = options.normalization
    }

    private static func resampler(
        from inputRate: Int, to outputRate: Int, channels: Int
    ) throws(ConversionError) -> Resampler {
        do {
            return try Resampler(from: Double(inputRate), to: Double(outputRate), channels: channels)
        } catch {
            throw .refused("\(error)")
        }
    }

    private static func timePitch(
        _ rate: Int, _ options: ConversionOptions
    ) throws(ConversionError) -> TimePitch? {
        guard options.pitch != 1 || options.tempo != 1 else { return nil }
        do {
            return try TimePitch(sampleRate: rate, pitch: options.pitch, tempo: options.tempo)
        } catch {
            throw .refused("\(error)")
        }
    }

    /// Converts the next frames.
    ///
    /// - Parameter samples: interleaved, whole frames, any number of them. NaN counts as 0, infinities as ±1.
    /// - Returns: what is ready of the output, interleaved; with normalisation nothing until the end.
    public mutating func step(_ samples: [Float]) throws(ConversionError) -> [Float] {
        precondition(
            samples.count.isMultiple(of: mixer.inputChannels),
            "\(samples.count) samples are not whole frames of \(mixer.inputChannels) channels")
        let block = mixer.mix(samples.map(finite))
        if resamplesFirst {
            return level(try changeTime(resampler.step(block)))
        }
        return level(resampler.step(try changeTime(block)))
    }

    /// Ends the recording and gives the rest of it. Nothing may follow.
    public mutating func finish() throws(ConversionError) -> [Float] {
        var block: [Float]
        if resamplesFirst {
            block = try changeTime(resampler.finish())
            block += try endTime()
        } else {
            block = resampler.step(try endTime())
            block += resampler.finish()
        }
        block = level(block)
        switch normalization {
        case nil: return block
        case .peak: return Self.peakNormalized(held)
        }
    }

    /// The exact length of the output for an input of `frames` frames.
    public func outputFrames(for frames: Int) -> Int {
        if resamplesFirst {
            return timed(resampler.filter.outputFrames(for: frames))
        }
        return resampler.filter.outputFrames(for: timed(frames))
    }
}

// MARK: - Stages

extension AudioConverter {
    private func timed(_ samples: Int) -> Int {
        TimePitch.outputCount(forInput: samples, tempo: tempo)
    }

    private mutating func changeTime(_ samples: [Float]) throws(ConversionError) -> [Float] {
        guard let room = timePitch?.outputCapacity(forInput: samples.count) else { return samples }
        var output = [Float](repeating: 0, count: room)
        var span = output.mutableSpan
        do {
            _ = try timePitch?.step(samples.span, into: &span)
        } catch {
            throw .refused("\(error)")
        }
        return output
    }

    private mutating func endTime() throws(ConversionError) -> [Float] {
        guard let room = timePitch?.finishCapacity else { return [] }
        var output = [Float](repeating: 0, count: room)
        var span = output.mutableSpan
        do {
            _ = try timePitch?.finish(into: &span)
        } catch {
            throw .refused("\(error)")
        }
        return output
    }

    private mutating func level(_ samples: [Float]) -> [Float] {
        let scaled = factor == 1 ? samples : samples.map { $0 * factor }
        guard normalization != nil else { return scaled }
        held += scaled
        return []
    }

    /// The highest sample becomes −1 dB of full scale. Silence stays silence.
    private static func peakNormalized(_ samples: [Float]) -> [Float] {
        let peak = samples.reduce(0) { max($0, $1.magnitude) }
        guard peak > 0 else { return samples }
        let factor = Double(powf(10, -1.0 / 20)) / Double(peak)
        return samples.map { Float(Double($0) * factor) }
    }
}
