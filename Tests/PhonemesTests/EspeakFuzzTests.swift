#if EspeakNG
    import TestSupport
    import Testing

    @testable import Phonemes

    @Suite("Any text")
    struct EspeakFuzzTests {
        private static let alphabets: [[Unicode.Scalar]] = [
            "abcdefghijklmnop '.,;:?!-", "0123456789.,-/:%$€ ",
            "\u{301}\u{300}\u{327}\u{200D}\u{200C}\u{34F}",
            "אבגדה שלום،ء ", "你好世界。，？！、 ", "😀👩🏳🚀\u{FE0F}\u{200D}", "\u{1}\u{2}\0\u{1B}\u{7F}\u{85}\t\n\r",
            "()[]{}<>\"'«»“”‘’`", "नमस्ते। हिन्दी ", "\u{E000}\u{E03C}\u{FFFD}\u{10FFFF}\u{E0001}",
            "…—–¿¡·;\u{37E}\u{387}",
            "ІЇЄ Привіт ", "IVXLCDM. ", "&#<>;abc/", "\n\n\t\u{3000}\u{A0}", "αβγδώ ", "ქართული ", "한국어 ",
            "ยภาษา",
        ].map { Array($0.unicodeScalars) }
        private static let voices = [
            "en-us", "de", "fr", "ru", "cmn", "ja", "hi", "ar", "ko", "hu", "pt-br", "vi", "tr", "el", "fa",
            "he", "ml", "te",
            "kk", "pl", "da", "uk",
        ]

        @Test("Random text of all scripts ends, in any voice, without harm to the process")
        func randomText() throws {
            let seed: UInt64 = 4711
            var generator = SeededGenerator(seed: seed)
            for round in 0..<500 {
                let some = (0..<Int.random(in: 1...4, using: &generator)).compactMap { _ in
                    Self.alphabets.randomElement(using: &generator)
                }
                let count = [3, 10, 40, 200, 900].randomElement(using: &generator) ?? 10
                var text = String.UnicodeScalarView()
                for _ in 0..<count {
                    let any = Unicode.Scalar(UInt32.random(in: 0x20...0x10FFFF, using: &generator))
                    let usual = some.randomElement(using: &generator)?.randomElement(using: &generator)
                    text.append(round % 5 == 0 ? any ?? "\u{FFFD}" : usual ?? " ")
                }
                let voice = Self.voices.randomElement(using: &generator) ?? "en-us"
                let phonemizer = try EspeakPhonemizer(voice: voice, phonemeBlocks: false)
                let sentences = try phonemizer.sentences(of: String(text))
                let areSpeakable = sentences.allSatisfy { $0.isSpeakable }
                #expect(areSpeakable, "seed \(seed), round \(round), voice \(voice)")
            }
        }

        @Test(
            "A hundred kilobytes of one thing end",
            arguments: [
                "a", "\u{301}", "1", "-", "'", "你", "😀", "Ж", ".", "\n", " ", "a. ", "\u{200D}", "(", "?!",
            ])
        func monotony(_ unit: String) throws {
            let text = String(repeating: unit, count: 100_000 / unit.utf8.count)
            for voice in ["en-us", "vi"] {
                let sentences = try EspeakPhonemizer(voice: voice).sentences(of: text)
                let areSpeakable = sentences.allSatisfy { $0.isSpeakable }
                #expect(areSpeakable, "voice \(voice)")
            }
        }

        @Test("Text that crashes the library costs a piece of the text, not the process")
        func crash() throws {
            let soup =
                "30i7v9f6hbs!hla cøf goe5g(irà 4tog9çe20t758(' yuz36ddñß9v;1k7rp(1'\"ao-a y:gb-;.)-pmfv7é'2 1rpk?p3vn5hqø)"
                + " yl8doo-ßqüfsyüñ 5w\"1qe;z971h0njød6st( 3'!8:gkn-kj4qp35\"x 7sjpswm u \"oduz!9.ztmcuç0!8r17 ;.8b9bs0v 0nø6"
            let phonemizer = try EspeakPhonemizer(voice: "vi")
            let sentences = try phonemizer.sentences(of: "Xin chào. \(soup) Xin chào.")
            #expect(sentences.first?.string == "sˈin tʃˈaː2w.")
            #expect(try phonemizer.sentences(of: "Xin chào.").map(\.string) == ["sˈin tʃˈaː2w."])
        }
    }
#endif
