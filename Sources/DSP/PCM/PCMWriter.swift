/// Writes headerless samples as they come.
///
/// A regular file appears, or is replaced, only when ``finish()`` succeeds, as with ``WAVWriter``.
public struct PCMWriter: ~Copyable {
    private var output: SampleOutput

    /// Makes `path`; the rate of the format is for the reader to know.
    ///
    /// - Parameter ditherSeed: adds triangular dither to 8-, 16- and 24-bit samples; `nil` rounds to the nearest.
    public init(path: String, format: PCMFormat, ditherSeed: UInt64? = nil) throws(AudioFileError) {
        try format.check()
        try self.init(OutputFile(path: path), format, ditherSeed)
    }

    /// Writes to an open descriptor. It stays the caller's and is not closed.
    ///
    /// - Parameter name: as errors call it, for example `standard output`.
    public init(
        fileDescriptor: Int32, name: String, format: PCMFormat, ditherSeed: UInt64? = nil
    ) throws(AudioFileError) {
        try format.check()
        self.init(OutputFile(descriptor: fileDescriptor, name: name), format, ditherSeed)
    }

    private init(_ file: consuming OutputFile, _ format: PCMFormat, _ ditherSeed: UInt64?) {
        let encoder = SampleEncoder(format.encoding, byteOrder: format.byteOrder, ditherSeed: ditherSeed)
        output = SampleOutput(file, encoder)
    }

    /// Appends samples, interleaved. Writes when 64 KiB have come together; does not allocate.
    public mutating func step(_ samples: Span<Float>) throws(AudioFileError) {
        try output.append(samples)
    }

    /// Hands to the operating system what was held back, so that the reader of a pipe gets it now.
    public mutating func flush() throws(AudioFileError) {
        try output.flush()
    }

    /// Completes the file and gives it its name.
    public consuming func finish() throws(AudioFileError) {
        try output.finish()
    }

    /// Gives up: nothing is left of the file. What went down a pipe cannot be taken back.
    public consuming func cancel() {}
}
