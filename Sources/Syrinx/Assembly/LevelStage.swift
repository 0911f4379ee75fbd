import DSP

/// The volume, with a limiter where samples could pass full scale: with a volume above 1, with normalisation, whose
/// peaks a change of sample rate may lift, and with a change of pitch, which may lift them by 3 dB.
enum LevelStage: ~Copyable {
    case unchanged
    case quieter(Float)
    case limited(Limiter)

    init(_ options: GenerationOptions, sampleRate: Int) throws(DSPError) {
        if options.volume > 1 || options.normalizes || options.pitch != 1 {
            self = .limited(try Limiter(sampleRate: Double(sampleRate), ceiling: 0, gain: options.volume))
        } else if options.volume < 1 {
            self = .quieter(Float(options.volume))
        } else {
            self = .unchanged
        }
    }

    mutating func step(_ samples: [Float]) -> [Float] {
        switch consume self {
        case .unchanged:
            self = .unchanged
            return samples
        case .quieter(let factor):
            self = .quieter(factor)
            return samples.map { $0 * factor }
        case .limited(var limiter):
            let limited = limiter.step(samples)
            self = .limited(limiter)
            return limited
        }
    }

    mutating func finish() -> [Float] {
        switch consume self {
        case .unchanged:
            self = .unchanged
            return []
        case .quieter(let factor):
            self = .quieter(factor)
            return []
        case .limited(var limiter):
            let rest = limiter.finish()
            self = .limited(limiter)
            return rest
        }
    }
}
