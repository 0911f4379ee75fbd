import Foundation
import Testing

@Suite("On a terminal")
struct TerminalTests {
    @Test("Sound is not poured on a screen: one line says to redirect it")
    func noSound() throws {
        let folder = try Shell.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("a.wav").path
        #expect(try Shell.run(["say", "[[ hˈaɪ ]]", "-o", file]).status == 0)
        for arguments in [
            ["say", "hi", "-o", "-"], ["say", "hi", "--save", "-"], ["convert", file, "-"],
            ["convert", file, "-", "--raw"],
        ] {
            let (terminal, errors) = (try PseudoTerminal(), Pipe())
            let process = try Shell.start(arguments, output: terminal.handle, errors: errors)
            let shown = try terminal.output(until: process)
            let line = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            #expect(process.terminationStatus == 64 && shown == "", "\(arguments): \(line)")
            #expect(line.contains("standard output is a terminal") && line.contains("redirect it"))
            #expect(line.filter { $0 == "\n" }.count == 1)
        }
    }
}
