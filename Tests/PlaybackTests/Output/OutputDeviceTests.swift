import Testing

@testable import Playback

@Suite("The device of an output")
struct OutputDeviceTests {
    @Test("It can be asked for and changed; what plays goes on where it is, and the next start plays to the new one")
    func changes() throws {
        let clock = VirtualClock()
        let (first, second) = (VirtualSink(clock: clock), VirtualSink(clock: clock))
        let output = AudioOutput(
            sink: first, device: OutputDevice("one"), clock: clock, configuration: OutputConfiguration(),
            hasThread: false, makeSink: { _ in second })
        #expect(output.device?.name == "one")
        try output.startPlayback(strategy: .stream)
        output.device = OutputDevice("two")
        output.device = nil
        #expect(output.device?.name == "two")
        #expect(first.openCount == 1 && second.openCount == 0)
        try output.enqueueAudioChunk(distinctAudio(4800))
        _ = output.session?.turn()
        #expect(!first.written.isEmpty && second.written.isEmpty)
        output.session?.stop()
        for _ in 0..<200 where output.playbackState != .idle {
            clock.move(to: clock.nanoseconds + 5_000_000)
            _ = output.session?.turn()
        }
        #expect(first.closeCount == 1)
        try output.startPlayback(strategy: .stream)
        #expect(first.openCount == 1 && second.openCount == 1)
    }

    @Test("An output has the device it was made with, the default one unless told, and none with a sink of its own")
    func initial() {
        #expect(AudioOutput().device == .default)
        #expect(AudioOutput(device: OutputDevice("hw:7")).device == OutputDevice("hw:7"))
        #expect(AudioOutput(sink: NullSink()).device == nil)
    }
}
