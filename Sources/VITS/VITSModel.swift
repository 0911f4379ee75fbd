import ONNX
import Tensor

/// A VITS voice, ready to run: immutable, so any number of threads may use it at once.
///
/// Everything is read from the file: shapes from the tensors, strides, dilations and slopes from
/// the graph's nodes, speakers from its inputs.
public struct VITSModel: Sendable {
    let textEncoder: TextEncoder
    let durationPredictor: DurationPredictor
    /// In the order in which they run backwards.
    let couplings: [Coupling]
    let decoder: Decoder
    /// `[speakers, gin]`, or nil for a voice with a single speaker.
    let speakerEmbedding: SpeakerEmbedding?

    struct SpeakerEmbedding: Sendable {
        let table: [Float]
        let speakers: Int
        let channels: Int
    }

    let execution: Execution
    let weightPreparation = WeightPreparation()
    /// Where weights are read from when they are first needed.
    let file: ModelFile

    /// How the layers are computed.
    public enum Execution: Sendable {
        /// The fastest kernels for each sentence; packed weights are kept for the next.
        case automatic
        /// The same samples, bit for bit, with little kept: for a process that says one thing.
        case once
        /// Layer by layer over OpenBLAS, many times slower where that is not installed: the oracle.
        case plain
    }

    /// Opens a Piper voice's `.onnx` file.
    ///
    /// The file stays mapped, and weights are read from it when they are first needed: while the model lives it must
    /// not be written to or truncated. (Renaming another file over it is harmless.) A file that has become shorter is
    /// found out before each sentence, which then throws; during a sentence it ends the process with SIGBUS.
    /// - Throws: `VITSError`, or the reader's error for a file that is not ONNX; both name what is wrong.
    public init(contentsOf path: String, execution: Execution = .automatic) throws {
        try self.init(Checkpoint(ONNXModel(contentsOf: path)), execution: execution)
    }

    func kernelPlan(ids: Int) -> KernelPlan {
        execution == .plain ? .plain : .automatic(ids: ids, keepsWeights: execution == .automatic)
    }

    /// Opens a voice from a copy of its file's bytes; errors name it `name`.
    package init(bytes: some Sequence<UInt8>, name: String, execution: Execution = .automatic) throws {
        try self.init(Checkpoint(ONNXModel(bytes: bytes, name: name)), execution: execution)
    }

    /// Phoneme ids the voice knows: 0 ..< symbols.
    public var symbols: Int { textEncoder.symbols }
    /// Speakers of the voice; 1 where it has a single one.
    public var speakers: Int { speakerEmbedding?.speakers ?? 1 }
    /// Samples a frame.
    public var hop: Int { decoder.hop }
    /// Samples of a sentence of so many frames: `hop` a frame, where the upsamplers are padded as Piper's are.
    package func samples(frames: Int) -> Int { decoder.outputLength(frames: frames) }
    /// C, the channels of a latent frame.
    public var latentChannels: Int { textEncoder.latent }
    /// Whether durations are drawn at random (and `noiseWidth` has an effect).
    public var hasStochasticDurations: Bool {
        if case .stochastic = durationPredictor { true } else { false }
    }

    /// Ids that one inference takes at most: attention's time grows with their square.
    public static let maximumIds = 16_384
    /// Frames that one inference gives at most, about 50 minutes: durations come from the file and the
    /// request, neither of which is trusted.
    public static let maximumFrames = 1 << 18

    /// Whether the prior sample enters the flow with its channels back to front: the couplings flip
    /// them an odd number of times, and what comes out is in order.
    var startsFlipped: Bool { couplings.count % 2 == 1 }

    func speakerVector(_ speaker: Int) throws(VITSError) -> [Float]? {
        guard speaker >= 0, speaker < speakers else {
            throw .speakerOutOfRange(speaker: speaker, speakers: speakers)
        }
        guard let embedding = speakerEmbedding else { return nil }
        return Array(embedding.table[speaker * embedding.channels..<(speaker + 1) * embedding.channels])
    }
}
