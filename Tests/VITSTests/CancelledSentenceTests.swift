import Foundation
import Synchronization
import Tensor
import TestSupport
import Testing

@testable import VITS

/// What is counted is work, not time: how much more is begun once the flag is set.
@Suite("A cancelled sentence")
struct CancelledSentenceTests {
    private static let voices = ["tiny-medium", "multi-resblock1", "plain"]

    /// A sentence of ten passes and more.
    private func rendering(_ voice: String, threads: Int, _ execution: VITSModel.Execution) throws -> Rendering {
        var rendering = Rendering(
            model: try LoadedVoices.model(voice, execution), request: SentenceRequest(ids: Rendering.ids(130)), seed: 7,
            workers: WorkerPool(threads: threads))
        let plan = try rendering.plan().0
        rendering.request.lengthScale = 2500 / plan.logDurations.reduce(0) { $0 + exp($1) }
        return rendering
    }

    /// Calls of a stream's observer.
    private final class Calls: Sendable {
        let priors = Atomic<Int>(0)
        let outputs = Atomic<Int>(0)
        /// Those of the prior when the flag was set.
        let priorsAtEnd = Atomic<Int>(.max)

        func count(_ latent: SentenceStream.Latent) {
            switch latent {
            case .prior: priors.add(1, ordering: .sequentiallyConsistent)
            case .flowOutput: outputs.add(1, ordering: .sequentiallyConsistent)
            }
        }
    }

    @Test(
        "in the flow's first pass takes in no other, and the decoder does nothing", arguments: voices,
        LoadedVoices.executions)
    func firstPass(voice: String, execution: VITSModel.Execution) throws {
        for threads in 1...3 {
            let flag = CancelFlag()
            let stream = try rendering(voice, threads: threads, execution).stream(cancellation: flag)
            let calls = Calls()
            stream.observer = { latent, _ in
                calls.count(latent)
                flag.set()
            }
            var audio: [Float] = []
            stream.step(.max, into: &audio)
            #expect(calls.priors.load(ordering: .relaxed) == 1 && calls.outputs.load(ordering: .relaxed) == 0)
            #expect(stream.times.decoder.allSatisfy { $0 == 0 })
            #expect(audio.isEmpty && stream.samplesMade == 0)
            #expect(stream.isFinished)
        }
    }

    @Test(
        "is left wherever it is: no pass more goes in, no sample comes of what has not; the next is what it ever was",
        arguments: voices, LoadedVoices.executions)
    func anywhere(voice: String, execution: VITSModel.Execution) throws {
        for threads in 1...3 {
            let rendering = try rendering(voice, threads: threads, execution)
            let frames = try rendering.plan().0.frames
            let whole = try rendering.audio(.all)
            // In passes of 64 and in one step.
            let passes = PieceSizes(each: 64)
            for pass in stride(from: 1, to: passes.count(taking: frames), by: 7) {
                let flag = CancelFlag()
                let stream = try rendering.stream(largestStep: frames, passes: passes, cancellation: flag)
                let calls = Calls()
                stream.observer = { latent, _ in
                    calls.count(latent)
                    guard latent == .flowOutput, calls.outputs.load(ordering: .relaxed) == pass else { return }
                    flag.set()
                    calls.priorsAtEnd.store(calls.priors.load(ordering: .relaxed), ordering: .relaxed)
                }
                var audio: [Float] = []
                stream.step(.max, into: &audio)
                let place = Comment("\(voice), \(threads) threads, pass \(pass)")
                #expect(calls.outputs.load(ordering: .relaxed) == pass, place)
                // A pass may be on its way in on another thread.
                let priors = calls.priors.load(ordering: .relaxed)
                #expect(priors <= calls.priorsAtEnd.load(ordering: .relaxed) + (threads > 1 ? 1 : 0), place)
                #expect(stream.samplesMade < min(whole.count, (64 * pass + 1) * rendering.model.hop), place)
                #expect(stream.isFinished, place)
                // Good for nothing, and harmless.
                let before = audio.count
                stream.step(.max, into: &audio)
                #expect(audio.count == before && calls.outputs.load(ordering: .relaxed) == pass, place)
            }
            #expect(try rendering.audio(.all).hasSameBits(as: whole))
        }
    }

    @Test(
        "by another thread at any moment is left by all threads, and the next is what it ever was",
        arguments: testSeeds(1...12))
    func otherThread(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let rendering = try rendering(
            Self.voices.randomElement(using: &random) ?? "plain", threads: Int.random(in: 1...3, using: &random),
            .automatic)
        let whole = try rendering.audio(.scheduled)
        for _ in 0..<20 {
            let flag = CancelFlag()
            let stream = try rendering.stream(cancellation: flag)
            let calls = Calls()
            stream.observer = { latent, _ in calls.count(latent) }
            let wait = UInt32.random(in: 0...20_000, using: &random)
            Thread {
                usleep(wait)
                flag.set()
            }.start()
            var audio: [Float] = []
            while !stream.isFinished { stream.step(StepSchedule.largest, into: &audio) }
            let seen = calls.priors.load(ordering: .relaxed)
            // Whole steps, none in part.
            #expect(audio.hasSameBits(as: whole.prefix(audio.count)), "seed \(seed)")
            var nothing: [Float] = []
            stream.step(.max, into: &nothing)
            #expect(nothing.isEmpty && calls.priors.load(ordering: .relaxed) == seen, "seed \(seed)")
        }
        #expect(try rendering.audio(.scheduled).hasSameBits(as: whole), "seed \(seed)")
    }

    @Test("is left between the encoder's layers", arguments: voices)
    func encoder(voice: String) throws {
        let model = try LoadedVoices.model(voice)
        let (ids, pool) = (Rendering.ids(20), WorkerPool(threads: 2))
        let encoder = model.textEncoder
        var asked = 0
        let whole = encoder(ids, form: .plain, pool: pool) {
            asked += 1
            return false
        }
        #expect(asked == encoder.layers.count)
        for layer in 1...encoder.layers.count {
            asked = 0
            let cut = encoder(ids, form: .plain, pool: pool) {
                asked += 1
                return asked == layer
            }
            // Once it has been told, it does not go on to ask.
            #expect(asked == layer)
            #expect(cut.hidden.copy(rows: 0..<20) != whole.hidden.copy(rows: 0..<20))
        }
    }

    @Test("is left between the duration predictor's layers", arguments: ["tiny-medium", "multi-resblock1"])
    func durations(voice: String) throws {
        let model = try LoadedVoices.model(voice)
        let pool = WorkerPool(threads: 2)
        let hidden = model.textEncoder(Rendering.ids(20), form: .plain, pool: pool).hidden
        func asked(tellingAt end: Int) throws -> Int {
            var asked = 0
            _ = model.durationPredictor.logDurations(
                hidden, noise: [Float](repeating: 0.5, count: 40), speaker: try model.speakerVector(0), form: .plain,
                pool: pool
            ) {
                asked += 1
                return asked >= end
            }
            return asked
        }
        let all = try asked(tellingAt: .max)
        #expect(all >= 6)
        // A stack of layers within the predictor is left, then the predictor.
        for end in 1..<all { #expect(try (end...end + 1).contains(asked(tellingAt: end))) }
    }

    @Test("has no plan: none of its noise is drawn if it is cancelled before, and no length comes of what is cut short")
    func plan() throws {
        let model = try LoadedVoices.model("tiny-medium")
        let request = SentenceRequest(ids: Rendering.ids(12))
        let flag = CancelFlag()
        let workers = WorkerPool(threads: 1)
        #expect(throws: VITSError.cancelled) {
            try model.plan(request, workers: workers, cancellation: flag) {
                flag.set()
                return 0.5
            }
        }
        var drawn = 0
        #expect(throws: VITSError.cancelled) {
            try model.plan(request, workers: workers, cancellation: flag) {
                drawn += 1
                return 0.5
            }
        }
        #expect(drawn == 0)
    }
}
