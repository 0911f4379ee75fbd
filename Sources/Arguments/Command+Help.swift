extension Command {
    /// The help of the command, at most `width` columns wide; ends with a newline.
    /// - Parameter path: the command as typed: `syrinx convert`.
    package func help(as path: String, width: Int = 80) -> String {
        var page = HelpPage(width: width)
        page.paragraph(summary)
        page.usage(
            "Usage: \(path)", positionals.reduce(into: ["[OPTIONS]"]) { $0.append($1.declaration.usage) })
        for line in discussion.split(separator: "\n", omittingEmptySubsequences: false) where !line.isEmpty {
            page.blank()
            page.paragraph(String(line))
        }
        var sections = groups.map { (title: $0.title, entries: $0.parameters.map(\.declaration.helpEntry)) }
        sections.append(("Help", [HelpPage.Entry(label: "-h, --help", text: "show this help")]))
        let column = page.column(for: sections.flatMap(\.entries))
        for section in sections {
            page.section(section.title, section.entries, column: column)
        }
        page.examples(examples)
        return page.text
    }
}

extension CommandSet {
    /// The list of commands, at most `width` columns wide; ends with a newline.
    package func help(width: Int = 80) -> String {
        var page = HelpPage(width: width)
        page.paragraph(summary)
        page.usage("Usage: \(name)", ["COMMAND", "[OPTIONS]", "…"])
        let commandEntries = commands.map { HelpPage.Entry(label: $0.name, text: $0.summary) }
        let optionEntries = [
            HelpPage.Entry(
                label: "-h, --help", text: "show this help; '\(name) COMMAND --help' shows a command's"),
            HelpPage.Entry(label: "--version", text: "show the version"),
        ]
        let column = page.column(for: commandEntries + optionEntries)
        page.section("Commands", commandEntries, column: column)
        page.section("Options", optionEntries, column: column)
        page.examples(examples)
        return page.text
    }
}

extension Declaration {
    fileprivate var usage: String {
        let name = isRepeatable ? name + "…" : name
        return isRequired ? name : "[\(name)]"
    }

    fileprivate var helpEntry: HelpPage.Entry {
        let label =
            switch kind {
            case .positional: name
            case .flag: names
            case .option: names + " " + placeholder
            }
        // A range is read as one word.
        let range = isNumeric ? limits?.replacing(" ", with: HelpPage.unbreakableSpace) : limits
        let facts = [
            range, defaultText.flatMap { $0.isEmpty ? nil : "default: \($0)" },
            isRepeatable && kind == .option ? "may be repeated" : nil,
        ].compactMap(\.self)
        return HelpPage.Entry(label: label, text: help + (facts.isEmpty ? "" : " (\(facts.joined(separator: "; ")))"))
    }

    /// Long names line up whether or not there is a short one.
    private var names: String { (short.map { "-\($0), " } ?? "    ") + "--" + name }
}

/// Lays out help: headings, two aligned columns, wrapped text.
private struct HelpPage {
    struct Entry {
        let label: String
        let text: String
    }

    /// A space at which no line ends.
    static let unbreakableSpace = "\u{A0}"

    let width: Int
    private(set) var text = ""

    init(width: Int) { self.width = max(40, width) }

    mutating func blank() { text += "\n" }

    mutating func paragraph(_ words: String) {
        for line in wrapped(words, to: width) { text += line + "\n" }
    }

    mutating func usage(_ start: String, _ rest: [String]) {
        blank()
        paragraph(([start] + rest).joined(separator: " "))
    }

    /// Where the second column begins: after the longest label that leaves the text enough room.
    func column(for entries: [Entry]) -> Int {
        let limit = min(30, width / 2)
        return 4 + (entries.map(\.label.count).filter { $0 + 4 <= limit }.max() ?? limit - 4)
    }

    mutating func section(_ title: String, _ entries: [Entry], column: Int) {
        guard !entries.isEmpty else { return }
        blank()
        text += title + ":\n"
        for entry in entries {
            var lines = wrapped(entry.text, to: width - column)[...]
            var first = "  " + entry.label
            if first.count + 2 <= column, let line = lines.popFirst() {
                first += String(repeating: " ", count: column - first.count) + line
            }
            text += first + "\n"
            for line in lines { text += String(repeating: " ", count: column) + line + "\n" }
        }
    }

    mutating func examples(_ examples: [Example]) {
        guard !examples.isEmpty else { return }
        blank()
        text += "Examples:\n"
        for example in examples {
            for line in wrapped(example.explanation, to: width - 2) { text += "  " + line + "\n" }
            text += "    " + example.line + "\n"
        }
    }

    private func wrapped(_ text: String, to width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines.isEmpty ? [""] : lines.map { $0.replacing(Self.unbreakableSpace, with: " ") }
    }
}
