/// A voice's ids for its phonemes, and how a sentence is written in them.
///
/// A sentence of phonemes p1 … pn becomes `^ _ p1 _ p2 _ … pn _ $`: begin, a pad after it and after the ids of each
/// phoneme, end (piper-phonemize, `phonemes_to_ids`).
public struct PhonemeIDMap: Sendable, Equatable {
    /// How many symbols the voice has: ids from 0 up to this, exclusive. A phoneme with another id is not known.
    public let symbolCount: Int
    let begin: [Int]
    let pad: [Int]
    let end: [Int]
    /// Ids by phoneme; none that is not below `symbolCount`.
    private let single: [Unicode.Scalar: [Int]]
    /// Ids of phonemes of several scalars, by their first scalar, longest first.
    private let clusters: [Unicode.Scalar: [Cluster]]

    private struct Cluster: Sendable, Equatable {
        let scalars: [Unicode.Scalar]
        let ids: [Int]
    }

    /// - Parameters:
    ///   - ids: the ids of each phoneme, as in a voice configuration's `phoneme_id_map`. "^", "_" and "$" are the
    ///     begin, the pad and the end, and have to be there.
    ///   - clusters: those phonemes of several scalars that are looked for in a sentence, the longest first.
    ///     Others are never used.
    ///   - symbolCount: the number of rows in the voice's embedding. Voices of 130 symbols come with maps of more.
    public init(
        _ ids: [String: [Int]], clusters: [String] = [], symbolCount: Int = 256
    ) throws(PhonemeError) {
        func known(_ phoneme: String) -> [Int]? {
            ids[phoneme].flatMap { $0.allSatisfy { (0..<symbolCount).contains($0) } ? $0 : nil }
        }
        func required(_ phoneme: String) throws(PhonemeError) -> [Int] {
            guard let ids = known(phoneme), !ids.isEmpty else {
                throw .configuration(
                    field: "phoneme_id_map", problem: "has no id below \(symbolCount) for \"\(phoneme)\"")
            }
            return ids
        }
        begin = try required("^")
        pad = try required("_")
        end = try required("$")
        self.symbolCount = symbolCount

        var single: [Unicode.Scalar: [Int]] = [:]
        for phoneme in ids.keys where phoneme.unicodeScalars.count == 1 {
            if let scalar = phoneme.unicodeScalars.first, let ids = known(phoneme), !ids.isEmpty {
                single[scalar] = ids
            }
        }
        self.single = single

        var byFirst: [Unicode.Scalar: [Cluster]] = [:]
        for phoneme in clusters {
            let scalars = Array(phoneme.unicodeScalars)
            guard scalars.count > 1, let first = scalars.first, let ids = known(phoneme), !ids.isEmpty else {
                continue
            }
            byFirst[first, default: []].append(Cluster(scalars: scalars, ids: ids))
        }
        self.clusters = byFirst.mapValues { $0.sorted { $0.scalars.count > $1.scalars.count } }
    }

    /// A phoneme of a sentence and its ids.
    struct Token {
        /// Indices in the sentence's phonemes.
        let range: Range<Int>
        /// Empty for a phoneme that the voice does not know.
        let ids: [Int]
    }

    func tokens(of phonemes: [Unicode.Scalar]) -> [Token] {
        var tokens: [Token] = []
        tokens.reserveCapacity(phonemes.count)
        var index = 0
        while index < phonemes.count {
            let rest = phonemes[index...]
            let token: Token
            if let cluster = clusters[phonemes[index]]?.first(where: { rest.starts(with: $0.scalars) }) {
                token = Token(range: index..<index + cluster.scalars.count, ids: cluster.ids)
            } else {
                token = Token(range: index..<index + 1, ids: single[phonemes[index]] ?? [])
            }
            tokens.append(token)
            index = token.range.upperBound
        }
        return tokens
    }
}

extension PhonemeIDMap {
    /// The ids of a stretch of phonemes, as one inference takes them.
    public struct Encoding: Sendable, Equatable {
        /// Begin, pad, the ids of each phoneme and a pad, end.
        public var ids: [Int] = []
        /// For each id, the index of the phoneme that it belongs to; -1 for the begin, its pad and the end. The pad
        /// after a phoneme belongs to it, so that adding up the durations of a phoneme's ids gives its own.
        public var owners: [Int] = []
        /// The phonemes that the voice does not know; they have no ids.
        public var skipped: Set<Unicode.Scalar> = []
        /// Whether any phoneme that has an id makes sound. An encoding that says nothing is not worth an inference.
        public var isSpeakable = false

        mutating func append(_ ids: [Int], owner: Int) {
            self.ids += ids
            owners += repeatElement(owner, count: ids.count)
        }
    }

    /// The ids of a whole sentence, of whatever length.
    public func encode(_ phonemes: [Unicode.Scalar]) -> Encoding {
        encode(tokens(of: phonemes)[...], of: phonemes)
    }

    func encode(_ tokens: ArraySlice<Token>, of phonemes: [Unicode.Scalar]) -> Encoding {
        var encoding = Encoding()
        encoding.append(begin + pad, owner: -1)
        for token in tokens {
            if token.ids.isEmpty {
                encoding.skipped.formUnion(phonemes[token.range])
            } else {
                encoding.append(token.ids + pad, owner: token.range.lowerBound)
                if phonemes[token.range].contains(where: \.isSpeakable) { encoding.isSpeakable = true }
            }
        }
        encoding.append(end, owner: -1)
        return encoding
    }

    /// The map of the voices that Piper trained in 2023: ids 0 to 150.
    public static let piper: PhonemeIDMap = {
        let inOrder =
            "_^$ !'(),-.:;?abcdefhijklmnopqrstuvwxyzæçðøħŋœǀǁǂǃɐɑɒɓɔɕɖɗɘəɚɛɜɞɟɠɡɢɣɤɥɦɧɨɪɫɬɭɮɯɰɱɲɳɴɵɶɸɹɺɻɽɾʀʁʂʃʄʈʉʊʋʌʍʎ"
            + "ʏʐʑʒʔʕʘʙʛʜʝʟʡʢʲˈˌːˑ˞βθχᵻⱱ0123456789\u{327}\u{303}\u{32A}\u{32F}\u{329}ʰˤε↓#\""
        let pairs = inOrder.unicodeScalars.enumerated().map { (String($0.element), [$0.offset]) }
        return PhonemeIDMap(known: Dictionary(uniqueKeysWithValues: pairs))
    }()

    /// A map that is known to be complete.
    private init(known ids: [String: [Int]]) {
        do { self = try PhonemeIDMap(ids) } catch {
            preconditionFailure("the built-in phoneme map is complete")
        }
    }

    /// Ids that a user wrote: integers between spaces, commas or brackets, "1 0 20 0 2" or "[1, 0, 20, 0, 2]".
    ///
    /// They are taken as they are, as one inference: begin, pads and end are the user's.
    /// - Throws: when there is none, or one is no integer of the range 0 ..< `symbolCount`.
    public static func ids(parsing text: String, symbolCount: Int) throws(PhonemeError) -> [Int] {
        var ids: [Int] = []
        for word in text.split(whereSeparator: { $0.isWhitespace || "[],".contains($0) }) {
            guard let id = Int(word), (0..<symbolCount).contains(id) else {
                throw .invalidIDs(
                    problem: "\"\(word.prefix(40))\" is no integer from 0 to \(symbolCount - 1)")
            }
            ids.append(id)
        }
        guard !ids.isEmpty else { throw .invalidIDs(problem: "there are none") }
        return ids
    }
}
