import Arguments
import Foundation
import Playback
import Tensor
import VITS

/// `tts-bench run`: measures the inference.
enum RunCommand {
    private static let threads = Parameter.option(
        "threads", as: .integer(in: 1...256), help: "threads to use (default: all processors)")
    private static let runs = Parameter.option(
        "runs", as: .integer(in: 1...100_000), default: 10, help: "measured runs, after one to warm up")
    private static let json = Parameter.option("json", as: .path, help: "write the figures as JSON")
    private static let html = Parameter.option("report", as: .path, help: "write a report with plots, as HTML")

    static let command = Command(
        name: "run", summary: "Measure load, latency, speed by stage, memory and allocations.",
        groups: [
            ParameterGroup("What to speak", [Workload.voiceParameter, Workload.textParameter, Workload.idsParameter]),
            ParameterGroup("Measurement", [threads, runs]),
            ParameterGroup("Output", [json, html]),
        ],
        exclusions: [[Workload.textParameter, Workload.idsParameter]],
        examples: [Example("tts-bench run --threads 2 --runs 20 --json a.json", "measure, and keep the figures")]
    ) { arguments in
        let workload = try Workload(arguments)
        let threadCount = arguments[threads] ?? Machine.processors
        let peak = Machine.peak()
        let loads = try (0..<5).map { _ in
            let start = Stopwatch.now
            _ = try VITSModel(contentsOf: workload.modelPath)
            return Stopwatch.now - start
        }
        let processes = try FirstAudioCommand.times(workload, threads: threadCount, count: 5)
        let model = try VITSModel(contentsOf: workload.modelPath)
        let workers = WorkerPool(threads: threadCount)
        var measurement = Measurement()
        for run in 0...arguments[runs] {
            try measurement.run(model, workload, seed: UInt64(run), workers: workers, isMeasured: run > 0)
        }
        let report = BenchReport(
            workload, measurement, loads: loads, processes: processes, threads: threadCount, peak: peak)
        try StandardStream.print(BenchTable(report, phonemeSeconds: workload.phonemeSeconds).text)
        if let path = arguments[json] { try write(report.json(), to: path) }
        if let path = arguments[html] {
            let page = BenchPage(report, measurement, sampleRate: workload.sampleRate).html
            try write(Data(page.utf8), to: path)
        }
    }

    private static func write(_ data: Data, to path: String) throws {
        do {
            try data.write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw BenchError("cannot write \(path): \(error.localizedDescription)")
        }
    }
}

extension BenchReport {
    init(
        _ workload: Workload, _ measurement: Measurement, loads: [Double], processes: [Double], threads: Int, peak: Peak
    ) {
        let names = ["encoder", "durations", "flow", "decoder.pre"]
            + (1..<max(2, measurement.operations.decoder.count - 1)).map { "decoder.stage\($0)" } + ["decoder.post"]
        let operations = [
            measurement.operations.encoder, measurement.operations.durations, measurement.operations.flow,
        ] + measurement.operations.decoder
        let stages = names.indices.map { i in
            let seconds = Distribution(measurement.stages.map { i < $0.count ? $0[i] : 0 }).median
            let gflop = (i < operations.count ? operations[i] : 0) * 1e-9
            let speed = seconds > 0 ? gflop / seconds : 0
            return Stage(
                name: names[i], seconds: seconds, gflop: gflop, gflops: speed,
                shareOfPeak: speed / (peak.fma * Double(threads)))
        }
        let rtf = zip(measurement.totals, measurement.audio).map { $0 / max($1, 1e-9) }
        let audio = Distribution(measurement.audio).median
        let stepTime = measurement.steps.isEmpty ? 0 : Distribution(measurement.steps).median
        let stepAudio = measurement.stepAudio.isEmpty ? 0 : Distribution(measurement.stepAudio).median
        let steps = stepAudio > 0 ? Int((audio / stepAudio).rounded(.up)) : 0
        self.init(
            voice: workload.voiceName, cpu: Machine.cpu, kernels: Machine.kernels, threads: threads,
            runs: measurement.totals.count, sentences: workload.sentences.count,
            ids: workload.sentences.reduce(0) { $0 + $1.count }, audioSeconds: audio,
            modelLoad: Distribution(loads), processToFirstAudio: processes.isEmpty ? nil : Distribution(processes),
            timeToFirstAudio: Distribution(measurement.firstAudio), total: Distribution(measurement.totals),
            rtf: Distribution(rtf), speedFactor: Distribution(rtf.map { 1 / $0 }),
            step: measurement.steps.isEmpty ? nil : Distribution(measurement.steps), audioPerStep: stepAudio,
            stages: stages, peak: peak, peakMemoryBytes: Machine.peakMemoryBytes,
            allocationsPerStep: Double(measurement.allocations) / Double(max(1, measurement.steps.count)),
            buffers: Buffers(
                exact: PlaybackStrategy.requiredBuffer(
                    remaining: audio, audioPerStep: stepAudio, stepTime: stepTime, lead: 0, minimum: 0),
                ttskit: PlaybackStrategy.requiredBuffer(
                    maximumSteps: steps, audioPerStep: stepAudio, stepTime: stepTime, minimum: 0),
                documented: PlaybackStrategy.documentedBuffer(
                    maximumSteps: steps, audioPerStep: stepAudio, stepTime: stepTime)))
    }

    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }
}
