import Arguments
import Foundation
import Tensor
import VITS

/// `tts-bench run`: times the inference, stage by stage.
enum RunCommand {
    private static let voice = Parameter.option("voice", as: .path, help: "voice file (.onnx)")
    private static let ids = Parameter.option(
        "ids", as: .path, help: "file of phoneme ids, white space between them, a sentence a line")
    private static let threads = Parameter.option(
        "threads", as: .integer(in: 1...256), default: 1, help: "threads to use")
    private static let runs = Parameter.option(
        "runs", as: .integer(in: 1...10_000), default: 5, help: "measured runs, after one to warm up")

    static let command = Command(
        name: "run", summary: "Time the inference, stage by stage.",
        groups: [ParameterGroup("Options", [voice, ids, threads, runs])]
    ) { arguments in
        guard let path = arguments[voice] else { throw arguments.usageError("--voice is missing") }
        guard let idFile = arguments[ids] else { throw arguments.usageError("--ids is missing") }
        let clock = ContinuousClock()
        var model: VITSModel?
        let load = try clock.measure { model = try VITSModel(contentsOf: path) }
        guard let model else { return }
        print("load \(load)")
        let text = try String(contentsOfFile: idFile, encoding: .utf8)
        let sentences = text.split(separator: "\n").map { line in
            line.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        }
        let workers = WorkerPool(threads: arguments[threads])
        var times: [[Double]] = []
        var stages = [0.0, 0, 0, 0, 0, 0, 0]
        var planTimes = [0.0, 0]
        for run in 0...arguments[runs] {
            var row = [0.0, 0, 0, 0, 0]
            for (index, sentence) in sentences.enumerated() {
                var noise = NoiseGenerator(seed: UInt64(run), sentence: index)
                let start = clock.now
                let plan = try model.plan(SentenceRequest(ids: sentence), workers: workers) { noise.next() }
                let planned = clock.now
                planTimes[0] += plan.times.encoder
                planTimes[1] += plan.times.durations
                var schedule = model.schedule
                let stream = SentenceStream(model, plan: plan, largestStep: model.largestStep, workers: workers) { noise.next() }
                var audio: [Float] = []
                var first: Double?
                while !stream.isFinished {
                    stream.step(schedule.nextStep(), into: &audio)
                    if first == nil, !audio.isEmpty { first = seconds(clock.now - start) }
                }
                row[0] += seconds(clock.now - start)
                row[1] += seconds(planned - start)
                row[2] += seconds(clock.now - planned)
                row[3] += first ?? 0
                row[4] += Double(audio.count) / 22050
                stages[0] += stream.times.flow
                for (i, t) in stream.times.decoder.enumerated() where i + 1 < stages.count { stages[i + 1] += t }
            }
            if run > 0 { times.append(row) }
        }
        let labels = ["total", "encoder+durations", "flow+decoder", "first audio"]
        let audio = times.map { $0[4] }.reduce(0, +) / Double(times.count)
        for (i, label) in labels.enumerated() {
            let sorted = times.map { $0[i] / $0[4] }.sorted()
            print("\(label): RTF min \(sorted[0]) median \(sorted[sorted.count / 2])")
        }
        print("audio \(audio)")
        let whole = audio * Double(arguments[runs] + 1)
        print("encoder, durations ms/s:", planTimes.map { String(format: "%.2f", $0 * 1000 / whole) })
        print("flow, pre, stages, post ms/s:", stages.map { String(format: "%.2f", $0 * 1000 / whole) })
    }

    private static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
    }
}
