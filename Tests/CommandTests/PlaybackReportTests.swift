import Foundation
import Testing

@Suite("PlaybackReport")
struct PlaybackReportTests {
    private let noVoice = ["SYRINX_VOICES": "", "XDG_DATA_HOME": "/nowhere", "HOME": "/nowhere"]

    @Test("Help tells what it takes, and a mistake is refused before anything is played")
    func arguments() throws {
        for words in [["--help"], ["-h"], ["help"]] {
            let help = try Shell.run(words, program: "PlaybackReport", environment: noVoice)
            #expect(help.status == 0 && help.errors == "")
            #expect(
                String(decoding: help.output, as: UTF8.self).contains(
                    "Usage: PlaybackReport [OPTIONS] [PLOT.svg]"))
        }
        for arguments in [["--bogus"], ["a.svg", "b.svg"], [""], ["-x"], ["hlep"], ["a.png"]] {
            let result = try Shell.run(arguments, program: "PlaybackReport", environment: noVoice)
            #expect(result.status == 64 && result.errors.hasPrefix("PlaybackReport: "), "\(result.errors)")
            #expect(result.errors.filter { $0 == "\n" }.count == 1 && result.output.isEmpty)
        }
        let result = try Shell.run(["/nowhere/a.svg"], program: "PlaybackReport", environment: noVoice)
        #expect(result.status == 74 && result.errors.contains("cannot write /nowhere/a.svg"), "\(result.errors)")
        #expect(result.errors.filter { $0 == "\n" }.count == 1 && result.output.isEmpty)
    }
}
