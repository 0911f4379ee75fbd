/// A program of several commands: `syrinx say`, `syrinx convert`, …
package struct CommandSet: Sendable {
    package let name: String
    package let version: String
    package let summary: String
    package let commands: [Command]
    let examples: [Example]

    package init(
        name: String, version: String, summary: String, commands: [Command], examples: [Example] = []
    ) {
        self.name = name
        self.version = version
        self.summary = summary
        self.commands = commands
        self.examples = examples
    }

    /// What `arguments` (without the program's name) ask for.
    ///
    /// Handles `--help`, `-h`, `help`, `help COMMAND`, `--version` and the commands.
    package func parse(_ arguments: [String]) throws(UsageError) -> CommandLineRequest {
        guard let first = arguments.first else {
            throw UsageError(command: name, problem: .missingCommand(known: commands.map(\.name)))
        }
        let rest = Array(arguments.dropFirst())
        switch first {
        case "--help", "-h": return .help(help())
        case "--version": return .version("\(name) \(version)")
        case "help":
            guard let topic = rest.first, !topic.hasPrefix("-") else { return .help(help()) }
            let command = try command(named: topic)
            return .help(command.help(as: "\(name) \(command.name)"))
        case _ where first.hasPrefix("-"):
            throw UsageError(command: name, problem: strayOption(first))
        default:
            let command = try command(named: first)
            return try command.parse(rest, as: "\(name) \(command.name)")
        }
    }

    private func command(named word: String) throws(UsageError) -> Command {
        if let command = commands.first(where: { $0.name == word }) { return command }
        let near = suggestion(for: word, among: commands.map(\.name))
        throw UsageError(command: name, problem: .unknownCommand(word, suggestion: near))
    }

    /// An option before the command: one that a command knows is only misplaced.
    private func strayOption(_ argument: String) -> UsageError.Problem {
        let option = String(argument.prefix { $0 != "=" })
        for command in commands {
            for declaration in command.options.map(\.declaration) {
                if option == declaration.shown || option == declaration.short.map({ "-\($0)" }) {
                    return .optionBeforeCommand(option, command: "\(name) \(command.name)")
                }
            }
        }
        let known = ["--help", "--version"]
        return .unknownOption(option, suggestion: suggestion(for: option, among: known))
    }
}

/// What a command line asks for. Printing and exiting are left to the program.
package enum CommandLineRequest: Sendable {
    /// Print this on standard output and succeed.
    case help(String)
    /// Print this on standard output and succeed.
    case version(String)
    /// Call `command.run(values)`.
    case run(Command, ParsedArguments)
}
