import Foundation

/// What the program tells the person who runs it.
enum Terminal {
    /// One line on standard error.
    static func report(_ message: String) {
        let line = message.hasPrefix("syrinx") ? message : "syrinx: \(message)"
        FileHandle.standardError.write(Data((line.replacing("\n", with: " ") + "\n").utf8))
    }
}
