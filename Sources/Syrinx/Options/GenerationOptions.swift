/// How a text is spoken. What is nil is as the voice's configuration says.
public struct GenerationOptions: Sendable, Equatable {
    /// Speed of speech: 2 is twice as fast. The voice itself speaks faster; the pitch stays.
    public var rate: Double = 1
    /// Factor of all durations, instead of the voice's own; `rate` still applies.
    public var lengthScale: Double?
    /// How lively the voice sounds, 0 or more.
    public var noiseScale: Double?
    /// How much durations vary, 0 or more.
    public var noiseWidth: Double?
    /// A name of the voice's speakers, or a number.
    public var speaker: String?
    /// The same seed gives the same samples; nil takes another one each time.
    public var seed: UInt64?
    /// Seconds of silence between sentences; none follows the last.
    public var sentenceSilence: Double = 0.2
    /// Processor threads for one sentence; nil for all processors.
    public var threads: Int?

    public init() {}

    func validated() throws(SpeechError) -> GenerationOptions {
        func check(_ name: String, _ value: Double?, _ range: ClosedRange<Double>) throws(SpeechError) {
            guard let value else { return }
            guard range.contains(value) else {
                throw .invalidOption(
                    name: name, value: "\(value)", expected: "a number from \(range.lowerBound) to \(range.upperBound)")
            }
        }
        try check("rate", rate, 0.1...10)
        try check("length scale", lengthScale, 0.01...100)
        try check("noise scale", noiseScale, 0...10)
        try check("noise width", noiseWidth, 0...10)
        try check("sentence silence", sentenceSilence, 0...3600)
        if let threads, !(1...256).contains(threads) {
            throw .invalidOption(name: "threads", value: "\(threads)", expected: "a number from 1 to 256")
        }
        return self
    }
}
