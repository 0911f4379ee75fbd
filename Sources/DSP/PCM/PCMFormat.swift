/// What headerless samples do not say about themselves.
public struct PCMFormat: Equatable, Sendable {
    /// Hertz, above 0.
    public var sampleRate: Int
    /// Interleaved, 1 to 64.
    public var channels: Int
    /// How a sample is stored.
    public var encoding: SampleEncoding
    /// Of samples of more than one byte.
    public var byteOrder: ByteOrder

    /// A format; it is checked where it is used.
    public init(
        sampleRate: Int, channels: Int = 1, encoding: SampleEncoding = .signed16,
        byteOrder: ByteOrder = .littleEndian
    ) {
        self.sampleRate = sampleRate
        self.channels = channels
        self.encoding = encoding
        self.byteOrder = byteOrder
    }

    /// What Gemini's speech API returns, as Base64: 24 kHz, mono, 16 bits, low byte first.
    public static let gemini = PCMFormat(sampleRate: 24_000)

    /// Bytes of one sample of every channel.
    public var bytesPerFrame: Int { channels * encoding.bytesPerSample }

    /// The format that a MIME type names, such as `audio/L16;codec=pcm;rate=24000` or `audio/L24; rate=48000;
    /// channels=2`; `nil` for others and where the rate is missing.
    ///
    /// RFC 2586 has the high byte first; Gemini, which marks its type with `codec=pcm`, has the low byte first.
    public init?(mimeType: String) {
        let parts = mimeType.lowercased().split(separator: ";").map { part in
            String(part.filter { !$0.isWhitespace })
        }
        let encodings: [String: SampleEncoding] = [
            "audio/l8": .unsigned8, "audio/l16": .signed16, "audio/l24": .signed24, "audio/l32": .signed32,
            "audio/pcma": .aLaw, "audio/pcmu": .muLaw,
        ]
        guard let type = parts.first, let encoding = encodings[type] else { return nil }
        func number(_ name: String) -> Int? {
            parts.first { $0.hasPrefix(name + "=") }.flatMap { Int($0.dropFirst(name.count + 1)) }
        }
        guard let rate = number("rate"), rate > 0 else { return nil }
        let channels = number("channels") ?? 1
        guard (1...WAVReader.maximumChannels).contains(channels) else { return nil }
        self.init(
            sampleRate: rate, channels: channels, encoding: encoding,
            byteOrder: parts.contains("codec=pcm") ? .littleEndian : .bigEndian)
    }

    func check() throws(AudioFileError) {
        guard sampleRate > 0 else {
            throw .unwritableFormat("raw samples need a rate above 0 Hz, not \(sampleRate)")
        }
        guard (1...WAVReader.maximumChannels).contains(channels) else {
            throw .unwritableFormat(
                "raw samples need 1 to \(WAVReader.maximumChannels) channels, not \(channels)")
        }
    }
}
