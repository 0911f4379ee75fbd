/// A command: its name, what it accepts, its help and what it does.
///
///     static let rate = Parameter.option("rate", as: .integer(in: 1...768_000), help: "Output rate.")
///     static let input = Parameter.argument("IN", as: .path, help: "Audio file, or - for a pipe.")
///     let convert = Command(
///         name: "convert", summary: "Convert audio.",
///         groups: [ParameterGroup("Arguments", [input]), ParameterGroup("Format", [rate])]
///     ) { values in … values[rate] … }
package struct Command: Sendable {
    package let name: String
    /// One line for the list of commands.
    package let summary: String
    /// More lines for the command's own help; may be empty.
    package let discussion: String
    let groups: [ParameterGroup]
    let examples: [Example]
    let exclusions: [[any AnyParameter]]
    /// What the command does. Throws what its work throws, a ``UsageError`` included.
    package let run: @Sendable (ParsedArguments) async throws -> Void

    /// - Parameters:
    ///   - groups: parameters under headings, in the order of the help; positional arguments are filled
    ///     in the order in which they appear.
    ///   - exclusions: sets of parameters of which at most one may be given.
    package init(
        name: String, summary: String, discussion: String = "", groups: [ParameterGroup],
        exclusions: [[any AnyParameter]] = [], examples: [Example] = [],
        run: @escaping @Sendable (ParsedArguments) async throws -> Void
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.groups = groups
        self.exclusions = exclusions
        self.examples = examples
        self.run = run
        checkDeclarations()
    }

    /// Whether the command has an option of this long name, so that advice may name it.
    package func hasOption(_ name: String) -> Bool { options.contains { $0.declaration.name == name } }

    var parameters: [any AnyParameter] { groups.flatMap(\.parameters) }
    var positionals: [any AnyParameter] { parameters.filter { $0.declaration.kind == .positional } }
    var options: [any AnyParameter] { parameters.filter { $0.declaration.kind != .positional } }

    /// A contradictory declaration is a mistake of the program, found the first time it runs.
    private func checkDeclarations() {
        var seen: Set<String> = ["--help", "-h"]
        for declaration in parameters.map(\.declaration) {
            precondition(seen.insert(declaration.shown).inserted, "\(name): two \(declaration.shown)")
            if let short = declaration.short {
                precondition(seen.insert("-\(short)").inserted, "\(name): two -\(short)")
            }
        }
        var mayFollow = (required: true, any: true)
        for declaration in positionals.map(\.declaration) {
            precondition(mayFollow.any, "\(name): \(declaration.name) follows an argument that takes all")
            precondition(
                mayFollow.required || !declaration.isRequired,
                "\(name): required \(declaration.name) follows an optional argument")
            mayFollow.required = declaration.isRequired
            mayFollow.any = !declaration.isRepeatable
        }
    }
}

/// Parameters under one heading of the help.
package struct ParameterGroup: Sendable {
    let title: String
    let parameters: [any AnyParameter]

    package init(_ title: String, _ parameters: [any AnyParameter]) {
        self.title = title
        self.parameters = parameters
    }
}

/// A line to copy from the help, and what it does.
package struct Example: Sendable {
    let line: String
    let explanation: String

    package init(_ line: String, _ explanation: String) {
        self.line = line
        self.explanation = explanation
    }
}
