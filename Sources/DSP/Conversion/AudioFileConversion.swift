/// A whole conversion, from a file or pipe to a file or pipe.
///
///     var conversion = AudioFileConversion(from: .path("in.wav"), to: .path("out.wav"))
///     conversion.options.sampleRate = 24_000
///     let summary = try conversion.run()
///
/// The output may be the file that is the input: it is replaced when it is complete.
public struct AudioFileConversion: Sendable {
    /// Where the samples come from, or go to.
    public enum Endpoint: Equatable, Sendable {
        /// A file, by its path.
        case path(String)
        /// An open descriptor, which stays open, and how errors call it.
        case descriptor(Int32, name: String)
    }

    /// What the output is.
    public enum Container: Equatable, Sendable {
        /// The rate, channels and metadata are those of the conversion.
        case wav
        /// Headerless.
        case raw(ByteOrder)
    }

    /// What came of it.
    public struct Summary: Equatable, Sendable {
        /// Frames that were read.
        public var inputFrames = 0
        /// Frames that were written.
        public var outputFrames = 0
        /// Of the output, in hertz.
        public var outputRate = 0
        /// The input ended before its header said, or in the middle of a frame.
        public var inputIsTruncated = false
        /// Samples beyond full scale that an integer encoding cut off.
        public var clippedSamples = 0
    }

    /// Where the samples come from.
    public var input: Endpoint
    /// Where they go.
    public var output: Endpoint
    /// What the input holds if it is headerless; `nil` for WAV.
    public var rawInput: PCMFormat?
    /// Whether headerless input is Base64.
    public var inputIsBase64 = false
    /// WAV, or raw samples.
    public var container = Container.wav
    /// `nil` keeps the input's.
    public var encoding: SampleEncoding?
    /// Adds triangular dither of this seed to samples that become 8, 16 or 24 bits; `nil` rounds plainly.
    public var ditherSeed: UInt64?
    /// What to change in the sound.
    public var options = ConversionOptions()

    /// A conversion that changes nothing yet, to WAV.
    public init(from input: Endpoint, to output: Endpoint) {
        self.input = input
        self.output = output
    }

    /// Converts.
    ///
    /// - Parameter progress: called after every block with the number of input frames so far; what it throws ends
    ///   the conversion and leaves no file.
    /// - Throws: ``AudioFileError``, ``ConversionError``, and what `progress` throws.
    @discardableResult
    public func run(progress: (Int) throws -> Void = { _ in }) throws -> Summary {
        var source = try AudioSource(input, rawInput, isBase64: inputIsBase64)
        let channels = source.channels
        var converter = try AudioConverter(from: source.sampleRate, channels: channels, options: options)
        let encoding = encoding ?? source.encoding
        // An announced length must be kept: it is announced only if the input cannot turn out shorter.
        let frames = source.certainFrames.flatMap { converter.outputFrames(for: $0) }
        var target = try AudioTarget(
            output, container, rate: converter.outputRate, channels: converter.outputChannels,
            encoding: encoding, ditherSeed: ditherSeed, metadata: source.metadata, frames: frames)

        var summary = Summary(outputRate: converter.outputRate)
        var block = [Float](repeating: 0, count: max(1, 16_384 / channels) * channels)
        while true {
            var span = block.mutableSpan
            let count = try source.read(into: &span)
            let converted =
                count > 0 ? try converter.step(Array(block[..<(count * channels)])) : try converter.finish()
            try target.step(converted.span)
            summary.outputFrames += converted.count / converter.outputChannels
            if !encoding.isFloat { summary.clippedSamples += converted.count { $0.magnitude > 1 } }
            summary.inputFrames += count
            if count == 0 { break }
            try progress(summary.inputFrames)
        }
        summary.inputIsTruncated = source.isTruncated
        try target.finish()
        return summary
    }
}
