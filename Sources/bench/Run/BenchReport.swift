/// What `tts-bench run --json` writes. Keys are stable; times are in seconds.
struct BenchReport: Codable {
    var version = 1
    var voice: String
    var cpu: String
    var kernels: String
    var threads: Int
    var runs: Int
    var sentences: Int
    var ids: Int
    var audioSeconds: Double
    /// Opening the voice, weights not yet packed.
    var modelLoad: Distribution
    /// From the start of a process to its first samples, the voice's file in the page cache. Like every
    /// distribution, with a count of 0 and all zeros where nothing was measured.
    var processToFirstAudio: Distribution
    /// From the request to the first samples of the first sentence, warm.
    var timeToFirstAudio: Distribution
    var total: Distribution
    /// Time by audio of the whole pipeline: lower is better.
    var rtf: Distribution
    var speedFactor: Distribution
    /// Steps after the first of each sentence.
    var step: Distribution
    var audioPerStep: Double
    var stages: [Stage]
    /// GFLOP/s a thread, measured in this run.
    var peak: Peak
    var peakMemoryBytes: Int
    /// Allocations in steps after the first of a sentence, the sentence's own set-up not counted.
    var allocationsPerStep: Double
    var buffers: Buffers
    /// Against reference cases, where any were given.
    var accuracy: [Accuracy]

    struct Stage: Codable {
        /// `phonemes` (of a text), `encoder`, `durations`, `flow`, `decoder.pre`, `decoder.stage1` and so on,
        /// `decoder.post`.
        var name: String
        /// Median processor seconds a run: those of all threads together.
        var seconds: Double
        /// Of this stage alone.
        var rtf: Double
        var speedFactor: Double
        /// GFLOP a run, as the layers are defined.
        var gflop: Double
        var gflops: Double
        /// Of `peak.fma`, a core's; above 1 where a fast convolution saves operations.
        var shareOfPeak: Double
    }

    struct Peak: Codable {
        var fma: Double
        var gemm: Double
    }

    /// Seconds of audio that each formula asks to queue before playback starts, at this speed.
    struct Buffers: Codable {
        var exact: Double
        var ttskit: Double
        var documented: Double
    }

    /// How near a tensor of a reference case lies to what ONNX Runtime computed.
    struct Accuracy: Codable {
        var name: String
        var tensor: String
        /// dB, at least -999; nil where the tensors are equal.
        var signalToNoise: Double?
        var isWithinBounds: Bool
    }
}
