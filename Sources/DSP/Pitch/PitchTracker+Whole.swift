extension PitchTracker {
    /// The pitch frames of a whole sound; see `PitchTracker`.
    /// - Throws: `PitchError.unsupportedSampleRate`.
    public static func track(_ samples: [Float], sampleRate: Int) throws(PitchError) -> [PitchFrame] {
        var tracker = try PitchTracker(sampleRate: sampleRate)
        var frames = [PitchFrame](
            repeating: .unvoiced, count: tracker.outputCapacity(forInput: samples.count))
        var early = frames.mutableSpan
        _ = try tracker.step(samples.span, into: &early)
        var rest = [PitchFrame](repeating: .unvoiced, count: tracker.finishCapacity)
        var late = rest.mutableSpan
        _ = try tracker.finish(into: &late)
        frames += rest
        return frames
    }
}
