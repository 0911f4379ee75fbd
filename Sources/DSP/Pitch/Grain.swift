/// A piece of the input, and where it goes: output sample n takes input position n + shift.
struct Grain {
    /// The centre in the output, in samples.
    var output: Double
    /// Input position less output position.
    var shift: Double
    /// The periods to the left and right of a voiced grain; 0 for an unvoiced one.
    var left = 0.0
    var right = 0.0
    /// The number of its pitch mark; nil for an unvoiced grain.
    var mark: Int?

    /// The centre in the input.
    var input: Double { output + shift }
    var isVoiced: Bool { mark != nil }

    static let first = Grain(output: 0, shift: 0)
}
