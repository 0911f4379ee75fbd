/// Decides which piece of the input comes next in the output.
///
/// Voiced: grains on pitch marks, set one period divided by the pitch ratio apart, each time the mark nearest
/// to where the tempo asks the output to be (TD-PSOLA: Moulines and Charpentier 1990). Unvoiced: the input
/// goes on as it is while it keeps within a tolerance of the tempo, then is spliced where it is most like
/// what would have followed (WSOLA: Verhelst and Roelands 1993), never inside an onset.
struct GrainPlanner {
    let pitch: Double
    let tempo: Double
    /// Output samples from one unvoiced grain to the next.
    let stride: Double
    /// How far the input may be from where the tempo asks for it.
    let tolerance: Double
    private let grid: PitchGrid
    private let attack: Double
    private let body: Double

    init(_ grid: PitchGrid, pitch: Double, tempo: Double) {
        self.grid = grid
        self.pitch = pitch
        self.tempo = tempo
        stride = (0.010 * Double(grid.sampleRate)).rounded()
        tolerance = stride
        attack = Double(OnsetDetector.attack * grid.sampleRate / 1_000)
        body = Double(OnsetDetector.body * grid.sampleRate / 1_000)
    }

    /// The grain after `last`, or nil while it depends on marks that are not known.
    /// - Parameter end: where the input ends, once that is known.
    func next(
        after last: Grain, marks: PitchMarkTrack, onsets: OnsetDetector, raw: SampleHistory, end: Int?
    ) -> Grain? {
        let output = last.output + (last.isVoiced ? last.right / pitch : stride)
        let wanted = output * tempo
        let nearest = marks.nearest(to: wanted)
        let distance = nearest.map { abs(marks[$0].position - wanted) } ?? .infinity
        guard marks.horizon > wanted + min(distance, grid.longestPeriod) else { return nil }
        if let nearest, distance <= 0.6 * max(marks[nearest].left, marks[nearest].right) {
            return voiced(nearest, marks, after: last, output: output)
        }
        return unvoiced(after: last, output: output, onsets: onsets, raw: raw, end: end)
    }

    private func voiced(_ number: Int, _ marks: PitchMarkTrack, after last: Grain, output: Double) -> Grain {
        let mark = marks[number]
        var shift = mark.position - output
        if pitch == 1, let before = last.mark, number == before + 1, marks[before].run == mark.run {
            shift = last.shift  // The input simply goes on.
        } else if marks.isFirstOfRun(number), last.mark != number {
            // Where a voice begins nothing obliges the grain to keep a distance: let the input go on if it is
            // in time.
            let inTime = mark.position - mark.position / tempo
            let start = abs(last.shift - inTime) <= tolerance && !last.isVoiced ? last.shift : inTime
            if mark.position - start > last.output + 0.25 * mark.right { shift = start }
        }
        // Whole samples need no interpolation, and equal pitch no fractions.
        shift = pitch == 1 ? shift.rounded() : (shift * 64).rounded() / 64
        return Grain(
            output: mark.position - shift, shift: shift, left: mark.left, right: mark.right, mark: number)
    }

    private func unvoiced(
        after last: Grain, output: Double, onsets: OnsetDetector, raw: SampleHistory, end: Int?
    ) -> Grain {
        guard tempo != 1 else { return Grain(output: output, shift: 0) }
        if let end, (output + stride) * tempo >= Double(end) {
            return Grain(output: output, shift: shift(of: end))  // Both end together.
        }
        let inTime = output * tempo - output
        // An onset that this grain would sound goes where the tempo asks for it, and nowhere else.
        let reach = (output - stride - body) * tempo...(output + stride + attack) * tempo
        if let onset = onsets.first(in: reach) {
            return Grain(output: output, shift: shift(of: onset))
        }
        var shifts = (inTime - tolerance)...(inTime + tolerance)
        let input = output * tempo
        if let onset = onsets.first(in: input...input + stride + tolerance + attack) {
            // It is still to come.
            let latest = Double(onset) - attack - stride - output
            shifts = min(shifts.lowerBound, latest)...min(shifts.upperBound, latest)
        } else if let onset = onsets.first(in: input - stride - tolerance - body...input) {
            let earliest = Double(onset) + body + stride - output
            shifts = max(shifts.lowerBound, earliest)...max(shifts.upperBound, earliest)
        }
        if shifts.contains(last.shift) { return Grain(output: output, shift: last.shift.rounded()) }
        return Grain(
            output: output, shift: splice(after: last, at: output, shifts: shifts, inTime: inTime, raw: raw))
    }

    /// The shift that brings an input position to where the tempo asks for it.
    private func shift(of position: Int) -> Double { (Double(position) - Double(position) / tempo).rounded() }

    /// The shift at which the input up to `output` is most like the continuation of the grain before.
    private func splice(
        after last: Grain, at output: Double, shifts: ClosedRange<Double>, inTime: Double, raw: SampleHistory
    ) -> Double {
        let count = Int(output - last.output)
        let from = Int(last.output.rounded())
        let samples = raw.samples.span
        let old = raw.index(of: from + Int(last.shift.rounded()))
        var best = min(
            max(inTime.rounded(), shifts.lowerBound.rounded(.up)), shifts.upperBound.rounded(.down))
        var most: Float = 0
        for shift in Int(
            shifts.lowerBound.rounded(.up))...max(
                Int(shifts.lowerBound.rounded(.up)), Int(shifts.upperBound.rounded(.down)))
        {
            let likeness = samples.correlation(
                from: old, samples, from: raw.index(of: from + shift), count: count)
            if likeness > most { (best, most) = (Double(shift), likeness) }
        }
        return best
    }
}
