#if EspeakNG
    import Testing

    @testable import Phonemes

    @Suite("espeak-ng")
    struct EspeakPhonemizerTests {
        private func strings(_ text: String, voice: String = "en-us", joint: ClauseJoint = .space) throws
            -> [String]
        {
            try EspeakPhonemizer(voice: voice, clauseJoint: joint).sentences(of: text).map(\.string)
        }

        @Test(
            "Text with nothing to say gives no sentence",
            arguments: [
                "", " ", "...", "?", "\u{200B}", "\n\n", "\0", "…", "?!", "\n?\n", "\"\"", "\u{FEFF}",
                "\0\u{1}\u{2}",
                "[[ ]]", "[[ ? ]]",
            ])
        func nothing(_ text: String) throws {
            #expect(try strings(text).isEmpty)
        }

        @Test("A NUL and other control characters are white space and command nothing")
        func controls() throws {
            #expect(try strings("one\0two") == strings("one two"))
            #expect(try strings("one \u{1}Vde two") == strings("one Vde two"))
            #expect(try strings("\u{FEFF}Hello.") == ["həlˈoʊ."])
        }

        @Test("A byte that is not UTF-8 becomes U+FFFD and does not end the text")
        func repairedBytes() throws {
            let text = String(
                decoding: [0x4F, 0x6E, 0x65, 0xFF, 0x20, 0x74, 0x77, 0x6F] as [UInt8], as: UTF8.self)
            let sentences = try strings(text)
            #expect(sentences.count == 1)
            #expect(sentences.first?.hasSuffix("tˈuː") == true)
        }

        @Test("A text that ends inside a run of marks leaves nothing behind for the next")
        func nothingCarriedOver() throws {
            let alone = try strings("x")
            _ = try strings("The end..")
            #expect(try strings("x") == alone)
            #expect(try strings("The end..") == ["ðɪ ˈɛnd."])
        }

        @Test("An ellipsis keeps the words apart, with a pause if asked for")
        func ellipsis() throws {
            #expect(try strings("Hello… there.") == ["həlˈoʊ ðˈɛɹ."])
            #expect(try strings("Hello... there.") == ["həlˈoʊ ðˈɛɹ."])
            #expect(try strings("Hello…there.", joint: .comma) == ["həlˈoʊ, ðˈɛɹ."])
            #expect(try strings("Hello… there.", joint: .nothing) == ["həlˈoʊðˈɛɹ."])
            #expect(try strings("Well…", joint: .comma) == ["wˈɛl"])
        }

        @Test("A composed and a decomposed letter are read alike")
        func normalization() throws {
            #expect(try strings("cafe\u{301}") == strings("caf\u{E9}"))
            #expect(try strings("Τι κάνεις\u{37E} Καλά.", voice: "el").count == 2)
        }

        @Test("Raw phonemes join the sentence around them, and the mark after them is kept")
        func blocks() throws {
            #expect(try strings("I am the [[ bˈætmæn ]].") == ["aɪɐm ðə bˈætmæn."])
            #expect(try strings("I am the [[ bˈætmæn ]]. And you?") == ["aɪɐm ðə bˈætmæn.", "ænd juː?"])
            #expect(try strings("[[ hɛlˈoʊ ]], world") == ["hɛlˈoʊ, wˈɜːld"])
            #expect(try strings("[[a]] [[b]]") == ["a b"])
            #expect(try strings("un[[ˈɪŋ]]") == ["ˈʌnˈɪŋ"])
            #expect(try strings("x\n\n[[ b ]]\n\ny") == ["ˈɛks", "b", "wˈaɪ"])
            #expect(try strings("[[ \u{E7} ]]").first?.unicodeScalars.count == 2)
            #expect(try strings("a ]] b") == strings("a b"))
        }

        @Test("An unclosed block is text, and can be found")
        func unbalanced() throws {
            #expect(try strings("Hi [[ there") == ["hˈaɪ ðˈɛɹ"])
            #expect(try strings("[[ hˈaɪ ]] [[") == ["hˈaɪ"])
            #expect(PhonemeBlocks.unclosed(in: "Hi [[ there") == 3)
            #expect(PhonemeBlocks.unclosed(in: "[[ hˈaɪ ]] [[") == 11)
            #expect(PhonemeBlocks.unclosed(in: "[[ hˈaɪ ]] there ]]") == nil)
            let plain = try EspeakPhonemizer(voice: "en-us", phonemeBlocks: false)
            #expect(try plain.sentences(of: "Hi [[ there").map(\.string) == ["hˈaɪ ðˈɛɹ"])
        }

        @Test(
            "Names that are paths, programs or too long are refused, and the process lives",
            arguments: [
                "", "../lang/gmw/en", "gmw/en", "en..", "en\0", "mb-en1", "en\n", "a\\b",
                String(repeating: "a", count: 40),
            ])
        func refusedNames(_ name: String) {
            #expect {
                try EspeakPhonemizer(voice: name)
            } throws: { error in
                if case PhonemeError.invalidEspeakVoice = error { true } else { false }
            }
        }

        @Test("An unknown voice, a missing library and missing data are errors that name the remedy")
        func missing() throws {
            #expect {
                try EspeakPhonemizer(voice: "xx-yy").sentences(of: "hi")
            } throws: { error in
                "\(error)".contains("espeak-ng --voices") && "\(error)".contains("xx-yy")
            }
            #expect {
                try EspeakLibrary.open(library: "/nonexistent/libespeak-ng.so.1", data: nil)
            } throws: { error in
                "\(error)".contains("apt-get install libespeak-ng1") && "\(error)".contains("/nonexistent")
            }
            #expect(throws: PhonemeError.espeakDataMissing(path: "/nonexistent")) {
                try EspeakLibrary.open(library: nil, data: "/nonexistent")
            }
            #expect {
                try EspeakLibrary.open(library: "libm.so.6", data: nil)
            } throws: { error in
                if case PhonemeError.espeakFunctionMissing(_, "espeak_ng_InitializePath") = error {
                    true
                } else {
                    false
                }
            }
            #expect(try strings("Hello.") == ["həlˈoʊ."])
        }

        @Test("Tasks with different voices do not disturb each other")
        func concurrency() async throws {
            let lines = try Golden.cases("sentences.jsonl")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for round in 0..<16 {
                    group.addTask {
                        for index in lines.indices {
                            let line = lines[(index * 7 + round * 5) % lines.count]
                            let sentences = try EspeakPhonemizer(voice: line.voice).sentences(of: line.text)
                            #expect(sentences.map(\.phonemes) == line.scalars, "\(line)")
                        }
                    }
                }
                try await group.waitForAll()
            }
        }

        @Test("A reader gives the sentences of the whole text, whatever lies at the edges of its windows")
        func reader() throws {
            let phonemizer = try EspeakPhonemizer(voice: "en-us")
            let unit = try phonemizer.sentences(of: "It rained, e.g. in May. He left — at last!").map(
                \.string)
            for padding in 0..<40 {
                let filler = String(repeating: "la ", count: padding) + "x. "
                let head = try phonemizer.sentences(of: filler).map(\.string)
                let text =
                    filler + String(repeating: "It rained, e.g. in May. He left — at last! ", count: 450)
                var reader = try phonemizer.reader(of: text)
                var sentences: [String] = []
                while let sentence = try reader.next() { sentences.append(sentence.string) }
                #expect(
                    sentences == head + Array(repeating: unit, count: 450).flatMap(\.self),
                    "padding \(padding)")
            }
        }

        @Test("Five thousand words without punctuation are one sentence with every word in it")
        func longSentence() throws {
            let text = String(repeating: "word ", count: 5000)
            let sentences = try EspeakPhonemizer(voice: "en-us").sentences(of: text)
            #expect(sentences.count == 1)
            #expect(sentences.first?.words.count == 5000)
            let one = try #require(try EspeakPhonemizer(voice: "en-us").sentences(of: "word word").first)
            let word = Array(one.phonemes[one.words[1]])
            #expect(sentences.first.map { s in s.words.allSatisfy { Array(s.phonemes[$0]) == word } } == true)
        }

        @Test("Palatalisation after i is dropped in the versions that make it up, and only there")
        func regressionWindow() {
            func string(_ version: String) -> String {
                PhonemeSentence(
                    phonemes: EspeakSpelling(voice: "en-us", version: version).phonemes(
                        of: "hˈapiʲ tsʲ iːʲ", text: "")
                ).string
            }
            for version in ["1.52.0.1", "1.53-dev", "1.53.0"] { #expect(string(version) == "hˈapi tsʲ iː") }
            for version in ["1.51", "1.52.0", "1.52-dev"] { #expect(string(version) == "hˈapiʲ tsʲ iːʲ") }
        }

        @Test("Flags of a change of language are removed, Brazilian c is k")
        func spelling() {
            let spelling = EspeakSpelling(voice: "pt-br", version: "1.51")
            #expect(
                PhonemeSentence(phonemes: spelling.phonemes(of: "a (en)wˈɜːd(pt-br) c", text: "")).string
                    == "a wˈɜːd k")
        }
    }
#endif
