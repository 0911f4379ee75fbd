import TestSupport
import Testing

@testable import Phonemes

@Suite("Cutting sentences into inferences")
struct SentenceCutterTests {
    private func cut(_ phonemes: String, maximumIDs: Int = 43, silences: [Unicode.Scalar: Double] = [:])
        -> [String]
    {
        let scalars = Array(phonemes.unicodeScalars)
        return SentenceCutter(map: .piper, maximumIDs: maximumIDs, silences: silences).parts(of: scalars).map {
            PhonemeSentence(phonemes: Array(scalars[$0.range])).string
        }
    }

    @Test("A sentence that fits is one part with the ids of the whole")
    func fits() {
        let phonemes = Array("həlˈoʊ wˈɜːld.".unicodeScalars)
        let parts = SentenceCutter(map: .piper).parts(of: phonemes)
        #expect(parts.count == 1)
        #expect(parts.first?.encoding == PhonemeIDMap.piper.encode(phonemes))
        #expect(parts.first?.silence == 0)
    }

    @Test("Commas come before words, words before sounds")
    func order() {
        // 43 ids are 20 phonemes.
        #expect(cut("aaa bbb, ccc ddd eee fff") == ["aaa bbb, ", "ccc ddd eee fff"])
        #expect(cut("aaa bbb ccc ddd eee fff ggg") == ["aaa bbb ccc ", "ddd eee fff ggg"])
        #expect(cut("aaaaaaaaaaˈbbbbbbbbbbbb") == ["aaaaaaaaaa", "ˈbbbbbbbbbbbb"])
        #expect(cut(String(repeating: "aː", count: 15)).allSatisfy { !$0.hasPrefix("ː") })
    }

    @Test("Parts put together are the sentence, and none is too long, for any phonemes")
    func concatenation() {
        let seed: UInt64 = 20_240_601
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array("abcdˈˌːtʃ\u{303}  ,.;X1\u{329}".unicodeScalars)
        for round in 0..<400 {
            let count = Int.random(in: 0...600, using: &generator)
            let phonemes = (0..<count).map { _ in alphabet.randomElement(using: &generator) ?? "a" }
            let maximumIDs = Int.random(in: 32...400, using: &generator)
            let silences: [Unicode.Scalar: Double] = round % 3 == 0 ? [",": 0.2, ".": 0.5] : [:]
            let parts = SentenceCutter(map: .piper, maximumIDs: maximumIDs, silences: silences).parts(
                of: phonemes)
            let whole = PhonemeIDMap.piper.encode(phonemes)
            #expect(parts.isEmpty == !whole.isSpeakable, "seed \(seed), round \(round)")
            var end = 0
            for part in parts {
                #expect(part.range.lowerBound == end, "seed \(seed), round \(round)")
                end = part.range.upperBound
                #expect(part.encoding.ids.count <= maximumIDs, "seed \(seed), round \(round)")
                #expect(part.encoding.isSpeakable, "seed \(seed), round \(round)")
                #expect(part.encoding.owners.allSatisfy { $0 == -1 || part.range.contains($0) })
            }
            if !parts.isEmpty { #expect(end == phonemes.count, "seed \(seed), round \(round)") }
            #expect(
                parts.reduce(into: Set()) { $0.formUnion($1.encoding.skipped) }
                    == (parts.isEmpty ? [] : whole.skipped))
            if silences.isEmpty, whole.isSpeakable,
                !phonemes.contains(where: { ",.; X".unicodeScalars.contains($0) })
            {
                let spoken = parts.flatMap { $0.encoding.ids.dropFirst(2).dropLast() }
                #expect(spoken == Array(whole.ids.dropFirst(2).dropLast()), "seed \(seed), round \(round)")
            }
        }
    }

    @Test("A long sentence is cut into parts of like length")
    func balance() {
        let phonemes = Array(String(repeating: "wˈɜːd ", count: 5000).unicodeScalars)
        let parts = SentenceCutter(map: .piper).parts(of: phonemes)
        #expect((75...77).contains(parts.count))
        #expect(parts.allSatisfy { (700...803).contains($0.encoding.ids.count) })
        #expect(parts.dropLast().allSatisfy { phonemes[$0.range.upperBound - 1] == " " })
    }

    @Test("Silence after a phoneme cuts there")
    func silences() {
        let phonemes = Array("a, b; c.".unicodeScalars)
        let parts = SentenceCutter(map: .piper, silences: [",": 0.25, ";": 0.5, ".": 1]).parts(of: phonemes)
        #expect(parts.map(\.silence) == [0.25, 0.5, 1])
        #expect(
            parts.map { PhonemeSentence(phonemes: Array(phonemes[$0.range])).string } == ["a,", " b;", " c."])
        #expect(parts.first?.encoding.ids == [1, 0, 14, 0, 8, 0, 2])
        #expect(cut(",a", silences: [",": 1]) == [",a"])
        #expect(cut(",", silences: [",": 1]) == [])
    }

    @Test("The words of a sentence are its stretches between spaces")
    func words() {
        #expect(PhonemeSentence(phonemes: " ab  c, d").words == [1..<3, 5..<7, 8..<9])
        #expect(PhonemeSentence(phonemes: "").words == [])
    }
}
