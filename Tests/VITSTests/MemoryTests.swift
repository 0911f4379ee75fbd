import Foundation
import Tensor
import TestSupport
import Testing
import VITS

/// In a process of their own: what is counted is the whole process's heap.
@Suite("Memory does not grow with the length of a sentence")
struct MemoryTests {
    /// Heap in use after each of some hundred steps of a piece, the samples thrown away. The
    /// windows reach their size in the first steps: the stages give whole tiles of all branches, 18
    /// frames at the first stage, so what 16 frames set free varies, and its largest was seen in step 39.
    /// After that the count may not change but for what malloc's own caches of small blocks hold back.
    @Test("steps of a long sentence leave the heap as it was")
    func steps() async {
        await #expect(processExitsWith: .success) {
            for threads in 1...2 {
                let model = try VITSModel(contentsOf: GoldenFiles.voice("tiny-medium"))
                let stream = try Rendering(
                    model: model, request: SentenceRequest(ids: Rendering.ids(400), lengthScale: 40),
                    workers: WorkerPool(threads: threads)
                ).stream(largestStep: 16, passes: PieceSizes(each: 16))
                var audio: [Float] = []
                audio.reserveCapacity(64 * 16 * model.hop)
                func run(_ steps: Int) {
                    for _ in 0..<steps {
                        audio.removeAll(keepingCapacity: true)
                        stream.step(16, into: &audio)
                    }
                }
                run(100)
                let before = try #require(heapBytesInUse())
                run(50)
                let middle = try #require(heapBytesInUse())
                run(150)
                let after = try #require(heapBytesInUse())
                #expect(!stream.isFinished, "the sentence is too short for this test")
                #expect(abs(middle - before) <= 4096, "\(before) bytes, then \(middle)")
                #expect(abs(after - middle) <= 4096, "\(middle) bytes, then \(after)")
            }
        }
    }

    @Test("a stream of a sentence ten times as long takes no more")
    func streams() async {
        await #expect(processExitsWith: .success) {
            let model = try VITSModel(contentsOf: GoldenFiles.voice("tiny-medium"))
            func use(_ lengthScale: Float) throws -> Int {
                let (plan, generator) = try Rendering(
                    model: model, request: SentenceRequest(ids: Rendering.ids(60), lengthScale: lengthScale)
                ).plan()
                var noise = generator
                let workers = WorkerPool(threads: 1)
                let before = try #require(heapBytesInUse())
                let stream = SentenceStream(
                    model, plan: plan, largestStep: model.largestStep, workers: workers
                ) {
                    noise.next()
                }
                var audio: [Float] = []
                audio.reserveCapacity(2 * model.largestStep * model.hop)
                let reserved = audio.capacity * MemoryLayout<Float>.stride
                for _ in 0..<4 {
                    audio.removeAll(keepingCapacity: true)
                    stream.step(model.largestStep, into: &audio)
                }
                #expect(!stream.isFinished)
                return try #require(heapBytesInUse()) - before - reserved
            }
            _ = try use(4)
            let (short, long) = (try use(4), try use(40))
            #expect(short > 100_000, "\(short) bytes: this measures nothing")
            #expect(long <= short + 4096, "\(short) bytes, and \(long)")
        }
    }

    @Test("the measure sees what is allocated, small and large, and what is freed")
    func measure() async {
        await #expect(processExitsWith: .success) {
            for floats in [25_000, 2_500_000] {
                let before = try #require(heapBytesInUse())
                let buffer = AlignedBuffer(count: floats)
                let during = try #require(heapBytesInUse())
                // Large ones are put on borders of 2 MB, and rounded up to them.
                let rounding = floats < 1 << 20 ? 8192 : 4 << 20
                #expect(
                    (4 * floats - 8192...4 * floats + rounding).contains(during - before),
                    "\(during - before) bytes")
                #expect(buffer.array.count == floats)
            }
            let before = try #require(heapBytesInUse())
            for _ in 0..<100 { #expect(AlignedBuffer(count: 100_000).count == 100_000) }
            let after = try #require(heapBytesInUse())
            #expect(abs(after - before) <= 4096)
        }
    }
}
