/// A mistake in the command line. `description` is one line that says what to do; `exitStatus` is 64.
package struct UsageError: Error, Equatable, CustomStringConvertible {
    /// The command as the person typed it, for example `syrinx convert`.
    package let command: String
    package let problem: Problem

    package var exitStatus: ExitStatus { .usage }

    package init(command: String, problem: Problem) {
        self.command = command
        self.problem = problem
    }

    package var description: String { "\(command): \(problem); see '\(command) --help'" }
}

extension UsageError {
    package enum Problem: Error, Equatable, CustomStringConvertible {
        case missingCommand(known: [String])
        case unknownCommand(String, suggestion: String?)
        case unknownOption(String, suggestion: String?)
        /// What begins with a dash and is like no option: perhaps it was meant as the positional argument `name`.
        case dashedArgument(String, name: String)
        /// An option written with a single dash or with a typographic one: `-output`, `—output`.
        case wrongDashes(String, option: String)
        /// An option that belongs to a command was written before the command.
        case optionBeforeCommand(String, command: String)
        case missingValue(option: String, placeholder: String)
        /// A value that begins with a dash: only `--name=-value` is sure to be meant.
        case dashedValue(option: String, value: String)
        case valueOfFlag(String)
        case invalidValue(parameter: String, value: String, expectation: String, suggestion: String?)
        case repeatedOption(String)
        case exclusiveOptions(String, String)
        case missingArgument(String)
        /// An argument too many: what has spaces may have been meant as one. `isAny`: whether there may be any.
        case unexpectedArgument(String, isAny: Bool)
        /// What only the command itself can find wrong; the text is a sentence without a full stop.
        case other(String)

        package var description: String {
            switch self {
            case .missingCommand(let known):
                "name a command: \(known.joined(separator: ", "))"
            case .unknownCommand(let name, let suggestion):
                "unknown command \(quoted(name))\(hint(suggestion))"
            case .unknownOption(let name, let suggestion):
                "unknown option \(printable(name))\(hint(suggestion))"
            case .dashedArgument(let text, let name):
                "unknown option \(quoted(text)); if it is the \(name), write -- before it"
            case .wrongDashes(let token, let option):
                "unknown option \(printable(token)), write \(option)"
            case .optionBeforeCommand(let option, let command):
                "\(printable(option)) goes after the command, write '\(command) \(printable(option)) …'"
            case .missingValue(let option, let placeholder):
                "\(option) needs a value, write \(option) \(placeholder)"
            case .dashedValue(let option, let value):
                "\(option) needs a value and \(printable(value)) looks like an option; "
                    + "if it is the value, write \(joined(option, printable(value)))"
            case .valueOfFlag(let flag):
                "\(flag) takes no value, write \(flag) alone"
            case .invalidValue(let parameter, let value, let expectation, let suggestion):
                "\(parameter) cannot be \(quoted(value)), expected \(expectation)\(hint(suggestion))"
            case .repeatedOption(let option):
                "\(option) is given more than once, keep one"
            case .exclusiveOptions(let first, let second):
                "\(first) and \(second) exclude each other, keep one"
            case .missingArgument(let name):
                "\(name) is missing"
            case .unexpectedArgument(let text, let isAny):
                "unexpected argument \(quoted(text)); "
                    + (isAny ? "put a text or name with spaces in quotes" : "it takes only options")
            case .other(let text):
                printable(text)
            }
        }

        private func joined(_ option: String, _ value: String) -> String {
            option + "=" + value
        }
    }
}

private func hint(_ suggestion: String?) -> String {
    guard let suggestion else { return "" }
    return " (did you mean \(suggestion)?)"
}

private func quoted(_ text: String) -> String { "'" + printable(text) + "'" }

/// `text` on one line and of bounded length, so that no argument can break an error message apart.
private func printable(_ text: String) -> String {
    let limit = 120
    var result = ""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\n": result += "\\n"
        case "\t": result += "\\t"
        case "\r": result += "\\r"
        case _
        where scalar.properties.generalCategory == .control
            || scalar.properties.generalCategory == .lineSeparator
            || scalar.properties.generalCategory == .paragraphSeparator:
            result += "\\u{" + String(scalar.value, radix: 16) + "}"
        default: result.unicodeScalars.append(scalar)
        }
        if result.count >= limit { return result + "…" }
    }
    return result
}
