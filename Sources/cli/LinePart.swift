/// A part of a line that has to fit a width.
struct LinePart {
    let text: String
    /// The part with the lowest goes first where there is no room.
    let importance: Int

    init(_ text: String, importance: Int) {
        self.text = text
        self.importance = importance
    }
}

extension [LinePart] {
    /// The parts that fit, in their order; of the most important one at least the beginning.
    func joined(columns: Int) -> String {
        var parts = self
        while true {
            let line = parts.map(\.text).joined(separator: "  ")
            guard line.count > columns else { return line }
            let least = parts.indices.min { parts[$0].importance < parts[$1].importance }
            guard parts.count > 1, let least else { return String(line.prefix(columns)) }
            parts.remove(at: least)
        }
    }
}
