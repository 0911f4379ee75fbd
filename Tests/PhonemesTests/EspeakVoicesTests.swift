#if EspeakNG
    import Foundation
    import Synchronization
    import TestSupport
    import Testing

    @testable import Phonemes

    @Suite("Setting the voice")
    struct EspeakVoicesTests {
        @Test("A voice set by its file is the voice set by its name, for every name there is, whatever came before")
        func equality() throws {
            let seed: UInt64 = 4711
            var generator = SeededGenerator(seed: seed)
            try inLibrary { functions, data in
                let names = try Self.names(in: data)
                var expected: [String: Reading] = [:]
                for name in names where functions.setVoiceByName(name) == 0 {
                    expected[name] = try read(name, functions)
                }
                var voices = EspeakVoices(data: data)
                for name in names.shuffled(using: &generator) {
                    if let other = names.randomElement(using: &generator), Bool.random(using: &generator) {
                        _ = functions.setVoiceByName(other)
                    }
                    let isKnown = voices.set(name, of: functions)
                    let reading = try isKnown ? read(name, functions) : nil
                    #expect(reading == expected[name], "\(name), seed \(seed)")
                }
            }
        }

        @Test("Every language file in a family is found without its name being looked up")
        func byFile() throws {
            try inLibrary { functions, data in
                var functions = functions
                functions.setVoiceByName = { _ in 1 }
                var voices = EspeakVoices(data: data)
                for file in try Self.languageFiles(in: data) {
                    let name = file.lastPathComponent
                    let isInFamily = file.deletingLastPathComponent().lastPathComponent != "lang"
                    #expect(EspeakVoiceFile(of: name, data: data)?.path == (isInFamily ? file.path : nil))
                    for spelling in [name.lowercased(), name.uppercased()] {
                        let isKnown = voices.set(spelling, of: functions)
                        #expect(isKnown == isInFamily, "\(spelling)")
                    }
                }
            }
        }

        @Test("A library that cannot load a file, or that does not say where its data is, is asked by name")
        func byName() throws {
            try inLibrary { functions, data in
                #expect(functions.setVoiceByFile != nil)
                #expect(functions.setVoiceByName("de") == 0)
                let expected = try read("de", functions)

                var without = functions
                without.setVoiceByFile = nil
                var failing = functions
                failing.setVoiceByFile = { _ in 1 }
                for (functions, data) in [(without, data), (failing, data), (functions, nil), (functions, "/nowhere")] {
                    var voices = EspeakVoices(data: data)
                    let areKnown = ["xx-yy", "en-us", "de"].map { voices.set($0, of: functions) }
                    #expect(areKnown == [false, true, true])
                    let reading = try read("de", functions)
                    #expect(reading == expected)
                }
            }
        }

        private static let settings = Atomic(0)

        @Test("A prepared voice is not set again for the text that follows, but for the one after that")
        func prepared() throws {
            let library = EspeakLibrary(
                EspeakFunctions(
                    info: { _ in nil },
                    setVoiceByName: { name in
                        Self.settings.add(1, ordering: .relaxed)
                        return name.pointee == CChar(UInt8(ascii: "x")) ? 1 : 0
                    },
                    textToPhonemes: { _, _, _ in nil }))
            func settings(_ body: () throws -> Void) rethrows -> Int {
                Self.settings.store(0, ordering: .relaxed)
                try body()
                return Self.settings.load(ordering: .relaxed)
            }
            #expect(try settings { try library.prepare("de") } == 1)
            #expect(try settings { try library.prepare("de") } == 0)
            #expect(try settings { try library.withVoice("de") { _ in } } == 0)
            #expect(try settings { try library.withVoice("de") { _ in } } == 1)
            #expect(try settings { try library.prepare("de") } == 1)
            #expect(try settings { try library.withVoice("en") { _ in } } == 1)
            #expect(try settings { try library.withVoice("de") { _ in } } == 1)

            let unknown = PhonemeError.unknownEspeakVoice(name: "xx", version: library.version)
            #expect(throws: unknown) { try library.prepare("xx") }
            #expect(settings { #expect(throws: unknown) { try library.withVoice("xx") { _ in } } } == 1)
        }

        @Test("A text reads alike with the voice prepared and without, after a text in another language")
        func preparedText() throws {
            let russian = try EspeakPhonemizer(voice: "ru")
            let german = try EspeakPhonemizer(voice: "de")
            let text = "Это Linux, а не Windows."
            let expected = try russian.sentences(of: text)
            for _ in 0..<3 {
                _ = try german.sentences(of: "Das Computer-Meeting, bitte.")
                russian.prepare()
                #expect(try russian.sentences(of: text) == expected)
                #expect(try russian.sentences(of: text) == expected)
            }
        }
    }

    extension EspeakVoicesTests {
        /// What the library says of the voice it has, and how that reads.
        private struct Reading: Equatable {
            var name: String
            /// The first; what follows it in the library's list may be left from another voice.
            var language: String
            var phonemes: [String]
        }

        private static let text = Array("The Quick brown fox, 12 foxes. Naïve?".utf8)

        /// Every name by which an installed language file may be asked for, and some that are other things.
        private static func names(in data: String) throws -> [String] {
            var names: Set = [
                "en-us+f3", "EN+f3", "gmw/en", "gmw/en-US", "xx-yy", "english (america)", "no", "zh",
            ]
            for file in try languageFiles(in: data) {
                names.formUnion([file.lastPathComponent, file.lastPathComponent.lowercased()])
                for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                    let words = line.split(separator: " ", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
                    guard words.count == 2, ["name", "language"].contains(words[0]) else { continue }
                    names.insert(words[0] == "name" ? words[1] : words[1].split(separator: " ").map(String.init)[0])
                }
            }
            return names.sorted()
        }

        private static func languageFiles(in data: String) throws -> [URL] {
            let language = URL(filePath: "\(data)/lang")
            return try FileManager.default.subpathsOfDirectory(atPath: language.path)
                .map { language.appending(path: $0) }
                .filter { try $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true }
        }

        /// Runs `body` inside the library of the process.
        private func inLibrary<Result>(_ body: (EspeakFunctions, String) throws -> Result) throws -> Result {
            let outcome = try EspeakLibrary.shared().withVoice("en") { functions in
                Swift.Result {
                    var directory: UnsafePointer<CChar>?
                    _ = functions.info(&directory)
                    return try body(functions, String(cString: try #require(directory)))
                }
            }
            return try outcome.get()
        }

        private func read(_ voice: String, _ functions: EspeakFunctions) throws -> Reading {
            // espeak_VOICE begins with its name, its languages and its identifier.
            let library = ProcessInfo.processInfo.environment["SYRINX_ESPEAK_LIBRARY"] ?? "libespeak-ng.so.1"
            let symbol = try #require(dlsym(dlopen(library, RTLD_NOW), "espeak_GetCurrentVoice"))
            typealias CurrentVoice = @convention(c) () -> UnsafePointer<UnsafePointer<CChar>>
            let current = unsafeBitCast(symbol, to: CurrentVoice.self)()
            let clauses = EspeakSession(functions: functions, usesTerminators: false)
                .clauses(of: Self.text, from: 0, plain: PlainText(voice: voice))
            // Each language is a byte of priority and a code.
            return Reading(
                name: String(cString: current[0]), language: String(cString: current[1] + 1),
                phonemes: clauses.map(\.phonemes))
        }
    }
#endif
