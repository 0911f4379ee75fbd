/// What is claimed of a source and of its recording.
struct RecordingClaims {
    /// 5 ms at 24 kHz.
    static let longestGap = 120

    /// Where in the source something is said.
    var sentences: [Range<Int>]
    /// First samples of the chunks that were handed over.
    var joins: [Int]

    /// The 99.9th percentile of the steps from sample to sample within sentences.
    func largestStep(of source: [Float]) -> Float {
        let steps = sentences.flatMap { sentence in
            sentence.dropFirst().map { abs(source[$0] - source[$0 - 1]) }
        }.sorted()
        return steps.isEmpty ? 0 : steps[steps.count * 999 / 1000]
    }
}

extension Recording {
    /// Gaps of more than 5 ms within a sentence.
    func longGaps(_ claims: RecordingClaims) -> [String] {
        gaps.filter { gap in
            gap.heard.count > RecordingClaims.longestGap
                && claims.sentences.contains {
                    gap.source.lowerBound < $0.upperBound && gap.source.upperBound > $0.lowerBound
                }
        }.map { "a gap of \($0.heard.count) samples within a sentence, at \($0.source.upperBound)" }
    }

    /// Steps above the 99.9th percentile within the source's sentences, at joins and at both ends. A join at a gap
    /// belongs to the gap.
    func steepSteps(_ claims: RecordingClaims) -> [String] {
        let edges = gaps.map(\.heard.upperBound)
        let joins = claims.joins.compactMap { join in position(of: join).map { ("the join at \(join)", $0) } }
        let places = joins.filter { !edges.contains($0.1) } + [("the start", 0), ("the end", heard.count)]
        return steepSteps(at: places, claims)
    }

    /// The same on either side of gaps.
    func steepStepsAtGaps(_ claims: RecordingClaims) -> [String] {
        steepSteps(
            at: gaps.flatMap { gap in
                [
                    ("the start of the gap at \(gap.source.upperBound)", gap.heard.lowerBound),
                    ("the end of the gap at \(gap.source.upperBound)", gap.heard.upperBound),
                ]
            }, claims)
    }

    private func steepSteps(at places: [(name: String, position: Int)], _ claims: RecordingClaims) -> [String] {
        let limit = claims.largestStep(of: source)
        return places.compactMap { name, position in
            let step = abs(sample(position) - sample(position - 1))
            return step > limit ? "a step of \(step) at \(name), where the speech has \(limit)" : nil
        }
    }

    private func sample(_ position: Int) -> Float { heard.indices.contains(position) ? heard[position] : 0 }
}

/// The first number at which two arrays differ, nil if they are the same. For long arrays: an expectation that
/// compares them searches for the shortest edit when it fails, which takes for ever.
func firstDifference<A: RandomAccessCollection<Float>, B: RandomAccessCollection<Float>>(_ a: A, _ b: B)
    -> Int?
{
    if let number = zip(a, b).enumerated().first(where: { $0.element.0 != $0.element.1 }) {
        return number.offset
    }
    return a.count == b.count ? nil : min(a.count, b.count)
}
