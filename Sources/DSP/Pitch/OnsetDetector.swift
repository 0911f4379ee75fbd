/// Finds sudden sounds, the bursts of plosives and clicks, which stretching must give once and whole.
///
/// An onset is a millisecond whose energy, of the signal's first difference, is ten times the mean of those
/// shortly before and no softer than 30 dB below the loudest of late.
struct OnsetDetector {
    /// An onset begins at most this much before its position, and is over this much after it, in
    /// milliseconds.
    static let attack = 1
    static let body = 5

    private static let background = 8
    private static let spacing = 20
    private let unit: Int
    private var energies = [Float](repeating: 0, count: background + 1)
    private var units = 0
    private var loudest: Float = 0
    private var ring = [Int](repeating: .min, count: 32)
    private var count = 0

    init(_ grid: PitchGrid) { unit = grid.sampleRate / 1_000 }

    mutating func advance(over raw: SampleHistory) {
        while (units + 1) * unit <= raw.end {
            look(at: units * unit, in: raw)
            units += 1
        }
    }

    mutating func reset() {
        for i in energies.indices { energies[i] = 0 }
        for i in ring.indices { ring[i] = .min }
        units = 0
        loudest = 0
        count = 0
    }

    /// The first onset in a range of positions among the newest 32, or nil.
    func first(in range: ClosedRange<Double>) -> Int? {
        for number in max(0, count - ring.count)..<count
        where range.contains(Double(ring[number % ring.count])) {
            return ring[number % ring.count]
        }
        return nil
    }

    private mutating func look(at position: Int, in raw: SampleHistory) {
        var energy: Float = 0
        for i in position..<position + unit {
            let difference = raw[i] - raw[i - 1]
            energy += difference * difference
        }
        // The newest earlier unit may hold the start of the same attack, so it is left out of the background.
        var before: Float = 0
        for lag in 2...Self.background + 1 {
            before += energies[(units + 2 * energies.count - lag) % energies.count]
        }
        energies[units % energies.count] = energy
        loudest = max(loudest * 0.9997, energy)
        let isSudden = energy > 10 * before / Float(Self.background) && energy > 1e-3 * loudest
        let isApart = count == 0 || position - ring[(count - 1) % ring.count] >= Self.spacing * unit
        guard isSudden, isApart else { return }
        ring[count % ring.count] = position
        count += 1
    }
}
