import Synchronization
import Tensor
import TestSupport
import Testing

@testable import VITS

@Suite("Making a plan's weights")
struct WeightPreparationTests {
    private static let request = SentenceRequest(ids: Rendering.ids(KernelPlan.shortSentence + 3), lengthScale: 0.3)

    @Test("that is cancelled on the way leaves the rest to the next sentence, which is what it ever was")
    func cancelled() throws {
        let name = "tiny-high"
        let whole = try Rendering(
            model: try EditedVoice(name).load(), request: Self.request, seed: 4
        ).audio(.scheduled)
        for after in [0, 1, 5, 30] {
            let model = try EditedVoice(name).load()
            let asked = Atomic<Int>(0)
            let kernels = model.kernelPlan(ids: Self.request.ids.count)
            model.weightPreparation.make(kernels, of: model, workers: WorkerPool(threads: 2)) {
                asked.add(1, ordering: .relaxed).newValue > after
            }
            let asks = asked.load(ordering: .relaxed)
            #expect(asks > 30, "every layer asks")
            #expect(
                try Rendering(model: model, request: Self.request, seed: 4).audio(.scheduled).hasSameBits(as: whole))
        }
    }

    @Test("is done once: a second sentence of the plan asks for no layer")
    func once() throws {
        let model = try EditedVoice("tiny-medium").load()
        let kernels = model.kernelPlan(ids: 9)
        for isFirst in [true, false] {
            let asked = Atomic<Int>(0)
            model.weightPreparation.make(kernels, of: model, workers: .alone) {
                asked.add(1, ordering: .relaxed)
                return false
            }
            #expect((asked.load(ordering: .relaxed) > 0) == isFirst)
        }
    }
}

@Suite("A schedule of steps")
struct StepScheduleTests {
    @Test("hurries the first sound and then doubles; where all is wanted every step is large")
    func sizes() {
        var heard = StepSchedule(lookahead: 19)
        #expect(heard.firstSound == 8)
        #expect((0..<7).map { _ in heard.nextStep() } == [27, 16, 32, 64, 128, 128, 128])
        var all = StepSchedule(lookahead: 19, wantsAll: true)
        #expect(all.firstSound == 109)
        #expect((0..<3).map { _ in all.nextStep() } == [128, 128, 128])
        var farSeeing = StepSchedule(lookahead: 500, wantsAll: true)
        #expect(farSeeing.firstSound == 8)
        #expect((0..<3).map { _ in farSeeing.nextStep() } == [508, 128, 128])
    }
}
