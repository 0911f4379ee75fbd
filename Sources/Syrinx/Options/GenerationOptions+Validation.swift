extension GenerationOptions {
    /// The options, if all are in range.
    ///
    /// - Throws: `SpeechError.invalidOption` for the first that is not.
    func validated() throws(SpeechError) -> GenerationOptions {
        try check("rate", rate, 0.1...10)
        try check("pitch", pitch, 0.5...2)
        try check("volume", volume, 0...10)
        try check("length scale", lengthScale, 0.01...100)
        try check("noise scale", noiseScale, 0...10)
        try check("noise width", noiseWidth, 0...10)
        try check("sentence silence", sentenceSilence, 0...3600)
        try check("crossfade", crossfade, 0...5)
        try check("sample rate", sampleRate, 8000...192_000)
        try check("concurrent worker count", concurrentWorkerCount, 1...64)
        try check("threads", threads, 1...256)
        return self
    }

    private func check<Number: Comparable>(
        _ name: String, _ value: Number?, _ range: ClosedRange<Number>
    ) throws(SpeechError) {
        guard let value, !range.contains(value) else { return }
        throw .invalidOption(
            name: name, value: "\(value)", expected: "a number from \(range.lowerBound) to \(range.upperBound)")
    }
}
