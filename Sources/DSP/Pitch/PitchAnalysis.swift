/// From samples to decided pitch frames, one hop of samples at a time.
struct PitchAnalysis {
    let grid: PitchGrid
    private var decimator: PitchDecimator
    private var candidates: PitchCandidates
    private var path: PitchPath
    private var hops = 0

    init(_ grid: PitchGrid) {
        self.grid = grid
        decimator = PitchDecimator(grid)
        candidates = PitchCandidates(grid)
        path = PitchPath(grid)
    }

    /// Hops from a frame's centre until it is decided.
    static func delay(_ grid: PitchGrid) -> Int { grid.lookAhead + PitchPath.delay }

    /// Samples before the newest that `advance` may still read.
    static func memory(_ grid: PitchGrid) -> Int { 2 * grid.filterReach + grid.hop + grid.decimation }

    /// To be called when `raw` has grown by one hop. Gives the frame centred `delay` hops before the new end,
    /// or nothing while that lies before the stream.
    mutating func advance(over raw: SampleHistory) -> PitchFrame? {
        hops += 1
        decimator.advance(over: raw)
        let newest = hops - grid.lookAhead
        guard newest >= 0 else { return nil }
        candidates.find(in: decimator.output, centre: newest * (grid.hop / grid.decimation))
        let choice = path.advance(candidates)
        let decided = newest - PitchPath.delay
        guard decided >= 0 else { return nil }
        return PitchFrame(
            position: decided * grid.hop, frequency: frequency(lag: choice.lag), strength: choice.strength)
    }

    private func frequency(lag: Float) -> Float {
        guard lag > 0 else { return 0 }
        let range = PitchGrid.range
        return min(max(Float(grid.analysisRate) / lag, Float(range.lowerBound)), Float(range.upperBound))
    }

    mutating func reset() {
        decimator.reset()
        path.reset()
        hops = 0
    }
}
