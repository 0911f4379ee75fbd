import Tensor
import TestSupport
import Testing

@testable import VITS

/// All the ways in which a sentence may be computed, against each other.
@Suite("A sentence in another form")
struct FormTests {
    @Test("takes the fast flow and encoder from 64 ids on, and keeps weights where the voice is used again")
    func plan() {
        for keeps in [true, false] {
            let direct: ConvolutionForm = keeps ? .directKept : .direct
            for ids in [0, 1, 63] {
                let plan = KernelPlan.automatic(ids: ids, keepsWeights: keeps)
                #expect(plan.encoder == direct && plan.flow == direct && plan.durations == direct)
                #expect(plan.decoderPre == .directKept && plan.decoderPoints == 14)
            }
            for ids in [64, 65, VITSModel.maximumIds] {
                let plan = KernelPlan.automatic(ids: ids, keepsWeights: keeps)
                #expect(plan.encoder == .fast(points: 6) && plan.flow == .fast(points: 10))
                #expect(plan.durations == direct && plan.decoderPre == .fast(points: 10) && plan.decoderPoints == 14)
            }
        }
        #expect(KernelPlan.plain.encoder == .plain && KernelPlan.plain.decoderPoints == nil)
    }

    @Test(
        "is the plain one within 1e-4 on both sides of that border", arguments: ["tiny-medium", "joe"],
        [63, 64])
    func border(voice: String, ids: Int) throws {
        let request = SentenceRequest(ids: Rendering.ids(ids), lengthScale: 0.4)
        func audio(_ execution: VITSModel.Execution) throws -> [Float] {
            try Rendering(model: LoadedVoices.model(voice, execution), request: request, seed: 8).audio(
                .scheduled)
        }
        let (plain, fast) = (try audio(.plain), try audio(.automatic))
        #expect(maximumDifference(fast, plain) <= 1e-4)
        #expect(signalToNoise(fast, reference: plain) >= 80)
        #expect(try audio(.once).hasSameBits(as: fast))
    }

    @Test("has the same bits whatever the voice has said before", arguments: GoldenFiles.voices)
    func history(voice: String) throws {
        let short = SentenceRequest(ids: Rendering.ids(9))
        let long = SentenceRequest(ids: Rendering.ids(KernelPlan.shortSentence), lengthScale: 0.3)
        func bits(_ requests: [SentenceRequest], _ execution: VITSModel.Execution) throws -> [[Float]] {
            let model = try VITSModel(contentsOf: GoldenFiles.voice(voice), execution: execution)
            return try requests.map { try Rendering(model: model, request: $0).audio(.scheduled) }
        }
        let first = try bits([short, long, short], .automatic)
        let second = try bits([long, short, long], .automatic)
        let once = try bits([long, short], .once)
        for audio in [first[2], second[1], once[1]] { #expect(audio.hasSameBits(as: first[0])) }
        for audio in [second[0], second[2], once[0]] { #expect(audio.hasSameBits(as: first[1])) }
    }

    /// Voices with a stage that the kernels do not know; the speed of all others hangs on this.
    private static let layered: Set<String> = ["one-coupling-multi"]

    @Test("runs its decoder in fused stages, which are the layers one by one", arguments: GoldenFiles.voices)
    func fusedDecoder(voice: String) throws {
        let model = try LoadedVoices.model(voice)
        let decoder = model.decoder
        let (frames, latent) = (50, model.latentChannels)
        var random = SeededGenerator(seed: 3)
        let values = random.floats(frames * latent, limit: 2)
        let speaker = try model.speakerVector(model.speakers - 1)
        func audio(
            _ plan: KernelPlan, threads: Int, sharing: WorkSharing = .layers, steps: [Int]
        ) -> (samples: [Float], isFused: Bool) {
            let pool = WorkerPool(threads: threads)
            let stream = decoder.stream(
                frames: frames, first: 16, step: 16, ahead: 0, speaker: speaker, plan: plan,
                sharing: sharing, cancellation: CancelFlag())
            var samples: [Float] = []
            var (row, done) = (0, 0)
            for step in steps where row < frames {
                let rows = row..<min(frames, row + step)
                row = rows.upperBound
                stream.input.append(rows.count)
                stream.input.write(
                    Array(values[rows.lowerBound * latent..<rows.upperBound * latent]).span,
                    at: rows.lowerBound)
                let made = stream.audio.end
                let pieces = stream.pieces(upTo: row)
                while done < pieces, stream.end(ofPiece: done) <= row {
                    for station in 0..<stream.stationCount { stream.run(station, piece: done, pool: pool) }
                    done += 1
                }
                stream.audio.appendRows(made..<stream.audio.end, to: &samples)
                stream.audio.discard(before: stream.audio.end)
            }
            return (samples, stream is FusedDecoderStream)
        }
        let automatic = KernelPlan.automatic(ids: 9, keepsWeights: true)
        let plain = audio(.plain, threads: 1, steps: [frames])
        let schedule = [20, 16, 5, 7, frames]
        let fused = audio(automatic, threads: 1, steps: schedule)
        #expect(!plain.isFused && fused.isFused == !Self.layered.contains(voice))
        #expect(plain.samples.count == frames * model.hop && fused.samples.count == plain.samples.count)
        #expect(signalToNoise(fused.samples, reference: plain.samples) >= 80)
        for threads in 2...4 {
            for sharing in [WorkSharing.layers, .pieces] {
                let shared = audio(automatic, threads: threads, sharing: sharing, steps: schedule).samples
                #expect(shared.hasSameBits(as: fused.samples), "\(threads) threads, \(sharing)")
            }
        }
        // The direct kernels layer by layer, as a voice with a stage of another shape runs.
        var layered = automatic
        layered.decoderPoints = nil
        let direct = audio(layered, threads: 2, steps: schedule)
        #expect(!direct.isFused)
        #expect(signalToNoise(direct.samples, reference: plain.samples) >= 100)
    }
}
