extension ResamplerEngine {
    /// Output p of the period, for p in phase ..< phase + count (p may pass the period's end). Every
    /// output is made in its own group, with its own lane and order of summation, wherever the
    /// range begins and ends: so any chunking gives the same bits.
    func producePolyphase(
        _ bank: PolyphaseBank<Scalar>, _ output: UnsafeMutableBufferPointer<Float>, from frame: Int,
        count: Int
    ) {
        let wanted = phase..<phase + count
        let lanes = Scalar.lanes
        let groups = roundUp(bank.period, to: lanes) / lanes
        var period = 0
        while period * bank.period < wanted.upperBound {
            for group in 0..<groups {
                // Periods of this call in which any output of the group is wanted.
                let width = min(lanes, bank.period - group * lanes)
                let start = period * bank.period + group * lanes
                var (first, end) = (0, Self.repeats)
                while first < end, start + first * bank.period + width <= wanted.lowerBound { first += 1 }
                while first < end, start + (end - 1) * bank.period >= wanted.upperBound { end -= 1 }
                guard first < end else { continue }
                let origin = base + (period + first) * bank.advance + bank.start(of: group * lanes)
                for channel in 0..<channels {
                    Scalar.filterGroup(
                        planes.pointer + channel * stride + origin, stride: bank.advance,
                        repeats: end - first,
                        coefficients: bank.coefficients.pointer + group * bank.rows * lanes,
                        rows: bank.rows, into: scratch.pointer, level: level)
                    for place in first..<end {
                        let outputs = (start + place * bank.period..<start + place * bank.period + width)
                            .clamped(to: wanted)
                        let source = scratch.pointer + (place - first) * lanes - start - place * bank.period
                        for index in outputs {
                            output[(frame + index - wanted.lowerBound) * channels + channel] =
                                Float(source[index])
                        }
                    }
                }
            }
            period += Self.repeats
        }
        let periods = wanted.upperBound / bank.period
        base += periods * bank.advance
        phase = wanted.upperBound - periods * bank.period
        // The next output's group starts to read at its first lane.
        drop(base + bank.start(of: phase / lanes * lanes))
    }

    /// Outputs one by one, each from its own fraction.
    func produceCubic(
        _ bank: CubicBank<Scalar>, _ output: UnsafeMutableBufferPointer<Float>, from frame: Int, count: Int
    ) {
        let (whole, fraction) = ratio.down.quotientAndRemainder(dividingBy: ratio.up)
        let scale = Double(bank.segments) / Double(ratio.up)
        for index in 0..<count {
            let position = Double(phase) * scale
            let segment = min(Int(position), bank.segments - 1)
            let u = Scalar(position - Double(segment))
            let coefficients = bank.coefficients.pointer + segment * 4 * bank.rows
            for channel in 0..<channels {
                let sum = Scalar.filterCubic(
                    planes.pointer + channel * stride + base, coefficients: coefficients,
                    taps: bank.rows, u: u, level: level)
                output[(frame + index) * channels + channel] = Float(sum)
            }
            base += whole
            phase += fraction
            if phase >= ratio.up {
                phase -= ratio.up
                base += 1
            }
        }
        // Past the last frame when outputs are further apart than a filter is long.
        drop(min(base, filled))
    }
}
