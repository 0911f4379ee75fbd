import Foundation

extension String {
    /// NFC, except that the Greek question mark (U+037E) and the Greek semicolon (U+0387) stay: NFC makes them ";"
    /// and "·", which end no question and no clause.
    var canonicallyComposed: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return self }
        var composed = ""
        var rest = unicodeScalars[...]
        while let mark = rest.firstIndex(where: { $0 == "\u{37E}" || $0 == "\u{387}" }) {
            composed += String(rest[..<mark]).precomposedStringWithCanonicalMapping
            composed.unicodeScalars.append(rest[mark])
            rest = rest[rest.index(after: mark)...]
        }
        return composed + String(rest).precomposedStringWithCanonicalMapping
    }

    /// The scalars of the NFD form.
    var canonicallyDecomposedScalars: [Unicode.Scalar] {
        Array((utf8.allSatisfy { $0 < 0x80 } ? self : decomposedStringWithCanonicalMapping).unicodeScalars)
    }

    /// Full case folding (Unicode CaseFolding.txt, statuses C and F), which is not the same as lower case: "ß"
    /// becomes "ss" and "ς" becomes "σ".
    var caseFolded: String {
        var folded = ""
        folded.reserveCapacity(utf8.count)
        for scalar in unicodeScalars {
            switch scalar.value {
            case ..<0x80:
                folded += scalar.properties.lowercaseMapping
            case 0x131, 0x13A0...0x13F5:
                // Dotless i has no fold, and Cherokee folds to its capitals.
                folded.unicodeScalars.append(scalar)
            case 0x13F8...0x13FD, 0xAB70...0xABBF:
                folded += scalar.properties.uppercaseMapping
            default:
                // Down, up and down again is the fold of every other character.
                folded += scalar.properties.lowercaseMapping.uppercasedByScalar.lowercasedByScalar
            }
        }
        return folded
    }

    private var uppercasedByScalar: String {
        unicodeScalars.reduce(into: "") { $0 += $1.properties.uppercaseMapping }
    }

    private var lowercasedByScalar: String {
        unicodeScalars.reduce(into: "") { $0 += $1.properties.lowercaseMapping }
    }
}
