/// What a command line gave, read through the parameters that the command declared.
package struct ParsedArguments: Sendable {
    let command: String
    let values: [String: any Sendable]
    let given: Set<String>

    /// The value of `parameter`. The parameter must be one of the command's.
    package subscript<Result>(parameter: Parameter<Result>) -> Result {
        guard let value = values[parameter.declaration.shown] as? Result else {
            preconditionFailure(
                "\(command) does not declare \(parameter.declaration.shown) of \(Result.self)")
        }
        return value
    }

    /// Whether the command line had it, rather than its default.
    package func isGiven<Result>(_ parameter: Parameter<Result>) -> Bool {
        given.contains(parameter.declaration.shown)
    }

    /// An error of usage that only the command can find, for example two values that do not fit together.
    package func usageError(_ text: String) -> UsageError {
        UsageError(command: command, problem: .other(text))
    }
}
