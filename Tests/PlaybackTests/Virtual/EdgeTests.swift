import Glibc
import TestSupport
import Testing

@testable import Playback

@Suite("Edges, stops and faults in virtual time")
struct EdgeTests {
    private func sine(_ count: Int, rate: Int = 24_000) -> [Float] {
        (0..<count).map { Float(0.9 * sin(2 * Double.pi * 220 * Double($0) / Double(rate) + 0.4)) }
    }

    private func largestStep(_ samples: some Collection<Float>) -> Float {
        zip(samples, samples.dropFirst()).map { abs($1 - $0) }.max() ?? 0
    }

    @Test("No step at the edges of a gap is larger than the steps inside the audio")
    func gapEdges() throws {
        let source = sine(24_000)
        let inside = largestStep(source)
        for cut in stride(from: 3000, to: 12_000, by: 311) {
            let player = try VirtualPlayer()
            try player.start(.stream)
            try player.act { try $0.enqueueAudioChunk(Array(source[..<cut])) }
            player.run(until: 1)
            try player.act { try $0.enqueueAudioChunk(Array(source[cut...])) }
            player.act { $0.finish() }
            #expect(player.runToEnd())
            #expect(player.output.underrunCount == 1)
            let heard = [0] + player.sink.written + [0]
            // A raised cosine over 256 samples adds at most amplitude · π / 512 to a step.
            #expect(largestStep(heard) <= inside + 0.9 * Float.pi / 512)
            // The last audible sample before the gap and the first after it are next to nothing.
            #expect(player.sink.events.isEmpty)
        }
    }

    @Test("A device that takes whole periods, and tells of two at once: the tail before a gap comes in time")
    func coarseDevice() throws {
        let source = sine(24_000)
        let inside = largestStep(source)
        for cut in stride(from: 4000, to: 12_000, by: 41) {
            // A third of the queue.
            let quantum = cut % 2 == 0 ? 288 : 800
            let player = try VirtualPlayer(
                configuration: OutputConfiguration(deviceBuffer: Double(3 * quantum) / 24_000)
            ) { device in
                (device.quantum, device.quantaPerReport) = (quantum, 2)
                device.bufferSeconds = Double(6 * quantum) / 24_000
            }
            try player.start(.stream)
            try player.act { try $0.enqueueAudioChunk(Array(source[..<cut])) }
            player.run(until: 1)
            try player.act { try $0.enqueueAudioChunk(Array(source[cut...])) }
            player.act { $0.finish() }
            #expect(player.runToEnd())
            #expect(player.sink.events.allSatisfy { $0.kind != .dry }, "cut at \(cut)")
            #expect(player.output.underrunCount == 1, "cut at \(cut)")
            let heard = [0] + player.sink.written + [0]
            #expect(largestStep(heard) <= inside + 0.9 * Float.pi / 512, "cut at \(cut)")
        }
    }

    @Test("A stop of an output that keeps more queued takes longer, and fades out all the same")
    func stopWithLongQueue() throws {
        let source = sine(48_000)
        let player = try VirtualPlayer(configuration: OutputConfiguration(deviceBuffer: 0.1)) {
            $0.bufferSeconds = 0.2
        }
        try player.start(.stream)
        try player.act { try $0.enqueueAudioChunk(source) }
        player.run(until: 0.5)
        let asked = player.clock.nanoseconds
        player.act { $0.session?.stop() }
        #expect(player.runToEnd())
        #expect(player.sink.closeTime <= asked + 115_000_000)
        #expect(player.sink.written.suffix(player.sink.droppedSamples).allSatisfy { $0 == 0 })
        #expect(largestStep([0] + player.sink.written + [0]) <= largestStep(source) + 0.9 * Float.pi / 512)
    }

    @Test("A stop at any moment fades out, closes the device within 50 ms, and the next playback works")
    func stopAnywhere() throws {
        let source = sine(48_000)
        let inside = largestStep(source)
        for seed in UInt64(0)..<300 {
            var random = SeededGenerator(seed: seed)
            let player = try VirtualPlayer()
            let slow = seed % 3 == 0
            try player.start(.stream)
            var offset = 0
            let moment = Double.random(in: 0...1, using: &random)
            while player.now < moment, offset < source.count {
                let count = min(2400, source.count - offset)
                try player.act { try $0.enqueueAudioChunk(Array(source[offset..<offset + count])) }
                offset += count
                player.run(until: min(moment, player.now + (slow ? 0.2 : 0.04)))
            }
            if seed % 4 == 1 { player.act { $0.finish() } }
            if seed % 7 == 2 { player.act { $0.pause() } }
            let asked = player.clock.nanoseconds
            if !player.ended { player.act { $0.session?.stop() } }
            #expect(player.runToEnd(), "seed \(seed)")
            #expect(player.sink.closeTime <= asked + 51_000_000, "seed \(seed)")
            #expect(player.sink.closeCount == 1, "seed \(seed)")
            // What is thrown away with the device's queue is silence.
            let dropped = player.sink.written.suffix(player.sink.droppedSamples)
            #expect(dropped.allSatisfy { $0 == 0 }, "seed \(seed)")
            #expect(
                largestStep([0] + player.sink.written + [0]) <= inside + 0.9 * Float.pi / 512, "seed \(seed)")
            #expect(player.output.playbackState == .idle)
            #expect(throws: PlaybackError.notPlaying) { try player.output.enqueueAudioChunk([0.5]) }

            let before = player.sink.written.count
            try player.start(.stream)
            try player.act { try $0.enqueueAudioChunk(Array(source[..<4800])) }
            player.act { $0.finish() }
            #expect(player.runToEnd(), "seed \(seed)")
            #expect(player.sink.written.count == before + 4800, "seed \(seed)")
            #expect(player.sink.closeCount == 2, "seed \(seed)")
        }
    }

    @Test("A writer that comes too late is one underrun, and the audio after it fades in")
    func lateWriter() throws {
        let player = try VirtualPlayer()
        let source = distinctAudio(48_000)
        var turns = 0
        player.lateness = {
            turns += 1
            return turns == 40 || turns == 80 ? 200_000_000 : 0
        }
        try player.start(.stream)
        try player.act { try $0.enqueueAudioChunk(source) }
        player.act { $0.finish() }
        #expect(player.runToEnd())
        #expect(player.sink.events.filter { $0.kind == .dry }.count == 2)
        #expect(player.output.underrunCount == 2)
        #expect(player.heard(source).fault == nil)
        #expect(player.heard(source).matched == source.count)
        #expect(player.heard(source).stretches.count == 3)
    }

    @Test("A writer too late while nothing is queued: one gap, and the samples held back come after it")
    func lateWriterWithoutAudio() throws {
        let player = try VirtualPlayer()
        let source = distinctAudio(24_000)
        player.lateness = { 100_000_000 }
        try player.start(.stream)
        try player.act { try $0.enqueueAudioChunk(Array(source[..<6000])) }
        player.run(until: 1)
        player.lateness = { 0 }
        try player.act { try $0.enqueueAudioChunk(Array(source[6000...])) }
        player.act { $0.finish() }
        #expect(player.runToEnd())
        let heard = player.heard(source)
        #expect(heard.fault == nil)
        #expect(heard.matched == source.count)
        #expect(heard.gaps == player.output.underrunCount)
    }

    @Test("A machine that slept: the device resumes with its queue, or starts afresh with a fade-in")
    func suspended() throws {
        for recoveries in [[SinkRecovery.running], [.notYet, .notYet, .running], [.notYet, .ready], []] {
            let player = try VirtualPlayer()
            let source = distinctAudio(24_000)
            try player.start(.stream)
            try player.act { try $0.enqueueAudioChunk(source) }
            player.run(until: 0.3)
            player.sink.recoveries = recoveries
            player.sink.injected = Array(repeating: .suspended, count: max(1, recoveries.count))
            player.act { $0.finish() }
            #expect(player.runToEnd())
            #expect(player.output.failure == nil)
            #expect(player.heard(source).fault == nil)
            #expect(player.heard(source).matched == source.count)
            #expect(player.sink.closeCount == 1)
        }
    }

    @Test(
        "A device that goes away ends the playback with the reason, closed, and the output can be used again")
    func lost() throws {
        let player = try VirtualPlayer()
        try player.start(.stream)
        try player.act { try $0.enqueueAudioChunk(sine(24_000)) }
        player.run(until: 0.3)
        player.sink.injected = [.failed(.deviceLost(device: "hw:1"))]
        #expect(player.runToEnd())
        #expect(player.output.failure == .deviceLost(device: "hw:1"))
        #expect(player.sink.closeCount == 1)
        #expect(throws: PlaybackError.deviceLost(device: "hw:1")) {
            try player.output.enqueueAudioChunk([0.5])
        }
        #expect(player.output.playbackState == .idle)

        try player.start(.stream)
        #expect(player.output.failure == nil)
        try player.act { try $0.enqueueAudioChunk(sine(24_000)) }
        player.act { $0.finish() }
        #expect(player.runToEnd())
        #expect(player.output.failure == nil)
        #expect(player.sink.closeCount == 2)
    }

    @Test("A device that cannot be opened leaves nothing behind")
    func busy() throws {
        let player = try VirtualPlayer { $0.openError = .deviceBusy(device: "hw:0") }
        #expect(throws: PlaybackError.deviceBusy(device: "hw:0")) { try player.start(.stream) }
        #expect(player.sink.closeCount == 0)
        player.sink.openError = nil
        try player.start(.stream)
        #expect(throws: PlaybackError.alreadyPlaying) { try player.output.startPlayback() }
        player.act { $0.session?.stop() }
        #expect(player.ended)
        #expect(player.sink.closeCount == 1)
    }

    @Test("Volume glides: no step larger than the ramp's, and at 1 nothing is touched")
    func volume() throws {
        let player = try VirtualPlayer()
        let source = [Float](repeating: 0.8, count: 48_000)
        try player.start(.stream)
        try player.act { try $0.enqueueAudioChunk(source) }
        player.run(until: 0.5)
        player.output.volume = 0.25
        player.run(until: 1)
        player.output.volume = 7
        #expect(player.output.volume == 1)
        player.output.volume = .nan
        #expect(player.output.volume == 1)
        player.run(until: 1.5)
        player.act { $0.finish() }
        #expect(player.runToEnd())
        let written = player.sink.written
        #expect(written.count == source.count)
        #expect(written[10_000] == 0.8)
        #expect(written[20_000] == 0.2)
        #expect(written[40_000] == 0.8)
        #expect(largestStep(written[1000..<47_000]) <= 0.8 / 480 * 1.001)
    }

    @Test("The lead-in is silence before the first sample and counts as no audio")
    func leadIn() throws {
        let player = try VirtualPlayer(configuration: OutputConfiguration(leadIn: 0.25))
        let source = distinctAudio(12_000)
        try player.start(.stream)
        try player.act { try $0.enqueueAudioChunk(source) }
        player.run(until: 0.2)
        #expect(player.output.currentPlaybackTime == 0)
        #expect(player.output.timeToFirstSound == nil)
        player.act { $0.finish() }
        #expect(player.runToEnd())
        #expect(player.sink.written.prefix(6000).allSatisfy { $0 == 0 })
        #expect(player.heard(source).silence == 6000)
        #expect(player.heard(source).matched == source.count)
        #expect(player.output.underrunCount == 0)
        #expect(player.output.currentPlaybackTime == 0.5)
        let first = try #require(player.output.timeToFirstSound)
        #expect(abs(first - 0.25) < 1.0 / 24_000)
    }
    @Test("The lead-in comes again after a pause, as the device has been at rest")
    func leadInAfterPause() throws {
        let player = try VirtualPlayer(configuration: OutputConfiguration(leadIn: 0.25))
        let source = distinctAudio(24_000)
        try player.start(.stream)
        try player.act { try $0.enqueueAudioChunk(source) }
        player.run(until: 0.5)
        player.act { $0.pause() }
        player.run(until: 1)
        let before = player.sink.written.count
        player.act { $0.resume() }
        player.act { $0.finish() }
        #expect(player.runToEnd())
        #expect(player.sink.written[before..<before + 6000].allSatisfy { $0 == 0 })
        #expect(player.sink.written[before + 6000] != 0)
        #expect(player.heard(source).fault == nil)
        #expect(player.heard(source).matched == source.count)
    }
}
