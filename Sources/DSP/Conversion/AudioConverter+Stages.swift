extension AudioConverter {
    /// Pitch, tempo and rate in the order that suits the rates, then the level.
    mutating func retime(_ samples: [Float]) -> [Float] {
        if resamplesFirst {
            let resampled = resampler.step(samples)
            return level(changeTime(resampled))
        }
        let timed = changeTime(samples)
        return level(resampler.step(timed))
    }

    // MARK: Silence

    mutating func trim(_ samples: [Float]) -> [Float] { trimmer?.step(samples) ?? samples }

    mutating func endTrimming() -> [Float] { trimmer?.finish() ?? [] }

    // MARK: Time

    mutating func changeTime(_ samples: [Float]) -> [Float] { timePitch?.step(samples) ?? samples }

    mutating func endTime() -> [Float] { timePitch?.finish() ?? [] }

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
                return try PeakMeter.normalize(held, to: -1, channels: outputChannels).samples
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
