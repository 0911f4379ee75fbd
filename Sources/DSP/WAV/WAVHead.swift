/// What stands before the samples of a WAV file.
///
/// Sources: Microsoft "Multimedia Programming Interface and Data Specifications 1.0" (RIFF, WAVE, LIST/INFO),
/// `mmreg.h` and "Multiple Channel Audio Data and WAVE Files" (extensible), EBU Tech 3306 (RF64) and
/// ITU-R BS.2088 (BW64).
struct WAVHead {
    var format: WAVFormat
    var metadata: WAVMetadata
    /// Bytes of samples, or `nil` for "until the input ends".
    var dataSize: Int?
    /// Whether the size is one that programs write when they cannot know it: then less is not a loss.
    var sizeIsNominal: Bool

    /// Reads up to the first sample.
    init(reading input: inout InputFile) throws(AudioFileError) {
        let riffSize = try Self.readForm(of: &input)
        var format: WAVFormat?
        var largeSize: Int?
        var metadata = WAVMetadata()
        while true {
            guard let chunk = try RIFFChunk(reading: &input) else {
                throw .malformed(
                    name: input.name, problem: "it ends before its samples begin, the file was cut")
            }
            switch chunk.id {
            case "data":
                guard let format else {
                    throw .malformed(
                        name: input.name, problem: "its samples come before the chunk that tells their format"
                    )
                }
                self.format = format
                self.metadata = metadata
                (dataSize, sizeIsNominal) = Self.dataSize(
                    chunk.size, largeSize: largeSize, riffSize: riffSize, position: input.position)
                return
            case "fmt ":
                // A second one is passed over: the samples cannot have two formats.
                if format == nil {
                    format = try WAVFormat(reading: &input, size: chunk.size)
                } else {
                    try Self.skip(chunk, in: &input)
                }
            case "ds64":
                largeSize = try Self.readLargeSize(of: &input, chunk)
            case "LIST":
                try metadata.add(listOf: &input, size: chunk.size)
            default:
                try Self.skip(chunk, in: &input)
                continue
            }
            if !chunk.size.isMultiple(of: 2) { try input.skipPadding() }
        }
    }

    /// Reads the 12 bytes that make it a WAV file and returns the size that RIFF claims.
    private static func readForm(of input: inout InputFile) throws(AudioFileError) -> UInt32 {
        let count = min(12, try input.prepare(12))
        let bytes = input.take(count) { bytes in bytes.withUnsafeBytes { Array($0) } }
        let isRIFF = ["RIFF", "RF64", "BW64"].contains { bytes.starts(with: $0.utf8) }
        guard isRIFF, count == 12, bytes[8...].elementsEqual("WAVE".utf8) else {
            throw .notWAV(name: input.name, found: describeUnknown(bytes))
        }
        return bytes[4..<8].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func readLargeSize(
        of input: inout InputFile, _ chunk: RIFFChunk
    ) throws(AudioFileError) -> Int? {
        guard chunk.size >= 16, let bytes = try input.bytes(16) else {
            throw .malformed(name: input.name, problem: "its ds64 chunk is too short")
        }
        guard try input.skip(chunk.size - 16) else {
            throw .malformed(name: input.name, problem: "it ends inside its ds64 chunk, the file was cut")
        }
        let size = bytes[8...].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // 0 was left by a writer that never came to complete it; a size near 2⁶⁴ is one that is not known.
        return size == 0 || size > UInt64(Int.max / 2) ? nil : Int(size)
    }

    private static func skip(_ chunk: RIFFChunk, in input: inout InputFile) throws(AudioFileError) {
        guard try input.skip(chunk.size) else {
            throw .malformed(
                name: input.name, problem: "it ends inside its chunk '\(chunk.id)', before its samples begin")
        }
        if !chunk.size.isMultiple(of: 2) { try input.skipPadding() }
    }

    /// What the size of the data chunk means.
    private static func dataSize(
        _ size: Int, largeSize: Int?, riffSize: UInt32, position: Int
    ) -> (size: Int?, isNominal: Bool) {
        if size == Int(UInt32.max) {
            if let largeSize { return (largeSize, false) }
            return (nil, true)
        }
        if size == 0 {
            // A header that was never completed: RIFF does not reach beyond it. If it does, other chunks follow
            // and there really are no samples.
            let riffEnd = Int(riffSize) + 8
            let isComplete = riffSize != 0 && riffEnd > position && !isNominal(Int(riffSize))
            return isComplete ? (0, false) : (nil, true)
        }
        return (size, isNominal(size))
    }

    /// Sizes such as 0x7FFFF000 (sox, espeak), 0x7FFFFFFF and 0xFFFFFFFF less a header.
    private static func isNominal(_ size: Int) -> Bool {
        let slack = 4096
        return [0x7fff_ffff, 0x8000_0000, 0xffff_ffff].contains { (($0 - slack)...$0).contains(size) }
    }
}

/// The name and size before every part of a RIFF file.
struct RIFFChunk {
    let id: String
    let size: Int

    /// `nil` at the end of the input.
    init?(reading input: inout InputFile) throws(AudioFileError) {
        guard let bytes = try input.bytes(8) else { return nil }
        id = printable(bytes[..<4])
        size = Int(bytes[4...].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    }
}

extension InputFile {
    /// Passes over the byte after a chunk of odd size. Some programs leave it out: then the next chunk's name is
    /// there already.
    mutating func skipPadding() throws(AudioFileError) {
        let count = min(4, try prepare(4))
        guard count > 0 else { return }
        let isName = peek(count) { bytes in
            bytes.withUnsafeBytes { $0.count == 4 && $0.allSatisfy { (0x20...0x7e).contains($0) } }
        }
        if !isName { _ = try skip(1) }
    }
}

extension WAVMetadata {
    /// Bytes of metadata beyond which it is passed over, as no text about a recording is that long.
    private static let sizeLimit = 1 << 20

    /// Reads the body of a LIST chunk; of one that is cut, what there is.
    mutating func add(listOf input: inout InputFile, size: Int) throws(AudioFileError) {
        guard size <= Self.sizeLimit else {
            _ = try input.skip(size)
            return
        }
        var body: [UInt8] = []
        while body.count < size {
            let count = min(size - body.count, try input.prepare(1))
            if count == 0 { break }
            body += input.take(count) { bytes in bytes.withUnsafeBytes { Array($0) } }
        }
        add(listBody: body)
    }

    /// Reads the chunks after the samples. Whatever is wrong with them, the samples are sound: it ends there.
    mutating func addChunks(of input: inout InputFile) throws(AudioFileError) {
        // A bound on the work that bytes of no sense can cause.
        for _ in 0..<1000 {
            guard let chunk = try RIFFChunk(reading: &input) else { return }
            if chunk.id == "LIST" {
                try add(listOf: &input, size: chunk.size)
            } else if try !input.skip(chunk.size) {
                return
            }
            if !chunk.size.isMultiple(of: 2) { try input.skipPadding() }
        }
    }
}

/// What bytes that are not WAV look like, with the way out where there is one.
private func describeUnknown(_ bytes: [UInt8]) -> String {
    if bytes.isEmpty { return "it is empty" }
    let known: [(start: String, name: String)] = [
        ("fLaC", "a FLAC file"), ("OggS", "an Ogg file"), ("ID3", "an MP3 file"), ("FORM", "an AIFF file"),
        ("caff", "a CAF file"), (".snd", "an AU file"), ("RIFX", "a big-endian WAV file"),
        ("riff", "a Wave64 file"),
        ("#!AMR", "an AMR file"), ("{", "text or JSON"), ("<", "text, perhaps a web page"),
    ]
    if let match = known.first(where: { bytes.starts(with: $0.start.utf8) }) {
        return "it looks like \(match.name); convert it to WAV first"
    }
    if bytes.starts(with: "RIFF".utf8) {
        return bytes.count < 12
            ? "it ends after \(bytes.count) bytes" : "it is RIFF of the type '\(printable(bytes[8...]))'"
    }
    if bytes.count >= 8, bytes[4...].starts(with: "ftyp".utf8) {
        return "it looks like an MP4 or M4A file; convert it to WAV first"
    }
    if bytes.count >= 2, bytes[0] == 0xff, bytes[1] & 0xe0 == 0xe0 {
        return "it looks like an MP3 or AAC file; convert it to WAV first"
    }
    return "it begins with '\(printable(bytes.prefix(4)))'; for raw samples give their rate and encoding"
}

/// ASCII, with a dot for everything that is none.
private func printable(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: bytes.map { (0x20...0x7e).contains($0) ? $0 : UInt8(ascii: ".") }, as: UTF8.self)
}
