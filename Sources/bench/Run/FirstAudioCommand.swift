import Arguments
import Foundation
import Tensor
import VITS

/// `tts-bench first-audio`: opens a voice, makes the first samples and ends, so that a whole process can be
/// timed from outside.
enum FirstAudioCommand {
    private static let threads = Parameter.option(
        "threads", as: .integer(in: 1...256), default: 1, help: "threads to use")

    static let command = Command(
        name: "first-audio", summary: "Make the first samples and end, to be timed as a process.",
        groups: [
            ParameterGroup("What to speak", [Workload.voiceParameter, Workload.textParameter, Workload.idsParameter]),
            ParameterGroup("Options", [threads]),
        ]
    ) { arguments in
        let workload = try Workload(arguments)
        let model = try VITSModel(contentsOf: workload.modelPath, execution: .once)
        let workers = WorkerPool(threads: arguments[threads])
        var noise = NoiseGenerator(seed: 1)
        let plan = try model.plan(SentenceRequest(ids: workload.sentences[0]), workers: workers) { noise.next() }
        let stream = SentenceStream(model, plan: plan, largestStep: model.largestStep, workers: workers) { noise.next() }
        var schedule = model.schedule
        var samples: [Float] = []
        while samples.isEmpty, !stream.isFinished { stream.step(schedule.nextStep(), into: &samples) }
    }

    /// Seconds that such processes take.
    static func times(_ workload: Workload, threads: Int, count: Int) throws -> [Double] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("syrinx-ids-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try workload.sentences[0].map(String.init).joined(separator: " ").write(to: file, atomically: true, encoding: .utf8)
        return try (0...count).map { _ in
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = [
                "first-audio", "--voice", workload.modelPath, "--ids", file.path, "--threads", "\(threads)",
            ]
            let start = Stopwatch.now
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { throw BenchError("tts-bench first-audio failed") }
            return Stopwatch.now - start
        }.dropFirst().map { $0 }
    }
}
