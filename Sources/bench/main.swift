import Arguments
import Foundation

let program = CommandSet(
    name: "tts-bench", version: "0.1.0", summary: "Measure and check Syrinx.",
    commands: [
        RunCommand.command, CompareCommand.command, FirstAudioCommand.command, GoldenCommand.command,
        ResampleCommand.command,
    ])

do {
    switch try program.parse(Array(CommandLine.arguments.dropFirst())) {
    case .help(let text), .version(let text):
        print(text)
    case .run(let command, let arguments):
        try await command.run(arguments)
    }
} catch let error as UsageError {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(error.exitStatus.rawValue)
} catch {
    FileHandle.standardError.write(Data("tts-bench: \(error)\n".utf8))
    exit(1)
}
