// Plays a paragraph with every strategy, with the decoder at full speed and throttled, and prints the README's
// table. With a path as argument it writes the plot of lead against time there.

import Arguments
import Foundation
import Playback
import Syrinx

StandardStream.prepare()

let text = """
    A rainbow is a meteorological phenomenon that is caused by reflection, refraction and dispersion of light in \
    water droplets resulting in a spectrum of light appearing in the sky. It takes the form of a multicoloured arc. \
    Rainbows caused by sunlight always appear in the section of sky directly opposite the sun.
    """

do {
    let voice = try VoiceLibrary().voice()
    // Reading the voice's pages for the first time is not what is measured.
    _ = try await SpeechSynthesizer(voice: voice).generate(text: text)
    try StandardStream.print("| decoder | strategy | time to first sound | underruns | largest lead |")
    try StandardStream.print("|---|---|---|---|---|")
    var runs: [PlaybackRun] = []
    for speed in [nil, 0.8] as [Double?] {
        for strategy in [.auto, .stream, .buffered(seconds: 1), .generateFirst] as [PlaybackStrategy] {
            let run = try await PlaybackRun.play(text, voice: voice, strategy: strategy, speed: speed)
            let numbers = String(format: "%.2f s | %d | %.1f s", run.firstSound, run.underruns, run.largestLead)
            try StandardStream.print("| \(run.speedName) | `\(run.strategyName)` | \(numbers) |")
            runs.append(run)
        }
    }
    if let path = CommandLine.arguments.dropFirst().first {
        let shown = runs.filter { $0.speed != nil || $0.strategy == .auto }
        try Data(LeadPlot(runs: shown).svg.utf8).write(to: URL(fileURLWithPath: path))
    }
} catch {
    StandardStream.note("playback-report: \(error)\n")
    exit(69)
}
