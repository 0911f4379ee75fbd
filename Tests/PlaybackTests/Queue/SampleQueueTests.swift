import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Playback

@Suite("Sample queue")
struct SampleQueueTests {
    private func take(_ queue: SampleQueue, _ count: Int) -> [Float] {
        [Float](unsafeUninitializedCapacity: count) { buffer, moved in
            buffer.initialize(repeating: 0)
            moved = queue.take(into: buffer)
        }
    }

    @Test("What goes in comes out in order, for chunks around the length of a segment")
    func order() {
        let queue = SampleQueue()
        var random = SeededGenerator(seed: 3)
        var written = 0
        var read = 0
        for _ in 0..<2000 {
            let count = [0, 1, 100, 16_383, 16_384, 16_385, 40_000].randomElement(using: &random) ?? 1
            let chunk = (written..<written + count).map { Float($0 % 100_003) }
            let fits = queue.append(chunk.span)
            #expect(fits)
            written += count
            #expect(queue.count == written - read)
            let wanted = Int.random(in: 0...50_000, using: &random)
            let samples = take(queue, wanted)
            #expect(samples.count == min(wanted, written - read))
            #expect(samples == (read..<read + samples.count).map { Float($0 % 100_003) })
            read += samples.count
        }
    }

    @Test("A producer and a consumer on two threads: every sample once, in order")
    func threads() async {
        let queue = SampleQueue()
        let total = 4_000_000
        async let producer: Void = onThread {
            var random = SeededGenerator(seed: 11)
            var written = 0
            while written < total {
                let count = min(total - written, Int.random(in: 1...5000, using: &random))
                _ = queue.append((written..<written + count).map { Float($0 & 0xFFFFF) }.span)
                written += count
                if queue.count > 200_000 { sched_yield() }
            }
        }
        let faults = await onThread {
            let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: 777)
            buffer.initialize(repeating: 0)
            defer { buffer.deallocate() }
            var read = 0
            var faults = 0
            while read < total {
                let count = queue.take(into: buffer)
                for index in 0..<count where buffer[index] != Float((read + index) & 0xFFFFF) { faults += 1 }
                read += count
                if count == 0 { sched_yield() }
            }
            return faults
        }
        await producer
        #expect(faults == 0)
        #expect(queue.count == 0)
    }
}
