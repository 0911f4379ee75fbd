import Synchronization
import Testing

@testable import Playback

@Suite("The moment at which sound may start")
struct GateTests {
    /// Moves on by a nanosecond whenever it is read.
    private final class TickingClock: PlaybackClock {
        private let time = Atomic<UInt64>(1_000_000_000)
        var nanoseconds: UInt64 { time.add(1, ordering: .relaxed).oldValue }
    }

    @Test("However the writer's readings of the clock fall about that moment, it starts or says when it will")
    func readings() throws {
        var starts = 0
        for offset in UInt64(0)..<16 {
            let clock = TickingClock()
            let sink = NullSink()
            let format = try sink.open(sampleRate: 24_000, bufferSeconds: 0.036)
            let plan = WriterPlan(format: format, bufferSeconds: 0.036, leadInSeconds: 0)
            let controls = WriterControls()
            let queue = SampleQueue()
            let samples = [Float](repeating: 0.5, count: 2 * plan.reserve)
            let isQueued = queue.append(samples.span)
            #expect(isQueued)
            let writer = DeviceWriter(controls: controls, queue: queue, sink: sink, clock: clock, plan: plan)
            controls.gateTime.store(clock.nanoseconds + offset, ordering: .releasing)
            #expect(writer.turn() != .whenWoken, "\(offset) readings before the moment")
            if writer.mode == .playing { starts += 1 }
        }
        #expect((1..<16).contains(starts))
    }
}
