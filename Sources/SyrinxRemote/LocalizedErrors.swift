import Foundation

// So that `localizedDescription` is the line that `description` is.

extension RemoteSpeechError: LocalizedError {
    public var errorDescription: String? { description }
}
