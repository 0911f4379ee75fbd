import Arguments
import Foundation
import Golden
import Syrinx

StandardStream.prepare()

let program = CommandSet(
    name: "tts-bench", version: "0.1.0", summary: "Measure and check Syrinx.",
    commands: [
        RunCommand.command, CompareCommand.command, FirstAudioCommand.command, GoldenCommand.command,
        ResampleCommand.command,
    ])

do {
    switch try program.parse(Array(CommandLine.arguments.dropFirst())) {
    case .help(let text), .version(let text):
        try StandardStream.print(text)
    case .run(let command, let arguments):
        // Not in the processes that a measurement starts.
        if command.name != "first-audio", let problem = KernelChoice.problem {
            StandardStream.report("tts-bench: \(problem)")
        }
        try await command.run(arguments)
    }
} catch let error as UsageError {
    StandardStream.note("\(error)\n")
    exit(error.exitStatus.rawValue)
} catch let error as StandardStream.Failure {
    StandardStream.report("tts-bench: \(error)")
    exit(error.exitStatus.rawValue)
} catch let error as BenchError {
    StandardStream.report("tts-bench: \(error)")
    exit(error.exitStatus.rawValue)
} catch let error as GoldenError {
    StandardStream.report("tts-bench: \(error)")
    exit((error.kind == .missing ? ExitStatus.noInput : .badData).rawValue)
} catch let error as Regression {
    for line in error.worse { StandardStream.report("tts-bench: worse: \(line)") }
    exit(1)
} catch {
    StandardStream.report("tts-bench: \(error)")
    exit(ExitStatus.unavailable.rawValue)
}
