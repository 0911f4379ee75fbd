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

    /// What became worse, a line each: the figure, its key in the JSON, and how it changed.
    func regressions(_ kinds: Set<Kind>) -> [String] {
        var worse: [String] = []
        if kinds.contains(.times) { worse += times }
        if kinds.contains(.memory), Double(after.peakMemoryBytes) > 1.05 * Double(before.peakMemoryBytes) {
            let (a, b) = (Double(before.peakMemoryBytes), Double(after.peakMemoryBytes))
            worse.append(Self.change("peak memory (peakMemoryBytes)", a, b, scale: 1e-6, unit: "MB"))
        }
        if kinds.contains(.allocations), after.allocationsPerStep > before.allocationsPerStep {
            let (a, b) = (before.allocationsPerStep, after.allocationsPerStep)
            worse.append(Self.change("allocations a step (allocationsPerStep)", a, b))
        }
        if kinds.contains(.accuracy) { worse += accuracy }
        return worse
    }

    private var times: [String] {
        let figures: [(name: String, key: String, isRatio: Bool, figure: KeyPath<BenchReport, Distribution>)] = [
            ("real-time factor", "rtf", true, \.rtf),
            ("time to the first audio", "timeToFirstAudio", false, \.timeToFirstAudio),
            ("opening the voice", "modelLoad", false, \.modelLoad),
            ("time of a step", "step", false, \.step),
            ("process to the first audio", "processToFirstAudio", false, \.processToFirstAudio),
        ]
        return figures.compactMap { name, key, isRatio, figure in
            let (a, b) = (before[keyPath: figure], after[keyPath: figure])
            guard a.count > 0, b.count > 0 else { return nil }
            let noise = max(a.median - a.minimum, b.median - b.minimum, 0.03 * a.median)
            guard b.median > a.median + noise, b.minimum > a.minimum else { return nil }
            let label = "\(name) (\(key).median)"
            return isRatio
                ? Self.change(label, a.median, b.median)
                : Self.change(label, a.median, b.median, scale: 1000, unit: "ms")
        }
    }

    /// `label: 12.35 ms → 15.01 ms, +21.5 %`, numbers to four digits.
    private static func change(
        _ label: String, _ before: Double, _ after: Double, scale: Double = 1, unit: String = ""
    ) -> String {
        func shown(_ value: Double) -> String {
            String(format: "%.4g", value * scale) + (unit.isEmpty ? "" : " " + unit)
        }
        let share = before > 0 ? String(format: ", %+.1f %%", (after / before - 1) * 100) : ""
        return "\(label): \(shown(before)) → \(shown(after))\(share)"
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
