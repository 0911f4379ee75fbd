/// Changes channels, silence, pitch, tempo, rate and level of a recording, a block at a time.
///
///     var converter = try AudioConverter(from: 44_100, channels: 2, options: options)
///     for block in blocks { try write(converter.step(block)) }
///     try write(converter.finish())
///
/// The order is fixed: channels are mixed first, so that the rest works on fewer; then silence is trimmed; pitch and
/// tempo follow where the rate suits them, before or after the resampler; the level comes last, so that it holds for
/// what is written. Unlike the processors it is made of, it works in arrays, which it allocates: it is for files
/// and requests, not for an audio thread. Blocks may be cut anywhere between frames without any change to the result. Memory is bounded
/// by the block, but for normalisation.
public struct AudioConverter: ~Copyable {
    /// Of the output, in hertz.
    public let outputRate: Int
    /// Of the output, interleaved.
    public let outputChannels: Int

    let options: ConversionOptions
    let mixer: ChannelMixer
    var trimmer: SilenceTrimmer?
    var timePitch: TimePitch?
    var resampler: Resampler
    /// For amplification only; attenuation is a factor.
    var limiter: Limiter?
    /// Whether the rate is changed before pitch and tempo.
    let resamplesFirst: Bool
    let factor: Float
    /// Everything so far, if the level depends on what is still to come.
    var held: [Float] = []

    /// The rates at which pitch can be followed.
    private static let speechRates =
        Int(PitchGrid.sampleRates.lowerBound)...Int(PitchGrid.sampleRates.upperBound)
    /// The rates at which the limiter works.
    private static let limiterRates = 1_000...768_000

    /// - Parameters:
    ///   - inputRate: hertz.
    ///   - inputChannels: interleaved, 1 to 64.
    /// - Throws: `ConversionError` for what cannot be done, before any sample.
    public init(
        from inputRate: Int, channels inputChannels: Int = 1, options: ConversionOptions
    ) throws(ConversionError) {
        let outputRate = options.sampleRate ?? inputRate
        let outputChannels = options.channels ?? inputChannels
        let mixer = try ChannelMixer(from: inputChannels, to: outputChannels)
        try Self.check(options, inputRate: inputRate, outputRate: outputRate, channels: outputChannels)
        let resamplesFirst = !Self.speechRates.contains(inputRate)
        let timeRate = resamplesFirst ? outputRate : inputRate
        let changesTime = options.pitch != 1 || options.tempo != 1
        let amplifies = options.gain > 0 && Self.limiterRates.contains(outputRate)

        let margin = max(0, min(inputRate, 768_000)) / 20
        let longestPause = Self.longestPause(rate: inputRate, channels: outputChannels)
        // Nothing of `self` is set before the last throw.
        let trimmer = try refusing {
            options.trimsSilence
                ? try SilenceTrimmer(
                    margin: margin, longestPause: max(margin, longestPause), channels: outputChannels)
                : nil
        }
        let timePitch = try refusing {
            changesTime
                ? try TimePitch(sampleRate: Double(timeRate), pitch: options.pitch, tempo: options.tempo)
                : nil
        }
        let resampler = try refusing {
            try Resampler(from: Double(inputRate), to: Double(outputRate), channels: outputChannels)
        }
        let limiter = try refusing {
            amplifies
                ? try Limiter(
                    sampleRate: Double(outputRate), ceiling: 0, gain: Decibels.amplitude(options.gain),
                    channels: outputChannels)
                : nil
        }
        if options.normalization == .loudness {
            // Asked now rather than after the whole recording.
            _ = try refusing { try LoudnessMeter(sampleRate: Double(outputRate), channels: outputChannels) }
        }
        self.trimmer = trimmer
        self.timePitch = timePitch
        self.resampler = resampler
        self.limiter = limiter
        factor = amplifies ? 1 : Float(Decibels.amplitude(options.gain))
        self.options = options
        self.mixer = mixer
        self.outputRate = outputRate
        self.outputChannels = outputChannels
        self.resamplesFirst = resamplesFirst
    }

    /// Frames of silence that are held back until they are known to be inside: ten seconds, unless the rate and
    /// channels, which a damaged header may have made up, would take more than 16 MiB.
    static func longestPause(rate: Int, channels: Int) -> Int {
        let most = (1 << 22) / max(1, channels)
        return max(0, min(rate, most / 10)) * 10
    }

    private static func check(
        _ options: ConversionOptions, inputRate: Int, outputRate: Int, channels: Int
    ) throws(ConversionError) {
        guard (-200...60).contains(options.gain) else {
            throw .refused("the gain is \(options.gain) dB; give a number from -200 to 60")
        }
        guard (-70...0).contains(options.loudness) else {
            throw .refused("the loudness is \(options.loudness) LUFS; give a number from -70 to 0")
        }
        guard options.pitch != 1 || options.tempo != 1 else { return }
        if channels != 1 { throw .pitchNeedsOneChannel(channels: channels) }
        if !speechRates.contains(inputRate), !speechRates.contains(outputRate) {
            throw .pitchNeedsSpeechRate(inputRate: inputRate, outputRate: outputRate)
        }
    }

    /// Converts the next frames.
    ///
    /// - Parameter samples: interleaved, whole frames, any number of them. NaN counts as 0, infinities as ±1.
    /// - Returns: what is ready of the output, interleaved; with normalisation nothing until the end.
    /// - Throws: `ConversionError.refused` for samples that are not whole frames; nothing was taken then.
    public mutating func step(_ samples: [Float]) throws(ConversionError) -> [Float] {
        guard samples.count.isMultiple(of: mixer.inputChannels) else {
            throw .refused("\(DSPError.partialFrame(samples: samples.count, channels: mixer.inputChannels))")
        }
        let mixed = trim(mixer.mix(samples.map(finite)))
        return hold(retime(mixed))
    }

    /// Ends the recording and gives the rest of it. Nothing may follow.
    public mutating func finish() throws(ConversionError) -> [Float] {
        var block = retime(endTrimming())
        if resamplesFirst {
            let resampled = resampler.finish()
            block += level(changeTime(resampled))
            block += level(endTime())
        } else {
            let timed = endTime()
            block += level(resampler.step(timed))
            block += level(resampler.finish())
        }
        block += endLimiting()
        return try normalize(hold(block))
    }

    /// The exact length of the output for an input of `frames` frames, or `nil` if silence is trimmed.
    public func outputFrames(for frames: Int) -> Int? {
        guard !options.trimsSilence else { return nil }
        func timed(_ samples: Int) -> Int {
            TimePitch.outputCount(forInput: samples, tempo: options.tempo)
        }
        if resamplesFirst { return timed(resampler.filter.outputFrames(for: frames)) }
        return resampler.filter.outputFrames(for: timed(frames))
    }
}

/// The refusals of the processors, each with its own type, as one error.
private func refusing<Value: ~Copyable>(_ make: () throws -> Value) throws(ConversionError) -> Value {
    do {
        return try make()
    } catch {
        throw .refused("\(error)")
    }
}
