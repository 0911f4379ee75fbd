import Golden
import Tensor
import TestSupport
import Testing
import VITS

/// Against ONNX Runtime's tensors of the same sentence with the same noise; see Tests/Golden.
@Suite("Every stage is ONNX Runtime's")
struct GoldenTests {
    @Test("in one pass", arguments: GoldenFiles.voices, [VITSModel.Execution.plain, .automatic])
    func onePass(voice: String, execution: VITSModel.Execution) throws {
        try check(voice, execution, step: nil, threads: 1)
    }

    @Test("in steps of 5 frames on two threads", arguments: GoldenFiles.tinyVoices + GoldenFiles.shapeVoices)
    func steps(voice: String) throws {
        try check(voice, .automatic, step: 5, threads: 2)
    }

    private func check(_ voice: String, _ execution: VITSModel.Execution, step: Int?, threads: Int) throws {
        let model = try LoadedVoices.model(voice, execution)
        let workers = WorkerPool(threads: threads)
        let cases = try GoldenFiles.cases(voice)
        #expect(cases.count >= 3)
        for folder in cases {
            let golden = try GoldenCase(folder: folder)
            let comparisons = try golden.run(model, step: step, workers: workers)
            #expect(comparisons.count == GoldenComparison.bounds.count)
            for comparison in comparisons {
                #expect(
                    comparison.isWithinBounds,
                    "\(voice)/\(golden.name): \(comparison.tensor) max error \(comparison.maximumError), \(comparison.signalToNoise) dB"
                )
            }
        }
    }

    @Test("and a shift by one sample, a swapped pair or a missing sample is noticed")
    func comparisonIsStrict() throws {
        let golden = try GoldenCase(folder: GoldenFiles.cases("tiny-medium")[0])
        let audio = try golden.timeMajor("audio")
        func isNear(_ computed: [Float]) -> Bool {
            GoldenComparison(tensor: "audio", computed: computed, reference: audio).isWithinBounds
        }
        #expect(isNear(audio))
        #expect(!isNear(Array(audio.dropFirst()) + [0]))
        #expect(!isNear(Array(audio.dropLast())))
        var damaged = audio
        damaged.swapAt(audio.count / 2, audio.count / 2 + 40)
        #expect(!isNear(damaged))
        damaged = audio
        damaged[7] = .nan
        #expect(!isNear(damaged))
        let durations = try golden.timeMajor("w_ceil")
        var other = durations
        other[3] += 1
        #expect(GoldenComparison(tensor: "w_ceil", computed: durations, reference: durations).isWithinBounds)
        #expect(!GoldenComparison(tensor: "w_ceil", computed: other, reference: durations).isWithinBounds)
    }
}
