import Foundation
import Testing

@testable import Phonemes

@Suite("Ids of phonemes")
struct PhonemeIDMapTests {
    private func scalars(_ string: String) -> [Unicode.Scalar] { Array(string.unicodeScalars) }

    @Test("A pad follows the begin and every phoneme")
    func pads() {
        #expect(PhonemeIDMap.piper.encode(["t"]).ids == [1, 0, 32, 0, 2])
        #expect(PhonemeIDMap.piper.encode(scalars("c\u{327}")).ids == [1, 0, 16, 0, 140, 0, 2])
        #expect(PhonemeIDMap.piper.encode(scalars("t")).owners == [-1, -1, 0, 0, -1])
    }

    @Test("The built-in map is that of the joe voice")
    func builtIn() throws {
        let voice = try VoiceConfiguration(json: try Golden.bytes("en_US-joe-medium.onnx.json"))
        let map = try voice.phonemeIDMap()
        #expect(voice.phonemeIDs.count == 151)
        for phoneme in voice.phonemeIDs.keys {
            #expect(map.encode(scalars(phoneme)).ids == PhonemeIDMap.piper.encode(scalars(phoneme)).ids)
        }
    }

    @Test("A phoneme of several ids has one pad after the group")
    func groups() throws {
        let map = try PhonemeIDMap(["^": [1], "_": [0], "$": [2], "a": [5, 6]])
        #expect(map.encode(["a", "a"]).ids == [1, 0, 5, 6, 0, 5, 6, 0, 2])
    }

    @Test("Clusters that are listed are one phoneme, the longest first")
    func clusters() throws {
        let ids = ["^": [1], "_": [0], "$": [2], "a": [5], "ɪ": [6], "aɪ": [7], "aɪɪ": [8], "ɪa": [9]]
        let map = try PhonemeIDMap(ids, clusters: ["aɪ", "aɪɪ"])
        #expect(map.encode(scalars("aɪɪaɪa")).ids == [1, 0, 8, 0, 7, 0, 5, 0, 2])
        #expect(map.encode(scalars("aɪɪaɪa")).owners == [-1, -1, 0, 0, 3, 3, 5, 5, -1])
        #expect(map.encode(scalars("ɪa")).ids == [1, 0, 6, 0, 5, 0, 2])
    }

    @Test("Ids beyond the voice's symbols are dropped, and unknown phonemes are reported once")
    func unknown() throws {
        let map = try PhonemeIDMap(["^": [1], "_": [0], "$": [2], "a": [5], "b": [130]], symbolCount: 130)
        let encoding = map.encode(scalars("abxxa"))
        #expect(encoding.ids == [1, 0, 5, 0, 5, 0, 2])
        #expect(encoding.skipped == ["b", "x"])
        #expect(encoding.isSpeakable)
        #expect(!map.encode(scalars("x.")).isSpeakable)
    }

    @Test("A map without begin, pad or end is an error", arguments: ["^", "_", "$"])
    func incomplete(_ missing: String) {
        var ids = ["^": [1], "_": [0], "$": [2], "a": [5]]
        ids[missing] = nil
        #expect {
            try PhonemeIDMap(ids)
        } throws: { error in
            "\(error)".contains("phoneme_id_map") && "\(error)".contains("\"\(missing)\"")
        }
    }

    @Test("Ids that a user writes are read in any of the usual forms")
    func written() throws {
        #expect(try PhonemeIDMap.ids(parsing: "1 0 20\n0 2", symbolCount: 256) == [1, 0, 20, 0, 2])
        #expect(try PhonemeIDMap.ids(parsing: "[1, 0,2]", symbolCount: 256) == [1, 0, 2])
        for bad in ["", " ", "1 x", "256", "-1", "1.5", "99999999999999999999"] {
            #expect(throws: PhonemeError.self, "\(bad)") {
                try PhonemeIDMap.ids(parsing: bad, symbolCount: 256)
            }
        }
    }

    @Test("The listing is JSON of sentences with phonemes and ids, and nothing else")
    func listing() throws {
        let listing = PhonemeListing(
            [
                PhonemeSentence(phonemes: "t."), PhonemeSentence(phonemes: "?"),
                PhonemeSentence(phonemes: "X"),
            ],
            map: .piper)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(
            String(decoding: try encoder.encode(listing), as: UTF8.self)
                == #"{"sentences":[{"ids":[1,0,32,0,10,0,2],"phonemes":"t."}]}"#)
        #expect(listing.skipped == ["X"])
    }
}
