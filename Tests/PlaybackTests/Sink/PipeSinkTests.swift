import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Playback

@Suite("Pipe and null sinks")
struct PipeSinkTests {
    private func makePipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    /// More float32 samples than the pipe takes, by as many as the sink holds besides: a write of 36 ms takes a page.
    private func fillingAudio(_ descriptor: Int32) -> [Float] {
        // F_GETPIPE_SZ of <fcntl.h>, which Swift does not see.
        distinctAudio(Int(fcntl(descriptor, 1032)) / 4096 * 864 + 500)
    }

    /// Waits until all but what the sink itself still holds has gone into the pipe; or for long enough.
    private func waitForTheEnd(_ output: AudioOutput) async throws {
        for _ in 0..<1000 where output.playbackState != .ending { try await Task.sleep(nanoseconds: 1_000_000) }
    }

    /// Reads to the end of the pipe, slowly if asked.
    private static func readAll(_ descriptor: Int32, pause: UInt32 = 0) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 5001)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count <= 0 { return bytes }
            bytes += chunk[..<count]
            if pause > 0 { usleep(pause) }
        }
    }

    @Test(
        "A reader of the pipe gets every sample, though it is slow and generation stalls",
        arguments: [0, 2000])
    func everySample(pause: UInt32) async throws {
        let ends = try makePipe()
        async let reader = onThread { Self.readAll(ends.read, pause: pause) }
        let output = AudioOutput(
            sink: PipeSink(descriptor: ends.write, encoding: .float32, closesDescriptor: true))
        try output.startPlayback(strategy: .stream)
        let source = distinctAudio(100_000)
        for start in stride(from: 0, to: source.count, by: 10_000) {
            try output.enqueueAudioChunk(Array(source[start..<start + 10_000]))
            if start == 50_000 { try await Task.sleep(nanoseconds: 50_000_000) }
        }
        await output.stopPlayback()
        let bytes = await reader
        close(ends.read)
        let samples = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        let heard = Heard(samples, source: source, breaks: [], fade: 256)
        #expect(heard.fault == nil)
        #expect(heard.matched == source.count)
        #expect(heard.silence == 0 && heard.stretches.count == 1)
        #expect(output.underrunCount == 0)
        #expect(output.failure == nil)
    }

    @Test("A reader that goes away ends the playback with brokenPipe, not the program with SIGPIPE")
    func brokenPipe() async throws {
        let ends = try makePipe()
        close(ends.read)
        let output = AudioOutput(sink: PipeSink(descriptor: ends.write, closesDescriptor: true))
        try output.startPlayback(strategy: .stream)
        try output.enqueueAudioChunk([Float](repeating: 0.1, count: 50_000))
        await output.stopPlayback()
        #expect(output.failure == .brokenPipe)
        #expect(throws: PlaybackError.brokenPipe) { try output.enqueueAudioChunk([0.1]) }
    }

    @Test("The last bytes wait in the sink for the reader, which is told; the drain itself does not wait")
    func tail() throws {
        let ends = try makePipe()
        let sink = PipeSink(descriptor: ends.write, encoding: .float32)
        _ = try sink.open(sampleRate: 24_000, bufferSeconds: 0.036)
        let source = distinctAudio(100_000)
        guard case .accepted(let accepted) = sink.write(source.span) else {
            Issue.record("an open pipe takes samples")
            return
        }
        // More than a pipe holds by itself: it holds whole pages.
        #expect(accepted > 1024 && accepted < source.count)
        sink.beginDrain()
        #expect(sink.status() == .running(buffered: 1024, delay: 1024))
        var bytes = [UInt8](repeating: 0, count: 4 * accepted)
        var count = read(ends.read, &bytes, 8192)
        #expect(count == 8192)
        #expect(sink.status() == .running(buffered: 0, delay: 0))
        while count < bytes.count {
            let more = bytes.withUnsafeMutableBytes { read(ends.read, $0.baseAddress! + count, $0.count - count) }
            try #require(more > 0)
            count += more
        }
        #expect(bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) } == Array(source[..<accepted]))
        close(ends.write)
        close(ends.read)
    }

    @Test("A reader that pauses before the end for longer than a second gets the end all the same")
    func latePause() async throws {
        let ends = try makePipe()
        let output = AudioOutput(
            sink: PipeSink(descriptor: ends.write, encoding: .float32, closesDescriptor: true))
        let source = fillingAudio(ends.write)
        try output.startPlayback(strategy: .generateFirst)
        try output.enqueueAudioChunk(source)
        output.finish()
        try await waitForTheEnd(output)
        try await Task.sleep(nanoseconds: 1_500_000_000)
        #expect(output.playbackState != .idle)
        async let reader = onThread { Self.readAll(ends.read) }
        await output.stopPlayback()
        let samples = await reader.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        close(ends.read)
        #expect(output.failure == nil)
        #expect(samples.count == source.count && samples[256..<samples.count - 256] == source[256..<source.count - 256])
        #expect(output.currentPlaybackTime == Double(source.count) / 24_000)
    }

    @Test("At the end, too, a stop does not wait for a reader that does not read, and one that goes away is told of")
    func stuckEnd() async throws {
        for goesAway in [false, true] {
            let ends = try makePipe()
            let output = AudioOutput(sink: PipeSink(descriptor: ends.write, encoding: .float32, closesDescriptor: true))
            try output.startPlayback(strategy: .generateFirst)
            let source = fillingAudio(ends.write)
            try output.enqueueAudioChunk(source)
            output.finish()
            try await waitForTheEnd(output)
            if goesAway {
                close(ends.read)
                await output.stopPlayback()
                #expect(output.failure == .brokenPipe)
            } else {
                await output.stopPlayback(waitForCompletion: false)
                close(ends.read)
                #expect(output.failure == nil)
                #expect(output.currentPlaybackTime < Double(source.count) / 24_000)
            }
            #expect(output.playbackState == .idle)
        }
    }

    @Test("A stop does not wait for a reader that does not read")
    func stuckReader() async throws {
        let ends = try makePipe()
        let output = AudioOutput(sink: PipeSink(descriptor: ends.write, closesDescriptor: true))
        try output.startPlayback(strategy: .stream)
        try output.enqueueAudioChunk([Float](repeating: 0.1, count: 500_000))
        await output.stopPlayback(waitForCompletion: false)
        #expect(output.playbackState == .idle)
        close(ends.read)
    }

    @Test("int16 samples are rounded and clamped")
    func int16() async throws {
        let ends = try makePipe()
        let output = AudioOutput(sink: PipeSink(descriptor: ends.write, closesDescriptor: true))
        try output.startPlayback(strategy: .generateFirst)
        try output.enqueueAudioChunk([Float](repeating: 0.25, count: 600) + [Float](repeating: 3, count: 600))
        await output.stopPlayback()
        let bytes = Self.readAll(ends.read)
        close(ends.read)
        let samples = bytes.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
        #expect(samples.count == 1200)
        #expect(samples[300] == 8192 && samples[700] == 32_767)
    }

    @Test("The null sink plays at its rate, to the frame, whatever the moments at which it is asked")
    func nullSink() throws {
        let clock = VirtualClock()
        let sink = NullSink(clock: clock, bufferFrames: 50_000)
        _ = try sink.open(sampleRate: 22_050, bufferSeconds: 0.036)
        let samples = [Float](repeating: 0, count: 44_100)
        #expect(sink.write(samples.span) == .accepted(44_100))
        #expect(sink.start() == nil)
        var random = SeededGenerator(seed: 5)
        let begin = clock.nanoseconds
        while clock.nanoseconds < begin + 1_900_000_000 {
            clock.move(to: clock.nanoseconds + UInt64.random(in: 1...3_000_000, using: &random))
            let played = (clock.nanoseconds - begin) * 22_050 / 1_000_000_000
            #expect(sink.status() == .running(buffered: 44_100 - Int(played), delay: 44_100 - Int(played)))
        }
        clock.move(to: begin + 2_000_000_000)
        #expect(sink.status() == .fault(.ranDry))
    }
}
