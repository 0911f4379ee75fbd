#if EspeakNG
    import Testing

    @testable import Phonemes

    @Suite("Ends of clauses")
    struct ClauseEndTests {
        @Test(
            "Terminators become punctuation by exact equality",
            arguments: [
                (0x80028, ".", true), (0x82028, "?", true), (0x8302D, "!", true), (0x41014, ", ", false),
                (0x4001E, ": ", false), (0x4101E, "; ", false), (0x90028, "", true), (0x80046, "", true),
                (0x4901E, "", false), (0x8A028, "", true), (0x04000, "", false), (0x7080028, ".", true),
            ] as [(UInt32, String, Bool)])
        func terminators(terminator: UInt32, phonemes: String, endsSentence: Bool) {
            let end = ClauseEnd(terminator: terminator)
            #expect(end.phonemes == phonemes)
            #expect(end.endsSentence == endsSentence)
        }

        /// The clause as the library has read it: up to the character that it holds back, "|" marking the end of
        /// the text instead.
        private func end(_ clause: String) -> ClauseEnd {
            var scalars = Array(clause.unicodeScalars)
            let isLast = scalars.last == "|"
            if isLast { scalars.removeLast() }
            return ClauseEnd(clause: scalars, isLast: isLast)
        }

        @Test("The end of a clause is told from the text that was read")
        func fromText() {
            #expect(end("Hello. W") == .fullStop)
            #expect(end("Really?! Y") == .question)
            #expect(end("Yes!!! W") == .exclamation)
            #expect(end("e.g., F") == .fullStop)
            #expect(end("Well... s") == .silentClause)
            #expect(end("Well…? s") == .silentClause)
            #expect(end("Go.\"") == .fullStop)
            #expect(end("Go. |") == .fullStop)
            #expect(end("one, t") == .comma)
            #expect(end("one — t") == .semicolon)
            #expect(end("one: t") == .colon)
            #expect(end("one\n\nt") == .silentSentence)
            #expect(end("one?\n\nt") == .silentSentence)
            #expect(end("Hi.\nf") == .fullStop)
            #expect(end("元気ですか？は") == .silentSentence)
            #expect(end("はい、元") == .silentClause)
            #expect(end("no end |") == .cut)
            #expect(end(") . |") == .cut)
            #expect(end("cut after etc. i") == .cut)
            #expect(end("cut at 1,2") == .cut)
            #expect(end("cut at a space n") == .cut)
        }

        @Test("Clauses are read with terminators where the library gives them")
        func terminatorPath() throws {
            let library = EspeakLibrary(
                EspeakFunctions(
                    info: { _ in nil },
                    setVoiceByName: { _ in 0 },
                    textToPhonemes: { _, _, _ in nil },
                    textToPhonemesWithTerminator: { pointer, _, _, terminator in
                        // One clause a word; the one character that is held back is the next word's first.
                        guard let text = pointer.pointee?.assumingMemoryBound(to: UInt8.self) else {
                            return nil
                        }
                        var length = 0
                        while text[length] != 0, text[length] != 0x20 { length += 1 }
                        let isLast = text[length] == 0 || text[length + 1] == 0
                        pointer.pointee = isLast ? nil : UnsafeRawPointer(text + length + 2)
                        terminator.pointee = isLast ? 0x90028 : 0x8302D
                        return nil
                    }))
            let session = try library.withVoice("en") { functions in
                EspeakSession(functions: functions, usesTerminators: true).clauses(
                    of: Array("ab cd ef".utf8), from: 0)
            }
            #expect(session.map(\.upperBound) == [3, 6, 9].map { min($0, 8) })
            #expect(session.map(\.end) == [.exclamation, .exclamation, .cut])
            #expect(library.version == "of unknown version")
        }

        @Test("A library that never moves on does not hang the caller")
        func stuck() throws {
            let library = EspeakLibrary(
                EspeakFunctions(
                    info: { _ in nil }, setVoiceByName: { _ in 0 }, textToPhonemes: { _, _, _ in nil },
                    textToPhonemesWithTerminator: nil))
            let phonemizer = try EspeakPhonemizer(voice: "en", library: library)
            #expect(try phonemizer.sentences(of: String(repeating: "word. ", count: 20_000)).isEmpty)
        }
    }
#endif
