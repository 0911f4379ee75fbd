@testable import Playback

/// What a device was given, read against the source: where audio was touched and where silence was put.
struct Heard {
    /// Why the capture is not the source with silence put in and edges faded; nil if it is.
    var fault: String?
    /// Samples of the source that were found.
    var matched = 0
    /// Stretches of audio without silence or a stop of the device between them.
    var stretches: [Range<Int>] = []
    /// Samples with a gain other than 1.
    var touched = 0
    /// Silence before the first audio, between stretches, and after the last.
    var silence = 0

    var gaps: Int { max(0, stretches.count - 1) }

    /// - Parameters:
    ///   - written: the capture. Samples of the source are never 0, and fades never make them so.
    ///   - breaks: positions in `written` where the device stopped.
    ///   - fade: the samples next to the edge of a stretch that may have been touched.
    init(_ written: [Float], source: [Float], breaks: [Int], fade: Int) {
        let breaks = Set(breaks)
        var start: Int?
        for (position, sample) in written.enumerated() {
            if sample == 0 { silence += 1 }
            if let begin = start, sample == 0 || breaks.contains(position) {
                stretches.append(begin..<position)
                start = nil
            }
            if sample != 0, start == nil { start = position }
        }
        if let start { stretches.append(start..<written.count) }

        for stretch in stretches {
            for position in stretch {
                guard matched < source.count else {
                    fault =
                        "more audio than the source has: \(written.count) written, \(source.count) in the source"
                    return
                }
                let (sample, original) = (written[position], source[matched])
                matched += 1
                if sample == original { continue }
                touched += 1
                let distance = min(position - stretch.lowerBound, stretch.upperBound - 1 - position)
                let gain = sample / original
                if distance >= fade || gain <= 0 || gain > 1 {
                    fault =
                        "sample \(matched - 1) is \(sample), not \(original), \(distance) samples from the "
                        + "nearest edge of \(stretch)"
                    return
                }
            }
        }
    }
}

/// Audio in which every sample is its own: none is 0, and neighbours differ.
func distinctAudio(_ count: Int) -> [Float] {
    (0..<count).map { index in
        let scattered = (UInt64(index) &* 0x9E37_79B9_7F4A_7C15) >> 40
        return 0.1 + 0.8 * Float(scattered) / Float(1 << 24)
    }
}
