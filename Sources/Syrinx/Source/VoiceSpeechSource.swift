import Glibc
import Synchronization
import Tensor

/// A voice on this machine as a source of speech.
public final class VoiceSpeechSource: SpeechSource {
    /// Who speaks.
    public let voice: Voice
    /// Worker threads by their number, kept for the next request.
    private let pools = Mutex<[Int: WorkerPool]>([:])

    /// A source of a voice that is open. Its threads start with the first request and are kept for the next.
    public init(voice: Voice) {
        self.voice = voice
    }

    /// The voice's.
    public var sampleRate: Int { voice.sampleRate }

    /// - Throws: `SpeechError`: an option out of range, an unknown speaker, a language that is not the voice's, text
    ///   that cannot be read.
    public func reader(
        of input: SpeechInput, options: GenerationOptions, wantsAll: Bool, cancellation: SpeechCancellation
    ) throws -> any SpeechReader {
        let options = try options.validated()
        if let language = options.language { try voice.check(language: language) }
        let threads = options.threads ?? Self.processors
        guard wantsAll, options.concurrentWorkerCount > 1 else {
            return try SpeechRenderer(
                voice: voice, input: input, options: options, workers: pool(threads), wantsAll: wantsAll,
                cancellation: cancellation)
        }
        let share = max(1, threads / options.concurrentWorkerCount)
        return try ParallelSpeechRenderer(
            voice: voice, input: input, options: options,
            workers: (0..<options.concurrentWorkerCount).map { _ in WorkerPool(threads: share) },
            cancellation: cancellation)
    }

    private func pool(_ threads: Int) -> WorkerPool {
        pools.withLock { pools in
            if let pool = pools[threads] { return pool }
            let pool = WorkerPool(threads: threads)
            // One at a time: an application that varies the number leaves no threads behind.
            pools = [threads: pool]
            return pool
        }
    }

    private static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
