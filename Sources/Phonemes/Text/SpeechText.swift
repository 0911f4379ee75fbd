/// Text made ready for a phonemizer, and cut at its blocks of raw phonemes.
///
/// - Control characters other than tab and line ends become spaces. NUL would end the text inside espeak-ng, and
///   U+0001 starts its embedded commands, which could change the voice.
/// - A byte-order mark at the start is dropped.
/// - The text is composed (NFC): espeak-ng reads a decomposed "é" as "e".
///
/// Swift strings are valid Unicode. A caller that has bytes decodes them with `String(decoding:as:)`, which puts
/// U+FFFD in the place of what is not valid UTF-8.
struct SpeechText: Sendable, Equatable {
    enum Segment: Sendable, Equatable {
        case text(String)
        /// What stood between `[[` and `]]`, without the white space around it.
        case phonemes(String)
    }

    let segments: [Segment]
    /// Where a `[[` stands that has no `]]`, in scalars from the start of the text.
    private(set) var unclosedBlock: Int?

    /// A `[[` that is never closed, and what follows it, is text.
    ///
    /// - Parameter phonemeBlocks: whether `[[ … ]]` is raw phonemes, as in Piper, or text like any other.
    init(_ text: String, phonemeBlocks: Bool) {
        guard phonemeBlocks else {
            segments = [.text(Self.cleaned(text[...].unicodeScalars))]
            return
        }
        let scalars = text.unicodeScalars
        var segments: [Segment] = []
        var rest = scalars[...]
        while let open = rest.firstPair("[") {
            let inside = scalars[scalars.index(open, offsetBy: 2)...]
            guard let close = inside.firstPair("]") else {
                unclosedBlock = scalars.distance(from: scalars.startIndex, to: open)
                break
            }
            segments.append(.text(Self.cleaned(rest[..<open])))
            segments.append(.phonemes(Self.cleaned(inside[..<close]).trimmingEspeakSpace))
            rest = scalars[scalars.index(close, offsetBy: 2)...]
        }
        segments.append(.text(Self.cleaned(rest)))
        self.segments = segments
    }

    private static func cleaned(_ scalars: Substring.UnicodeScalarView) -> String {
        var view = String.UnicodeScalarView()
        for scalar in scalars {
            switch scalar.value {
            case 0x09...0x0D, 0x85: view.append(scalar)
            case ..<0x20, 0x7F..<0xA0: view.append(" ")
            default: view.append(scalar)
            }
        }
        if view.first == "\u{FEFF}" { view.removeFirst() }
        return String(view).canonicallyComposed
    }
}

extension Substring.UnicodeScalarView {
    /// Where `scalar` first stands twice in a row.
    fileprivate func firstPair(_ scalar: Unicode.Scalar) -> Index? {
        var previous: Index?
        for index in indices {
            if self[index] != scalar {
                previous = nil
            } else if let previous {
                return previous
            } else {
                previous = index
            }
        }
        return nil
    }
}

extension Unicode.Scalar {
    /// White space as espeak-ng's reader counts it (C's `iswspace` in a UTF-8 locale): no-break spaces are none.
    var isEspeakSpace: Bool {
        switch value {
        case 0x09...0x0D, 0x20, 0x1680, 0x2000...0x2006, 0x2008...0x200A, 0x2028, 0x2029, 0x205F, 0x3000: true
        default: false
        }
    }
}
