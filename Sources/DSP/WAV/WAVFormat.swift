/// What the `fmt ` chunk says.
struct WAVFormat: Equatable {
    let sampleRate: Int
    let channels: Int
    let encoding: SampleEncoding

    var bytesPerFrame: Int { channels * encoding.bytesPerSample }

    /// Reads the body of the chunk.
    init(reading input: inout InputFile, size: Int) throws(AudioFileError) {
        let name = input.name
        func malformed(_ problem: String) -> AudioFileError { .malformed(name: name, problem: problem) }

        guard size >= 16 else { throw malformed("its fmt chunk has \(size) bytes, expected 16 or more") }
        let used = min(size, 40)
        guard let bytes = try input.bytes(used), try input.skip(size - used) else {
            throw malformed("it ends inside its fmt chunk, the file was cut")
        }
        func word(_ offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }

        channels = word(2)
        sampleRate = word(4) | word(6) << 16
        guard (1...WAVReader.maximumChannels).contains(channels) else {
            throw malformed("it has \(channels) channels, expected 1 to \(WAVReader.maximumChannels)")
        }
        guard sampleRate > 0 else { throw malformed("its sample rate is 0 Hz") }

        let bits = word(14)
        let blockAlign = word(12)
        let containerSize = blockAlign == 0 ? (bits + 7) / 8 : blockAlign / channels
        guard blockAlign.isMultiple(of: channels), containerSize > 0, bits <= containerSize * 8 else {
            throw malformed("\(channels) channels of \(bits) bits do not make frames of \(blockAlign) bytes")
        }

        var tag = UInt16(word(0))
        if tag == FormatTag.extensible.rawValue {
            guard bytes.count == 40 else { throw malformed("its extensible format is cut short") }
            guard bytes[26...].elementsEqual(FormatTag.identifierTail) else {
                throw .unsupported(name: name, what: "audio of an unregistered extensible format")
            }
            tag = UInt16(word(24))
        }
        encoding = try Self.encoding(tag: tag, bits: bits, containerSize: containerSize, name: name)
    }

    private static func encoding(
        tag: UInt16, bits: Int, containerSize: Int, name: String
    ) throws(AudioFileError) -> SampleEncoding {
        switch (FormatTag(rawValue: tag), containerSize) {
        // Fewer bits than the container has are its upper ones, so the container tells the scale.
        case (.pcm, 1) where bits > 0: return .unsigned8
        case (.pcm, 2) where bits > 8: return .signed16
        case (.pcm, 3) where bits > 8: return .signed24
        case (.pcm, 4) where bits > 8: return .signed32
        case (.float, 4) where bits == 32: return .float32
        case (.float, 8) where bits == 64: return .float64
        case (.aLaw, 1): return .aLaw
        case (.muLaw, 1): return .muLaw
        case (.pcm, _): throw .unsupported(name: name, what: "PCM of \(bits) bits in \(containerSize) bytes")
        case (.float, _):
            throw .unsupported(name: name, what: "floats of \(bits) bits in \(containerSize) bytes")
        default: throw .unsupported(name: name, what: Self.codecName(tag))
        }
    }

    private static func codecName(_ tag: UInt16) -> String {
        switch tag {
        case 0x02: "audio compressed with Microsoft ADPCM"
        case 0x11: "audio compressed with IMA ADPCM"
        case 0x31: "audio compressed with GSM 6.10"
        case 0x50, 0x55: "audio compressed with MPEG"
        case 0xff, 0x1600: "audio compressed with AAC"
        default: "audio in the format 0x\(String(tag, radix: 16)), which is not PCM, float or G.711"
        }
    }
}
