// Plays a paragraph with every strategy, with the decoder at full speed and throttled, and prints the README's
// table. With a path as argument it writes the plot of lead against time there.

import Arguments
import Foundation
import Playback
import Syrinx

StandardStream.prepare()

let plot = Parameter.optionalArgument("PLOT.svg", as: .plot, help: "draw lead against time to this file")
let program = Command(
    name: "PlaybackReport", summary: "Play a paragraph with every strategy, and print the README's table.",
    discussion: "It plays to nobody, in real time, with the default voice; that takes some minutes.",
    groups: [ParameterGroup("Arguments", [plot])],
    examples: [Example("PlaybackReport Documentation/lead.svg", "the table and the plot of the README")]
) { arguments in
    try await report(plot: arguments[plot])
}

/// Plays, prints the table, and draws the plot if asked to.
@Sendable func report(plot path: String?) async throws {
    // Some minutes are too long to find out then.
    if let path { try checkFolder(of: path) }
    let text = """
        A rainbow is a meteorological phenomenon that is caused by reflection, refraction and dispersion of light \
        in water droplets resulting in a spectrum of light appearing in the sky. It takes the form of a \
        multicoloured arc. Rainbows caused by sunlight always appear in the section of sky directly opposite the \
        sun.
        """
    let voice = try VoiceLibrary().voice()
    // Reading the voice's pages for the first time is not what is measured.
    _ = try await SpeechSynthesizer(voice: voice).generate(text: text)
    try StandardStream.print("| decoder | strategy | time to first sound | underruns | largest lead |")
    try StandardStream.print("|---|---|---|---|---|")
    var runs: [PlaybackRun] = []
    for speed in [nil, 0.8] as [Double?] {
        for strategy in [.auto, .stream, .buffered(seconds: 1), .generateFirst] as [PlaybackStrategy] {
            let run = try await PlaybackRun.play(text, voice: voice, strategy: strategy, speed: speed)
            let numbers = String(
                format: "%.2f s | %d | %.1f s", run.firstSound, run.underruns, run.largestLead)
            try StandardStream.print("| \(run.speedName) | `\(run.strategyName)` | \(numbers) |")
            runs.append(run)
        }
    }
    if let path {
        let shown = runs.filter { $0.speed != nil || $0.strategy == .auto }
        do {
            try Data(LeadPlot(runs: shown).svg.utf8).write(to: URL(fileURLWithPath: path))
        } catch {
            throw PlotError(description: "cannot write \(path): \(error.localizedDescription)")
        }
    }
}

/// The plot cannot be written.
struct PlotError: Error, CustomStringConvertible { let description: String }

@Sendable func checkFolder(of path: String) throws {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard FileManager.default.isWritableFile(atPath: folder) else {
        throw PlotError(description: "cannot write \(path): \(folder) is no folder that can be written to")
    }
}

extension ValueParser<String> {
    /// The name of a picture: a word that was meant as something else becomes no file.
    fileprivate static var plot: Self {
        Self(placeholder: "FILE.svg", expectation: "the name of a file that ends in .svg") {
            $0.hasSuffix(".svg") && !$0.utf8.contains(0) ? $0 : nil
        }
    }
}

do {
    var words = Array(CommandLine.arguments.dropFirst())
    // As the programs with commands have it.
    if words.first == "help" { words = ["--help"] }
    switch try program.parse(words, as: program.name) {
    case .help(let text), .version(let text): try StandardStream.print(text)
    case .run(let command, let arguments): try await command.run(arguments)
    }
} catch let error as UsageError {
    StandardStream.note("\(error)\n")
    exit(error.exitStatus.rawValue)
} catch let error as PlotError {
    StandardStream.report("PlaybackReport: \(error)")
    exit(ExitStatus.inputOutput.rawValue)
} catch let error as StandardStream.Failure {
    StandardStream.report("PlaybackReport: \(error)")
    exit(error.exitStatus.rawValue)
} catch {
    StandardStream.report("PlaybackReport: \(error)")
    exit(ExitStatus.unavailable.rawValue)
}
