import Tensor
import TestSupport
import Testing
import VITS

@Suite("A sentence")
struct SentenceTests {
    @Test("has as many samples as its durations say", arguments: GoldenFiles.voices)
    func length(voice: String) throws {
        let model = try LoadedVoices.model(voice)
        for ids in [[], [0], [1, 0, 45, 0, 2], Rendering.ids(12)] {
            for lengthScale: Float in [0.01, 1, 1.7] {
                let rendering = Rendering(
                    model: model, request: SentenceRequest(ids: ids, lengthScale: lengthScale))
                let (plan, _) = try rendering.plan()
                #expect(plan.durations.count == ids.count)
                #expect(plan.frames == max(1, plan.durations.reduce(0, +)))
                let audio = try rendering.audio(.scheduled)
                #expect(audio.count == plan.frames * model.hop)
                #expect(audio.allSatisfy { abs($0) <= 1 })
            }
        }
    }

    @Test("has the hop and the shape of its voice")
    func shapes() throws {
        let expected: [(name: String, hop: Int, speakers: Int, symbols: Int, latent: Int, isStochastic: Bool)] = [
            ("hop512", 512, 1, 256, 8, true), ("one-coupling-multi", 30, 3, 256, 8, true),
            ("plain", 256, 1, 256, 8, false),
            ("plain-multi", 256, 3, 256, 8, false), ("symbols130", 256, 1, 130, 8, true),
            ("multi-resblock1", 32, 7, 256, 8, true), ("odd-channels", 256, 1, 256, 10, true),
            ("tiny-multispeaker", 256, 5, 256, 16, true), ("joe", 256, 1, 256, 192, true),
        ]
        for voice in expected {
            let model = try LoadedVoices.model(voice.name)
            #expect(model.hop == voice.hop)
            #expect(model.speakers == voice.speakers)
            #expect(model.symbols == voice.symbols)
            #expect(model.latentChannels == voice.latent)
            #expect(model.hasStochasticDurations == voice.isStochastic)
        }
    }

    @Test(
        "is the same for the same seed, and another for another",
        arguments: ["tiny-medium", "multi-resblock1", "plain"])
    func seeds(voice: String) throws {
        let model = try LoadedVoices.model(voice)
        var rendering = Rendering(model: model, request: SentenceRequest(ids: Rendering.ids(11)), seed: 1)
        let first = try rendering.audio(.scheduled)
        #expect(try rendering.audio(.scheduled).hasSameBits(as: first))
        rendering.seed = 2
        #expect(try !rendering.audio(.scheduled).hasSameBits(as: first))
        rendering.seed = 1
        rendering.sentence = 1
        #expect(try !rendering.audio(.scheduled).hasSameBits(as: first))
        // Without noise no seed matters.
        rendering.request.noiseScale = 0
        rendering.request.noiseWidth = 0
        let still = try rendering.audio(.scheduled)
        rendering.seed = 99
        #expect(try rendering.audio(.scheduled).hasSameBits(as: still))
    }

    @Test(
        "sounds different from each speaker",
        arguments: ["tiny-multispeaker", "multi-resblock1", "plain-multi", "mean-and-logs"])
    func speakers(voice: String) throws {
        let model = try LoadedVoices.model(voice)
        var heard: [[Float]] = []
        for speaker in 0..<model.speakers {
            let rendering = Rendering(
                model: model,
                request: SentenceRequest(
                    ids: Rendering.ids(9), speaker: speaker, noiseScale: 0, noiseWidth: 0))
            let audio = try rendering.audio(.scheduled)
            #expect(!heard.contains(audio), "speaker \(speaker)")
            heard.append(audio)
        }
    }

    @Test("gets longer with its length scale, by about as much")
    func lengthScale() throws {
        let model = try LoadedVoices.model("tiny-medium")
        func frames(_ scale: Float) throws -> Int {
            try Rendering(model: model, request: SentenceRequest(ids: Rendering.ids(60), lengthScale: scale))
                .plan().0.frames
        }
        let (one, four) = (try frames(1), try frames(4))
        // The ceiling of each duration adds at most one frame an id.
        #expect(four <= 4 * one && four >= 4 * (one - 60))
    }

    @Test("with ids outside the voice's is refused, naming the id")
    func badIds() throws {
        let model = try LoadedVoices.model("symbols130")
        for id in [-1, 130, .max, .min] {
            #expect(throws: VITSError.idOutOfRange(id: id, symbols: 130)) {
                try Rendering(model: model, request: SentenceRequest(ids: [1, 0, id, 2])).plan()
            }
        }
        _ = try Rendering(model: model, request: SentenceRequest(ids: [0, 129])).plan()
    }

    @Test("of a speaker that the voice has not is refused")
    func badSpeaker() throws {
        for (voice, speakers) in [("plain", 1), ("plain-multi", 3)] {
            let model = try LoadedVoices.model(voice)
            for speaker in [-1, speakers, .max, .min] {
                #expect(throws: VITSError.speakerOutOfRange(speaker: speaker, speakers: speakers)) {
                    try Rendering(model: model, request: SentenceRequest(ids: [0], speaker: speaker)).plan()
                }
            }
        }
    }

    @Test("with a scale that is no finite number in its range is refused, naming the scale")
    func badScales() throws {
        let model = try LoadedVoices.model("plain")
        func check(_ name: String, _ values: [Float], _ change: (inout SentenceRequest, Float) -> Void) {
            for value in values {
                var request = SentenceRequest(ids: [1, 0, 2])
                change(&request, value)
                do {
                    _ = try Rendering(model: model, request: request).plan()
                    Issue.record("\(name) \(value) was taken")
                } catch {
                    #expect("\(error)".contains(name) && "\(error)".contains("\(value)"))
                }
            }
        }
        check("length scale", [0, -0.0, -1, .nan, .infinity, -.infinity]) { $0.lengthScale = $1 }
        check("noise scale", [-0.1, .nan, .infinity]) { $0.noiseScale = $1 }
        check("noise width", [-0.1, .nan, .infinity]) { $0.noiseWidth = $1 }
    }

    @Test("that would be too long is refused before anything is made")
    func tooLong() throws {
        let model = try LoadedVoices.model("plain")
        let ids = [Int](repeating: 0, count: VITSModel.maximumIds + 1)
        #expect(throws: VITSError.tooLong(what: "phoneme ids", count: ids.count, limit: VITSModel.maximumIds)) {
            try Rendering(model: model, request: SentenceRequest(ids: ids)).plan()
        }
        for scale: Float in [1e6, 1e30, .greatestFiniteMagnitude] {
            do {
                _ = try Rendering(
                    model: model, request: SentenceRequest(ids: Rendering.ids(40), lengthScale: scale)
                ).plan()
                Issue.record("length scale \(scale) was taken")
            } catch VITSError.tooLong(let what, let count, let limit) {
                #expect(what == "frames" && count > limit)
            }
        }
        // The smallest scale there is makes the shortest sentence: every duration is rounded up.
        let (plan, _) = try Rendering(
            model: model, request: SentenceRequest(ids: [1, 0, 2], lengthScale: .leastNonzeroMagnitude)
        ).plan()
        #expect(plan.frames <= 3)
    }

    @Test("with noise beyond all measure stays within −1 ... 1")
    func loudNoise() throws {
        let model = try LoadedVoices.model("mean-and-logs")
        for scale: Float in [1e6, 1e20, .greatestFiniteMagnitude] {
            let request = SentenceRequest(ids: Rendering.ids(5), noiseScale: scale)
            let audio = try Rendering(model: model, request: request).audio(.scheduled)
            #expect(audio.allSatisfy { abs($0) <= 1 }, "noise scale \(scale)")
        }
    }
}
