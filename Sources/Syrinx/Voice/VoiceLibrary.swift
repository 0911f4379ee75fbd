import Foundation
import Glibc
import VITS

/// The voices that are installed.
public struct VoiceLibrary: Sendable {
    /// The voice that is used when none is named.
    public static let defaultVoice = "en_US-joe-medium"

    /// Where voices lie, in the order in which they are searched.
    public let folders: [String]

    /// - Parameters:
    ///   - folders: searched before the usual ones: `$SYRINX_VOICES`, then `syrinx/voices` in
    ///     `$XDG_DATA_HOME` (by default `~/.local/share`), `/usr/local/share` and `/usr/share`.
    public init(folders: [String] = [], environment: [String: String] = ProcessInfo.processInfo.environment) {
        var all = folders
        if let list = environment["SYRINX_VOICES"] { all += list.split(separator: ":").map(String.init) }
        // The XDG base directory specification: a relative path is to be ignored.
        let data =
            environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? Self.home(environment).map { $0 + "/.local/share" }
        all += ([data].compactMap(\.self) + ["/usr/local/share", "/usr/share"]).map { $0 + "/syrinx/voices" }
        self.folders = all
    }

    /// `HOME`, or where it is not set what the system has on record.
    private static func home(_ environment: [String: String]) -> String? {
        if let home = environment["HOME"], !home.isEmpty { return home }
        guard let user = getpwuid(getuid()), let folder = user.pointee.pw_dir else { return nil }
        return String(cString: folder)
    }

    /// The names of all voices, sorted; of two with one name, the first in the order of the folders.
    public var names: [String] { voices.keys.sorted() }

    /// Paths of the `.onnx` files by name, of those with a configuration beside them.
    private var voices: [String: String] {
        var found: [String: String] = [:]
        for folder in folders {
            for path in models(in: folder) {
                let name = String((path.split(separator: "/").last ?? "").dropLast(5))
                if found[name] == nil { found[name] = path }
            }
        }
        return found
    }

    /// Models in `folder` and one level below it. Hidden entries are passed over, such as what a fetch is still
    /// working on.
    private func models(in folder: String) -> [String] {
        let manager = FileManager.default
        var models: [String] = []
        for entry in (try? manager.contentsOfDirectory(atPath: folder))?.sorted() ?? []
        where !entry.hasPrefix(".") {
            let path = folder + "/" + entry
            let inside =
                entry.hasSuffix(".onnx")
                ? [path]
                : ((try? manager.contentsOfDirectory(atPath: path)) ?? []).sorted()
                    .filter { $0.hasSuffix(".onnx") && !$0.hasPrefix(".") }.map { path + "/" + $0 }
            models += inside.filter { manager.fileExists(atPath: $0 + ".json") }
        }
        return models
    }

    /// The `.onnx` file of the voice `name`: a path where it has a slash or ends in `.onnx`, otherwise the
    /// name of an installed voice.
    public func path(of name: String) throws(SpeechError) -> String {
        if name.contains("/") || name.hasSuffix(".onnx") { return name }
        for folder in folders {
            for path in ["\(folder)/\(name).onnx", "\(folder)/\(name)/\(name).onnx"]
            where FileManager.default.fileExists(atPath: path) {
                return path
            }
        }
        guard let path = voices[name] else {
            throw .voiceNotFound(name: name, known: names, folders: folders)
        }
        return path
    }

    /// Opens the voice `name`; see ``path(of:)``.
    public func voice(
        named name: String = defaultVoice, configurationPath: String? = nil,
        execution: VITSModel.Execution = .automatic
    ) throws(SpeechError) -> Voice {
        try Voice(contentsOf: path(of: name), configurationPath: configurationPath, execution: execution)
    }
}
