/// Reads headerless samples, or the Base64 of them, from a file, a pipe or memory, in bounded memory.
public struct PCMReader: ~Copyable {
    /// What the bytes are.
    public let format: PCMFormat
    /// Whether the input ended in the middle of a frame; known when all frames have been read.
    public private(set) var isTruncated = false

    private var input: InputFile
    private let decoder: SampleDecoder
    /// Only for Base64.
    private var base64: Base64Decoder?
    /// What is wrong with the text, from where on nothing is decoded.
    private var damage: AudioFileError?
    private var decoded: [UInt8] = []
    private var decodedStart = 0
    private var decodedEnd = 0

    /// Text is decoded in pieces of this many bytes.
    private static let textSize = 1 << 15

    /// Opens a file.
    ///
    /// - Parameter isBase64: whether the bytes are Base64 of the samples.
    /// - Throws: ``AudioFileError/cannotOpen(name:code:)``, ``AudioFileError/unwritableFormat(_:)``.
    public init(path: String, format: PCMFormat, isBase64: Bool = false) throws(AudioFileError) {
        try format.check()
        try self.init(InputFile(path: path), format, isBase64: isBase64)
    }

    /// Reads an open descriptor from where it stands. It stays the caller's and is not closed.
    ///
    /// - Parameter name: as errors call it, for example `standard input`.
    public init(
        fileDescriptor: Int32, name: String, format: PCMFormat, isBase64: Bool = false
    ) throws(AudioFileError) {
        try format.check()
        self.init(
            InputFile(descriptor: fileDescriptor, closes: false, name: name), format, isBase64: isBase64)
    }

    /// Reads bytes that are in memory.
    ///
    /// - Throws: ``AudioFileError/unwritableFormat(_:)``.
    public init(
        bytes: [UInt8], name: String = "the data", format: PCMFormat, isBase64: Bool = false
    ) throws(AudioFileError) {
        try format.check()
        self.init(InputFile(bytes: bytes, name: name), format, isBase64: isBase64)
    }

    private init(_ input: consuming InputFile, _ format: PCMFormat, isBase64: Bool) {
        self.input = input
        self.format = format
        decoder = SampleDecoder(format.encoding, byteOrder: format.byteOrder)
        if isBase64 {
            let decoder = Base64Decoder()
            // Room for a piece, what was left of the last one, and the end.
            decoded = [UInt8](
                repeating: 0, count: decoder.maximumOutput(for: Self.textSize + 4) + format.bytesPerFrame)
            base64 = decoder
        }
    }

    /// Reads the next frames into `samples`, as many as fit. Does not allocate, but for Base64.
    ///
    /// - Parameter samples: room for at least one frame.
    /// - Returns: the number of frames; 0 only at the end. An incomplete last frame is dropped.
    /// - Throws: ``AudioFileError/cannotRead(name:code:)``, and the errors of `Base64Decoder`: these once all frames
    ///   before the damage have been returned, and then with every call.
    public mutating func read(into samples: inout MutableSpan<Float>) throws(AudioFileError) -> Int {
        let channels = format.channels
        precondition(samples.count >= channels, "room for \(samples.count) samples, of \(channels) channels")
        let size = format.bytesPerFrame
        let wanted = samples.count / channels
        var frames = 0
        while frames < wanted {
            let available = base64 == nil ? try input.prepare(size) : try prepareDecoded(size)
            let count = min(available / size, wanted - frames)
            guard count > 0 else {
                if frames == 0, let damage { throw damage }
                isTruncated = available > 0
                break
            }
            decode(count * size, into: &samples, at: frames * channels)
            frames += count
        }
        return frames
    }

    /// Reads all samples that remain.
    public mutating func readAll() throws(AudioFileError) -> [Float] {
        var all: [Float] = []
        var block = [Float](repeating: 0, count: max(1, 4096 / format.channels) * format.channels)
        while true {
            var span = block.mutableSpan
            let frames = try read(into: &span)
            if frames == 0 { return all }
            all += block[..<(frames * format.channels)]
        }
    }

    private mutating func decode(_ byteCount: Int, into samples: inout MutableSpan<Float>, at offset: Int) {
        let decoder = decoder
        guard base64 != nil else {
            input.take(byteCount) { bytes in decoder.decode(bytes, into: &samples, at: offset) }
            return
        }
        let range = decodedStart..<(decodedStart + byteCount)
        decoder.decode(decoded.span.bytes.extracting(range), into: &samples, at: offset)
        decodedStart += byteCount
    }

    /// Decodes text until `count` bytes are there or the text ends; returns how many there are.
    private mutating func prepareDecoded(_ count: Int) throws(AudioFileError) -> Int {
        while decodedEnd - decodedStart < count, damage == nil, var decoder = base64 {
            if decodedStart > 0 {
                decoded.withUnsafeMutableBufferPointer { buffer in
                    for i in decodedStart..<decodedEnd { buffer[i - decodedStart] = buffer[i] }
                }
                (decodedStart, decodedEnd) = (0, decodedEnd - decodedStart)
            }
            let available = min(try input.prepare(1), Self.textSize)
            guard available > 0 else {
                let unfinished = decoder
                do throws(AudioFileError) { append(try decoder.finish()) } catch { give(up: unfinished, error) }
                base64 = decoder
                break
            }
            let (end, position) = (decodedEnd, input.position)
            let text = input.take(available) { bytes in bytes.withUnsafeBytes { Array($0) } }
            let before = decoder
            var room = decoded.mutableSpan
            do throws(AudioFileError) {
                decodedEnd = end + (try decoder.step(text.span, into: &room, at: end))
                base64 = decoder
            } catch {
                guard case .notBase64(_, let offset) = error else { throw error }
                // What stands before the damage is sound.
                var sound = before
                let part = text.span.extracting(0..<(offset - position))
                decodedEnd = end + (try sound.step(part, into: &room, at: end))
                give(up: sound, error)
            }
        }
        return decodedEnd - decodedStart
    }

    private mutating func give(up decoder: Base64Decoder, _ error: AudioFileError) {
        var decoder = decoder
        append(decoder.abandon())
        damage = error
    }

    private mutating func append(_ bytes: [UInt8]) {
        for byte in bytes {
            decoded[decodedEnd] = byte
            decodedEnd += 1
        }
    }
}
