import Arguments
import Glibc

// A closed pipe is an error of the write that meets it, with a message, not a silent death.
signal(SIGPIPE, SIG_IGN)

let program = CommandSet(
    name: "syrinx", version: "0.1.0",
    summary: "Neural text-to-speech with Piper voices.",
    commands: [
        SayCommand.command, PlayCommand.command, ConvertCommand.command, PhonemesCommand.command,
        VoicesCommand.command,
    ],
    examples: [
        Example("syrinx say \"Hello world.\"", "speak"),
        Example("syrinx say \"Hello world.\" -o hello.wav", "speak into a file"),
    ])

do {
    switch try program.parse(Array(CommandLine.arguments.dropFirst())) {
    case .help(let text), .version(let text):
        print(text)
    case .run(let command, let arguments):
        try await command.run(arguments)
    }
} catch {
    let failure = CommandFailure(error)
    Terminal.report("\(failure.message)")
    exit(failure.exitStatus)
}
