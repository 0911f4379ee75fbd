/// One thing that a command accepts: a flag, an option or a positional argument, and the type it yields.
///
/// Declare parameters as constants, list them in a ``Command``, and read what was given through the same
/// constants: `values[rate]`. `Result` is `Bool` for a flag, `Value?` for an option that may be left out,
/// `Value` where there is a default or the argument is required, `[Value]` where it may be repeated.
package struct Parameter<Result: Sendable>: AnyParameter {
    package let declaration: Declaration
    let resolve: @Sendable ([GivenText]) throws(UsageError.Problem) -> Result

    package func resolved(_ texts: [GivenText]) throws(UsageError.Problem) -> any Sendable {
        try resolve(texts)
    }
}

/// A parameter of any type, as a command lists them.
package protocol AnyParameter: Sendable {
    var declaration: Declaration { get }
    /// The value that the given texts stand for; an empty list means that nothing was given.
    func resolved(_ texts: [GivenText]) throws(UsageError.Problem) -> any Sendable
}

/// The text of one argument, and the name under which it was given: `-r`, where the option is `--rate`.
package struct GivenText: Sendable {
    let text: String
    let name: String
}

/// What the parser and the help need to know of a parameter.
package struct Declaration: Sendable {
    enum Kind: Sendable { case flag, option, positional }

    let kind: Kind
    /// The long name without dashes, or the name of a positional argument: `rate`, `IN`.
    let name: String
    let short: Character?
    let placeholder: String
    let help: String
    let isRequired: Bool
    let isRepeatable: Bool
    let isNumeric: Bool
    let isText: Bool
    /// What values there are, and what holds without one, as the help tells them.
    let limits: String?
    let defaultText: String?

    /// As an error or help names it: `--rate`, `IN`.
    var shown: String { kind == .positional ? name : "--" + name }
}

extension Parameter {
    /// An option without a value: present or not.
    package static func flag(_ name: String, short: Character? = nil, help: String) -> Parameter<Bool>
    where Result == Bool {
        Parameter<Bool>(
            declaration: Declaration(
                kind: .flag, name: name, short: short, placeholder: "", help: help, isRequired: false,
                isRepeatable: false, isNumeric: false, isText: false, limits: nil, defaultText: nil),
            resolve: { texts in !texts.isEmpty })
    }

    /// An option with a value that may be left out.
    ///
    /// - Parameter otherwise: what holds without it, for the help: `the input's`.
    package static func option<Value>(
        _ name: String, short: Character? = nil, as parser: ValueParser<Value>, otherwise: String? = nil,
        help: String
    ) -> Parameter<Value?> where Result == Value? {
        let declaration = Declaration(
            option: name, short: short, parser: parser, help: help, defaultText: otherwise)
        return Parameter<Value?>(declaration: declaration) { texts throws(UsageError.Problem) in
            guard let text = texts.first else { return nil }
            return try parser.value(of: text)
        }
    }

    /// An option with a value, and the one that it has when it is left out.
    package static func option(
        _ name: String, short: Character? = nil, as parser: ValueParser<Result>, default value: Result,
        help: String
    ) -> Parameter<Result> {
        let declaration = Declaration(
            option: name, short: short, parser: parser, help: help, defaultText: parser.describe(value))
        return Parameter(declaration: declaration) { texts throws(UsageError.Problem) in
            guard let text = texts.first else { return value }
            return try parser.value(of: text)
        }
    }

    /// An option that may be given several times; the values keep their order.
    package static func options<Value>(
        _ name: String, short: Character? = nil, as parser: ValueParser<Value>, help: String
    ) -> Parameter<[Value]> where Result == [Value] {
        let declaration = Declaration(
            option: name, short: short, parser: parser, help: help, isRepeatable: true)
        return Parameter<[Value]>(declaration: declaration) { texts throws(UsageError.Problem) in
            try parser.values(of: texts)
        }
    }

    /// A positional argument that must be given.
    package static func argument(
        _ name: String, as parser: ValueParser<Result>, help: String
    ) -> Parameter<Result> {
        let declaration = Declaration(argument: name, parser: parser, help: help, isRequired: true)
        return Parameter(declaration: declaration) { texts throws(UsageError.Problem) in
            guard let text = texts.first else { throw .missingArgument(name) }
            return try parser.value(of: text)
        }
    }

    /// A positional argument that may be left out.
    package static func optionalArgument<Value>(
        _ name: String, as parser: ValueParser<Value>, help: String
    ) -> Parameter<Value?> where Result == Value? {
        let declaration = Declaration(argument: name, parser: parser, help: help, isRequired: false)
        return Parameter<Value?>(declaration: declaration) { texts throws(UsageError.Problem) in
            guard let text = texts.first else { return nil }
            return try parser.value(of: text)
        }
    }

    /// All positional arguments that remain, one at least if asked for; only as the last one.
    package static func arguments<Value>(
        _ name: String, as parser: ValueParser<Value>, atLeastOne: Bool = false, help: String
    ) -> Parameter<[Value]> where Result == [Value] {
        let declaration = Declaration(
            argument: name, parser: parser, help: help, isRequired: atLeastOne, isRepeatable: true)
        return Parameter<[Value]>(declaration: declaration) { texts throws(UsageError.Problem) in
            if atLeastOne, texts.isEmpty { throw .missingArgument(name) }
            return try parser.values(of: texts)
        }
    }
}

extension Declaration {
    fileprivate init<Value>(
        option name: String, short: Character?, parser: ValueParser<Value>, help: String,
        isRepeatable: Bool = false, defaultText: String? = nil
    ) {
        self.init(
            kind: .option, name: name, short: short, placeholder: parser.placeholder, help: help,
            isRequired: false, isRepeatable: isRepeatable, isNumeric: parser.isNumeric,
            isText: parser.isText, limits: parser.limits, defaultText: defaultText)
    }

    fileprivate init<Value>(
        argument name: String, parser: ValueParser<Value>, help: String, isRequired: Bool,
        isRepeatable: Bool = false
    ) {
        self.init(
            kind: .positional, name: name, short: nil, placeholder: name, help: help,
            isRequired: isRequired, isRepeatable: isRepeatable, isNumeric: parser.isNumeric,
            isText: parser.isText, limits: parser.limits, defaultText: nil)
    }
}

extension ValueParser {
    fileprivate func value(of given: GivenText) throws(UsageError.Problem) -> Value {
        guard let value = parse(given.text) else {
            throw .invalidValue(
                parameter: given.name, value: given.text, expectation: expectation,
                suggestion: suggestion(for: given.text, among: choices))
        }
        return value
    }

    fileprivate func values(of texts: [GivenText]) throws(UsageError.Problem) -> [Value] {
        var values: [Value] = []
        for text in texts { values.append(try value(of: text)) }
        return values
    }
}
