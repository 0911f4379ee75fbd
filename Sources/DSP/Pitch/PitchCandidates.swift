/// The lags at which one frame repeats itself: local maxima of the normalised cross-correlation function
/// (Talkin, "A Robust Algorithm for Pitch Tracking (RAPT)", 1995, eq. 2), the two segments lying
/// symmetrically about the frame's centre so that a moving pitch is measured where the frame is.
struct PitchCandidates {
    static let most = 8

    /// Lags in analysis samples, between samples too, and the correlation at each; the first `count` are
    /// valid.
    private(set) var lags = [Float](repeating: 0, count: most)
    private(set) var strengths = [Float](repeating: 0, count: most)
    private(set) var count = 0
    /// Peak magnitude of the frame.
    private(set) var peak: Float = 0

    private let grid: PitchGrid
    private var frame: [Float]
    /// Of the values and their squares before each place in the frame.
    private var sums: [Float]
    private var energies: [Float]
    private var correlation: [Float]

    init(_ grid: PitchGrid) {
        self.grid = grid
        frame = [Float](repeating: 0, count: 2 * grid.frameReach + 1)
        sums = [Float](repeating: 0, count: frame.count + 1)
        energies = sums
        correlation = [Float](repeating: 0, count: grid.lags.upperBound + 2)
    }

    /// Finds the candidates of the frame centred on analysis sample `centre`.
    mutating func find(in signal: SampleHistory, centre: Int) {
        count = 0
        load(signal, from: centre - grid.frameReach)
        guard peak > 0 else { return }
        for lag in (grid.lags.lowerBound - 1)...(grid.lags.upperBound + 1) {
            correlation[lag] = correlate(lag)
        }
        for lag in grid.lags {
            let (before, here, after) = (correlation[lag - 1], correlation[lag], correlation[lag + 1])
            guard here > 0.25, here > before, here >= after else { continue }
            // The parabola through the three points; its curvature is negative here.
            let slope = (after - before) / 2
            let curvature = before - 2 * here + after
            let peak = Float(lag) - slope / curvature
            guard grid.analysisLags.contains(Double(peak)) else { continue }
            add(lag: peak, strength: min(here - slope * slope / (2 * curvature), 1))
        }
    }

    /// Copies the frame without its mean, which rounding would suffer from, and adds up its values and
    /// energy.
    private mutating func load(_ signal: SampleHistory, from position: Int) {
        let first = signal.index(of: position)
        var mean: Float = 0
        for i in frame.indices { mean += signal.samples[first + i] / Float(frame.count) }
        peak = 0
        for i in frame.indices {
            let value = signal.samples[first + i] - mean
            frame[i] = value
            sums[i + 1] = sums[i] + value
            energies[i + 1] = energies[i] + value * value
            peak = max(peak, abs(value))
        }
    }

    /// The correlation coefficient of the frame's middle with itself one lag later. Each part has its own
    /// mean taken out: a common one, beside a click, would be the same in both.
    private func correlate(_ lag: Int) -> Float {
        let window = grid.window
        let first = grid.frameReach - (window + lag) / 2
        let second = first + lag
        let (sum, laterSum) = (sums[first + window] - sums[first], sums[second + window] - sums[second])
        let energy = energies[first + window] - energies[first] - sum * sum / Float(window)
        let laterEnergy = energies[second + window] - energies[second] - laterSum * laterSum / Float(window)
        // What is 40 dB softer than the rest of the frame is the tail of something, not a voice.
        let least = 1e-4 * energies[frame.count]
        guard energy > least, laterEnergy > least else { return 0 }
        let product = frame.span.dot(from: first, frame.span, from: second, count: window)
        return (product - sum * laterSum / Float(window)) / (energy.squareRoot() * laterEnergy.squareRoot())
    }

    /// Keeps the strongest.
    private mutating func add(lag: Float, strength: Float) {
        var place = count
        if count < Self.most {
            count += 1
        } else {
            guard let weakest = strengths.indices.min(by: { strengths[$0] < strengths[$1] }),
                strengths[weakest] < strength
            else { return }
            place = weakest
        }
        lags[place] = lag
        strengths[place] = strength
    }
}
