extension TimePitch {
    /// A whole sound at another pitch, tempo or both; see `TimePitch`.
    /// - Returns: `samples.count` / tempo samples, rounded.
    /// - Throws: `PitchError.unsupportedSampleRate`, `.pitchOutOfRange`, `.tempoOutOfRange`.
    public static func process(
        _ samples: [Float], sampleRate: Int, pitch: Double = 1, tempo: Double = 1
    ) throws(PitchError) -> [Float] {
        var processor = try TimePitch(sampleRate: sampleRate, pitch: pitch, tempo: tempo)
        var early = [Float](repeating: 0, count: processor.outputCapacity(forInput: samples.count))
        var start = early.mutableSpan
        _ = try processor.step(samples.span, into: &start)
        var late = [Float](repeating: 0, count: processor.finishCapacity)
        var rest = late.mutableSpan
        _ = try processor.finish(into: &rest)
        return early + late
    }
}
