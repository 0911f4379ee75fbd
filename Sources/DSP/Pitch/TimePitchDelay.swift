/// How long the parts of `TimePitch` wait for each other at most, in samples, and what that asks of its
/// buffers.
struct TimePitchDelay {
    /// Input samples between the newest and the one whose output is surely complete.
    let latency: Int
    /// Output samples before the newest grain's centre that later grains may still add to.
    let overhang: Int
    /// Input samples before the newest that are still read.
    let memory: Int
    /// Output samples between the oldest not taken and the newest written.
    let capacity: Int
    /// Output samples of the longest join of two grains.
    let longestJoin: Int

    init(_ grid: PitchGrid, _ planner: GrainPlanner) {
        let longest = PitchMarker.longestPeriod(grid)
        let hop = Double(grid.hop)
        overhang = planner.pitch == 1 ? 1 : Int(longest) + 1
        // Up to where pitch is decided: a hop being filled, and the frames the decision waits for.
        var wait = hop * (0.5 + Double(PitchAnalysis.delay(grid)))
        // Up to where all marks are known.
        wait += PitchMarker.delay(grid)
        // Up to the next grain that cannot be planned, and the last one that could be.
        wait += grid.longestPeriod
        wait += planner.tempo * max(longest / planner.pitch, planner.stride)
        wait += planner.tempo * Double(overhang + 1)
        latency = Int(wait.rounded(.up))

        let reach = 4 * longest + 6 * planner.stride
        memory = latency + Int(reach)
        longestJoin = Int(5 * longest + 3 * planner.stride)
        // 2: what a step that is short of room leaves for the next.
        capacity = Int((wait + reach + 2 * hop) / planner.tempo) + 2 + longestJoin
    }
}
