import Foundation

/// The analysis signal: the stream below 2 kHz, where the harmonics that tell the pitch are, at a lower rate. Sample j
/// of it is centred on sample j · decimation of the stream.
struct PitchDecimator {
    private let taps: [Float]
    private let reach: Int
    private let decimation: Int
    private(set) var output: SampleHistory

    init(_ grid: PitchGrid) {
        reach = grid.filterReach
        decimation = grid.decimation
        // A sinc cut off at 2 kHz under a Hann window; its sum is made 1.
        let cutoff = 2_000 / Double(grid.sampleRate)
        let width = Double(reach + 1)
        let shape = (-reach...reach).map { k -> Double in
            let x = 2 * cutoff * Double(k) * .pi
            return (k == 0 ? 1 : sin(x) / x) * (0.5 + 0.5 * cos(.pi * Double(k) / width))
        }
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
