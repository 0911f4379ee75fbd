/// Σ x² over ± reach about a centre that moves on by one sample at a time.
struct EnergyEnvelope {
    private let raw: SampleHistory
    private let reach: Int
    private(set) var centre: Int
    private(set) var value: Float = 0

    init(_ raw: SampleHistory, at centre: Int, reach: Int) {
        self.raw = raw
        self.centre = centre
        self.reach = reach
        for position in centre - reach...centre + reach { value += raw[position] * raw[position] }
    }

    mutating func advance() {
        let (old, new) = (raw[centre - reach], raw[centre + reach + 1])
        value = max(value + new * new - old * old, 0)
        centre += 1
    }
}
