/// How the text of one argument becomes a value, and how help and errors describe it.
package struct ValueParser<Value: Sendable>: Sendable {
    /// The word that stands for the value in help: `HERTZ`, `FILE`.
    package let placeholder: String
    /// Completes "expected …" in an error: `a number from 0.5 to 2`.
    package let expectation: String
    /// What values there are, for the help, where the placeholder does not say it: `0.5 to 2`.
    let limits: String?
    /// Whether `-3` is a value rather than an option.
    let isNumeric: Bool
    /// Whether any text will do: what begins with a dash may then be meant as the value.
    let isText: Bool
    /// Every accepted word, where there are only a few.
    let choices: [String]
    let describe: @Sendable (Value) -> String
    let parse: @Sendable (String) -> Value?

    /// A value of your own kind. `parse` returns `nil` for text that is not one.
    package init(
        placeholder: String, expectation: String, limits: String? = nil, isNumeric: Bool = false,
        isText: Bool = false, choices: [String] = [],
        describe: @escaping @Sendable (Value) -> String = { "\($0)" },
        parse: @escaping @Sendable (String) -> Value?
    ) {
        self.placeholder = placeholder
        self.expectation = expectation
        self.limits = limits
        self.isNumeric = isNumeric
        self.isText = isText
        self.choices = choices
        self.describe = describe
        self.parse = parse
    }

    /// The same values under another name in help, which then lists the words that the old one was made of.
    ///
    /// - Parameter expectation: what errors say instead, where the values mean something else.
    package func placeholder(_ placeholder: String, expecting expectation: String? = nil) -> Self {
        Self(
            placeholder: placeholder, expectation: expectation ?? self.expectation,
            limits: choices.isEmpty ? limits : listed(choices), isNumeric: isNumeric, isText: isText, choices: choices,
            describe: describe, parse: parse)
    }
}

extension ValueParser<String> {
    /// Any text, the empty one too.
    package static var text: Self {
        Self(placeholder: "TEXT", expectation: "text", isText: true) { $0 }
    }

    /// A path; the empty text and paths with a NUL are refused.
    package static var path: Self {
        Self(placeholder: "FILE", expectation: "the name of a file") {
            $0.isEmpty || $0.utf8.contains(0) ? nil : $0
        }
    }
}

extension ValueParser<Int> {
    /// A whole number in `range`.
    package static func integer(in range: ClosedRange<Int>) -> Self {
        let limits: String? =
            switch (range.lowerBound, range.upperBound) {
            case (.min, .max): nil
            case (let low, .max): "\(low) or more"
            case (let low, let high): "\(low) to \(high)"
            }
        return Self(
            placeholder: "N", expectation: expected("a whole number", limits), limits: limits, isNumeric: true
        ) { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// A whole number of `minimum` or more.
    package static func integer(atLeast minimum: Int = .min) -> Self { integer(in: minimum...Int.max) }
}

extension ValueParser<UInt64> {
    /// A seed: any whole number from 0 to 2⁶⁴ − 1.
    package static var seed: Self {
        let limits = "0 to \(UInt64.max)"
        return Self(
            placeholder: "N", expectation: expected("a whole number", limits), limits: limits, isNumeric: true
        ) { UInt64($0) }
    }
}

extension ValueParser<Double> {
    /// A finite number in `range`.
    package static func number(in range: ClosedRange<Double>) -> Self {
        number(limits: "\(plain(range.lowerBound)) to \(plain(range.upperBound))") { range.contains($0) }
    }

    /// A finite number of `minimum` or more.
    package static func number(atLeast minimum: Double) -> Self {
        number(limits: "\(plain(minimum)) or more") { $0 >= minimum }
    }

    /// A finite number above `bound`, `bound` itself excluded.
    package static func number(above bound: Double) -> Self {
        number(limits: "above \(plain(bound))") { $0 > bound }
    }

    /// Any finite number.
    package static var number: Self { number(limits: nil) { _ in true } }

    /// Any number, the infinite ones (`inf`, `-inf`) too; NaN is refused.
    package static var numberOrInfinity: Self {
        Self(placeholder: "X", expectation: "a number, inf or -inf", isNumeric: true, describe: plain) {
            Double($0).flatMap { $0.isNaN ? nil : $0 }
        }
    }

    private static func number(
        limits: String?, where isAccepted: @escaping @Sendable (Double) -> Bool
    ) -> Self {
        Self(
            placeholder: "X", expectation: expected("a number", limits), limits: limits, isNumeric: true,
            describe: plain
        ) { text in
            Double(text).flatMap { $0.isFinite && isAccepted($0) ? $0 : nil }
        }
    }
}

extension ValueParser {
    /// One of a few words, each standing for a value.
    package static func choice(_ choices: KeyValuePairs<String, Value>) -> Self where Value: Equatable {
        let pairs = choices.map { (word: $0.key, value: $0.value) }
        let words = pairs.map(\.word)
        return Self(
            placeholder: words.joined(separator: "|"), expectation: listed(words), choices: words,
            describe: { value in pairs.first { $0.value == value }?.word ?? "\(value)" },
            parse: { text in pairs.first { $0.word == text }?.value })
    }

    /// One of the raw values of an enumeration.
    package static func choice(_ type: Value.Type = Value.self) -> Self
    where Value: CaseIterable & RawRepresentable<String> {
        let words = Value.allCases.map(\.rawValue)
        return Self(
            placeholder: words.joined(separator: "|"), expectation: listed(words), choices: words,
            describe: \.rawValue, parse: { Value(rawValue: $0) })
    }
}

/// `a number from 1 to 3`, `a number of 1 or more`, `a number above 0`.
private func expected(_ kind: String, _ limits: String?) -> String {
    guard let limits else { return kind }
    let preposition = limits.hasPrefix("above ") ? "" : limits.hasSuffix(" or more") ? "of " : "from "
    return kind + " " + preposition + limits
}

/// `a, b or c`.
private func listed(_ words: [String]) -> String {
    guard words.count > 1, let last = words.last else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
}

/// `0.5`, and `2` rather than `2.0`.
@Sendable private func plain(_ number: Double) -> String {
    let text = "\(number)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}
