/// The taps of every phase of a rational ratio, laid out for the group kernel.
///
/// Output p of a period lies at input time p·M/L: whole part `start(p)`, fraction (p·M mod L)/L, and
/// has the taps of its own fraction. `lanes` neighbouring outputs form a group. A group's matrix is
/// [rows, lanes]; lane l has its taps shifted down by as many rows as its output starts later than
/// the group's first, and zeros elsewhere, so all lanes read the same input.
///
/// A period is `up` outputs, or several times that where a lone small one would leave lanes idle.
struct PolyphaseBank<Scalar: FIRScalar>: Sendable {
    let ratio: RateRatio
    /// Input samples that one output reads.
    let taps: Int
    /// Rows of a group's matrix: `taps` and the widest shift, made even.
    let rows: Int
    /// Outputs a period: a multiple of `ratio.up`.
    let period: Int
    /// Input samples a period: the same multiple of `ratio.down`.
    let advance: Int
    /// [groups, rows, lanes]
    let coefficients: AlignedStorage<Scalar>

    /// Numbers that `coefficients` would hold at a ratio: what decides between this bank and the
    /// interpolated one.
    static func size(ratio: RateRatio, taps: Int) -> Int {
        let (period, rows) = shape(ratio: ratio, taps: taps)
        return roundUp(period, to: Scalar.lanes) * rows
    }

    init(ratio: RateRatio, prototype: LowpassPrototype) {
        self.ratio = ratio
        taps = 2 * Int(prototype.halfWidth.rounded(.up))
        (period, rows) = Self.shape(ratio: ratio, taps: taps)
        advance = period / ratio.up * ratio.down
        let lanes = Scalar.lanes
        coefficients = AlignedStorage(count: roundUp(period, to: lanes) * rows)
        let phases = Self.phases(ratio: ratio, taps: taps, prototype: prototype)
        for output in 0..<period {
            let (group, lane) = output.quotientAndRemainder(dividingBy: lanes)
            let shift = start(of: output) - start(of: group * lanes)
            let phase = output * ratio.down % ratio.up
            let matrix = coefficients.pointer + group * rows * lanes
            for tap in 0..<taps {
                matrix[(tap + shift) * lanes + lane] = Scalar(phases[phase * taps + tap])
            }
        }
    }

    /// The first input sample that output `output` of a period reads, from the period's first.
    func start(of output: Int) -> Int { output * ratio.down / ratio.up }

    private static func shape(ratio: RateRatio, taps: Int) -> (period: Int, rows: Int) {
        let lanes = Scalar.lanes
        // The smallest multiple that leaves at most one lane in 32 idle; `lanes` of them leave none.
        let multiple = (1...lanes).first { multiple in
            let period = multiple * ratio.up
            return (roundUp(period, to: lanes) - period) * 32 <= period
        }
        let widest = ((lanes - 1) * ratio.down + ratio.up - 1) / ratio.up
        return ((multiple ?? lanes) * ratio.up, roundUp(taps + widest, to: 2))
    }

    /// [up, taps]: the taps of phase q sample the prototype at j - (taps/2 - 1) - q/up. Phases q and
    /// up - q mirror each other, which is computed once: half the work, and a phase response that is
    /// linear to the last bit.
    private static func phases(ratio: RateRatio, taps: Int, prototype: LowpassPrototype) -> [Double] {
        let up = ratio.up
        var phases = [Double](repeating: 0, count: up * taps)
        for phase in 0...up / 2 {
            for tap in 0..<taps {
                let value = prototype(Double(tap - (taps / 2 - 1)) - Double(phase) / Double(up))
                phases[phase * taps + tap] = value
                if phase > 0 { phases[(up - phase) * taps + taps - 1 - tap] = value }
            }
        }
        // Unit gain at 0 Hz, over all phases together.
        let gain = Double(up) / phases.reduce(0, +)
        for index in phases.indices { phases[index] *= gain }
        return phases
    }
}

/// The least multiple of `step` that is not below `value`.
func roundUp(_ value: Int, to step: Int) -> Int { (value + step - 1) / step * step }
