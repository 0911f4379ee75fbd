import Glibc
import Tensor
import TestSupport
import Testing

@testable import VITS

@Suite("A sentence in steps")
struct StreamingTests {
    private static let steps: [Steps] = [
        .each(1), .each(2), .each(3), .each(7), .each(16), .each(64), .scheduled,
    ]

    @Test(
        "is the one pass: bit for bit with the fast kernels, within rounding layer by layer; on any number of threads",
        arguments: GoldenFiles.voices, LoadedVoices.executions)
    func equality(voice: String, execution: VITSModel.Execution) throws {
        let model = try LoadedVoices.model(voice, execution)
        var rendering = Rendering(
            model: model, request: SentenceRequest(ids: Rendering.ids(9), speaker: model.speakers - 1),
            seed: 5)
        let whole = try rendering.audio(.all)
        #expect(whole.contains { abs($0) > 0.01 })
        for steps in Self.steps {
            rendering.workers = WorkerPool(threads: 1)
            let one = try rendering.audio(steps)
            if execution == .plain {
                #expect(maximumDifference(one, whole) <= 1e-5, "\(voice), \(steps)")
            } else {
                #expect(one.hasSameBits(as: whole), "\(voice), \(steps)")
            }
            for threads in 2...3 {
                rendering.workers = WorkerPool(threads: threads)
                #expect(try rendering.audio(steps).hasSameBits(as: one), "\(voice), \(steps), \(threads) threads")
            }
        }
    }

    /// The fast kernels' rounding depends on where a pass of the flow ends, so with them the plain form is the
    /// measure, within the bound that they keep to it in one pass.
    @Test(
        "whose flow is cut into the same steps is the plain form's one pass within rounding",
        arguments: GoldenFiles.voices, LoadedVoices.executions)
    func cutFlow(voice: String, execution: VITSModel.Execution) throws {
        let request = SentenceRequest(ids: Rendering.ids(KernelPlan.shortSentence + 3), lengthScale: 0.3)
        let plain = Rendering(model: try LoadedVoices.model(voice, .plain), request: request, seed: 6)
        let whole = try plain.audio(.all, cutsFlow: true)
        let rendering = Rendering(model: try LoadedVoices.model(voice, execution), request: request, seed: 6)
        let bound = execution == .plain ? 1e-5 : 1e-4
        for size in [1, 3, 7, 64] {
            let cut = try rendering.audio(.each(size), cutsFlow: true)
            #expect(maximumDifference(cut, whole) <= bound, "\(voice), steps of \(size)")
        }
    }

    @Test(
        "that is long enough for every fast kernel is the one pass too, kept weights or not",
        arguments: GoldenFiles.tinyVoices + GoldenFiles.shapeVoices)
    func longSentence(voice: String) throws {
        // Long enough for steps and passes of every size, whatever durations the voice makes.
        var request = SentenceRequest(ids: Rendering.ids(KernelPlan.shortSentence + 3))
        let model = try LoadedVoices.model(voice)
        let plan = try Rendering(model: model, request: request, seed: 6).plan().0
        request.lengthScale = 450 / plan.logDurations.reduce(0) { $0 + exp($1) }
        var rendering = Rendering(model: model, request: request, seed: 6)
        #expect(try rendering.plan().0.frames > 3 * StepSchedule.largest)
        let whole = try rendering.audio(.all)
        #expect(try rendering.audio(.scheduled).hasSameBits(as: whole))
        #expect(try rendering.audio(.each(7)).hasSameBits(as: whole))
        for threads in 1...4 {
            rendering.workers = WorkerPool(threads: threads)
            #expect(try rendering.audio(.scheduled).hasSameBits(as: whole))
            for steps in [Steps.scheduled, .each(40), .all] {
                #expect(try rendering.audio(steps, wantsAll: true).hasSameBits(as: whole), "\(threads), \(steps)")
            }
            #expect(try rendering.audio(.all).hasSameBits(as: whole))
        }
        let once = Rendering(model: try LoadedVoices.model(voice, .once), request: request, seed: 6)
        #expect(try once.audio(.scheduled).hasSameBits(as: whole))
    }

    @Test("of random sizes is the one pass", arguments: testSeeds(1...24))
    func randomSteps(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let voice =
            (GoldenFiles.tinyVoices + GoldenFiles.shapeVoices).randomElement(using: &random) ?? "plain"
        let model = try LoadedVoices.model(voice)
        let rendering = Rendering(
            model: model,
            request: SentenceRequest(
                ids: Rendering.ids(Int.random(in: 1...100, using: &random)),
                speaker: Int.random(in: 0..<model.speakers, using: &random)), seed: seed,
            workers: WorkerPool(threads: Int.random(in: 1...3, using: &random)))
        let whole = try rendering.audio(.all)
        // Smaller and larger than the stream was sized for.
        let stream = try rendering.stream(largestStep: Int.random(in: 1...40, using: &random))
        var audio: [Float] = []
        while !stream.isFinished { stream.step(Int.random(in: 1...50, using: &random), into: &audio) }
        #expect(audio.hasSameBits(as: whole), "seed \(seed), \(voice)")
    }

    @Test(
        "comes out exactly as far behind as is stated",
        arguments: GoldenFiles.tinyVoices + GoldenFiles.shapeVoices)
    func lookahead(voice: String) throws {
        let model = try LoadedVoices.model(voice, .plain)
        let rendering = Rendering(
            model: model, request: SentenceRequest(ids: Rendering.ids(40), lengthScale: 2))
        let stream = try rendering.stream(largestStep: 1, passes: PieceSizes(each: 1))
        var drawn = 0
        stream.observer = { latent, _ in if latent == .prior { drawn += 1 } }
        var audio: [Float] = []
        while audio.isEmpty { stream.step(1, into: &audio) }
        #expect(stream.samples > model.lookahead * model.hop, "the sentence is too short for this test")
        #expect(drawn == model.lookahead)

        // The fused kernels work in tiles; what the schedule's first step takes is enough for both.
        for execution in LoadedVoices.executions {
            let model = try LoadedVoices.model(voice, execution)
            let stream = try Rendering(model: model, request: rendering.request).stream()
            var schedule = model.schedule
            var audio: [Float] = []
            stream.step(schedule.nextStep(), into: &audio)
            #expect(!audio.isEmpty, "\(execution)")
        }
    }

    @Test(
        "interleaved with another is what it is alone",
        arguments: ["tiny-multispeaker", "multi-resblock1", "mean-and-logs"])
    func interleaved(voice: String) throws {
        let model = try LoadedVoices.model(voice)
        let workers = WorkerPool(threads: 2)
        let first = Rendering(
            model: model, request: SentenceRequest(ids: Rendering.ids(21), speaker: 0), seed: 3,
            workers: workers)
        let second = Rendering(
            model: model, request: SentenceRequest(ids: Rendering.ids(14), speaker: 1), seed: 4,
            workers: workers)
        let alone = (try first.audio(.each(4)), try second.audio(.each(7)))
        let streams = (try first.stream(), try second.stream())
        var audio: ([Float], [Float]) = ([], [])
        while !streams.0.isFinished || !streams.1.isFinished {
            streams.0.step(4, into: &audio.0)
            streams.1.step(7, into: &audio.1)
        }
        #expect(audio.0.hasSameBits(as: alone.0))
        #expect(audio.1.hasSameBits(as: alone.1))
        #expect(!alone.0.hasSameBits(as: alone.1))
    }

    @Test("on several threads at once, of one model, is the same each time")
    func concurrent() async throws {
        let model = try LoadedVoices.model("tiny-medium")
        let expected = try Rendering(model: model, request: SentenceRequest(ids: Rendering.ids(15))).audio(
            .scheduled)
        // One pool between them: whoever finds it in use works alone.
        let workers = WorkerPool(threads: 2)
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<6 {
                group.addTask {
                    let audio = try? Rendering(
                        model: model, request: SentenceRequest(ids: Rendering.ids(15)), workers: workers
                    ).audio(.scheduled)
                    return audio?.hasSameBits(as: expected) ?? false
                }
            }
            for await isSame in group { #expect(isSame) }
        }
    }

    @Test("gives nothing more once it is finished")
    func afterTheEnd() throws {
        let stream = try Rendering(
            model: LoadedVoices.model("tiny-medium"), request: SentenceRequest(ids: [1, 0, 45, 0, 2])
        ).stream()
        var audio: [Float] = []
        stream.step(0, into: &audio)
        while !stream.isFinished { stream.step(.max, into: &audio) }
        #expect(audio.count == stream.samples)
        let finished = audio
        stream.step(8, into: &audio)
        #expect(audio.hasSameBits(as: finished))
    }

    @Test("takes steps of a schedule that grows and is a function of the voice alone")
    func schedule() throws {
        for voice in GoldenFiles.tinyVoices {
            let model = try LoadedVoices.model(voice)
            var schedule = model.schedule
            let sizes = (0..<8).map { _ in schedule.nextStep() }
            #expect(sizes[0] <= model.lookahead + StepSchedule.firstFrames)
            #expect(sizes.allSatisfy { $0 <= model.largestStep })
            #expect(zip(sizes.dropFirst(), sizes.dropFirst(2)).allSatisfy { $0 <= $1 })
            #expect(sizes.last == StepSchedule.largest)
            var again = model.schedule
            #expect((0..<8).map { _ in again.nextStep() } == sizes)
        }
    }

    @Test("is cut into pieces that end where their sizes say")
    func passes() {
        for passes in [
            PieceSizes(each: 1), PieceSizes(each: 7), PieceSizes([52, 64, 128, 256]), PieceSizes([500, 3]),
        ] {
            var frames = 0
            for pass in 0..<20 {
                #expect(passes.frames(after: pass) == frames)
                #expect(passes.count(taking: frames) == pass)
                #expect(passes.count(taking: frames + 1) == pass + 1)
                frames += pass < passes.sizes.count ? passes.sizes[pass] : passes.sizes[passes.sizes.count - 1]
            }
        }
    }
}
