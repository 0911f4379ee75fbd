import Glibc

/// Chooses one candidate, or "no voice", for every frame: the path of the greatest sum of strengths less the
/// cost of jumps (Boersma, "Accurate short-term analysis of the fundamental frequency…", 1993, section 4),
/// decided a fixed number of frames behind the newest, so that it streams.
struct PitchPath {
    /// Frames after a frame that its choice may depend on: 30 ms.
    static let delay = 6

    // Boersma's costs, for frames 10 ms apart, doubled for ours of 5 ms.
    private static let octaveJumpCost: Float = 0.35 * 2
    private static let voicingChangeCost: Float = 0.14 * 2
    private static let voicingThreshold: Float = 0.55
    private static let silenceThreshold: Float = 0.02
    /// What an octave higher is worth: of two lags that fit equally well, the shorter is the period.
    private static let octaveCost: Float = 0.02

    private struct State {
        var lag: Float = 0  // 0: no voice
        var strength: Float = 0
        var score: Float = 0
        var previous = 0
    }

    private static let width = PitchCandidates.most + 1
    private let longestLag: Float
    private var states = [State](repeating: State(), count: (delay + 1) * width)
    private var counts = [Int](repeating: 0, count: delay + 1)
    private var frames = 0
    private var loudest: Float = 0

    init(_ grid: PitchGrid) { longestLag = Float(grid.lags.upperBound) }

    /// Takes the candidates of the next frame; gives the choice for the frame `delay` before it: its lag, 0
    /// for no voice, and strength.
    mutating func advance(_ candidates: PitchCandidates) -> (lag: Float, strength: Float) {
        let row = frames % (Self.delay + 1)
        states[row * Self.width] = State(strength: unvoicedStrength(peak: candidates.peak))
        for i in 0..<candidates.count {
            states[row * Self.width + 1 + i] = State(
                lag: candidates.lags[i], strength: candidates.strengths[i])
        }
        counts[row] = candidates.count + 1
        connect(row)
        frames += 1
        return choice(from: row)
    }

    mutating func reset() {
        for i in states.indices { states[i] = State() }
        for i in counts.indices { counts[i] = 0 }
        frames = 0
        loudest = 0
    }

    /// How strong a candidate must be to beat "no voice": more where the frame is much softer than the voice
    /// has been.
    private mutating func unvoicedStrength(peak: Float) -> Float {
        // Halves in 2.5 s; starts from −54 dB of full scale.
        loudest = max(loudest * 0.9986, peak, 0.002)
        let level = peak / loudest * (1 + Self.voicingThreshold) / Self.silenceThreshold
        return Self.voicingThreshold + max(0, 2 - level)
    }

    private mutating func connect(_ row: Int) {
        let before = (row + Self.delay) % (Self.delay + 1)
        var best = -Float.infinity
        for i in row * Self.width..<row * Self.width + counts[row] {
            var state = states[i]
            var reach: Float = frames == 0 || counts[before] == 0 ? 0 : -.infinity
            for p in 0..<counts[before] {
                let other = states[before * Self.width + p]
                let score = other.score - jumpCost(other.lag, state.lag)
                if score > reach { (reach, state.previous) = (score, p) }
            }
            state.score = reach + state.strength
            if state.lag > 0 { state.score += Self.octaveCost * log2(longestLag / state.lag) }
            best = max(best, state.score)
            states[i] = state
        }
        // Only differences count: keep the sums from growing with the stream.
        for i in row * Self.width..<row * Self.width + counts[row] { states[i].score -= best }
    }

    private func jumpCost(_ lag: Float, _ next: Float) -> Float {
        if lag == 0 && next == 0 { return 0 }
        if lag == 0 || next == 0 { return Self.voicingChangeCost }
        return Self.octaveJumpCost * abs(log2(lag / next))
    }

    private func choice(from newest: Int) -> (lag: Float, strength: Float) {
        var row = newest
        var best = 0
        for i in 0..<counts[row]
        where states[row * Self.width + i].score > states[row * Self.width + best].score {
            best = i
        }
        for _ in 0..<Self.delay {
            best = states[row * Self.width + best].previous
            row = (row + Self.delay) % (Self.delay + 1)
        }
        let state = states[row * Self.width + best]
        return state.lag > 0 ? (state.lag, state.strength) : (0, 0)
    }
}
