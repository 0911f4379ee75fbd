/// The taps of one conversion: immutable, made once (about a millisecond for common rates, 0.1 to
/// 2 MB) and shared by any number of streams, in any threads.
public struct ResamplerFilter: Sendable {
    /// The input's sample rate in hertz.
    public let inputRate: Double
    /// The output's sample rate in hertz.
    public let outputRate: Double
    /// The preset that the taps meet.
    public let quality: ResamplerQuality
    let ratio: RateRatio
    let bank: Bank

    enum Bank: Sendable {
        /// The rates are equal: samples pass as they are.
        case identity
        case single(FilterBank<Float>)
        case double(FilterBank<Double>)
    }

    /// Designs the filter for a pair of rates.
    ///
    /// Whole rates are used as the exact fraction they are. Others (a clock measured at 44 099.7 Hz)
    /// are used to within 2⁻⁶⁴ of their quotient, so a stream drifts by less than a sample in a year.
    ///
    /// - Parameters:
    ///   - inputRate: in hertz, above 0.
    ///   - outputRate: in hertz, above 0, within a factor of 256 of the input's.
    /// - Throws: `DSPError.invalidRate` or `.unsupportedRatio`.
    public init(
        from inputRate: Double, to outputRate: Double, quality: ResamplerQuality = .high
    ) throws(DSPError) {
        try self.init(from: inputRate, to: outputRate, quality: quality, interpolates: false)
    }

    /// - Parameter interpolates: whether to interpolate taps even where a table of all phases would do,
    ///   so that tests see each layout at a ratio whose phases can all be measured.
    init(
        from inputRate: Double, to outputRate: Double, quality: ResamplerQuality, interpolates: Bool
    ) throws(DSPError) {
        ratio = try RateRatio(from: inputRate, to: outputRate)
        self.inputRate = inputRate
        self.outputRate = outputRate
        self.quality = quality
        if ratio.up == ratio.down {
            bank = .identity
        } else {
            let prototype = LowpassPrototype(quality: quality, bandwidth: ratio.bandwidth)
            bank =
                quality == .veryHigh
                ? .double(FilterBank(ratio: ratio, prototype: prototype, interpolates: interpolates))
                : .single(FilterBank(ratio: ratio, prototype: prototype, interpolates: interpolates))
        }
    }

    /// A filter that is none of the presets, such as the true-peak meter's.
    init(ratio: RateRatio, prototype: LowpassPrototype) {
        self.ratio = ratio
        inputRate = Double(ratio.down)
        outputRate = Double(ratio.up)
        quality = .fast
        bank = .single(FilterBank(ratio: ratio, prototype: prototype))
    }

    /// How many input frames after the one at its own time an output needs: half the filter. The
    /// output is not delayed by it (the sample at input time t is the output at time t), it only
    /// becomes available that much later.
    public var latency: Int {
        switch bank {
        case .identity: 0
        case .single(let bank): bank.taps / 2
        case .double(let bank): bank.taps / 2
        }
    }

    /// The exact length in frames of the output for `inputFrames` frames of input: ⌈n·L/M⌉, the
    /// output instants that lie before the end of the input. 22 050 frames at 22 050 Hz become 24 000
    /// at 24 000 Hz, to the sample.
    public func outputFrames(for inputFrames: Int) -> Int { ratio.outputCount(for: inputFrames) }
}

/// Taps in one precision, in whichever of the two layouts suits the ratio.
enum FilterBank<Scalar: FIRScalar>: Sendable {
    case polyphase(PolyphaseBank<Scalar>)
    case cubic(CubicBank<Scalar>)

    /// Numbers that a polyphase table may have: 2 MB of float32, which stays in the second-level
    /// cache of current CPUs or close to it.
    private static var largestTable: Int { 1 << 19 }

    init(ratio: RateRatio, prototype: LowpassPrototype, interpolates: Bool = false) {
        let taps = 2 * Int(prototype.halfWidth.rounded(.up))
        // `up` alone first: the product below would not fit an Int for the largest terms.
        if !interpolates, ratio.up <= Self.largestTable,
            PolyphaseBank<Scalar>.size(ratio: ratio, taps: taps) <= Self.largestTable
        {
            self = .polyphase(PolyphaseBank(ratio: ratio, prototype: prototype))
        } else {
            self = .cubic(CubicBank(ratio: ratio, prototype: prototype))
        }
    }

    var taps: Int {
        switch self {
        case .polyphase(let bank): bank.taps
        case .cubic(let bank): bank.taps
        }
    }

    /// Input samples that one call of a kernel reads at most, with a single repeat.
    var rows: Int {
        switch self {
        case .polyphase(let bank): bank.rows
        case .cubic(let bank): bank.rows
        }
    }
}
