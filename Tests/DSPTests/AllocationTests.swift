import CAllocationCount
import TestSupport
import Testing

@testable import DSP

/// Calls of malloc and its relatives while `body` runs, the least of three times: other threads of the process
/// may allocate meanwhile, but not always.
private func allocations(_ body: () -> Void) -> UInt64 {
    var least = UInt64.max
    for _ in 0..<3 {
        let before = syrinx_allocation_count()
        body()
        least = min(least, syrinx_allocation_count() - before)
    }
    return least
}

/// In a process of its own: what is counted is the whole process's.
@Suite("What processors allocate")
struct AllocationTests {
    @Test("Neither step nor finish of any processor allocates")
    func steps() async {
        await #expect(processExitsWith: .success) {
            var noise = SeededGenerator(seed: 61)
            let input = noise.floats(6000)
            let bytes = [UInt8](repeating: 65, count: 6000)
            var output = [Float](repeating: 0, count: 40_000)

            var made: [Float] = []
            let counted = allocations { made = [Float](repeating: 1, count: input.count) }
            #expect(counted > 0 && made.count == input.count, "the count itself does not work")

            for (from, to) in [(22_050.0, 24_000.0), (48_000, 16_000), (22_050, 24_001)] {
                for quality in ResamplerQuality.allCases {
                    for channels in [1, 2] {
                        var resampler = try Resampler(
                            from: from, to: to, quality: quality, channels: channels)
                        let count = allocations {
                            for _ in 0..<2 {
                                var room = output.mutableSpan
                                _ = resampler.step(input.span, into: &room)
                                _ = resampler.finish(into: &room)
                            }
                        }
                        #expect(count == 0, "Resampler \(from) to \(to), \(quality)")
                    }
                }
            }
            for (pitch, tempo) in [(1.3, 1.0), (0.6, 1), (1, 0.7), (1, 1.6), (0.8, 1.2)] {
                var processor = try TimePitch(sampleRate: 22_050, pitch: pitch, tempo: tempo)
                let voice = harmonicVoice(seconds: 0.5, sampleRate: 22_050) { 110 + 40 * $0 }
                let count = allocations {
                    for sound in [0, 1] {
                        var room = output.mutableSpan
                        _ = processor.step(sound == 0 ? voice.span : input.span, into: &room)
                        if sound == 1 { _ = processor.finish(into: &room) }
                    }
                }
                #expect(count == 0, "TimePitch \(pitch) \(tempo)")
            }
            var frames = [PitchFrame](repeating: .unvoiced, count: 200)
            var tracker = try PitchTracker(sampleRate: 22_050)
            let tracking = allocations {
                var room = frames.mutableSpan
                _ = tracker.step(input.span, into: &room)
                _ = tracker.finish(into: &room)
            }
            #expect(tracking == 0, "PitchTracker")

            var crossfader = try Crossfader(length: 500)
            var fader = try EdgeFader(EdgeFade(length: 256))
            let joining = allocations {
                var room = output.mutableSpan
                _ = crossfader.step(input.span, into: &room)
                crossfader.startNext()
                _ = crossfader.step(input.span, into: &room)
                _ = crossfader.finish(into: &room)
                _ = fader.step(input.span, into: &room)
                _ = fader.finish(into: &room)
            }
            #expect(joining == 0, "Crossfader, EdgeFader")

            var limiter = try Limiter(sampleRate: 24_000, gain: 3, channels: 2)
            var trimmer = try SilenceTrimmer(margin: 10, longestPause: 100)
            var gain = try Gain(1, rampLength: 100)
            var blocker = try DCBlocker(sampleRate: 24_000)
            var loudness = try LoudnessMeter(sampleRate: 24_000, channels: 2)
            var peak = try PeakMeter(channels: 2)
            var isSet = true
            let levels = allocations {
                var room = output.mutableSpan
                _ = limiter.step(input.span, into: &room)
                _ = limiter.finish(into: &room)
                _ = trimmer.step(input.span, into: &room)
                _ = trimmer.finish(into: &room)
                isSet = (try? gain.set(2)) != nil
                gain.step(&room)
                blocker.step(&room)
                loudness.step(input.span)
                peak.step(input.span)
                peak.finish()
            }
            #expect(
                levels == 0 && isSet, "Limiter, SilenceTrimmer, Gain, DCBlocker, LoudnessMeter, PeakMeter")

            var encoded = [UInt8](repeating: 0, count: 60_000)
            for encoding in SampleEncoding.allCases {
                var encoder = SampleEncoder(encoding, byteOrder: .bigEndian, ditherSeed: 1)
                var decoder = PCMDecoder(encoding, byteOrder: .bigEndian)
                let count = allocations {
                    var room = encoded.mutableSpan
                    var raw = room.mutableBytes
                    encoder.step(input.span, into: &raw)
                    var samples = output.mutableSpan
                    _ = decoder.step(bytes.span.extracting(..<5999), into: &samples)
                    _ = decoder.finish()
                }
                #expect(count == 0, "\(encoding)")
            }
            var base64 = Base64Decoder()
            var decoded: Int?
            let decoding = allocations {
                var room = encoded.mutableSpan
                decoded = try? base64.step(bytes.span, into: &room)
            }
            #expect(decoding == 0 && decoded == 4500, "Base64Decoder")
        }
    }
}
