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
        for group in 0..<groups {
            let start = group * lanes
            let width = min(lanes, bank.period - start)
            // The periods in which any output of the group is wanted.
            let first = max(0, wanted.lowerBound - start - width + bank.period) / bank.period
            let end = max(0, wanted.upperBound - start + bank.period - 1) / bank.period
            guard first < end else { continue }
            let origin = base + first * bank.advance + bank.start(of: start)
            for channel in 0..<channels {
                Scalar.filterGroup(
                    planes.pointer + channel * stride + origin, stride: bank.advance,
                    repeats: end - first,
                    coefficients: bank.coefficients.pointer + group * bank.rows * lanes,
                    rows: bank.rows, into: scratch.pointer, level: level)
                for period in first..<end {
                    let made = period * bank.period + start
                    let outputs = (made..<made + width).clamped(to: wanted)
                    write(
                        scratch.pointer + (period - first) * lanes + outputs.lowerBound - made,
                        count: outputs.count, to: output,
                        from: (frame + outputs.lowerBound - wanted.lowerBound) * channels + channel)
                }
            }
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

    /// Every `channels`-th place of the output, from `index` on.
    private func write(
        _ source: UnsafePointer<Scalar>, count: Int, to output: UnsafeMutableBufferPointer<Float>,
        from index: Int
    ) {
        precondition(index + (count - 1) * channels < output.count)
        guard let target = output.baseAddress?.advanced(by: index) else { return }
        if channels == 1 {
            for position in 0..<count { target[position] = Float(source[position]) }
        } else {
            for position in 0..<count { target[position * channels] = Float(source[position]) }
        }
    }
}
