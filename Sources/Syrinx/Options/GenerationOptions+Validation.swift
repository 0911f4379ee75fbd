extension GenerationOptions {
    /// What each option may be.
    package enum Limits {
        package static let rate = 0.1...10
        package static let pitch = 0.5...2
        package static let volume = 0.0...10
        package static let lengthScale = 0.01...100
        package static let noiseScale = 0.0...10
        package static let noiseWidth = 0.0...10
        package static let sentenceSilence = 0.0...3600
        package static let crossfade = 0.0...5
        package static let sampleRate = 8000...192_000
        package static let concurrentWorkerCount = 1...64
        package static let threads = 1...256
    }

    /// The options, if all are in range.
    ///
    /// - Throws: `SpeechError.invalidOption` for the first that is not.
    func validated() throws(SpeechError) -> GenerationOptions {
        try check("rate", rate, Limits.rate)
        try check("pitch", pitch, Limits.pitch)
        try check("volume", volume, Limits.volume)
        try check("length scale", lengthScale, Limits.lengthScale)
        try check("noise scale", noiseScale, Limits.noiseScale)
        try check("noise width", noiseWidth, Limits.noiseWidth)
        try check("sentence silence", sentenceSilence, Limits.sentenceSilence)
        try check("crossfade", crossfade, Limits.crossfade)
        try check("sample rate", sampleRate, Limits.sampleRate)
        try check("concurrent worker count", concurrentWorkerCount, Limits.concurrentWorkerCount)
        try check("threads", threads, Limits.threads)
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
