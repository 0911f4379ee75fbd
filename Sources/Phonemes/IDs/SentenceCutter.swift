/// Cuts a sentence into parts that are one inference each.
///
/// A sentence is cut where the voice configuration asks for silence after a phoneme, and where it is longer than
/// an inference should be: memory and time to the first sound grow with the length. The parts of a long sentence
/// are about equally long. Each ends after a punctuation mark if there is one near, else after a space, else
/// before a phoneme that begins a syllable or at least not inside one.
public struct SentenceCutter: Sendable {
    /// One inference.
    public struct Part: Sendable, Equatable {
        /// Which of the sentence's phonemes: the parts lie side by side and cover the sentence.
        public var range: Range<Int>
        /// The ids; `owners` are indices in the whole sentence.
        public var encoding: PhonemeIDMap.Encoding
        /// Seconds of silence after the part, which the voice configuration asks for. Otherwise 0: parts of a long
        /// sentence follow each other without a pause of their own.
        public var silence: Double
    }

    public let map: PhonemeIDMap
    /// The most ids that a part has, begin, pads and end included.
    public let maximumIDs: Int
    /// Seconds of silence after a phoneme.
    public let silences: [Unicode.Scalar: Double]

    /// Ids of some 400 phonemes, 25 to 30 seconds of speech.
    public static let defaultMaximumIDs = 803

    /// - Parameter maximumIDs: at least 32; smaller values count as 32.
    public init(
        map: PhonemeIDMap, maximumIDs: Int = defaultMaximumIDs, silences: [Unicode.Scalar: Double] = [:]
    ) {
        self.map = map
        self.maximumIDs = max(32, maximumIDs)
        self.silences = silences
    }

    /// The parts of a sentence; none if it says nothing with the ids that the voice has. Takes linear time.
    public func parts(of phonemes: [Unicode.Scalar]) -> [Part] {
        let tokens = map.tokens(of: phonemes)
        var parts: [Part] = []
        var start = 0
        for index in tokens.indices {
            let range = tokens[index].range
            let silence = range.count == 1 ? silences[phonemes[range.lowerBound]] : nil
            guard let silence, silence > 0 else { continue }
            append(tokens[start...index], of: phonemes, silence: silence, to: &parts)
            start = index + 1
        }
        append(tokens[start...], of: phonemes, silence: 0, to: &parts)
        // Only the first part can have nothing to say: it goes with the one after it.
        if let first = parts.first, !first.encoding.isSpeakable {
            parts.removeFirst()
            guard !parts.isEmpty else { return [] }
            parts[0].range = first.range.lowerBound..<parts[0].range.upperBound
            parts[0].encoding.skipped.formUnion(first.encoding.skipped)
        }
        return parts
    }

    private func append(
        _ tokens: ArraySlice<PhonemeIDMap.Token>, of phonemes: [Unicode.Scalar], silence: Double,
        to parts: inout [Part]
    ) {
        guard !tokens.isEmpty else { return }
        for piece in pieces(of: tokens, phonemes) {
            guard let lower = piece.first?.range.lowerBound, let upper = piece.last?.range.upperBound else {
                continue
            }
            let encoding = map.encode(piece, of: phonemes)
            if !encoding.isSpeakable, let last = parts.indices.last {
                // Nothing to say by itself: its phonemes go with what was said before, without ids.
                parts[last].range = parts[last].range.lowerBound..<upper
                parts[last].encoding.skipped.formUnion(encoding.skipped)
            } else {
                parts.append(Part(range: lower..<upper, encoding: encoding, silence: 0))
            }
        }
        if let last = parts.indices.last { parts[last].silence += silence }
    }
}

extension SentenceCutter {
    private typealias Token = PhonemeIDMap.Token

    /// Cuts what is too long for one inference.
    private func pieces(
        of tokens: ArraySlice<PhonemeIDMap.Token>, _ phonemes: [Unicode.Scalar]
    ) -> [ArraySlice<PhonemeIDMap.Token>] {
        let frame = map.begin.count + map.pad.count + map.end.count
        func weight(_ token: Token) -> Int { token.ids.isEmpty ? 0 : token.ids.count + map.pad.count }

        let limit = max(1, maximumIDs - frame)
        var left = tokens.reduce(0) { $0 + weight($1) }
        var rest = tokens
        var pieces: [ArraySlice<Token>] = []
        while left > limit {
            let target = (left + (left - 1) / limit) / ((left + limit - 1) / limit)
            let cut = self.cut(rest, phonemes, target: target, limit: limit, weight: weight)
            let piece = rest.prefix(upTo: cut)
            left -= piece.reduce(0) { $0 + weight($1) }
            pieces.append(piece)
            rest = rest[cut...]
        }
        if !rest.isEmpty { pieces.append(rest) }
        return pieces
    }

    /// The index before which to cut: the best place whose piece is at least half of `target` and at most `limit`.
    private func cut(
        _ tokens: ArraySlice<PhonemeIDMap.Token>, _ phonemes: [Unicode.Scalar], target: Int, limit: Int,
        weight: (PhonemeIDMap.Token) -> Int
    ) -> Int {
        var best = (rank: -1, distance: 0, index: tokens.startIndex + 1)
        var length = 0
        for index in tokens.indices {
            length += weight(tokens[index])
            // One token that is too long by itself still has to go somewhere.
            if length > limit, index > tokens.startIndex { break }
            guard index + 1 < tokens.endIndex else { break }
            guard length * 2 >= target || index == tokens.startIndex else { continue }
            let rank = Self.rank(
                between: phonemes[tokens[index].range.upperBound - 1],
                and: phonemes[tokens[index + 1].range.lowerBound],
                after: tokens[index].range.lowerBound > 0 ? phonemes[tokens[index].range.lowerBound - 1] : " "
            )
            let distance = abs(length - target)
            if rank > best.rank || rank == best.rank && distance < best.distance {
                best = (rank, distance, index + 1)
            }
        }
        return best.index
    }

    /// How good a place to cut lies between two phonemes: higher is better.
    private static func rank(
        between left: Unicode.Scalar, and right: Unicode.Scalar, after before: Unicode.Scalar
    ) -> Int {
        func isStop(_ scalar: Unicode.Scalar) -> Bool { ".?!。？！।".unicodeScalars.contains(scalar) }
        func isPause(_ scalar: Unicode.Scalar) -> Bool { ",;:、，；：…".unicodeScalars.contains(scalar) }
        if right == " " { return 0 }
        if left == " " { return isStop(before) ? 5 : isPause(before) ? 4 : 3 }
        // Inside a word: never between a letter and what modifies it, nor after a stress mark.
        if left == "ˈ" || left == "ˌ" { return 0 }
        if right == "ˈ" || right == "ˌ" { return 2 }
        switch right.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .modifierLetter, .modifierSymbol, .decimalNumber:
            return 0
        default: return 1
        }
    }
}
