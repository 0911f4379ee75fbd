#if EspeakNG
    import Foundation
    import Testing

    @testable import Phonemes

    @Suite("The file of a voice's name")
    struct EspeakVoiceFileTests {
        /// Calls `body` with a directory of data in which each of `files` is a language file.
        private func withData(_ files: [String], _ body: (String) throws -> Void) throws {
            let data = FileManager.default.temporaryDirectory.appending(path: "syrinx-voices-\(UUID())")
            defer { try? FileManager.default.removeItem(at: data) }
            for file in files {
                let path = data.appending(path: file)
                try FileManager.default.createDirectory(
                    at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data("name Some language\nlanguage xx 2\n".utf8).write(to: path)
            }
            try body(data.path)
        }

        @Test("A code is found in whatever family its file is, with or without capitals")
        func found() throws {
            let files = [
                "lang/gmw/de", "lang/gmw/en-US", "lang/gmw/en-GB-x-rp", "lang/sit/cmn-Latn-pinyin", "lang/roa/ca-ba",
                "lang/eu", "voices/!v/f3", "voices/mb/mb-de1",
            ]
            try withData(files) { data in
                for (voice, file) in [
                    "de": "gmw/de", "DE": "gmw/de", "en-us": "gmw/en-US", "en-US": "gmw/en-US",
                    "en-gb-x-rp": "gmw/en-GB-x-rp", "cmn-latn-pinyin": "sit/cmn-Latn-pinyin", "ca-ba": "roa/ca-ba",
                ] {
                    #expect(EspeakVoiceFile(of: voice, data: data)?.path == "\(data)/lang/\(file)", "\(voice)")
                }
            }
        }

        @Test(
            "A name with two files, with one elsewhere than in a family, or with none is espeak-ng's to look up",
            arguments: [
                ["lang/a/xx", "lang/b/xx"], ["lang/a/xx-yy", "lang/a/xx-YY"], ["lang/a/xx", "voices/!v/xx"],
                ["lang/a/xx", "lang/xx"], ["lang/a/xx", "lang/XX"], ["lang/a/xx", "voices/xx"], ["lang/xx/xx"],
                ["voices/mb/xx"], ["lang/a/xx/y"], ["lang/a/.xx", "lang/.a/xx"], ["lang/a/xxx", "lang/a/x"], [],
            ])
        func uncertain(_ files: [String]) throws {
            try withData(files) { data in
                #expect(EspeakVoiceFile(of: "xx", data: data) == nil)
                #expect(EspeakVoiceFile(of: "xx-yy", data: data) == nil)
            }
        }

        @Test(
            "Names of another form than a code's are espeak-ng's to look up",
            arguments: [
                "xx+f3", "a/xx", "../lang/a/xx", ".", "..", "", "xx\0", "English (America)", "xx_yy", "é", "xx ",
            ])
        func otherForms(_ name: String) throws {
            try withData(["lang/a/xx", "lang/a/xx+f3", "lang/a/é", "lang/a/English (America)"]) { data in
                #expect(EspeakVoiceFile(of: name, data: data) == nil)
            }
        }

        @Test("A file that names no language, a dangling link, a link in a circle and a pipe are no voices")
        func oddities() throws {
            try withData(["lang/a/yy"]) { data in
                try Data("name Some language\nstatus mature\n".utf8).write(to: URL(filePath: "\(data)/lang/a/none"))
                try Data().write(to: URL(filePath: "\(data)/lang/a/empty"))
                for (link, destination) in ["dangling": "nowhere", "circle": "circle", "link": "yy", "self": "."] {
                    try FileManager.default.createSymbolicLink(
                        atPath: "\(data)/lang/a/\(link)", withDestinationPath: destination)
                }
                #expect(mkfifo("\(data)/lang/a/pipe", 0o600) == 0)
                for voice in ["none", "empty", "dangling", "circle", "self", "pipe"] {
                    #expect(EspeakVoiceFile(of: voice, data: data) == nil, "\(voice)")
                }
                #expect(EspeakVoiceFile(of: "link", data: data) != nil)
            }
        }

        /// The examples of RFC 5646, section 2.1.1, and names of files of espeak-ng.
        @Test(
            "Capitals are those of RFC 5646",
            arguments: [
                "mn-Cyrl-MN", "en-CA-x-ca", "sgn-BE-FR", "az-Latn-x-latn", "es-419", "en-029", "de", "en-US-nyc",
                "yue-Latn-jyutping",
            ])
        func capitals(_ code: String) {
            let lowercase = code.lowercased()
            let expected = code == lowercase ? [code] : [lowercase, code]
            #expect(EspeakVoiceFile.spellings(of: lowercase) == expected)
            #expect(EspeakVoiceFile.spellings(of: code.uppercased()) == expected)
        }
    }
#endif
