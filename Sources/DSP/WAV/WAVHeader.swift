/// The bytes before the samples of a WAV file.
///
/// The shortest form that is right: 44 bytes for PCM, with more only for floats (`fact`), more than two channels
/// (`WAVE_FORMAT_EXTENSIBLE`), metadata and room for RF64.
struct WAVHeader: Sendable {
    let sampleRate: Int
    let channels: Int
    let encoding: SampleEncoding
    let metadata: [UInt8]
    /// Whether there is room to turn the file into RF64 (EBU Tech 3306) once it has passed 4 GiB.
    let reservesLargeSizes: Bool

    /// What a size field says when the size is not known: as much as follows.
    static let unknownSize = UInt32.max

    init(
        sampleRate: Int, channels: Int, encoding: SampleEncoding, metadata: WAVMetadata,
        reservesLargeSizes: Bool
    ) throws(AudioFileError) {
        guard (1...Int(UInt32.max)).contains(sampleRate) else {
            throw .unwritableFormat(
                "a sample rate of \(sampleRate) Hz cannot be written, expected 1 to \(UInt32.max)")
        }
        guard (1...WAVReader.maximumChannels).contains(channels) else {
            throw .unwritableFormat(
                "\(channels) channels cannot be written, expected 1 to \(WAVReader.maximumChannels)")
        }
        guard sampleRate <= Int(UInt32.max) / (channels * encoding.bytesPerSample) else {
            throw .unwritableFormat(
                "\(sampleRate) Hz × \(channels) channels × \(encoding.bytesPerSample) bytes is more than a WAV header can say"
            )
        }
        self.sampleRate = sampleRate
        self.channels = channels
        self.encoding = encoding
        self.metadata = metadata.chunk()
        self.reservesLargeSizes = reservesLargeSizes
        guard self.metadata.count < 1 << 24 else {
            throw .unwritableFormat(
                "the metadata is \(self.metadata.count) bytes long, expected less than 16 MiB")
        }
    }

    var bytesPerFrame: Int { channels * encoding.bytesPerSample }

    /// The most frames whose sizes 32 bits can say.
    var maximumFrames: Int {
        // The size of RIFF leaves out the 8 bytes before itself, and a byte of padding may come.
        let padding = bytesPerFrame % 2
        return (Int(Self.unknownSize) - 1 - (bytes(frames: 0).count - 8) - padding) / bytesPerFrame
    }

    /// Throws if a length that is announced cannot be said.
    func check(frames: Int?, name: String) throws(AudioFileError) {
        guard let frames else { return }
        guard frames >= 0 else { throw .unwritableFormat("\(frames) frames cannot be written") }
        guard frames <= (reservesLargeSizes ? Int.max >> 10 : maximumFrames) else {
            throw .tooLarge(name: name)
        }
    }

    /// The header of a file of `frames` frames, or of one whose length is not known. Its own length is the same
    /// for every number of frames.
    func bytes(frames: Int?) -> [UInt8] {
        let dataSize = frames.map { $0 * bytesPerFrame }
        var chunks: [UInt8] = []
        chunks += formatChunk()
        if encoding.isFloat || isCompanded {
            let count = frames.flatMap { UInt32(exactly: $0) } ?? Self.unknownSize
            chunks += chunk("fact", littleEndianBytes(count))
        }
        chunks += metadata
        let largeSizesLength = reservesLargeSizes ? 36 : 0
        // RIFF's size counts everything after itself: "WAVE", the chunks, the data and its padding.
        let riffSize = dataSize.map { 4 + largeSizesLength + chunks.count + 8 + $0 + $0 % 2 }
        let isLarge = riffSize.map { $0 >= Int(Self.unknownSize) } ?? false
        var bytes =
            Array((isLarge ? "RF64" : "RIFF").utf8) + size(isLarge ? nil : riffSize) + Array("WAVE".utf8)
        if reservesLargeSizes {
            bytes += largeSizesChunk(isLarge: isLarge, riffSize: riffSize, dataSize: dataSize, frames: frames)
        }
        return bytes + chunks + Array("data".utf8) + size(isLarge ? nil : dataSize)
    }

    /// The `ds64` chunk, or one to skip in its place.
    private func largeSizesChunk(isLarge: Bool, riffSize: Int?, dataSize: Int?, frames: Int?) -> [UInt8] {
        guard isLarge, let riffSize, let dataSize, let frames else {
            return chunk("JUNK", [UInt8](repeating: 0, count: 28))
        }
        let sizes = [riffSize, dataSize, frames].flatMap { littleEndianBytes(UInt64($0)) }
        return chunk("ds64", sizes + littleEndianBytes(UInt32(0)))
    }

    private func formatChunk() -> [UInt8] {
        let bits = UInt16(encoding.bytesPerSample * 8)
        let isExtensible = channels > 2
        var body = littleEndianBytes(isExtensible ? FormatTag.extensible.rawValue : formatTag.rawValue)
        body += littleEndianBytes(UInt16(channels))
        body += littleEndianBytes(UInt32(sampleRate))
        body += littleEndianBytes(UInt32(sampleRate * bytesPerFrame))
        body += littleEndianBytes(UInt16(bytesPerFrame))
        body += littleEndianBytes(bits)
        if isExtensible {
            body += littleEndianBytes(UInt16(22)) + littleEndianBytes(bits) + littleEndianBytes(channelMask)
            body += littleEndianBytes(formatTag.rawValue) + FormatTag.identifierTail
        } else if formatTag != .pcm {
            body += littleEndianBytes(UInt16(0))
        }
        return chunk("fmt ", body)
    }

    private var isCompanded: Bool { encoding == .aLaw || encoding == .muLaw }

    private var formatTag: FormatTag {
        switch encoding {
        case .unsigned8, .signed16, .signed24, .signed32: .pcm
        case .float32, .float64: .float
        case .aLaw: .aLaw
        case .muLaw: .muLaw
        }
    }

    /// The usual loudspeakers of 3 to 8 channels; beyond, none are named.
    private var channelMask: UInt32 {
        let usual: [Int: UInt32] = [3: 0x7, 4: 0x33, 5: 0x37, 6: 0x3f, 7: 0x70f, 8: 0x63f]
        return usual[channels] ?? 0
    }

    private func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        Array(name.utf8) + littleEndianBytes(UInt32(body.count)) + body
    }

    private func size(_ size: Int?) -> [UInt8] {
        littleEndianBytes(size.flatMap { UInt32(exactly: $0) } ?? Self.unknownSize)
    }
}

/// `wFormatTag` of the `fmt ` chunk.
enum FormatTag: UInt16 {
    case pcm = 1
    case float = 3
    case aLaw = 6
    case muLaw = 7
    case extensible = 0xfffe

    /// What follows the tag in the identifier of an extensible format.
    static let identifierTail: [UInt8] = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71]
}
