import Foundation

/// Two results of the same work, and what is worse in the second.
struct Comparison {
    let before: BenchReport
    let after: BenchReport

    enum Kind: String, CaseIterable, Sendable { case times, memory, allocations, accuracy }

    /// In what the results differ that makes comparing these kinds of figures senseless.
    func differences(_ kinds: Set<Kind>) -> [String] {
        var names: [String] = []
        func check<T: Equatable>(_ name: String, _ value: KeyPath<BenchReport, T>) {
            let (a, b) = (before[keyPath: value], after[keyPath: value])
            if a != b { names.append("\(name) (\(a), \(b))") }
        }
        check("voice", \.voice)
        guard kinds != [.accuracy] else { return names }
        check("threads", \.threads)
        check("ids", \.ids)
        // Allocations are to be the same at every level of the kernels.
        if kinds.contains(.times) || kinds.contains(.memory) { check("kernels", \.kernels) }
        return names
    }

    /// What became worse, a phrase each.
    func regressions(_ kinds: Set<Kind>) -> [String] {
        var worse: [String] = []
        if kinds.contains(.times) { worse += times }
        if kinds.contains(.memory), Double(after.peakMemoryBytes) > 1.05 * Double(before.peakMemoryBytes) {
            worse.append("peakMemoryBytes: \(before.peakMemoryBytes) → \(after.peakMemoryBytes)")
        }
        if kinds.contains(.allocations), after.allocationsPerStep > before.allocationsPerStep {
            worse.append("allocationsPerStep: \(before.allocationsPerStep) → \(after.allocationsPerStep)")
        }
        if kinds.contains(.accuracy) { worse += accuracy }
        return worse
    }

    private var times: [String] {
        let figures: [(String, KeyPath<BenchReport, Distribution>)] = [
            ("rtf", \.rtf), ("timeToFirstAudio", \.timeToFirstAudio), ("modelLoad", \.modelLoad),
            ("step", \.step),
            ("processToFirstAudio", \.processToFirstAudio),
        ]
        return figures.compactMap { name, figure in
            let (a, b) = (before[keyPath: figure], after[keyPath: figure])
            guard a.count > 0, b.count > 0 else { return nil }
            let noise = max(a.median - a.minimum, b.median - b.minimum, 0.03 * a.median)
            guard b.median > a.median + noise, b.minimum > a.minimum else { return nil }
            let change = String(format: "%+.1f %%", (b.median / a.median - 1) * 100)
            return "\(name).median: \(a.median) → \(b.median) (\(change))"
        }
    }

    /// 6 dB are a factor of 2 in the error, more than the kernels of two instruction sets differ by.
    private var accuracy: [String] {
        before.accuracy.compactMap { a in
            let name = "accuracy of \(a.name) \(a.tensor)"
            guard let b = after.accuracy.first(where: { $0.name == a.name && $0.tensor == a.tensor }) else {
                return "\(name): not measured"
            }
            let (old, new) = (a.signalToNoise ?? .infinity, b.signalToNoise ?? .infinity)
            guard new < old - 6 || (old == .infinity && new != old) || (a.isWithinBounds && !b.isWithinBounds)
            else { return nil }
            func shown(_ ratio: Double) -> String {
                ratio == .infinity ? "exact" : String(format: "%.1f dB", ratio)
            }
            return "\(name): \(shown(old)) → \(shown(new))\(b.isWithinBounds ? "" : ", out of bounds")"
        }
    }
}
