import Arguments
import CKernels
import Glibc
import Syrinx

syrinx_enlarge_heap()
StandardStream.prepare()

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

var running: Command?
do {
    switch try program.parse(Array(CommandLine.arguments.dropFirst())) {
    case .help(let text), .version(let text):
        try StandardStream.print(text)
    case .run(let command, let arguments):
        if let problem = KernelChoice.problem { Terminal.report(problem) }
        running = command
        Interruption.watch()
        try await command.run(arguments)
    }
} catch let interruption as Interruption {
    interruption.end()
} catch {
    let failure = CommandFailure(error, of: running)
    Terminal.report("\(failure.message)")
    leave(failure.exitStatus)
}
leave(0)

/// Ends the process at once. A thread may still be inside espeak-ng, whose streams and tables the C library's own way
/// out would take from under it; nothing of ours waits in a buffer.
func leave(_ status: Int32) -> Never { _exit(status) }
