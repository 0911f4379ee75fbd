import Arguments
import Glibc

/// Checks of the name under which sound is written, before any work is done for it.
enum SoundOutput {
    /// Endings of formats that are not written here: a file may not promise another format than it has.
    private static let foreignEndings: Set<String> = [
        "aac", "ac3", "aif", "aifc", "aiff", "amr", "ape", "au", "avi", "caf", "flac", "m4a", "m4b", "mka",
        "mkv", "mov", "mp2", "mp3", "mp4", "oga", "ogg", "ogv", "opus", "rf64", "snd", "spx", "tta", "voc",
        "w64", "weba", "webm", "wma", "wmv", "wv",
    ]
    /// Endings of samples without a header.
    private static let rawEndings: Set<String> = ["pcm", "raw"]

    enum Kind { case wav, raw, any }

    /// What the name of an output promises: WAV, raw samples, or neither.
    ///
    /// - Throws: `UsageError` if it promises a format that is not written.
    static func kind(of path: String, _ arguments: ParsedArguments) throws -> Kind {
        let ending = ending(of: path)
        guard !foreignEndings.contains(ending) else {
            throw arguments.usageError(
                "only WAV and raw samples are written, not .\(ending); name the output .wav")
        }
        return rawEndings.contains(ending) ? .raw : ["wav", "wave"].contains(ending) ? .wav : .any
    }

    /// Refuses an output of a command that writes WAV alone, if its name promises something else or if it is a
    /// terminal.
    static func checkWAV(_ path: String?, _ arguments: ParsedArguments) throws {
        guard let path else { return }
        try checkTerminal(path, arguments)
        let ending = ending(of: path)
        guard !foreignEndings.contains(ending), !rawEndings.contains(ending) else {
            throw arguments.usageError("only WAV is written, not .\(ending); name the output .wav")
        }
    }

    /// Refuses standard output where that is a terminal: sound is nothing to read.
    static func checkTerminal(_ path: String, _ arguments: ParsedArguments) throws {
        guard path != "-" || isatty(STDOUT_FILENO) == 0 else {
            throw arguments.usageError(
                "standard output is a terminal; name a file, or redirect it with > or |")
        }
    }

    private static func ending(of path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }
}
