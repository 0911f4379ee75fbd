extension TimePitch {
    /// `step` into a new array.
    public mutating func step(_ samples: [Float]) -> [Float] {
        [Float](room: maximumOutput(for: samples.count), of: 0) { output in
            step(samples.span, into: &output).produced
        }
    }

    /// `finish` into a new array.
    public mutating func finish() -> [Float] {
        [Float](room: remainingOutput, of: 0) { output in finish(into: &output) }
    }

    /// A whole sound at another pitch, tempo or both; see `TimePitch`.
    ///
    /// - Returns: `samples.count` / tempo samples, rounded.
    /// - Throws: `DSPError.invalidRate`, `.invalidParameter`.
    public static func process(
        _ samples: [Float], sampleRate: Double, pitch: Double = 1, tempo: Double = 1
    ) throws(DSPError) -> [Float] {
        var processor = try TimePitch(sampleRate: sampleRate, pitch: pitch, tempo: tempo)
        return processor.step(samples) + processor.finish()
    }
}
