import Arguments
import Foundation
import Tensor
import VITS

/// `tts-bench first-audio`: opens a voice, makes the first samples, says so and ends, so that a whole process
/// can be timed from outside.
enum FirstAudioCommand {
    private static let threads = Parameter.option(
        "threads", as: .integer(in: 1...256), default: 1, help: "threads to use")

    static let command = Command(
        name: "first-audio", summary: "Make the first samples and end, to be timed as a process.",
        groups: [Workload.group, ParameterGroup("Options", [threads])],
        exclusions: [[Workload.textParameter, Workload.idsParameter]]
    ) { arguments in
        let workload = try Workload(arguments)
        let model = try VITSModel(contentsOf: workload.modelPath, execution: .once)
        let workers = WorkerPool(threads: arguments[threads])
        var noise = NoiseGenerator(seed: 1)
        var reading = try workload.reading()
        guard let ids = try reading.next() else { throw BenchError("there is nothing to say", .badData) }
        let plan = try model.plan(workload.request(ids), workers: workers) { noise.next() }
        let stream = SentenceStream(model, plan: plan, largestStep: model.largestStep, workers: workers) {
            noise.next()
        }
        var schedule = model.schedule
        var samples: [Float] = []
        while samples.isEmpty, !stream.isFinished { stream.step(schedule.nextStep(), into: &samples) }
        try StandardStream.print("\(samples.count) samples")
    }

    /// Seconds from the start of such processes until they have their first samples.
    static func times(_ workload: Workload, threads: Int, count: Int) throws -> [Double] {
        guard count > 0 else { return [] }
        let errand = workload.errand
        // The first brings files into the page cache and does not count.
        return try (0...count).map { _ in
            let (process, input, output) = (Process(), Pipe(), Pipe())
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = ["first-audio", "--threads", "\(threads)"] + errand.arguments
            process.standardInput = input
            process.standardOutput = output
            let start = Stopwatch.now
            try process.run()
            // It reads to the end before it does anything else. One that ends before that is found out below.
            try? input.fileHandleForWriting.write(contentsOf: errand.input)
            try? input.fileHandleForWriting.close()
            let isSpeaking = try output.fileHandleForReading.read(upToCount: 1)?.isEmpty == false
            let end = Stopwatch.now
            process.waitUntilExit()
            guard isSpeaking, process.terminationStatus == 0 else {
                throw BenchError(
                    "tts-bench first-audio ended with status \(process.terminationStatus)", .unavailable)
            }
            return end - start
        }.dropFirst().map { $0 }
    }
}
