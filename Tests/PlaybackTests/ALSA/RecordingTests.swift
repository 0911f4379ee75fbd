import Foundation
import Testing

@testable import Playback

/// What a recording is read as, where it is known what happened to the source.
@Suite("Reading a recording")
struct RecordingTests {
    /// Speech of 1 s, a pause of 4800 samples, speech of 1 s.
    private let source: [Float]
    private let claims = RecordingClaims(
        sentences: [0..<24_000, 28_800..<52_800], joins: [2400, 12_000, 28_800, 36_000])
    private let silence = [Float](repeating: 0, count: 1000)

    init() {
        let tone = (0..<24_000).map { Float(0.6 * cos(Double($0) * 0.05) + 1e-4) }
        var whole = tone + [Float](repeating: 0, count: 4800) + tone
        for edge in [0..<24_000, 28_800..<52_800] {
            whole.replaceSubrange(edge, with: Self.faded(Array(whole[edge])))
        }
        source = whole
    }

    private static func faded(_ samples: [Float], in fadesIn: Bool = true, out fadesOut: Bool = true)
        -> [Float]
    {
        var samples = samples
        let fade = EdgeFade(sampleRate: 24_000)
        defer { fade.deallocate() }
        samples.withUnsafeMutableBufferPointer { buffer in
            if fadesIn { _ = fade.fadeIn(buffer, from: 0) }
            if fadesOut { fade.fadeOut(buffer, after: 0) }
        }
        return samples
    }

    private func read(_ samples: [Float]) -> Recording {
        Recording(silence + samples + silence, of: source, fade: 256)
    }

    @Test("The source between silence is the source, whole")
    func whole() {
        let recording = read(source)
        #expect(recording.fault == nil)
        #expect(recording.matched == source.count)
        #expect(recording.gaps == [] && recording.touched == [])
        #expect(recording.longGaps(claims) == [] && recording.steepSteps(claims) == [])
    }

    @Test(
        "A gap with faded edges is told by its place and length, and is a shortcoming from 5 ms within a sentence"
    )
    func fadedGap() {
        for (length, isLong) in [(120, false), (121, true)] {
            let recording = read(
                Self.faded(Array(source[..<10_000]), in: false) + [Float](repeating: 0, count: length)
                    + Self.faded(Array(source[10_000...]), out: false))
            #expect(recording.fault == nil)
            #expect(recording.gaps == [.init(source: 10_000..<10_000, heard: 10_000..<10_000 + length)])
            #expect(recording.matched == source.count)
            #expect(recording.touched.count == 512)
            #expect(recording.longGaps(claims).count == (isLong ? 1 : 0))
            #expect(recording.steepSteps(claims) == [] && recording.steepStepsAtGaps(claims) == [])
        }
    }

    @Test("A longer pause between sentences is a gap, and not one within a sentence")
    func longerPause() {
        let recording = read(source[..<26_000] + [Float](repeating: 0, count: 3000) + source[26_000...])
        #expect(recording.fault == nil)
        #expect(recording.gaps == [.init(source: 24_000..<28_800, heard: 28_800..<31_800)])
        #expect(recording.longGaps(claims) == [])
    }

    @Test("Silence put in at a join without fades: a gap, and steps on both sides of it")
    func silenceAtJoin() {
        let recording = read(source[..<12_000] + [Float](repeating: 0, count: 144) + source[12_000...])
        #expect(recording.fault == nil)
        #expect(recording.longGaps(claims).count == 1)
        #expect(recording.steepSteps(claims).count == 0)
        #expect(recording.steepStepsAtGaps(claims).count == 2)
    }

    @Test(
        "Samples lost, doubled or changed are a fault",
        arguments: [
            "the first 10 ms of a chunk", "the last sample", "one doubled", "one changed", "one made up",
        ])
    func faults(kind: String) {
        var samples = source
        switch kind {
        case "the first 10 ms of a chunk": samples.removeSubrange(12_000..<12_240)
        case "the last sample": samples.removeLast(2)
        case "one doubled": samples.insert(samples[20_000], at: 20_000)
        case "one changed": samples[40_000] = samples[40_000].nextUp
        default: samples[26_000] = 1e-6
        }
        let recording = read(samples)
        #expect(recording.fault != nil || recording.matched < source.count)
    }

    @Test("A start that is not faded is a step")
    func unfadedStart() {
        let loud = (0..<24_000).map { Float(0.6 * cos(Double($0) * 0.05)) }
        let whole = RecordingClaims(sentences: [0..<24_000], joins: [])
        #expect(Recording(loud, of: loud, fade: 256).steepSteps(whole).count == 2)
        #expect(Recording(Self.faded(loud), of: loud, fade: 256).steepSteps(whole) == [])
    }

    @Test("A machine that starves the output excuses underruns, gaps and steps at gaps, and nothing else")
    func excuses() {
        let lost = source[..<12_000] + source[12_240...]
        let doubled = source[..<20_000] + source[19_900...]
        let gap = source[..<12_000] + [Float](repeating: 0, count: 144) + source[12_000...]
        var touched = source
        touched[40_000] *= 0.5
        func verdict(_ samples: some Sequence<Float>, underruns: Int, starvation: Double) -> PulsePlayback.Verdict {
            PulsePlayback(
                recording: read(Array(samples)), claims: claims, underruns: underruns, starvation: starvation
            ).verdict(expectsUnderruns: false)
        }
        for starvation in [0.0, 1] {
            #expect(verdict(source, underruns: 0, starvation: starvation) == .passes)
            for samples in [Array(lost), Array(doubled), touched] {
                guard case .fails = verdict(samples, underruns: 0, starvation: starvation) else {
                    Issue.record("lost, doubled or touched samples pass, starved for \(starvation) s")
                    return
                }
            }
        }
        guard case .fails = verdict(gap, underruns: 0, starvation: 0) else {
            Issue.record("a gap passes on a machine that did not starve")
            return
        }
        for underruns in 0...1 {
            guard case .starved = verdict(gap, underruns: underruns, starvation: 1) else {
                Issue.record("a gap fails on a machine that starved")
                return
            }
        }
    }
}
