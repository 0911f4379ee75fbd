#if EspeakNG
    import Foundation
    import Testing

    @testable import Phonemes

    @Suite("Sentences as voices were trained on them")
    struct EspeakGoldenTests {
        /// Texts of more.jsonl that espeak-ng 1.51 reads otherwise than the version of 2023, with 1.51's sentences.
        /// The causes are in Tests/Golden/Phonemes/README.md.
        static let knownDifferences: [String: [String]] = [
            "“ones”": ["wˌʌnz"],
            "(any-one)": ["ˌɛniwˈʌn"],
            "Это Linux, а не Windows.": ["ˈɛtʌ lˈɪnʌks, ˈɑ nʲe wˈɪndəʊz."],
            "Привіт! Як справи?": ["privˈit!", "ˈjak sprˈɑvi?"],
            "你好！今天天气怎么样？": [
                "nɪθɹˈiː hˌeɪəθɹˈiː", "dʒɪnwˈɒn tjanwˈɒn tjanwˈɒn kɪfˈɔː zɛnθɹˈiː mɛfˈaɪv jˈaŋfˈɔː",
            ],
            "我是学生，你呢？": ["wˈo2 s.ˈi.5 zjuːtˈuː s.ˈə5ŋnɪθɹˈiː nɛfˈaɪv"],
        ]

        @Test("Every line of sentences.jsonl gives its sentences and ids")
        func sentencesAndIDs() throws {
            for line in try Golden.cases("sentences.jsonl") {
                let sentences = try EspeakPhonemizer(voice: line.voice).sentences(of: line.text)
                #expect(sentences.map(\.phonemes) == line.scalars, "\(line)")
                #expect(sentences.map { PhonemeIDMap.piper.encode($0.phonemes).ids } == line.ids, "\(line)")
            }
        }

        @Test(
            "Every line of more.jsonl gives its sentences, but for the known differences, by either way of finding ends"
        )
        func moreSentences() throws {
            let library = try EspeakLibrary.shared()
            for line in try Golden.cases("more.jsonl") {
                for usesTerminators in [true, false] {
                    let phonemizer = try EspeakPhonemizer(
                        voice: line.voice, clauseJoint: .nothing, library: library,
                        usesTerminators: usesTerminators)
                    let sentences = try phonemizer.sentences(of: line.text).map(\.phonemes)
                    if library.version == "1.51", let known = Self.knownDifferences[line.text] {
                        #expect(sentences == known.map(\.canonicallyDecomposedScalars), "\(line)")
                    } else {
                        #expect(sentences == line.scalars, "\(line)")
                    }
                }
            }
        }

        @Test("Joining clauses with a space changes nothing but spaces")
        func joints() throws {
            for line in try Golden.cases("more.jsonl") {
                func phonemes(_ joint: ClauseJoint) throws -> [[Unicode.Scalar]] {
                    try EspeakPhonemizer(voice: line.voice, clauseJoint: joint).sentences(of: line.text)
                        .map { $0.phonemes.filter { $0 != " " } }
                }
                #expect(try phonemes(.space) == phonemes(.nothing), "\(line)")
            }
        }

        @Test("The text of the sentences is the text, but for white space")
        func texts() throws {
            for line in try Golden.cases("more.jsonl") {
                let sentences = try EspeakPhonemizer(voice: line.voice).sentences(of: line.text)
                let spoken = sentences.map(\.text).joined().filter { !$0.isWhitespace }
                let text = line.text.canonicallyComposed.filter { !$0.isWhitespace }
                if !sentences.isEmpty { #expect(text.hasPrefix(spoken), "\(line)") }
            }
        }
    }
#endif
