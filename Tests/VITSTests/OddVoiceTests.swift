import Glibc
import Tensor
import TestSupport
import Testing

@testable import VITS

@Suite("A voice file that is unlike Piper's")
struct OddVoiceTests {
    /// Whole tiles of such a convolution would hold back thousands of frames.
    @Test("in that the decoder's first convolution is dilated speaks as in the plain form, at once")
    func dilatedStart() throws {
        for dilation in [2, 40, 300] {
            var voice = try EditedVoice("tiny-medium")
            voice.setAttribute("dilations", of: "/dec/conv_pre/Conv", to: [dilation])
            voice.setAttribute("pads", of: "/dec/conv_pre/Conv", to: [3 * dilation, 3 * dilation])
            let model = try voice.load()
            let request = SentenceRequest(ids: Rendering.ids(KernelPlan.shortSentence + 40))
            let rendering = Rendering(model: model, request: request, seed: 3)
            let whole = try rendering.audio(.all)
            #expect(try rendering.audio(.scheduled).hasSameBits(as: whole))
            let stream = try rendering.stream()
            let frames = try rendering.plan().0.frames
            var (audio, schedule, taken): ([Float], StepSchedule, Int) = ([], model.schedule, 0)
            while !stream.isFinished, taken < frames {
                let step = schedule.nextStep()
                taken += step
                stream.step(step, into: &audio)
                // No more is held back than the look-ahead and some tiles.
                #expect(audio.count >= (min(taken, frames) - model.lookahead - 128) * model.hop)
            }
        }
    }

    /// More passes of the flow come before the first sound than may wait between two couplings.
    @Test("in that its flow looks far ahead speaks as in the plain form, in any steps on any number of threads")
    func farSeeingFlow() throws {
        var voice = try EditedVoice("tiny-medium")
        voice.setAttribute("dilations", of: "/flow/flows.0/enc/in_layers.0/Conv", to: [300])
        voice.setAttribute("pads", of: "/flow/flows.0/enc/in_layers.0/Conv", to: [600, 600])
        let (kept, once, plain) = (try voice.load(), try voice.load(.once), try voice.load(.plain))
        #expect(kept.flowLookahead >= 600)
        for count in [9, KernelPlan.shortSentence + 3] {
            var request = SentenceRequest(ids: Rendering.ids(count))
            let durations = try Rendering(model: plain, request: request, seed: 3).plan().0.logDurations
            request.lengthScale = 700 / durations.reduce(0) { $0 + exp($1) }
            let expected = try Rendering(model: plain, request: request, seed: 3).audio(.all)
            for (model, threads) in [(kept, 1), (once, 1), (once, 2), (kept, 3)] {
                var rendering = Rendering(model: model, request: request, seed: 3)
                rendering.workers = WorkerPool(threads: threads)
                for wantsAll in [false, true] {
                    let audio = try rendering.audio(.scheduled, wantsAll: wantsAll)
                    #expect(maximumDifference(audio, expected) <= 1e-3, "\(count) ids, \(threads) threads")
                }
            }
        }
        let cut = Rendering(model: once, request: SentenceRequest(ids: Rendering.ids(9)), seed: 3)
        let whole = try cut.audio(.all)
        #expect(maximumDifference(try cut.audio(.each(1), cutsFlow: true), whole) <= 1e-3)
    }

    /// Whoever takes hop a frame for the end waits for ever, or loses it.
    @Test("in that an upsampler's padding is not Piper's gives as many samples as it says, and ends")
    func oddUpsampler() throws {
        for (stride, pads) in [(2, 2), (4, 0), (5, 1)] {
            var voice = try EditedVoice("tiny-low-16k")
            voice.setAttribute("strides", of: "/dec/ups.2/ConvTranspose", to: [stride])
            voice.setAttribute("pads", of: "/dec/ups.2/ConvTranspose", to: [pads, pads])
            let model = try voice.load()
            let rendering = Rendering(model: model, request: SentenceRequest(ids: Rendering.ids(9)), seed: 4)
            let frames = try rendering.plan().0.frames
            #expect(model.samples(frames: frames) != frames * model.hop)
            #expect(try rendering.audio(.scheduled).count == model.samples(frames: frames))
        }
    }

    /// All branches would end a tile together after millions of rows, which the fused kernel would keep.
    @Test("in that dilations have no common measure speaks, layer by layer")
    func oddDilations() throws {
        var voice = try EditedVoice("tiny-medium")
        for (block, dilation, span) in [(0, 509, 1018), (1, 257, 1028), (2, 167, 1002)] {
            let node = "/dec/resblocks.\(block)/convs.1/Conv"
            voice.setAttribute("dilations", of: node, to: [dilation])
            voice.setAttribute("pads", of: node, to: [span / 2, span / 2])
        }
        try HostileVoice.exercise(voice.load())
    }

    @Test(
        "with any slope in front of its last layer is the plain form within 1e-4",
        arguments: [0.01, 1, -0.5, 1.5] as [Float])
    func slopes(slope: Float) throws {
        var voice = try EditedVoice("tiny-medium")
        voice.setAttribute("alpha", of: "/dec/LeakyRelu_3", float: slope)
        let request = SentenceRequest(ids: Rendering.ids(5))
        let fast = try Rendering(model: voice.load(), request: request).audio(.scheduled)
        let plain = try Rendering(model: voice.load(.plain), request: request).audio(.scheduled)
        #expect(maximumDifference(fast, plain) <= 1e-4)
    }
}
