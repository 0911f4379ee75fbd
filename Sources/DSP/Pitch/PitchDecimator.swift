import Glibc

/// The analysis signal: the stream below about 2 kHz, where the harmonics that tell the pitch are, at a lower
/// rate. Sample j of it is centred on sample j · decimation of the stream.
struct PitchDecimator {
    private let taps: [Float]
    private let reach: Int
    private let decimation: Int
    private(set) var output: SampleHistory

    init(_ grid: PitchGrid) {
        reach = grid.filterReach
        decimation = grid.decimation
        // A raised cosine, whose first zero is at 4 kHz. A sharper filter would ring after a click, and
        // ringing is periodic.
        let width = Double(reach)
        let shape = (-reach...reach).map { 0.5 + 0.5 * cos(.pi * Double($0) / width) }
        let sum = shape.reduce(0, +)
        taps = shape.map { Float($0 / sum) }
        let kept = 2 * grid.frameReach + grid.hop
        output = SampleHistory(keeping: kept, room: kept)
    }

    /// Makes all analysis samples that the stream so far allows.
    mutating func advance(over raw: SampleHistory) {
        let samples = raw.samples.span
        while output.end * decimation + reach < raw.end {
            let first = raw.index(of: output.end * decimation - reach)
            output.append(samples.dot(from: first, taps.span, from: 0, count: taps.count))
        }
    }

    mutating func reset() { output.reset() }
}
