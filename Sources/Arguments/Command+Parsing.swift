extension Command {
    /// What `arguments` (those after the command's name) ask for.
    ///
    /// `--help` or `-h` anywhere before `--` wins over every mistake.
    /// - Parameter path: the command as typed, for errors and help: `syrinx convert`.
    package func parse(_ arguments: [String], as path: String) throws(UsageError) -> CommandLineRequest {
        for argument in arguments {
            if argument == "--" { break }
            if argument == "--help" || argument == "-h" { return .help(help(as: path)) }
        }
        do {
            return .run(self, try values(of: arguments, path: path))
        } catch {
            throw UsageError(command: path, problem: error)
        }
    }

    private func values(
        of arguments: [String], path: String
    ) throws(UsageError.Problem) -> ParsedArguments {
        var scanner = Scanner(command: self, arguments: arguments)
        let texts = try scanner.scan()
        for exclusion in exclusions {
            let given = exclusion.map(\.declaration.shown).filter { texts[$0] != nil }
            if given.count > 1 { throw .exclusiveOptions(given[0], given[1]) }
        }
        var values: [String: any Sendable] = [:]
        for parameter in parameters {
            let key = parameter.declaration.shown
            values[key] = try parameter.resolved(texts[key] ?? [])
        }
        return ParsedArguments(command: path, values: values, given: Set(texts.keys))
    }
}

/// One pass over the arguments of a command: sorts them into the texts of each parameter.
private struct Scanner {
    private let options: [Declaration]
    private var remainingArguments: ArraySlice<String>
    private var remainingPositionals: ArraySlice<Declaration>
    private let hasPositionals: Bool
    private var texts: [String: [GivenText]] = [:]

    init(command: Command, arguments: [String]) {
        options = command.options.map(\.declaration)
        remainingPositionals = command.positionals.map(\.declaration)[...]
        hasPositionals = !remainingPositionals.isEmpty
        remainingArguments = arguments[...]
    }

    mutating func scan() throws(UsageError.Problem) -> [String: [GivenText]] {
        while let argument = remainingArguments.popFirst() {
            if argument == "--" {
                while let positional = remainingArguments.popFirst() { try take(positional: positional) }
            } else if argument.hasPrefix("--") {
                try take(long: argument)
            } else if argument.hasPrefix("-"), argument != "-", !isNegativePositional(argument) {
                try take(short: argument)
            } else {
                try refuseTypographicDashes(argument)
                try take(positional: argument)
            }
        }
        return texts
    }

    private func isNegativePositional(_ argument: String) -> Bool {
        remainingPositionals.first?.isNumeric == true && Double(argument) != nil
    }

    // MARK: Options

    private mutating func take(long argument: String) throws(UsageError.Problem) {
        let (name, value) = splitAtEquals(argument.dropFirst(2))
        guard let option = options.first(where: { $0.name == name }) else {
            if name == "help" { throw .valueOfFlag("--help") }
            throw unknown("--" + name, like: name, of: argument)
        }
        try take(option, shown: "--" + name, value: value)
    }

    /// `-x`, `-xyz` (flags), `-x=value`, and `-x3` where the option takes a number.
    ///
    /// `-xvalue` is refused for text: a mistyped `-output` would otherwise be `-o` with the value `utput`.
    private mutating func take(short argument: String) throws(UsageError.Problem) {
        let (letters, value) = splitAtEquals(argument.dropFirst())
        if letters.count > 1, names.contains(letters) {
            throw .wrongDashes(argument, option: "--" + letters)
        }
        var rest = letters[...]
        while let letter = rest.popFirst() {
            guard let option = options.first(where: { $0.short == letter }) else {
                throw unknown(letters.count == 1 ? "-\(letter)" : argument, like: letters, of: argument)
            }
            let isLast = rest.isEmpty
            if option.kind == .option, !isLast {
                guard option.isNumeric, value == nil, Double(rest) != nil else {
                    if letters.contains(where: \.isWhitespace), let dashed = dashedArgument(argument) {
                        throw dashed
                    }
                    if let near = suggestion(for: letters, among: names) {
                        throw .unknownOption(argument, suggestion: "--" + near)
                    }
                    throw .unknownOption(argument, suggestion: "-\(letter) \(rest)")
                }
                return try take(option, shown: "-\(letter)", value: String(rest))
            }
            try take(option, shown: "-\(letter)", value: isLast ? value : nil)
        }
    }

    /// An option that nobody knows, and what may have been meant.
    private func unknown(_ shown: String, like name: String, of argument: String) -> UsageError.Problem {
        if let dashed = dashedArgument(argument) { return dashed }
        let near = suggestion(for: name, among: names).map { "--" + $0 }
        if near == nil, let positional = remainingPositionals.first, positional.isText {
            return .dashedArgument(argument, name: positional.name)
        }
        return .unknownOption(shown, suggestion: near)
    }

    /// What cannot be an option, as no name of one has a space, a dot or a slash, but can be a text or a path.
    private func dashedArgument(_ argument: String) -> UsageError.Problem? {
        let name = argument.prefix { $0 != "=" }
        guard let positional = remainingPositionals.first,
            name.contains(where: { $0.isWhitespace || "./".contains($0) })
        else { return nil }
        return .dashedArgument(argument, name: positional.name)
    }

    private mutating func take(
        _ option: Declaration, shown: String, value: String?
    ) throws(UsageError.Problem) {
        guard texts[option.shown] == nil || option.isRepeatable else {
            throw .repeatedOption(option.shown)
        }
        switch option.kind {
        case .flag:
            guard value == nil else { throw .valueOfFlag(shown) }
            texts[option.shown] = [GivenText(text: "", name: shown)]
        default:
            var text = value
            if text == nil { text = try nextValue(of: option, shown: shown) }
            if let text { texts[option.shown, default: []].append(GivenText(text: text, name: shown)) }
        }
    }

    /// The argument after an option. One that begins with a dash is a value only if it is `-` or a number
    /// where a number is due.
    private mutating func nextValue(
        of option: Declaration, shown: String
    ) throws(UsageError.Problem) -> String {
        guard let next = remainingArguments.first, next != "--" else {
            throw .missingValue(option: shown, placeholder: option.placeholder)
        }
        if next.hasPrefix("-"), next != "-" {
            guard option.isNumeric, Double(next) != nil else {
                throw .dashedValue(option: shown, value: next)
            }
        }
        remainingArguments.removeFirst()
        return next
    }

    // MARK: Positional arguments

    private mutating func take(positional text: String) throws(UsageError.Problem) {
        guard let declaration = remainingPositionals.first else {
            throw .unexpectedArgument(text, isAny: hasPositionals)
        }
        texts[declaration.shown, default: []].append(GivenText(text: text, name: declaration.shown))
        if !declaration.isRepeatable { remainingPositionals.removeFirst() }
    }

    /// `—rate` and `–rate`, as a word processor makes of `--rate`, are options gone wrong, not text.
    private func refuseTypographicDashes(_ argument: String) throws(UsageError.Problem) {
        let stripped = argument.drop {
            "\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2015}\u{2212}-".contains($0)
        }
        guard stripped.startIndex > argument.startIndex else { return }
        let (name, _) = splitAtEquals(stripped)
        if names.contains(name) || name == "help" { throw .wrongDashes(argument, option: "--" + name) }
    }

    // MARK: Words

    private var names: [String] { options.map(\.name) }

    private func splitAtEquals(_ text: Substring) -> (name: String, value: String?) {
        guard let equals = text.firstIndex(of: "=") else { return (String(text), nil) }
        return (String(text[..<equals]), String(text[text.index(after: equals)...]))
    }
}
