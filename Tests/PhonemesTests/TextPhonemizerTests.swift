import Testing

@testable import Phonemes

@Suite("Text that needs no espeak-ng")
struct TextPhonemizerTests {
    @Test(
        "Text is case-folded and decomposed",
        arguments: [
            // Python: unicodedata.normalize("NFD", text.casefold())
            ("Straße", "strasse"), ("ΣΊΣΥΦΟΣ ς", "σι\u{301}συφοσ σ"), ("É", "e\u{301}"), ("İ", "i\u{307}"),
            ("ı", "ı"),
            ("ẞ", "ss"), ("ﬁ", "fi"), ("Ꭰ", "Ꭰ"), ("ꭰ", "Ꭰ"), ("K", "k"), ("ŉ", "ʼn"),
        ])
    func folding(text: String, phonemes: String) throws {
        let sentences = try TextPhonemizer().sentences(of: text)
        #expect(sentences.map(\.phonemes) == [Array(phonemes.unicodeScalars)])
    }

    @Test("Text is one sentence, whatever is in it, and brackets are letters like others")
    func oneSentence() throws {
        #expect(try TextPhonemizer().sentences(of: " One. Two?\0[[ x").map(\.string) == ["one. two? [[ x"])
    }

    @Test("Lines of phonemes are sentences")
    func literal() throws {
        #expect(
            try LiteralPhonemizer().sentences(of: "həlˈoʊ wˈɜːld.\n\n ç \r\n?").map(\.phonemes)
                == [Array("həlˈoʊ wˈɜːld.".unicodeScalars), ["c", "\u{327}"]])
    }

    @Test("Nothing to say is no sentence", arguments: ["", " ", "...", "?", "\u{200B}", "\n\n", "\0"])
    func nothing(_ text: String) throws {
        #expect(try TextPhonemizer().sentences(of: text).isEmpty)
        #expect(try LiteralPhonemizer().sentences(of: text).isEmpty)
    }
}
