import DSP
import Testing

@testable import Syrinx

@Suite("The assembler")
struct AssemblerTests {
    /// All that comes out for a scripted request.
    private func assemble(
        _ sentences: [[Int]], _ options: GenerationOptions
    ) throws -> (audio: [Float], marks: [SpeechMark]) {
        let source = ScriptedSource(sentences)
        let reader = try source.reader(
            of: .ids([]), options: options, wantsAll: false, cancellation: SpeechCancellation())
        var assembler = try SpeechAssembler(sourceRate: source.sampleRate, options: options)
        var audio: [Float] = []
        var marks: [SpeechMark] = []
        while let piece = try reader.next() {
            let made = assembler.step(piece)
            audio += made.audio
            marks += made.marks
        }
        let rest = assembler.finish()
        return (audio + rest.audio, marks + rest.marks)
    }

    @Test("Samples pass untouched but for the two fades, with silence between sentences and none after the last")
    func untouched() throws {
        let source = ScriptedSource([[3000, 2000], [4000], [1500, 700]])
        let (audio, _) = try assemble(source.sentences, GenerationOptions(sentenceSilence: 0.1))
        let silence = [Float](repeating: 0, count: 2400)
        let whole = source.samples(of: 0) + silence + source.samples(of: 1) + silence + source.samples(of: 2)
        #expect(audio.count == whole.count)
        #expect(audio[256..<audio.count - 256] == whole[256..<whole.count - 256])
        // Raised cosine: half a sample from silence at both ends, half way up in the middle of the fade.
        #expect(audio[0] > 0 && audio[0] < 1e-4 && audio[audio.count - 1] < 1e-4)
        #expect(abs(audio[128] / whole[128] - 0.5) < 0.01)
        #expect(abs(audio[audio.count - 129] / whole[whole.count - 129] - 0.5) < 0.01)
    }

    @Test(
        "How the sound is divided into steps changes no sample",
        arguments: [
            GenerationOptions(), GenerationOptions(sampleRate: 16_000), GenerationOptions(pitch: 1.3),
            GenerationOptions(volume: 3), GenerationOptions(volume: 0.3, crossfade: 0.05),
            GenerationOptions(pitch: 0.7, volume: 2, crossfade: 0.1, normalizes: true, sampleRate: 48_000),
        ])
    func divisionIsInvisible(options: GenerationOptions) throws {
        let coarse = try assemble([[12_000], [9000], [7000]], options)
        let fine = try assemble(
            [[1, 99, 5000, 6900], Array(repeating: 300, count: 30), [6999, 1]], options)
        #expect(!coarse.audio.isEmpty)
        #expect(coarse.audio == fine.audio)
        #expect(coarse.marks == fine.marks)
    }

    @Test("A crossfade shortens the whole by its length at each join, and marks say where sentences begin")
    func crossfade() throws {
        let (audio, marks) = try assemble([[10_000], [8000, 500], [6000]], GenerationOptions(crossfade: 0.05))
        #expect(audio.count == 10_000 + 8500 + 6000 - 2 * 1200)
        #expect(marks.map { Int(($0.start * 24_000).rounded()) } == [0, 8800, 16_100])
    }

    @Test("Marks count the silence between sentences, and stay where they are at another rate")
    func marks() throws {
        for rate in [24_000, 16_000] {
            let (_, marks) = try assemble(
                [[3000, 1800], [2400]], GenerationOptions(sentenceSilence: 0.25, sampleRate: rate))
            #expect(marks.map(\.start) == [0, 0.45])
            #expect(marks.map(\.duration) == [0.2, 0.1])
        }
    }

    @Test("Another rate gives the length that the ratio says")
    func length() throws {
        let options = GenerationOptions(sentenceSilence: 0, sampleRate: 16_000)
        #expect(try assemble([[24_000], [12_001]], options).audio.count == 24_001)
    }

    @Test("A volume below 1 is a factor; above 1 nothing passes full scale and quiet parts get the factor")
    func volume() throws {
        let plain = try assemble([[20_000]], GenerationOptions()).audio
        let half = try assemble([[20_000]], GenerationOptions(volume: 0.5)).audio
        #expect(half == plain.map { $0 * 0.5 })
        let loud = try assemble([[20_000]], GenerationOptions(volume: 4)).audio
        #expect(loud.count == plain.count)
        #expect((loud.max() ?? 2) <= 1)
        #expect((loud.max() ?? 0) > 0.9)
        let gentle = try assemble([[20_000]], GenerationOptions(volume: 1.2)).audio
        // 0.75 · 1.2 with its peaks between the samples may touch the ceiling; the median does not.
        #expect(gentle.sorted()[10_000] > 1.1 * plain.sorted()[10_000])
    }

    @Test("Normalisation brings every inference's peak to full scale, and leaves silence silent")
    func normalization() throws {
        var normalizer = InferenceNormalizer()
        let early = normalizer.step(SpeechPiece(samples: [0.1, -0.25]))
        #expect(early?.samples == nil)
        let whole = normalizer.step(SpeechPiece(samples: [0.05], endsInference: true))
        #expect(whole?.samples == [0.4, -1, 0.2])
        let silent = normalizer.step(SpeechPiece(samples: [0, 0], endsInference: true))
        #expect(silent?.samples == [0, 0])
    }

    @Test("Nothing in, nothing out")
    func empty() throws {
        #expect(
            try assemble([], GenerationOptions(pitch: 1.5, volume: 2, crossfade: 1, sampleRate: 48_000)).audio == [])
    }
}
