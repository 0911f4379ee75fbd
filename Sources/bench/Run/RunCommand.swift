import Arguments
import DSP
import Foundation
import Golden
import Playback
import Tensor
import VITS

/// `tts-bench run`: measures the inference.
enum RunCommand {
    private static let threads = Parameter.option(
        "threads", as: .integer(in: 1...256), otherwise: "all processors", help: "threads to use")
    private static let runs = Parameter.option(
        "runs", as: .integer(in: 1...100_000), default: 10, help: "measured runs, after one to warm up")
    private static let processes = Parameter.option(
        "processes", as: .integer(in: 0...1000), default: 5,
        help: "processes to time from start to first audio")
    private static let golden = Parameter.options(
        "golden", as: .path, help: "reference case of the voice, or folder of such, to tell the accuracy from"
    )
    private static let json = Parameter.option("json", as: .path, help: "write the figures as JSON")
    private static let html = Parameter.option(
        "report", as: .path, help: "write a report with plots, as HTML")

    static let command = Command(
        name: "run", summary: "Measure load, latency, speed by stage, memory and allocations.",
        groups: [
            Workload.group, ParameterGroup("Measurement", [threads, runs, processes, golden]),
            ParameterGroup("Output", [json, html]),
        ],
        exclusions: [[Workload.textParameter, Workload.idsParameter]],
        examples: [
            Example("tts-bench run --threads 2 --runs 20 --json a.json", "measure, and keep the figures")
        ]
    ) { arguments in
        let workload = try Workload(arguments)
        let sentences = try workload.sentences()
        let threadCount = arguments[threads] ?? Machine.processors
        let peak = Machine.peak()
        let loads = try (0..<5).map { _ in
            let start = Stopwatch.now
            _ = try VITSModel(contentsOf: workload.modelPath)
            return Stopwatch.now - start
        }
        let processes = try FirstAudioCommand.times(
            workload, threads: threadCount, count: arguments[processes])
        let model = try VITSModel(contentsOf: workload.modelPath)
        let workers = WorkerPool(threads: threadCount)
        var measurement = Measurement()
        for run in 0...arguments[runs] {
            try measurement.run(model, workload, seed: UInt64(run), workers: workers, isMeasured: run > 0)
        }
        var report = BenchReport(
            workload, sentences, measurement, loads: loads, processes: processes, threads: threadCount,
            peak: peak)
        for folder in try GoldenCommand.caseFolders(arguments[golden]) {
            report.accuracy += try accuracy(GoldenCase(folder: folder), model, workers)
        }
        try StandardStream.print(BenchTable(report).text)
        if let path = arguments[json] { try write(report.json(), to: path) }
        if let path = arguments[html] {
            let page = BenchPage(report, measurement, sampleRate: workload.sampleRate).html
            try write(Data(page.utf8), to: path)
        }
    }

    private static func accuracy(
        _ golden: GoldenCase, _ model: VITSModel, _ workers: WorkerPool
    ) throws -> [BenchReport.Accuracy] {
        try golden.run(model, workers: workers).map { comparison in
            let ratio = comparison.signalToNoise
            return BenchReport.Accuracy(
                name: golden.name, tensor: comparison.tensor,
                signalToNoise: ratio == .infinity ? nil : max(-999, ratio),
                isWithinBounds: comparison.isWithinBounds)
        }
    }

    /// A file appears when it is complete; a device or a pipe is written to, not replaced.
    private static func write(_ data: Data, to path: String) throws {
        do throws(AudioFileError) {
            let file = try OutputFile(path: path)
            try file.write([UInt8](data).span)
            try file.commit()
        } catch {
            throw BenchError("\(error)", .inputOutput)
        }
    }
}

extension BenchReport {
    init(
        _ workload: Workload, _ sentences: [[Int]], _ measurement: Measurement, loads: [Double],
        processes: [Double],
        threads: Int, peak: Peak
    ) {
        let audio = Distribution(measurement.audio).median
        let names =
            ["phonemes", "encoder", "durations", "flow", "decoder.pre"]
            + (1..<max(2, measurement.operations.decoder.count - 1)).map { "decoder.stage\($0)" } + [
                "decoder.post"
            ]
        let operations =
            [
                0, measurement.operations.encoder, measurement.operations.durations,
                measurement.operations.flow,
            ] + measurement.operations.decoder
        let stages = names.indices.dropFirst(workload.isText ? 0 : 1).map { i in
            // All threads share each layer of the encoder and the durations, whose time was taken by the clock.
            let isShared = names[i] == "encoder" || names[i] == "durations"
            let seconds =
                Distribution(measurement.stages.map { i < $0.count ? $0[i] : 0 }).median
                * (isShared ? Double(threads) : 1)
            let gflop = (i < operations.count ? operations[i] : 0) * 1e-9
            let speed = seconds > 0 ? gflop / seconds : 0
            return Stage(
                name: names[i], seconds: seconds, rtf: seconds / max(audio, 1e-9),
                speedFactor: seconds > 0 ? audio / seconds : 0, gflop: gflop, gflops: speed,
                shareOfPeak: speed / peak.fma)
        }
        let rtf = zip(measurement.totals, measurement.audio).map { $0 / max($1, 1e-9) }
        let step = Distribution(measurement.steps)
        let stepAudio = Distribution(measurement.stepAudio).median
        let steps = stepAudio > 0 ? Int((audio / stepAudio).rounded(.up)) : 0
        self.init(
            voice: workload.voiceName, cpu: Machine.cpu, kernels: Machine.kernels, threads: threads,
            runs: measurement.totals.count, sentences: sentences.count, ids: sentences.joined().count,
            audioSeconds: audio, modelLoad: Distribution(loads), processToFirstAudio: Distribution(processes),
            timeToFirstAudio: Distribution(measurement.firstAudio), total: Distribution(measurement.totals),
            rtf: Distribution(rtf), speedFactor: Distribution(rtf.map { 1 / $0 }),
            step: step, audioPerStep: stepAudio,
            stages: stages, peak: peak, peakMemoryBytes: Machine.peakMemoryBytes,
            allocationsPerStep: Double(measurement.allocations) / Double(max(1, measurement.steps.count)),
            buffers: Buffers(
                exact: PlaybackStrategy.requiredBuffer(
                    remaining: audio, audioPerStep: stepAudio, stepTime: step.median, lead: 0, minimum: 0),
                ttskit: PlaybackStrategy.requiredBuffer(
                    maximumSteps: steps, audioPerStep: stepAudio, stepTime: step.median, minimum: 0),
                documented: PlaybackStrategy.documentedBuffer(
                    maximumSteps: steps, audioPerStep: stepAudio, stepTime: step.median)),
            accuracy: [])
    }

    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }
}
