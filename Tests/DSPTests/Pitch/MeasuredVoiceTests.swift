import Testing

@Suite("The tests' own measurement of a voice")
struct MeasuredVoiceTests {
    @Test("agrees with Praat on the pitch and the first three formants of real speech")
    func agreesWithPraat() throws {
        let voiced = JoeSpeech.pitch.filter { $0.hertz > 0 }
        let measured = MeasuredVoice(
            JoeSpeech.samples, sampleRate: JoeSpeech.sampleRate, at: voiced.map(\.seconds), lowest: 60)
        let ratios = zip(measured.pitch, voiced).filter { $0.0 > 0 }.map { $0.0 / $0.1.hertz }
        #expect(ratios.count > voiced.count * 3 / 4)
        #expect(ratios.count { abs($0 - 1) < 0.03 } > ratios.count * 9 / 10)
        #expect(abs(median(ratios) - 1) < 0.005)
        for n in 0..<3 {
            let praat = try #require(JoeSpeech.summary["median_f\(n + 1)"])
            let ours = median(measured.formants.compactMap { $0.count > n ? $0[n] : nil })
            #expect(abs(ours / praat - 1) < 0.05, "F\(n + 1): \(ours) Hz, Praat \(praat) Hz")
        }
    }
}
