/// Reads a WAV file as its bytes come, from a file, a pipe or memory.
///
///     var reader = try WAVReader(path: "hello.wav")
///     var block = [Float](repeating: 0, count: 4096 * reader.channels)
///     while true {
///         var room = block.mutableSpan
///         let frames = try reader.read(into: &room)
///         if frames == 0 { break }
///         …
///     }
///
/// PCM of 8, 16, 24 and 32 bits, floats of 32 and 64 bits, A-law and µ-law; plain and extensible formats; RIFF,
/// RF64 and BW64; 1 to 64 channels. Memory is bounded whatever the file claims: 64 KiB for the bytes, at most
/// 1 MiB for the metadata, and nothing is allocated for a size that only a header states.
///
/// Samples are interleaved and full scale is ±1. In float files NaN is read as 0 and infinities as ±1.
public struct WAVReader: ~Copyable {
    /// More channels than this are taken for a damaged header.
    public static let maximumChannels = 64

    /// Hertz, as the header says: 1 to 4 294 967 295.
    public let sampleRate: Int
    /// Interleaved channels, 1 to 64.
    public let channels: Int
    /// How the samples are stored in the file.
    public let encoding: SampleEncoding
    /// What LIST/INFO chunks say. Those after the samples are known from the start in a file, and in a pipe only
    /// when all samples have been read.
    public private(set) var metadata: WAVMetadata
    /// The number of frames that will be read, or `nil` if a pipe does not tell. If a pipe is cut short, less.
    public let frames: Int?
    /// Whether the header promises more samples than there are. In a file known from the start, in a pipe when
    /// all samples have been read.
    public private(set) var isTruncated: Bool

    private var input: InputFile
    private let decoder: SampleDecoder
    /// Bytes of samples that remain, or `nil` for "until the input ends".
    private var remainingBytes: Int?
    private let dataIsOdd: Bool
    private var isAtEnd = false

    /// Opens a file. Errors: ``AudioFileError/cannotOpen(name:code:)``, and those of damaged or other files.
    public init(path: String) throws(AudioFileError) {
        try self.init(InputFile(path: path))
    }

    /// Reads an open descriptor from where it stands. It stays the caller's and is not closed.
    ///
    /// - Parameter name: as errors call it, for example `standard input`.
    public init(fileDescriptor: Int32, name: String) throws(AudioFileError) {
        try self.init(InputFile(descriptor: fileDescriptor, closes: false, name: name))
    }

    /// Reads a file that is in memory.
    public init(bytes: [UInt8], name: String = "the data") throws(AudioFileError) {
        try self.init(InputFile(bytes: bytes, name: name))
    }

    /// The number of frames where nothing can make them fewer: in a file, whose size was looked at.
    var certainFrames: Int? { input.length == nil ? nil : frames }

    private init(_ opened: consuming InputFile) throws(AudioFileError) {
        // Nothing of `self` is set before the last throw: half of a noncopyable value cannot be given up.
        var input = opened
        var head = try WAVHead(reading: &input)
        var size = head.sizeIsNominal ? nil : head.dataSize
        var isCut = false
        if let length = input.length {
            let start = input.position
            let there = length - start
            let claimed = head.dataSize ?? there
            if claimed < there {
                try input.seek(to: start + claimed)
                if !claimed.isMultiple(of: 2) { try input.skipPadding() }
                try head.metadata.addChunks(of: &input)
                try input.seek(to: start)
            }
            size = min(claimed, there)
            isCut = claimed > there && !head.sizeIsNominal
        }
        remainingBytes = size
        isTruncated = isCut
        frames = size.map { $0 / head.format.bytesPerFrame }
        sampleRate = head.format.sampleRate
        channels = head.format.channels
        encoding = head.format.encoding
        metadata = head.metadata
        dataIsOdd = !(head.dataSize ?? 0).isMultiple(of: 2)
        decoder = SampleDecoder(head.format.encoding)
        self.input = input
    }

    /// Reads the next frames into `samples`, as many as fit.
    ///
    /// Does not allocate. Of a frame that the end of the input cuts, nothing is given.
    /// - Parameter samples: room for at least one frame.
    /// - Returns: the number of frames; 0 only at the end.
    /// - Throws: ``AudioFileError/cannotRead(name:code:)``.
    public mutating func read(into samples: inout MutableSpan<Float>) throws(AudioFileError) -> Int {
        precondition(samples.count >= channels, "room for \(samples.count) samples, of \(channels) channels")
        let bytesPerFrame = channels * encoding.bytesPerSample
        let wanted = samples.count / channels
        var framesRead = 0
        while framesRead < wanted, !isAtEnd {
            let needed = min(bytesPerFrame, remainingBytes ?? bytesPerFrame)
            let available = min(try input.prepare(needed), remainingBytes ?? Int.max)
            let count = min(available / bytesPerFrame, wanted - framesRead)
            if count == 0 {
                try end()
                break
            }
            let offset = framesRead * channels
            decode(count * bytesPerFrame, into: &samples, at: offset)
            framesRead += count
            if let remaining = remainingBytes {
                remainingBytes = remaining - count * bytesPerFrame
            }
        }
        return framesRead
    }

    private mutating func decode(_ byteCount: Int, into samples: inout MutableSpan<Float>, at offset: Int) {
        let decoder = decoder
        input.take(byteCount) { bytes in decoder.decode(bytes, into: &samples, at: offset) }
    }

    /// The samples are over, as the header says or because the input is.
    private mutating func end() throws(AudioFileError) {
        isAtEnd = true
        // In a file all this was looked at before.
        guard input.length == nil, let remaining = remainingBytes else { return }
        guard remaining < channels * encoding.bytesPerSample, try input.skip(remaining) else {
            isTruncated = true
            return
        }
        if dataIsOdd { try input.skipPadding() }
        try metadata.addChunks(of: &input)
    }
}

extension WAVReader {
    /// Reads all samples that remain.
    ///
    /// Memory grows with what is really read, never with what a header claims.
    public mutating func readAll() throws(AudioFileError) -> [Float] {
        var all: [Float] = []
        // In a file this was checked against its size.
        if let frames, input.length != nil { all.reserveCapacity(frames * channels) }
        var block = [Float](repeating: 0, count: max(1, 4096 / channels) * channels)
        while true {
            var span = block.mutableSpan
            let frames = try read(into: &span)
            if frames == 0 { return all }
            all += block[..<(frames * channels)]
        }
    }
}
