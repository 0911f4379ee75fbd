import Foundation
import Testing

@testable import DSP

@Suite("Pitch and tempo of real speech")
struct TimePitchSpeechTests {
    @Test(
        "Pitch moves by the ratio within 2 %, duration by the tempo within 1 %, three formants stay within 5 %",
        arguments: [
            (0.5, 1.0), (0.7, 1), (0.9, 1), (1.1, 1), (1.4, 1), (2, 1), (1, 0.5), (1, 0.75), (1, 1.3), (1, 2),
            (1.5, 0.8),
            (0.8, 1.25),
        ])
    func bounds(pitch: Double, tempo: Double) throws {
        let samples = JoeSpeech.samples
        let result = try TimePitch.process(
            samples, sampleRate: Double(JoeSpeech.sampleRate), pitch: pitch, tempo: tempo)
        #expect(abs(Double(result.count) * tempo / Double(samples.count) - 1) < 0.0001)

        let times = JoeSpeech.pitch.filter { $0.hertz > 0 }.map(\.seconds)
        let before = MeasuredVoice(samples, sampleRate: JoeSpeech.sampleRate, at: times, lowest: 60)
        let after = MeasuredVoice(
            result, sampleRate: JoeSpeech.sampleRate, at: times.map { $0 / tempo }, lowest: 60 * min(1, pitch)
        )
        // Frames where both have a pitch: the medians are then of the same sounds.
        let common = times.indices.filter { before.pitch[$0] > 0 && after.pitch[$0] > 0 }
        #expect(common.count > times.count / 2)
        let moved = median(common.map { after.pitch[$0] }) / median(common.map { before.pitch[$0] })
        #expect(abs(moved / pitch - 1) < 0.02, "median F0 moved by \(moved)")
        let local = median(common.map { after.pitch[$0] / before.pitch[$0] })
        #expect(abs(local / pitch - 1) < 0.01, "F0 of the median frame moved by \(local)")

        for n in 0..<3 {
            let pairs = common.filter { before.formants[$0].count > n && after.formants[$0].count > n }
            let shift =
                median(pairs.map { after.formants[$0][n] }) / median(pairs.map { before.formants[$0][n] })
            #expect(abs(shift - 1) < 0.05, "F\(n + 1) moved by \(shift)")
        }
    }

    @Test("Loudness is kept within 1.2 dB", arguments: timePitchRatios)
    func loudness(pitch: Double, tempo: Double) throws {
        let result = try TimePitch.process(JoeSpeech.samples, sampleRate: 22_050, pitch: pitch, tempo: tempo)
        let change = 20 * log10(level(result) / level(JoeSpeech.samples))
        #expect(abs(change) < 1.2, "\(change) dB")
    }

    @Test(
        "No clicks: above the voice's band it is nowhere louder than the source", arguments: timePitchRatios)
    func clicks(pitch: Double, tempo: Double) throws {
        // Joe has next to nothing above 9.3 kHz; a break in the waveform would.
        let result = try TimePitch.process(JoeSpeech.samples, sampleRate: 22_050, pitch: pitch, tempo: tempo)
        let change = 20 * log10(loudestHiss(result) / loudestHiss(JoeSpeech.samples))
        #expect(change < 3, "\(change) dB")
    }

    /// The greatest level, over 1 ms, above 9.3 kHz.
    private func loudestHiss(_ samples: [Float]) -> Double {
        let reach = 75
        let taps = (-reach...reach).map { k -> Float in
            let cutoff = 9_300.0 / 22_050
            let x = Double(k) * .pi
            let low = k == 0 ? 2 * cutoff : sin(2 * cutoff * x) / x
            let high = (k == 0 ? 1 : 0) - low
            return Float(
                high * (0.42 + 0.5 * cos(x / Double(reach + 1)) + 0.08 * cos(2 * x / Double(reach + 1))))
        }
        let padded = [Float](repeating: 0, count: reach) + samples + [Float](repeating: 0, count: reach)
        let hiss = samples.indices.map { taps.span.dot(from: 0, padded.span, from: $0, count: taps.count) }
        return Swift.stride(from: 0, to: hiss.count - 22, by: 22).map { level(hiss[$0..<$0 + 22]) }.max() ?? 0
    }
}
