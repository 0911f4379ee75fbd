/// Something that turns text into sound: a voice on this machine, or a service elsewhere.
///
/// A ``SpeechSynthesizer`` does the rest, the same for every source: joins, pitch, volume, sample rate, streaming,
/// playback, cancellation.
public protocol SpeechSource: Sendable {
    /// Hertz of the samples that its readers give.
    var sampleRate: Int { get }

    /// Begins a request.
    ///
    /// Called on the request's own thread, where it may block.
    ///
    /// - Parameters:
    ///   - options: in range. A source throws for what it cannot do; it does not ignore it. Pitch, volume,
    ///     normalisation, sample rate, silence and crossfade between sentences are not its business.
    ///   - wantsAll: whether nobody listens before the end, so that work may be done out of order, and the first piece
    ///     may be as large as is done fastest.
    ///   - cancellation: tells when the request is over early.
    func reader(
        of input: SpeechInput, options: GenerationOptions, wantsAll: Bool, cancellation: SpeechCancellation
    ) throws -> any SpeechReader
}

/// A request's sound, piece by piece.
public protocol SpeechReader: AnyObject {
    /// Does what comes before the first piece and tells nothing about the speed of those that follow: an encoder, a
    /// request to a server. Called once, before `next`, on the same thread.
    func prepare() throws

    /// The next piece; nil at the end. Called on the request's own thread, where it may block until the request
    /// is cancelled. A piece may be empty of samples.
    func next() throws -> SpeechPiece?

    /// The seed that repeats this request, 0 where there is no such thing.
    var seed: UInt64 { get }
    /// Phonemes met so far that the source cannot say.
    var skippedPhonemes: Set<Unicode.Scalar> { get }
    /// Where the time went so far.
    var phases: SpeechPhases { get }
}

extension SpeechReader {
    /// Does nothing.
    public func prepare() throws {}
    /// 0: no seed repeats the request.
    public var seed: UInt64 { 0 }
    /// None.
    public var skippedPhonemes: Set<Unicode.Scalar> { [] }
    /// All 0: not known.
    public var phases: SpeechPhases { SpeechPhases() }
}
