extension AudioConverter {
    /// Pitch, tempo and rate in the order that suits the rates, then the level.
    mutating func retime(_ samples: [Float]) throws(ConversionError) -> [Float] {
        if resamplesFirst {
            let resampled = resampler.step(samples)
            return level(try changeTime(resampled))
        }
        let timed = try changeTime(samples)
        return level(resampler.step(timed))
    }

    // MARK: Silence

    mutating func trim(_ samples: [Float]) -> [Float] { trimmer?.step(samples) ?? samples }

    mutating func endTrimming() -> [Float] { trimmer?.finish() ?? [] }

    // MARK: Time

    mutating func changeTime(_ samples: [Float]) throws(ConversionError) -> [Float] {
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

    mutating func endTime() throws(ConversionError) -> [Float] {
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

    // MARK: Level

    mutating func level(_ samples: [Float]) -> [Float] {
        if let limited = limiter?.step(samples) { return limited }
        return factor == 1 ? samples : samples.map { $0 * factor }
    }

    mutating func endLimiting() -> [Float] { limiter?.finish() ?? [] }

    /// Keeps everything back if the level depends on it.
    mutating func hold(_ samples: [Float]) -> [Float] {
        guard options.normalization != nil else { return samples }
        held += samples
        return []
    }

    mutating func normalize(_ samples: [Float]) throws(ConversionError) -> [Float] {
        do {
            switch options.normalization {
            case nil:
                return samples
            case .peak:
                try PeakMeter.normalize(&held, to: -1, channels: outputChannels)
                return held
            case .loudness:
                return try LoudnessMeter.normalize(
                    held, to: options.loudness, sampleRate: Double(outputRate), channels: outputChannels
                ).samples
            }
        } catch {
            throw .refused("\(error)")
        }
    }
}
