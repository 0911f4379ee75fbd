/// What can go wrong between text and phoneme ids. Each message is one line that says what to do.
public enum PhonemeError: Error, Equatable, Sendable {
    /// The espeak-ng library could not be opened. `path` is what was tried.
    case espeakLibraryMissing(path: String, reason: String)
    /// The library opened, but lacks a function that this package needs.
    case espeakFunctionMissing(path: String, function: String)
    /// The directory of espeak-ng's voices and dictionaries was not found. `path` is what was tried.
    case espeakDataMissing(path: String)
    /// espeak-ng refused to start.
    case espeakFailed(code: Int)
    /// This build has no espeak-ng support: the package trait `EspeakNG` was off.
    case espeakNotBuilt
    /// A voice name that is not looked up at all, because espeak-ng would use it as a file name.
    case invalidEspeakVoice(name: String, reason: String)
    /// espeak-ng has no voice of that name.
    case unknownEspeakVoice(name: String, version: String)
    /// A voice whose text is turned into phonemes in a way that is not built in.
    case unsupportedPhonemeType(String)
    /// A voice configuration that cannot be used. `field` is its path in the JSON, such as `audio.sample_rate`.
    case configuration(field: String, problem: String)
    /// Ids given by the user that are no ids of the voice.
    case invalidIDs(problem: String)
}

extension PhonemeError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .espeakLibraryMissing(let path, let reason) where Self.isLackOfMemory(reason):
            "cannot open the espeak-ng library \(path) (\(reason)): "
                + "there is too little memory; end other programs, or raise the limit of `ulimit -v`"
        case .espeakLibraryMissing(let path, let reason):
            "cannot open the espeak-ng library \(path) (\(reason)): run `apt-get install libespeak-ng1`, "
                + "or set SYRINX_ESPEAK_LIBRARY to its path"
        case .espeakFunctionMissing(let path, let function):
            "\(path) has no function \(function), so it is not espeak-ng 1.49 or newer: "
                + "run `apt-get install libespeak-ng1`, or correct SYRINX_ESPEAK_LIBRARY"
        case .espeakDataMissing(let path):
            "no espeak-ng data in \(path): run `apt-get install espeak-ng-data`, "
                + "or set ESPEAK_DATA_PATH to the directory that holds espeak-ng-data"
        case .espeakFailed(let code):
            "espeak-ng did not start (code \(code)): run `apt-get install --reinstall libespeak-ng1 espeak-ng-data`"
        case .espeakNotBuilt:
            "this build has no espeak-ng: give phonemes or ids instead of text, "
                + "or build with the package trait EspeakNG"
        case .invalidEspeakVoice(let name, let reason):
            "\(quoted(name)) is not a name of an espeak-ng voice: it \(reason)"
        case .unknownEspeakVoice(let name, let version):
            "espeak-ng \(version) has no voice \(quoted(name)): `espeak-ng --voices` lists those it has"
        case .unsupportedPhonemeType(let type):
            "the voice needs phoneme type \(quoted(type)), which is not supported: "
                + "use a voice of type espeak or text, or give phoneme ids"
        case .configuration(let field, let problem):
            "voice configuration: \(field) \(problem)"
        case .invalidIDs(let problem):
            "phoneme ids: \(problem)"
        }
    }

    /// What glibc's loader says when memory is short.
    private static func isLackOfMemory(_ reason: String) -> Bool {
        ["failed to map", "annot allocate memory", "cannot create shared object descriptor"]
            .contains(where: reason.contains)
    }

    /// Untrusted text inside a message: kept short and on one line.
    private func quoted(_ text: String) -> String {
        var shown = ""
        for scalar in text.unicodeScalars.prefix(60) {
            shown += scalar.properties.generalCategory == .control ? "?" : String(scalar)
        }
        return "\"\(shown)\(text.unicodeScalars.count > 60 ? "…" : "")\""
    }
}
