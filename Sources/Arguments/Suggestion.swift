/// The candidate that `word` was probably meant to be, or `nil` when none is near enough.
///
/// A candidate that begins with `word` (an abbreviation) comes first; then the one with the smallest
/// edit distance, counting a swap of neighbours as one edit, up to a third of the longer length.
func suggestion(for word: String, among candidates: [String]) -> String? {
    let word = word.lowercased()
    guard !word.isEmpty else { return nil }
    if word.count >= 2 {
        let abbreviated = candidates.filter { $0.lowercased().hasPrefix(word) }
        if abbreviated.count == 1 { return abbreviated[0] }
    }
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
        let limit = max(1, max(word.count, candidate.count) / 3)
        guard abs(word.count - candidate.count) <= limit else { continue }
        let distance = editDistance(Array(word), Array(candidate.lowercased()))
        // A one-letter word is one edit away from every other one-letter word.
        guard distance <= limit, distance < word.count else { continue }
        if distance < best?.distance ?? Int.max { best = (candidate, distance) }
    }
    return best?.candidate
}

/// Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours.
private func editDistance(_ a: [Character], _ b: [Character]) -> Int {
    var beforePrevious = [Int](repeating: 0, count: b.count + 1)
    var previous = Array(0...b.count)
    for i in a.indices {
        var current = [i + 1]
        for j in b.indices {
            var cost = min(previous[j + 1] + 1, current[j] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                cost = min(cost, beforePrevious[j - 1] + 1)
            }
            current.append(cost)
        }
        beforePrevious = previous
        previous = current
    }
    return previous[b.count]
}
