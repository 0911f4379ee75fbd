import TestSupport
import Testing

@testable import Playback

/// A random producer whose underruns are known beforehand.
private struct Schedule {
    var sampleRate: Int
    var chunks: [(time: Double, samples: Int)] = []
    var underruns = 0
    var finish: Double = 0

    /// Chunks come either while enough is queued, or after everything has been heard: 60 ms is more than the
    /// writer's reserve of 35 ms, and 60 ms after the end is more than the 24 ms of silence it keeps queued.
    init(seed: UInt64, rates: [Int]) {
        var random = SeededGenerator(seed: seed)
        sampleRate = rates.randomElement(using: &random) ?? 24_000
        let chances: [Double] = [0, 0.1, 0.3]
        let stallChance = chances[Int.random(in: 0..<3, using: &random)]
        var time = Double.random(in: 0.01...0.3, using: &random)
        var soundEnds = time
        for index in 0..<Int.random(in: 1...10, using: &random) {
            if index > 0 {
                let lead = soundEnds - time
                if Double.random(in: 0..<1, using: &random) < stallChance {
                    time = soundEnds + Double.random(in: 0.06...0.4, using: &random)
                    soundEnds = time
                    underruns += 1
                } else {
                    time += Double.random(in: 0...1, using: &random) * (lead - 0.06)
                }
            }
            let seconds = Double.random(in: 0.07...0.3, using: &random)
            let samples = Int(seconds * Double(sampleRate))
            chunks.append((time, samples))
            soundEnds += Double(samples) / Double(sampleRate)
        }
        finish = time + Double.random(in: 0...0.2, using: &random)
    }

    var total: Int { chunks.reduce(0) { $0 + $1.samples } }
}

@Suite("Random schedules in virtual time")
struct ScheduleTests {
    /// 8 000 here, 1 000 with a device at another rate, 1 000 with pauses: 10 000 in all.
    @Test(
        "Nothing is lost or doubled, fades touch edges alone, and exactly the injected underruns are counted",
        arguments: 0..<8)
    func everySampleOnce(block: Int) throws {
        let source = distinctAudio(24_000 * 4)
        for seed in UInt64(block * 1000)..<UInt64(block * 1000 + 1000) {
            let schedule = Schedule(seed: seed, rates: [8_000, 16_000, 22_050, 24_000])
            let player = try VirtualPlayer(sampleRate: schedule.sampleRate) { sink in
                if seed % 3 == 1 { sink.writeLimit = 1 + Int(seed % 200) }
                if seed % 5 == 1 { sink.extraDelay = 1000 }
            }
            var random = SeededGenerator(seed: seed ^ 0xABCD)
            player.lateness = { UInt64.random(in: 0...6_000_000, using: &random) }
            try play(schedule, on: player, source: source)

            let audio = Array(source[..<schedule.total])
            let heard = Heard(
                player.sink.written, source: audio, breaks: player.sink.events.map(\.position),
                fade: EdgeFade.length(sampleRate: schedule.sampleRate))
            #expect(heard.fault == nil, "seed \(seed)")
            #expect(heard.matched == schedule.total, "seed \(seed)")
            #expect(heard.gaps == schedule.underruns, "seed \(seed)")
            #expect(player.output.underrunCount == schedule.underruns, "seed \(seed)")
            // One fade at each edge, of the full length, and nothing else touched.
            let fade = EdgeFade.length(sampleRate: schedule.sampleRate)
            #expect(heard.touched <= 2 * fade * heard.stretches.count, "seed \(seed)")
            #expect(heard.touched >= (2 * fade - 4) * heard.stretches.count, "seed \(seed)")
            #expect(player.sink.openCount == 1 && player.sink.closeCount == 1, "seed \(seed)")
        }
    }

    @Test(
        "At another rate the device gets the offline conversion of the source, and gaps stay where they were")
    func resampled() throws {
        for seed in UInt64(20_000)..<21_000 {
            var schedule = Schedule(seed: seed, rates: [16_000, 22_050])
            // What the converter keeps back comes with the end, so the end must come before the queue is empty.
            schedule.finish = schedule.chunks.last?.time ?? 0
            let player = try VirtualPlayer(sampleRate: schedule.sampleRate) { $0.deviceRate = 48_000 }
            let source = (0..<schedule.total).map { 0.5 + 0.1 * Float($0 % 7) }
            try play(schedule, on: player, source: source)
            let converted = try resample(source, from: schedule.sampleRate, to: 48_000)
            let heard = Heard(
                player.sink.written, source: converted, breaks: player.sink.events.map(\.position),
                fade: EdgeFade.length(sampleRate: 48_000))
            #expect(heard.fault == nil, "seed \(seed)")
            #expect(heard.matched == converted.count, "seed \(seed)")
            #expect(player.output.underrunCount == schedule.underruns, "seed \(seed)")
            #expect(player.output.currentPlaybackTime == player.output.scheduledAudioDuration, "seed \(seed)")
        }
    }

    @Test("A pause fades out and in, loses nothing and is no underrun")
    func pauses() throws {
        let source = distinctAudio(24_000 * 4)
        for seed in UInt64(30_000)..<31_000 {
            var random = SeededGenerator(seed: seed)
            let player = try VirtualPlayer(sampleRate: 8_000)
            let total = Int.random(in: 8_000...16_000, using: &random)
            try player.start(.stream)
            try player.act { try $0.enqueueAudioChunk(Array(source[..<total])) }
            let pauseCount = Int.random(in: 1...3, using: &random)
            var paused = 0
            for _ in 0..<pauseCount {
                player.run(until: player.now + Double.random(in: 0.001...0.3, using: &random))
                if player.output.playbackState == .playing, player.output.currentPlaybackTime > 0 {
                    paused += 1
                }
                player.act { $0.pause() }
                player.run(until: player.now + Double.random(in: 0.06...1, using: &random))
                let position = player.output.currentPlaybackTime
                #expect(player.output.playbackState == .paused, "seed \(seed)")
                player.run(until: player.now + 0.5)
                #expect(player.output.currentPlaybackTime == position, "seed \(seed)")
                player.act { $0.resume() }
            }
            player.act { $0.finish() }
            #expect(player.runToEnd(), "seed \(seed)")
            let heard = Heard(
                player.sink.written, source: Array(source[..<total]),
                breaks: player.sink.events.map(\.position),
                fade: EdgeFade.length(sampleRate: 8_000))
            #expect(heard.fault == nil, "seed \(seed)")
            #expect(heard.matched == total, "seed \(seed)")
            #expect(player.output.underrunCount == 0, "seed \(seed)")
            #expect(heard.gaps >= paused && heard.gaps <= pauseCount, "seed \(seed)")
        }
    }

    @Test("The position never goes back, never exceeds what has left the loudspeaker, and ends at the total")
    func position() throws {
        let source = distinctAudio(24_000 * 4)
        for seed in UInt64(40_000)..<40_500 {
            let schedule = Schedule(seed: seed, rates: [8_000, 24_000])
            let player = try VirtualPlayer(sampleRate: schedule.sampleRate)
            var last = 0.0
            player.afterTurn = { [unowned player] in
                let position = player.output.currentPlaybackTime
                let played = player.sink.written[..<player.sink.playedPosition].count { $0 != 0 }
                let truth = Double(played) / Double(schedule.sampleRate)
                #expect(position >= last, "seed \(seed)")
                #expect(position <= player.output.scheduledAudioDuration, "seed \(seed)")
                #expect(position <= truth + 1e-9, "seed \(seed)")
                // The turn has just asked the device.
                if !player.ended { #expect(position >= truth - 0.001, "seed \(seed)") }
                last = position
            }
            try play(schedule, on: player, source: source)
            #expect(player.output.currentPlaybackTime == player.output.scheduledAudioDuration, "seed \(seed)")
            #expect(
                player.output.scheduledAudioDuration == Double(schedule.total) / Double(schedule.sampleRate))
        }
    }

    private func play(_ schedule: Schedule, on player: VirtualPlayer, source: [Float]) throws {
        try player.start(.stream)
        var offset = 0
        for chunk in schedule.chunks {
            player.run(until: chunk.time)
            try player.act { try $0.enqueueAudioChunk(Array(source[offset..<offset + chunk.samples])) }
            offset += chunk.samples
        }
        player.run(until: schedule.finish)
        player.act { $0.finish() }
        #expect(player.runToEnd())
    }
}
