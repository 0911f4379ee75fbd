import Arguments
import Foundation

/// `tts-bench compare A.json B.json`: names what became worse from A to B.
enum CompareCommand {
    private static let before = Parameter.argument("A.json", as: .path, help: "the figures to hold against")
    private static let after = Parameter.argument("B.json", as: .path, help: "the figures to judge")
    private static let only = Parameter.option(
        "only", as: .choice(["all": Scope.all, "allocations": .allocations]), default: .all,
        help: "what to compare; allocations do not depend on the machine's load")

    private enum Scope: Equatable, Sendable { case all, allocations }

    static let command = Command(
        name: "compare", summary: "Name regressions between two results of run --json.",
        discussion: "A time counts as worse when its median lies beyond the spread of both results, and by at least 3 %.",
        groups: [ParameterGroup("Arguments", [before, after]), ParameterGroup("Options", [only])]
    ) { arguments in
        let a = try load(arguments[before])
        let b = try load(arguments[after])
        guard a.voice == b.voice, a.threads == b.threads, a.ids == b.ids, a.kernels == b.kernels else {
            throw BenchError("the results are of different voices, texts, threads or kernels")
        }
        var worse: [String] = []
        if b.allocationsPerStep > a.allocationsPerStep {
            worse.append("allocations a step: \(a.allocationsPerStep) → \(b.allocationsPerStep)")
        }
        if arguments[only] == .all {
            let times: [(String, Distribution?, Distribution?)] = [
                ("rtf", a.rtf, b.rtf), ("timeToFirstAudio", a.timeToFirstAudio, b.timeToFirstAudio),
                ("modelLoad", a.modelLoad, b.modelLoad), ("step", a.step, b.step),
                ("processToFirstAudio", a.processToFirstAudio, b.processToFirstAudio),
            ]
            worse += times.compactMap { name, before, after in
                guard let before, let after else { return nil }
                return regression(name, before, after)
            }
            if Double(b.peakMemoryBytes) > 1.05 * Double(a.peakMemoryBytes) {
                worse.append("peakMemoryBytes: \(a.peakMemoryBytes) → \(b.peakMemoryBytes)")
            }
        }
        guard worse.isEmpty else { throw BenchError("worse: " + worse.joined(separator: "; ")) }
        try StandardStream.print("nothing became worse beyond the noise")
    }

    private static func regression(_ name: String, _ before: Distribution, _ after: Distribution) -> String? {
        let noise = max(before.median - before.minimum, after.median - after.minimum, 0.03 * before.median)
        guard after.median > before.median + noise, after.minimum > before.minimum else { return nil }
        let change = String(format: "%+.1f %%", (after.median / before.median - 1) * 100)
        return "\(name).median: \(before.median) → \(after.median) (\(change))"
    }

    private static func load(_ path: String) throws -> BenchReport {
        guard let data = FileManager.default.contents(atPath: path) else { throw BenchError("cannot read \(path)") }
        do { return try JSONDecoder().decode(BenchReport.self, from: data) } catch {
            throw BenchError("\(path) is no result of tts-bench run --json")
        }
    }
}
