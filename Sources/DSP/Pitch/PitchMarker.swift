/// Places one mark in each period of the voiced parts, at the same phase of every period.
///
/// From one mark to the next it goes where the waveform repeats best (as Praat's "To PointProcess (cc)"),
/// with a pull towards where the energy of the period lies, which the correlation alone would drift away from
/// as the formants move.
struct PitchMarker {
    /// The next mark lies within this much of the tracker's period.
    private static let spread = 0.2
    /// Weight of energy against correlation.
    private static let pull: Float = 0.15

    private let grid: PitchGrid
    /// Frequencies of the decided frames.
    private var contour: SampleHistory
    private(set) var marks: PitchMarkTrack
    private var state = State.searching
    private var nextFrame = 0
    private var run = 0

    private enum State {
        case searching
        /// A voice starts at this position.
        case starting(Double)
        /// The newest mark, whose right-hand neighbour is not known.
        case following(PitchMark)
    }

    /// - Parameter memory: samples before the newest decided frame where marks may still be asked for.
    init(_ grid: PitchGrid, memory: Int) {
        self.grid = grid
        let frames = memory / grid.hop + 1
        contour = SampleHistory(keeping: frames, room: frames)
        marks = PitchMarkTrack(
            capacity: Int(1.5 * PitchGrid.range.upperBound * Double(memory) / Double(grid.sampleRate)))
    }

    /// The longest period that marks can have: each is up to `spread` longer than the tracker's.
    static func longestPeriod(_ grid: PitchGrid) -> Double { (1 + spread) * grid.longestPeriod + 2 }

    /// Samples by which the horizon of the marks may lie before the end of the newest decided frame.
    static func delay(_ grid: PitchGrid) -> Double { (1 + spread) * longestPeriod(grid) + 1 }

    mutating func advance(_ frame: PitchFrame, over raw: SampleHistory) {
        contour.append(frame.frequency)
        while place(over: raw) {}
    }

    mutating func reset() {
        contour.reset()
        marks.reset()
        state = .searching
        nextFrame = 0
        run = 0
    }

    /// Where the decided frames end.
    private var decided: Double { (Double(contour.end) - 0.5) * Double(grid.hop) }

    /// The period at a position, 0 where there is no voice.
    private func period(at position: Double) -> Double {
        let frame = min(max(Int((position / Double(grid.hop)).rounded()), contour.start), contour.end - 1)
        let frequency = Double(contour[frame])
        return frequency > 0 ? Double(grid.sampleRate) / frequency : 0
    }

    /// One move of the state; false when more frames are needed for it.
    private mutating func place(over raw: SampleHistory) -> Bool {
        switch state {
        case .searching:
            guard nextFrame < contour.end else {
                marks.horizon = decided
                return false
            }
            if contour[nextFrame] > 0 {
                let start = (Double(nextFrame) - 0.5) * Double(grid.hop)
                marks.horizon = start
                state = .starting(start)
            }
            nextFrame += 1
        case .starting(let start):
            let period = period(at: start + Double(grid.hop) / 2)
            guard decided >= start + period else { return false }
            let position = loudest(over: raw, from: start, length: period)
            state = .following(PitchMark(position: position, left: period, right: period, run: run))
        case .following(var mark):
            marks.horizon = mark.position
            let expected = period(at: mark.position + mark.right)
            guard decided >= mark.position + (1 + Self.spread) * max(mark.right, expected) else {
                return false
            }
            if expected > 0 {
                let next = successor(of: mark.position, period: expected, over: raw)
                mark.right = next - mark.position
                if marks.end == 0 || marks[marks.end - 1].run != run { mark.left = mark.right }
                state = .following(PitchMark(position: next, left: mark.right, right: mark.right, run: run))
            } else {
                nextFrame = max(nextFrame, Int((mark.position + mark.right) / Double(grid.hop) + 0.5))
                state = .searching
                run += 1
            }
            marks.append(mark)
        }
        return true
    }

    /// The position of most energy, smoothed over a quarter of the period.
    private func loudest(over raw: SampleHistory, from start: Double, length: Double) -> Double {
        let first = max(Int(start.rounded(.up)), 0)
        var envelope = EnergyEnvelope(raw, at: first, reach: Int(length / 8))
        var best = first
        var most = envelope.value
        while envelope.centre < first + Int(length) {
            envelope.advance()
            if envelope.value > most { (best, most) = (envelope.centre, envelope.value) }
        }
        return Double(best)
    }

    private func successor(of position: Double, period: Double, over raw: SampleHistory) -> Double {
        let origin = Int(position.rounded())
        let half = Int(period / 2)
        let candidates =
            origin + Int((1 - Self.spread) * period)...origin + Int(((1 + Self.spread) * period).rounded(.up))
        let reach = Int(period / 8)
        var envelope = EnergyEnvelope(raw, at: candidates.lowerBound, reach: reach)
        var most = envelope.value
        while envelope.centre < candidates.upperBound {
            envelope.advance()
            most = max(most, envelope.value)
        }
        let samples = raw.samples.span
        envelope = EnergyEnvelope(raw, at: candidates.lowerBound, reach: reach)
        var best = candidates.lowerBound
        var peak = (before: -Float.infinity, here: -Float.infinity, after: -Float.infinity)
        var last = -Float.infinity
        for candidate in candidates {
            if candidate > candidates.lowerBound { envelope.advance() }
            let similarity = samples.correlation(
                from: raw.index(of: origin - half), samples, from: raw.index(of: candidate - half),
                count: 2 * half)
            let score = similarity + (most > 0 ? Self.pull * envelope.value / most : 0)
            if candidate == best + 1 { peak.after = score }
            if score > peak.here {
                best = candidate
                peak = (last, score, -.infinity)
            }
            last = score
        }
        // Between samples, by the parabola through the best three; none at the edges.
        let curvature = peak.before - 2 * peak.here + peak.after
        guard curvature.isFinite, curvature < 0 else { return Double(best) }
        return Double(best) - Double((peak.after - peak.before) / (2 * curvature))
            + (position - Double(origin))
    }
}
