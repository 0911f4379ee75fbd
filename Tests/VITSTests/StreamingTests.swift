import Tensor
import TestSupport
import Testing

@testable import VITS

@Suite("A sentence in steps")
struct StreamingTests {
    private static let steps: [Steps] = [
        .each(1), .each(2), .each(3), .each(7), .each(16), .each(64), .scheduled,
    ]

    /// 1e-5, but for the fast kernels on voices with random weights: 1.2e-5 is measured there.
    private func bound(_ voice: String, _ execution: VITSModel.Execution) -> Double {
        execution == .plain || voice == GoldenFiles.joe ? 1e-5 : 1.5e-5
    }

    @Test(
        "is the one pass within rounding, and bit for bit the same on one and two threads",
        arguments: GoldenFiles.voices, [VITSModel.Execution.plain, .automatic])
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
            #expect(maximumDifference(one, whole) <= bound(voice, execution), "\(voice), \(steps)")
            rendering.workers = WorkerPool(threads: 2)
            let two = try rendering.audio(steps)
            #expect(one.hasSameBits(as: two), "\(voice), \(steps): two threads differ from one")
        }
    }

    @Test(
        "that is long enough for every fast kernel is the one pass too, kept weights or not",
        arguments: GoldenFiles.tinyVoices + GoldenFiles.shapeVoices)
    func longSentence(voice: String) throws {
        let request = SentenceRequest(ids: Rendering.ids(KernelPlan.shortSentence + 3), lengthScale: 0.3)
        var rendering = Rendering(model: try LoadedVoices.model(voice), request: request, seed: 6)
        let whole = try rendering.audio(.all)
        let scheduled = try rendering.audio(.scheduled)
        #expect(maximumDifference(scheduled, whole) <= bound(voice, .automatic))
        #expect(maximumDifference(try rendering.audio(.each(7)), whole) <= bound(voice, .automatic))
        rendering.workers = WorkerPool(threads: 3)
        #expect(try rendering.audio(.scheduled).hasSameBits(as: scheduled))
        let once = Rendering(model: try LoadedVoices.model(voice, .once), request: request, seed: 6)
        #expect(try once.audio(.scheduled).hasSameBits(as: scheduled))
    }

    @Test("of random sizes is the one pass within rounding", arguments: testSeeds(1...12))
    func randomSteps(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let voice =
            (GoldenFiles.tinyVoices + GoldenFiles.shapeVoices).randomElement(using: &random) ?? "plain"
        let model = try LoadedVoices.model(voice)
        let rendering = Rendering(
            model: model,
            request: SentenceRequest(
                ids: Rendering.ids(Int.random(in: 1...24, using: &random)),
                speaker: Int.random(in: 0..<model.speakers, using: &random)), seed: seed)
        let whole = try rendering.audio(.all)
        // Smaller and larger than the stream was sized for.
        let stream = try rendering.stream(largestStep: Int.random(in: 1...40, using: &random))
        var audio: [Float] = []
        while !stream.isFinished { stream.step(.both(Int.random(in: 1...50, using: &random)), into: &audio) }
        #expect(maximumDifference(audio, whole) <= bound(voice, .automatic), "seed \(seed), \(voice)")
    }

    @Test(
        "comes out exactly as far behind as is stated",
        arguments: GoldenFiles.tinyVoices + GoldenFiles.shapeVoices)
    func lookahead(voice: String) throws {
        let model = try LoadedVoices.model(voice, .plain)
        let rendering = Rendering(
            model: model, request: SentenceRequest(ids: Rendering.ids(40), lengthScale: 2))
        let (plan, generator) = try rendering.plan()
        var noise = generator
        let flow = FlowStream(model, plan: plan, step: 1, workers: rendering.workers) { noise.next() }
        while flow.output.end == 0 { flow.advance(frames: 1) }
        let stream = try rendering.stream(largestStep: 1)
        var audio: [Float] = []
        var frames = 0
        while audio.isEmpty {
            stream.step(.both(1), into: &audio)
            frames += 1
        }
        #expect(stream.samples > model.lookahead * model.hop, "the sentence is too short for this test")
        #expect(flow.taken - 1 + frames == model.lookahead)

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
            streams.0.step(.both(4), into: &audio.0)
            streams.1.step(.both(7), into: &audio.1)
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
        stream.step(.both(0), into: &audio)
        while !stream.isFinished { stream.step(.both(.max), into: &audio) }
        #expect(audio.count == stream.samples)
        let finished = audio
        stream.step(.both(8), into: &audio)
        #expect(audio.hasSameBits(as: finished))
    }

    @Test("takes steps of a schedule that grows and is a function of the voice alone")
    func schedule() throws {
        for voice in GoldenFiles.tinyVoices {
            let model = try LoadedVoices.model(voice)
            var schedule = model.schedule
            let steps = (0..<8).map { _ in schedule.nextStep() }
            let sizes = steps.map(\.decoder)
            #expect(sizes[0] <= model.lookahead + StepSchedule.firstFrames)
            #expect(
                steps.allSatisfy {
                    $0.decoder <= model.largestStep.decoder && $0.flow <= model.largestStep.flow
                })
            #expect(zip(sizes.dropFirst(), sizes.dropFirst(2)).allSatisfy { $0 <= $1 })
            #expect(steps.last == StepSchedule.largest)
            var again = model.schedule
            #expect((0..<8).map { _ in again.nextStep() } == steps)
        }
    }
}
