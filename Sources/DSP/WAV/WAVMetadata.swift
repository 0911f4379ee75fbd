/// Text about a recording: the LIST/INFO chunk of a WAV file.
///
/// Written as UTF-8; read as UTF-8, or as Latin-1 where it is not UTF-8. NUL characters end a text.
public struct WAVMetadata: Equatable, Sendable {
    /// What an entry is about: four ASCII characters, of which the common ones have names.
    public struct Key: Hashable, Sendable, CustomStringConvertible {
        /// Four printable ASCII characters.
        public let code: String

        /// `nil` unless `code` is four printable ASCII characters.
        public init?(_ code: String) {
            guard code.utf8.count == 4, code.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else {
                return nil
            }
            self.code = code
        }

        private init(known code: String) { self.code = code }

        /// The code.
        public var description: String { code }

        /// The title.
        public static let title = Key(known: "INAM")
        /// Who speaks or plays.
        public static let artist = Key(known: "IART")
        /// The work that it belongs to.
        public static let album = Key(known: "IPRD")
        /// Anything.
        public static let comment = Key(known: "ICMT")
        /// Whose it is.
        public static let copyright = Key(known: "ICOP")
        /// The date, as in `2026-01-31`.
        public static let date = Key(known: "ICRD")
        /// The kind of recording.
        public static let genre = Key(known: "IGNR")
        /// The language spoken.
        public static let language = Key(known: "ILNG")
        /// The program that made it.
        public static let software = Key(known: "ISFT")
        /// The number in the work.
        public static let track = Key(known: "ITRK")
    }

    private(set) var entries: [(key: Key, text: String)] = []

    /// No entries.
    public init() {}

    /// Entries in the order given; of a key given twice the last text counts.
    public init(_ texts: KeyValuePairs<Key, String>) {
        for (key, text) in texts { self[key] = text }
    }

    /// Whether there are no entries.
    public var isEmpty: Bool { entries.isEmpty }

    /// The keys, in the order of the file.
    public var keys: [Key] { entries.map(\.key) }

    /// The text of `key`; setting `nil` or the empty text removes it.
    public subscript(key: Key) -> String? {
        get { entries.first { $0.key == key }?.text }
        set {
            let text = String(decoding: (newValue ?? "").utf8.prefix { $0 != 0 }, as: UTF8.self)
            let index = entries.firstIndex { $0.key == key }
            switch (index, text.isEmpty) {
            case (let index?, false): entries[index].text = text
            case (let index?, true): entries.remove(at: index)
            case (nil, false): entries.append((key, text))
            case (nil, true): break
            }
        }
    }

    /// Equal entries in the same order.
    public static func == (a: Self, b: Self) -> Bool {
        a.entries.elementsEqual(b.entries) { $0.key == $1.key && $0.text == $1.text }
    }
}

extension WAVMetadata {
    /// The whole LIST chunk, its header and padding included; nothing if there are no entries.
    func chunk() -> [UInt8] {
        guard !entries.isEmpty else { return [] }
        var body = Array("INFO".utf8)
        for (key, text) in entries {
            let bytes = Array(text.utf8) + [0]
            body += Array(key.code.utf8) + littleEndianBytes(UInt32(clamping: bytes.count)) + bytes
            if !bytes.count.isMultiple(of: 2) { body.append(0) }
        }
        return Array("LIST".utf8) + littleEndianBytes(UInt32(clamping: body.count)) + body
    }

    /// Far more than there are kinds of entries; a bound on the work that a made-up list can cause.
    private static let entryLimit = 256

    /// Adds what the body of a LIST chunk says, if it is an INFO list. Entries that are cut or have no proper
    /// name are left out.
    mutating func add(listBody body: [UInt8]) {
        guard body.starts(with: "INFO".utf8) else { return }
        var rest = body[4...]
        while rest.count >= 8, entries.count < Self.entryLimit {
            let code = String(decoding: rest.prefix(4), as: UTF8.self)
            let size = Int(rest.dropFirst(4).prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
            rest = rest.dropFirst(8)
            guard size <= rest.count else { return }
            if let key = Key(code) { self[key] = Self.decoded(rest.prefix(size)) }
            rest = rest.dropFirst(size + size % 2)
        }
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        let text = bytes.prefix { $0 != 0 }
        return String(validating: text, as: UTF8.self)
            ?? String(String.UnicodeScalarView(text.map { Unicode.Scalar($0) }))
    }
}

func littleEndianBytes<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
}
