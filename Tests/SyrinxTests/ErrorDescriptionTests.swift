import Foundation
import Syrinx
import Testing

@Suite("Errors in words")
struct ErrorDescriptionTests {
    @Test("localizedDescription is the line that the error itself says")
    func localized() {
        let playback: any Error = PlaybackError.deviceBusy(device: "hw:1")
        #expect(playback.localizedDescription == "\(PlaybackError.deviceBusy(device: "hw:1"))")
        do {
            _ = try VoiceLibrary().voice(named: "no such voice")
        } catch {
            #expect(error.localizedDescription == "\(error)")
            #expect(error.localizedDescription.contains("no such voice"))
        }
    }
}
