/// What was heard of a source, read against it: where silence was put in and where samples were touched.
struct Recording {
    /// Silence that the source does not have.
    struct Gap: Equatable {
        /// Its place in the source. Empty, unless the source is silent there: then it may lie anywhere in that silence.
        var source: Range<Int>
        /// Its place in the recording.
        var heard: Range<Int>
    }

    let source: [Float]
    /// From the first sample that is not silence to the last.
    let heard: [Float]
    /// Samples of the source that were found, silence at its start included.
    private(set) var matched = 0
    private(set) var gaps: [Gap] = []
    /// Samples that were touched, by their numbers in the source.
    private(set) var touched: [Int] = []
    /// Why this is not the source with silence put in and edges faded; nil if it is.
    private(set) var fault: String?
    /// Where stretches without a gap begin.
    private var stretches: [(source: Int, heard: Int)] = []

    /// - Parameter fade: the samples next to an edge that may have been touched.
    init(_ samples: [Float], of source: [Float], fade: Int) {
        self.source = source
        heard = Self.trimmed(samples)
        let start = source.firstIndex { $0 != 0 } ?? source.count
        matched = start
        stretches = [(start, 0)]
        align()
        for number in touched where fault == nil { fault = complaint(about: number, fade: fade) }
    }

    private static func trimmed(_ samples: [Float]) -> [Float] {
        guard let first = samples.firstIndex(where: { $0 != 0 }),
            let last = samples.lastIndex(where: { $0 != 0 })
        else { return [] }
        return Array(samples[first...last])
    }

    private mutating func align() {
        var position = 0
        while position < heard.count {
            guard matched < source.count else {
                fault = "\(heard.count - position) samples are heard after the source's \(source.count)"
                return
            }
            if heard[position] == 0, source[matched] != 0 {
                let start = position
                // The last sample is not silence.
                while heard[position] == 0 { position += 1 }
                let silence = source[..<matched].lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
                gaps.append(Gap(source: silence..<matched, heard: start..<position))
                stretches.append((matched, position))
                continue
            }
            if heard[position] != source[matched] { touched.append(matched) }
            matched += 1
            position += 1
        }
        if source[matched...].allSatisfy({ $0 == 0 }) { matched = source.count }
    }

    private func complaint(about number: Int, fade: Int) -> String? {
        guard let position = position(of: number) else { return nil }
        var distance = min(number - (stretches.first?.source ?? 0), matched - 1 - number)
        for gap in gaps {
            let (before, after) = (gap.source.lowerBound - 1 - number, number - gap.source.upperBound)
            distance = min(distance, before >= 0 ? before : max(0, after))
        }
        let gain = heard[position] / source[number]
        if distance < fade, gain > 0, gain <= 1 { return nil }
        return
            "sample \(number) is \(heard[position]), not \(source[number]), \(distance) samples from an edge"
    }

    /// Where a sample of the source was heard, nil if it was not, or is silence at an end.
    func position(of number: Int) -> Int? {
        guard number < matched, let stretch = stretches.last(where: { $0.source <= number }) else {
            return nil
        }
        let position = stretch.heard + number - stretch.source
        return position < heard.count ? position : nil
    }
}
