import Foundation
import Glibc
import Phonemes
import Tensor
import VITS

/// A voice: a model, its configuration, and what reads text for it.
///
/// Immutable and safe to share: any number of requests may use one voice at once.
public struct Voice: Sendable {
    /// What the voice is called: its file's name without extensions.
    public let name: String
    /// What the voice's `.onnx.json` says.
    public let configuration: VoiceConfiguration
    /// Where the model lies.
    public let path: String
    package let model: VITSModel
    let reader: VoiceTextReader?
    /// Why there is no reader; text then cannot be spoken, ids can.
    private let readerError: PhonemeError?

    /// Opens a Piper voice: `path` and, beside it, `path.json`.
    ///
    /// - Parameters:
    ///   - path: the `.onnx` file. It stays mapped: as long as the voice is in use it must not be changed in place, only
    ///     replaced by renaming another over it.
    ///   - configurationPath: the configuration, where it lies elsewhere.
    ///   - execution: how the model is computed; the samples of `automatic` and `once` are the same.
    /// - Throws: `SpeechError.unusableVoice`, saying which file and why.
    public init(
        contentsOf path: String, configurationPath: String? = nil, execution: VITSModel.Execution = .automatic
    ) throws(SpeechError) {
        self.path = path
        name = Self.name(ofFile: path)
        try Self.checkReadable(path)
        configuration = try Self.configuration(ofModel: path, at: configurationPath)
        // espeak-ng takes as long to start as the model takes to open.
        if let phonemizer = try? configuration.phonemizer() {
            startSpeechThread(name: "phonemizer") { phonemizer.prepare() }
        }
        do {
            model = try VITSModel(contentsOf: path, execution: execution)
        } catch {
            throw .unusableVoice(path: path, reason: "\(error)")
        }
        do throws(PhonemeError) {
            reader = try VoiceTextReader(configuration, symbolCount: model.symbols)
            readerError = nil
        } catch {
            reader = nil
            readerError = error
        }
    }

    /// Reads the configuration of the voice whose model lies at `path`, without the model.
    public static func configuration(
        ofModel path: String, at configurationPath: String? = nil
    ) throws(SpeechError) -> VoiceConfiguration {
        let configurationPath = configurationPath ?? path + ".json"
        do {
            return try VoiceConfiguration(json: contents(of: configurationPath))
        } catch let error as SpeechError {
            throw error
        } catch {
            throw .unusableVoice(path: configurationPath, reason: "\(error)")
        }
    }

    /// Samples per second that the model gives.
    public var sampleRate: Int { configuration.sampleRate }

    /// Speakers by name, sorted by id; empty for a voice with a single one.
    public var speakerNames: [String] {
        guard model.speakers > 1 else { return [] }
        let named = configuration.speakerIDs.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
        return named.isEmpty ? (0..<model.speakers).map(String.init) : named
    }

    /// The id of the speaker that `name`, a name or a number, stands for; nil for the voice's default.
    func speaker(_ name: String?) throws(SpeechError) -> Int {
        guard let name else { return min(configuration.defaultSpeaker, model.speakers - 1) }
        if model.speakers > 1, let id = configuration.speakerIDs[name], id < model.speakers { return id }
        guard let id = VoiceConfiguration.number(name), id < model.speakers else {
            throw .unknownSpeaker(name: name, known: speakerNames)
        }
        return id
    }

    func textReader() throws(SpeechError) -> VoiceTextReader {
        guard let reader else {
            throw .text(readerError ?? .configuration(field: "phoneme_type", problem: "is missing"))
        }
        return reader
    }

    private static func name(ofFile path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        return file.hasSuffix(".onnx") ? String(file.dropLast(5)) : file
    }

    /// Configurations are a few kilobytes, with many speakers some hundred.
    private static let largestConfiguration = 16 << 20

    private static func checkReadable(_ path: String) throws(SpeechError) {
        close(try open(path))
    }

    /// A descriptor of the regular file `path`. Anything else, such as a pipe that nobody writes to, would block.
    private static func open(_ path: String) throws(SpeechError) -> Int32 {
        let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            let reason =
                errno == ENOENT || errno == ENOTDIR
                ? "there is no such file; a voice is an .onnx file with its .onnx.json beside it"
                : String(cString: strerror(errno))
            throw .missingVoiceFile(path: path, reason: reason)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            let kind = status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "a pipe or a device"
            throw .unusableVoice(path: path, reason: "it is \(kind), not a file")
        }
        return descriptor
    }

    private static func contents(of path: String) throws -> Data {
        let handle = FileHandle(fileDescriptor: try open(path), closeOnDealloc: true)
        let data = try handle.read(upToCount: largestConfiguration + 1) ?? Data()
        guard data.count <= largestConfiguration else { throw TooLarge() }
        return data
    }
}

private struct TooLarge: Error, CustomStringConvertible {
    let description = "it is larger than any configuration"
}
