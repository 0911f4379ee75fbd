/// Writes a WAV file as its samples come.
///
///     var writer = try WAVWriter(path: "hello.wav", sampleRate: 22_050)
///     try writer.step(chunk.span)
///     try writer.finish()
///
/// A regular file appears, or is replaced, only when ``finish()`` succeeds; after an error or ``cancel()``
/// nothing is left. Sizes are never wrong: on a seekable output the header is completed at the end; on a pipe
/// it says from the start that the length is unknown (0xFFFFFFFF), or the exact length if it was announced.
public struct WAVWriter: ~Copyable {
    private var output: SampleOutput
    private let header: WAVHeader
    private let announcedFrames: Int?
    private let maximumFrames: Int
    private var samplesWritten = 0

    /// Makes `path`. A device or named pipe is written in place, everything else as told above.
    ///
    /// - Parameters:
    ///   - sampleRate: hertz, from 1.
    ///   - channels: interleaved in the samples given, 1 to 64.
    ///   - ditherSeed: adds triangular dither to 8-, 16- and 24-bit samples; `nil` rounds to the nearest.
    ///   - metadata: written before the samples.
    ///   - frames: the length, if it is known: then it stands in the header from the start, also on a pipe, and
    ///     ``finish()`` throws if it was not kept.
    ///   - allowsLargeFile: leaves 36 bytes of room so that a file beyond 4 GiB becomes RF64; without it such a
    ///     file ends with ``AudioFileError/tooLarge(name:)``. A pipe has no limit.
    /// - Throws: ``AudioFileError/unwritableFormat(_:)``, ``AudioFileError/tooLarge(name:)`` and
    ///   ``AudioFileError/cannotCreate(name:code:)``.
    public init(
        path: String, sampleRate: Int, channels: Int = 1, encoding: SampleEncoding = .signed16,
        ditherSeed: UInt64? = nil, metadata: WAVMetadata = WAVMetadata(), frames: Int? = nil,
        allowsLargeFile: Bool = false
    ) throws(AudioFileError) {
        let header = try WAVHeader(
            sampleRate: sampleRate, channels: channels, encoding: encoding, metadata: metadata,
            reservesLargeSizes: allowsLargeFile)
        try header.check(frames: frames, name: path)
        try self.init(OutputFile(path: path), header, ditherSeed: ditherSeed, frames: frames)
    }

    /// Writes to an open descriptor, from where it stands. It stays the caller's and is not closed.
    ///
    /// - Parameter name: as errors call it, for example `standard output`.
    public init(
        fileDescriptor: Int32, name: String, sampleRate: Int, channels: Int = 1,
        encoding: SampleEncoding = .signed16, ditherSeed: UInt64? = nil,
        metadata: WAVMetadata = WAVMetadata(), frames: Int? = nil, allowsLargeFile: Bool = false
    ) throws(AudioFileError) {
        let header = try WAVHeader(
            sampleRate: sampleRate, channels: channels, encoding: encoding, metadata: metadata,
            reservesLargeSizes: allowsLargeFile)
        try header.check(frames: frames, name: name)
        self.init(
            OutputFile(descriptor: fileDescriptor, name: name), header, ditherSeed: ditherSeed, frames: frames
        )
    }

    private init(_ file: consuming OutputFile, _ header: WAVHeader, ditherSeed: UInt64?, frames: Int?) {
        output = SampleOutput(
            file, SampleEncoder(header.encoding, ditherSeed: ditherSeed), prefix: header.bytes(frames: frames)
        )
        self.header = header
        announcedFrames = frames
        maximumFrames = output.file.isSeekable && !header.reservesLargeSizes ? header.maximumFrames : Int.max
    }

    /// The number of frames so far.
    public var frames: Int { samplesWritten / header.channels }

    /// Appends samples, interleaved. A frame may be split over two calls. Writes only when 64 KiB have come
    /// together; does not allocate, but blocks while the system writes.
    ///
    /// - Throws: ``AudioFileError/cannotWrite(name:code:)``, ``AudioFileError/tooLarge(name:)``,
    ///   ``AudioFileError/wrongFrameCount(name:announced:written:)``.
    public mutating func step(_ samples: Span<Float>) throws(AudioFileError) {
        let total = samplesWritten + samples.count
        if let announcedFrames {
            let frames = (total + header.channels - 1) / header.channels
            guard frames <= announcedFrames else {
                throw .wrongFrameCount(name: output.file.name, announced: announcedFrames, written: frames)
            }
        } else if total / header.channels > maximumFrames {
            throw .tooLarge(name: output.file.name)
        }
        try output.append(samples)
        samplesWritten = total
    }

    /// Hands to the operating system what was held back, so that the reader of a pipe gets it now.
    public mutating func flush() throws(AudioFileError) {
        try output.flush()
    }

    /// Completes the file and gives it its name.
    ///
    /// - Throws: ``AudioFileError``; ``AudioFileError/unwritableFormat(_:)`` if the samples do not make up whole
    ///   frames. Then there is no file.
    public consuming func finish() throws(AudioFileError) {
        guard samplesWritten.isMultiple(of: header.channels) else {
            throw .unwritableFormat(
                "\(samplesWritten) samples are not whole frames of \(header.channels) channels")
        }
        let frames = samplesWritten / header.channels
        if let announcedFrames, announcedFrames != frames {
            throw .wrongFrameCount(name: output.file.name, announced: announcedFrames, written: frames)
        }
        // Chunks are padded to even sizes; where the size is "as much as follows", a byte more would be data.
        let hasSizes = announcedFrames != nil || output.file.isSeekable
        if hasSizes, !(frames * header.bytesPerFrame).isMultiple(of: 2) { try output.append(byte: 0) }
        if announcedFrames == nil, output.file.isSeekable {
            try output.flush()
            try output.overwrite(with: header.bytes(frames: frames))
        }
        try output.finish()
    }

    /// Gives up: nothing is left of the file. What went down a pipe cannot be taken back.
    public consuming func cancel() {}
}

extension WAVWriter {
    /// Writes a whole file at once; see ``init(path:sampleRate:channels:encoding:ditherSeed:metadata:frames:allowsLargeFile:)``.
    ///
    /// - Throws: ``AudioFileError``, also for samples that are not whole frames.
    public static func write(
        _ samples: [Float], to path: String, sampleRate: Int, channels: Int = 1,
        encoding: SampleEncoding = .signed16, ditherSeed: UInt64? = nil, metadata: WAVMetadata = WAVMetadata()
    ) throws(AudioFileError) {
        var writer = try WAVWriter(
            path: path, sampleRate: sampleRate, channels: channels, encoding: encoding,
            ditherSeed: ditherSeed, metadata: metadata, allowsLargeFile: samples.count > 1 << 28)
        try writer.step(samples.span)
        try writer.finish()
    }

    /// The header alone, for those who send the samples themselves, over HTTP for example.
    ///
    /// - Parameter frames: the length, or `nil` for "as much as follows" (0xFFFFFFFF).
    /// - Throws: ``AudioFileError/unwritableFormat(_:)``, ``AudioFileError/tooLarge(name:)``.
    public static func header(
        sampleRate: Int, channels: Int = 1, encoding: SampleEncoding = .signed16,
        metadata: WAVMetadata = WAVMetadata(), frames: Int?
    ) throws(AudioFileError) -> [UInt8] {
        let header = try WAVHeader(
            sampleRate: sampleRate, channels: channels, encoding: encoding, metadata: metadata,
            reservesLargeSizes: false)
        try header.check(frames: frames, name: "the audio")
        return header.bytes(frames: frames)
    }
}
