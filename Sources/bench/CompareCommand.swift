import Arguments
import Foundation

/// `tts-bench compare A.json B.json`: names what became worse from A to B.
enum CompareCommand {
    private static let before = Parameter.argument("A.json", as: .path, help: "the figures to hold against")
    private static let after = Parameter.argument("B.json", as: .path, help: "the figures to judge")
    private static let only = Parameter.option(
        "only", as: .comparisons, default: Set(Comparison.Kind.allCases),
        help:
            "what to compare, commas between; allocations and accuracy depend on no other load of the machine"
    )

    static let command = Command(
        name: "compare", summary: "Name regressions between two results of run --json.",
        discussion: """
            A time counts as worse when its median lies beyond the spread of both results, and by at least 3 %; \
            memory, by 5 %; an accuracy, when a bound no longer holds or the error has doubled; an allocation \
            always. Each is told in a line, with its key in the JSON; the exit code is then 1.
            """,
        groups: [ParameterGroup("Arguments", [before, after]), ParameterGroup("Options", [only])],
        examples: [
            Example("tts-bench compare a.json b.json", "name everything that became worse"),
            Example(
                "tts-bench compare --only allocations,accuracy a.json b.json", "what no noise can change"),
        ]
    ) { arguments in
        let comparison = Comparison(before: try load(arguments[before]), after: try load(arguments[after]))
        let kinds = arguments[only]
        let differences = comparison.differences(kinds)
        guard differences.isEmpty else {
            throw BenchError(
                "the results cannot be compared, they differ in: \(differences.joined(separator: ", "))",
                .badData)
        }
        let worse = comparison.regressions(kinds)
        guard worse.isEmpty else { throw Regression(worse: worse) }
        let shown = Comparison.Kind.allCases.filter(kinds.contains).map(\.rawValue).joined(separator: ", ")
        try StandardStream.print("nothing became worse (\(shown))")
    }

    private static func load(_ path: String) throws -> BenchReport {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw BenchError("cannot read \(path)", .noInput)
        }
        do { return try JSONDecoder().decode(BenchReport.self, from: data) } catch {
            throw BenchError("\(path) is no result of this version's tts-bench run --json", .badData)
        }
    }
}

/// Something became worse: gives the exit code 1.
struct Regression: Error {
    /// A line each.
    let worse: [String]
}

extension ValueParser<Set<Comparison.Kind>> {
    /// Some of the kinds, with commas between.
    fileprivate static var comparisons: Self {
        let words = Comparison.Kind.allCases.map(\.rawValue)
        return Self(
            placeholder: "KIND,…",
            expectation: "some of \(words.joined(separator: ", ")) with commas between",
            choices: words,
            describe: {
                $0.count == words.count ? "all" : $0.map(\.rawValue).sorted().joined(separator: ",")
            },
            parse: { text in
                let names = text.split(separator: ",", omittingEmptySubsequences: false)
                let kinds = names.compactMap { Comparison.Kind(rawValue: String($0)) }
                return kinds.count == names.count ? Set(kinds) : nil
            })
    }
}
