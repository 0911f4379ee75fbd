import Foundation

// So that `localizedDescription` is the line that `description` is.

extension SpeechError: LocalizedError {
    public var errorDescription: String? { description }
}

extension PlaybackError: LocalizedError {
    public var errorDescription: String? { description }
}
