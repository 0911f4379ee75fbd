#if EspeakNG
    import Glibc
    import Synchronization

    /// The functions of espeak-ng that are used, found at run time so that nothing links its GPL code.
    struct EspeakFunctions: @unchecked Sendable {
        typealias InitializePath = @convention(c) (UnsafePointer<CChar>?) -> Void
        /// The argument is where an error's context goes; nil for nowhere.
        typealias Initialize = @convention(c) (UnsafeMutableRawPointer?) -> Int32
        typealias Info =
            @convention(c) (UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> UnsafePointer<CChar>?
        typealias SetVoiceByName = @convention(c) (UnsafePointer<CChar>) -> Int32
        typealias SetVoiceByFile = @convention(c) (UnsafePointer<CChar>) -> Int32
        typealias TextToPhonemes =
            @convention(c) (UnsafeMutablePointer<UnsafeRawPointer?>, Int32, Int32) -> UnsafePointer<CChar>?
        typealias TextToPhonemesWithTerminator =
            @convention(c) (
                UnsafeMutablePointer<UnsafeRawPointer?>, Int32, Int32, UnsafeMutablePointer<Int32>
            ) -> UnsafePointer<CChar>?

        var info: Info
        var setVoiceByName: SetVoiceByName
        /// Without it voices are set by their names.
        var setVoiceByFile: SetVoiceByFile?
        var textToPhonemes: TextToPhonemes
        /// Not in espeak-ng 1.51 and 1.52.
        var textToPhonemesWithTerminator: TextToPhonemesWithTerminator?
    }

    /// espeak-ng, opened and initialised once per process.
    ///
    /// The library keeps its voice and its place in the text in global variables, so every use goes through one
    /// lock. It also sets the process's `LC_CTYPE` locale to a UTF-8 one when it starts.
    final class EspeakLibrary: Sendable {
        private struct State {
            let functions: EspeakFunctions
            var voices: EspeakVoices
        }

        private let state: Mutex<State>
        /// As the library reports it, such as "1.51".
        let version: String
        let hasTerminators: Bool

        init(_ functions: EspeakFunctions) {
            var directory: UnsafePointer<CChar>?
            version = functions.info(&directory).map { String(cString: $0) } ?? "of unknown version"
            hasTerminators = functions.textToPhonemesWithTerminator != nil
            let voices = EspeakVoices(data: directory.map { String(cString: $0) })
            state = Mutex(State(functions: functions, voices: voices))
        }

        /// Has the library read a voice's data now, so that the first text need not wait for it.
        func prepare(_ voice: String) throws(PhonemeError) {
            let isKnown = state.withLock { $0.voices.prepare(voice, of: $0.functions) }
            guard isKnown else { throw .unknownEspeakVoice(name: voice, version: version) }
        }

        /// Runs `body` with nobody else inside the library, and with a voice set.
        func withVoice<Result>(
            _ voice: String, _ body: (EspeakFunctions) -> Result
        ) throws(PhonemeError) -> sending Result {
            let result: Result? = state.withLock { state in
                state.voices.set(voice, of: state.functions) ? body(state.functions) : nil
            }
            guard let result else { throw .unknownEspeakVoice(name: voice, version: version) }
            return result
        }

        private static let opened = Mutex<EspeakLibrary?>(nil)

        /// The library of this process. Opened on first use; a failure is not remembered, so a caller may repair
        /// the cause and try again.
        ///
        /// `SYRINX_ESPEAK_LIBRARY` names another library than libespeak-ng.so.1, `ESPEAK_DATA_PATH` the directory
        /// that holds espeak-ng-data (or is it).
        static func shared() throws(PhonemeError) -> EspeakLibrary {
            let outcome: Result<EspeakLibrary, PhonemeError> = opened.withLock { library in
                if let library { return .success(library) }
                do throws(PhonemeError) {
                    let new = try open(
                        library: environment("SYRINX_ESPEAK_LIBRARY"), data: environment("ESPEAK_DATA_PATH"))
                    library = new
                    return .success(new)
                } catch {
                    return .failure(error)
                }
            }
            return try outcome.get()
        }

        private static func environment(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        }
    }

    extension EspeakLibrary {
        /// Opens a library and starts it.
        static func open(library: String?, data: String?) throws(PhonemeError) -> EspeakLibrary {
            let path = library ?? "libespeak-ng.so.1"
            // A bad directory is an error here: espeak-ng would quietly take another one.
            if let data, !["\(data)/espeak-ng-data/phontab", "\(data)/phontab"].contains(where: isReadable) {
                throw .espeakDataMissing(path: data)
            }
            guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
                throw .espeakLibraryMissing(path: path, reason: lastLoaderError(about: path))
            }
            let initializePath = try function(
                "espeak_ng_InitializePath", of: handle, path, as: EspeakFunctions.InitializePath.self)
            let initialize = try function(
                "espeak_ng_Initialize", of: handle, path, as: EspeakFunctions.Initialize.self)
            let functions = EspeakFunctions(
                info: try function("espeak_Info", of: handle, path, as: EspeakFunctions.Info.self),
                setVoiceByName: try function(
                    "espeak_SetVoiceByName", of: handle, path, as: EspeakFunctions.SetVoiceByName.self),
                setVoiceByFile: dlsym(handle, "espeak_ng_SetVoiceByFile").map {
                    // SAFETY: this is the declaration of espeak_ng.h.
                    unsafeBitCast($0, to: EspeakFunctions.SetVoiceByFile.self)
                },
                textToPhonemes: try function(
                    "espeak_TextToPhonemes", of: handle, path, as: EspeakFunctions.TextToPhonemes.self),
                textToPhonemesWithTerminator: dlsym(handle, "espeak_TextToPhonemesWithTerminator").map {
                    // SAFETY: this is the declaration of speak_lib.h.
                    unsafeBitCast($0, to: EspeakFunctions.TextToPhonemesWithTerminator.self)
                })

            // Not `espeak_Initialize`: in every mode it looks for a sound server, which leaves files in the home
            // folder, and it prints what goes wrong.
            if let data { initializePath(data) } else { initializePath(nil) }
            let status = initialize(nil)
            guard status == 0 else {
                var directory: UnsafePointer<CChar>?
                _ = functions.info(&directory)
                let place = directory.map { String(cString: $0) } ?? ""
                if !isReadable("\(place)/phontab") {
                    throw .espeakDataMissing(path: place.isEmpty ? "its usual place" : place)
                }
                throw .espeakFailed(code: Int(status))
            }
            return EspeakLibrary(functions)
        }

        private static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

        private static func function<Function>(
            _ name: String, of handle: UnsafeMutableRawPointer, _ path: String, as type: Function.Type
        ) throws(PhonemeError) -> Function {
            guard let symbol = dlsym(handle, name) else {
                throw .espeakFunctionMissing(path: path, function: name)
            }
            // SAFETY: `type` is the C function type that speak_lib.h declares for `name`.
            return unsafeBitCast(symbol, to: type)
        }

        /// What the loader says, without the path that the message names already.
        private static func lastLoaderError(about path: String) -> String {
            guard let message = dlerror().map({ String(cString: $0) }) else { return "unknown reason" }
            return message.hasPrefix("\(path): ") ? String(message.dropFirst(path.count + 2)) : message
        }
    }
#endif
