import Foundation

@testable import Syrinx

/// The voices of tests: small ones with weights at random, in the repository; and the default voice, if it is there.
enum TestVoices {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Golden/voices").path

    static func tiny(_ name: String = "tiny-medium") throws -> Voice {
        try Voice(contentsOf: "\(folder)/\(name).onnx")
    }

    /// The voice that `make test` fetches.
    static func joe() throws -> Voice {
        let path = ProcessInfo.processInfo.environment["SYRINX_TEST_VOICE"]
        return try VoiceLibrary().voice(named: path ?? VoiceLibrary.defaultVoice)
    }

    /// Sentences of ids that every voice has.
    static let sentences: [[Int]] = (0..<5).map { sentence in
        let phonemes: [Int] = (0..<9 + 4 * sentence).map { 14 + ($0 * 5 + sentence) % 20 }
        return [1, 0] + phonemes.flatMap { [$0, 0] } + [2]
    }
}
