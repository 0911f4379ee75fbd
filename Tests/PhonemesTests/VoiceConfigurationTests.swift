import Foundation
import TestSupport
import Testing

@testable import Phonemes

@Suite("Voice configurations")
struct VoiceConfigurationTests {
    private static let least = """
        {"audio": {"sample_rate": 16000}, "espeak": {"voice": "de"},
         "phoneme_id_map": {"_": [0], "^": [1], "$": [2], "a": [3]}}
        """

    private func decode(_ json: String) throws -> VoiceConfiguration {
        try VoiceConfiguration(json: Data(json.utf8))
    }

    /// The least configuration with a member added or replaced at the top.
    private func decode(with member: String) throws -> VoiceConfiguration {
        try decode(String(Self.least.dropLast()) + ", " + member + "}")
    }

    @Test("The configuration of the joe voice is read in full")
    func joe() throws {
        let voice = try VoiceConfiguration(json: try Golden.bytes("en_US-joe-medium.onnx.json"))
        #expect(voice.sampleRate == 22050)
        #expect(voice.quality == "medium")
        #expect(voice.espeakVoice == "en-us")
        #expect(voice.phonemeType == .espeak)
        #expect(voice.symbolCount == 256)
        #expect(voice.speakerCount == 1)
        #expect((voice.noiseScale, voice.lengthScale, voice.durationNoiseScale) == (0.667, 1, 0.8))
        #expect(voice.language.code == "en_US")
        #expect(voice.language.country == "United States")
        #expect(voice.dataset == "joe")
        #expect(voice.hop == 256)
    }

    @Test("Speakers are found by name and by number")
    func speakers() throws {
        let voice = try VoiceConfiguration(json: try Golden.bytes("voice-multispeaker.onnx.json"))
        #expect(voice.speakerCount == 5)
        #expect(voice.speaker(named: "p3") == 3)
        #expect(voice.speaker(named: "4") == 4)
        #expect(voice.speaker(named: "5") == nil)
        #expect(voice.speaker(named: "-1") == nil)
        #expect(voice.speaker(named: "p9") == nil)
    }

    @Test("Missing fields take Piper's defaults")
    func defaults() throws {
        let voice = try decode(Self.least)
        #expect(voice.phonemeType == .espeak)
        #expect((voice.symbolCount, voice.speakerCount, voice.defaultSpeaker, voice.hop) == (256, 1, 0, 256))
        #expect((voice.noiseScale, voice.lengthScale, voice.durationNoiseScale) == (0.667, 1, 0.8))
        #expect(voice.vowelClusters.isEmpty)
        #expect(voice.phonemeSilences.isEmpty)
        #expect(voice.speakerIDs.isEmpty)
        #expect(try decode(with: #""num_speakers": null, "language": null, "new_field": [1]"#) == voice)
    }

    @Test("Optional fields are read")
    func optional() throws {
        let voice = try decode(
            with: """
                "num_speakers": 3, "default_speaker_id": 2, "speaker_id_map": {"x": 1}, "hop_length": 512,
                "inference": {"noise_scale": 0.333, "length_scale": 1.5, "noise_w": 0,
                "phoneme_silence": {",": 0.25}}, "vowel_clusters": [["a", "ɪ"]], "num_symbols": 130
                """)
        #expect((voice.speakerCount, voice.defaultSpeaker, voice.hop, voice.symbolCount) == (3, 2, 512, 130))
        #expect((voice.noiseScale, voice.lengthScale, voice.durationNoiseScale) == (0.333, 1.5, 0))
        #expect(voice.phonemeSilences == [",": 0.25])
        #expect(voice.vowelClusters == ["aɪ"])
        #expect(voice.speakerIDs == ["x": 1])
    }

    @Test(
        "A wrong field is an error that names it",
        arguments: [
            (#""audio": {}"#, "audio.sample_rate is missing"),
            (#""audio": []"#, "audio is an array, not an object"),
            (#""audio": {"sample_rate": "22050"}"#, "audio.sample_rate is a string, not an integer"),
            (#""audio": {"sample_rate": 0}"#, "audio.sample_rate is 0, outside 1000 to 384000"),
            (#""audio": {"sample_rate": 22050.5}"#, "audio.sample_rate is 22050.5, not an integer"),
            (#""audio": {"sample_rate": true}"#, "audio.sample_rate is a boolean"),
            (#""audio": {"sample_rate": 1e300}"#, "audio.sample_rate"),
            (#""espeak": {}"#, "espeak.voice is missing"),
            (#""espeak": {"voice": 5}"#, "espeak.voice is a number, not a string"),
            (#""phoneme_id_map": {"_": 0}"#, #"phoneme_id_map["_"] is a number, not an array"#),
            (#""phoneme_id_map": {"_": [-1]}"#, #"phoneme_id_map["_"][0] is -1"#),
            (#""phoneme_id_map": {"_": [0], "^": [1]}"#, #"phoneme_id_map has no id below 256 for "$""#),
            (#""num_symbols": -4"#, "num_symbols is -4"),
            (#""num_speakers": 0"#, "num_speakers is 0"),
            (#""num_speakers": 2, "speaker_id_map": {"a": 2}"#, #"speaker_id_map["a"] is 2, outside 0 to 1"#),
            (#""default_speaker_id": 1"#, "default_speaker_id is 1, outside 0 to 0"),
            (#""inference": {"length_scale": 0}"#, "inference.length_scale is 0.0"),
            (#""inference": {"noise_w": -1}"#, "inference.noise_w is -1.0"),
            (#""inference": {"phoneme_silence": {"ab": 1}}"#, "inference.phoneme_silence"),
            (#""hop_length": 0"#, "hop_length is 0"),
            (#""vowel_clusters": ["ai"]"#, "vowel_clusters[0] is a string, not an array"),
            (#""language": "en""#, "language is a string, not an object"),
        ])
    func wrong(member: String, message: String) {
        #expect {
            let key = member.prefix { $0 != ":" }
            // The last of two equal keys need not win: leave the first out.
            let rest = [
                #""audio": {"sample_rate": 16000}"#, #""espeak": {"voice": "de"}"#,
                #""phoneme_id_map": {"_": [0], "^": [1], "$": [2], "a": [3]}"#,
            ]
            .filter { !$0.hasPrefix(key) }
            _ = try decode("{" + (rest + [member]).joined(separator: ", ") + "}")
        } throws: { error in
            "\(error)".contains(message)
        }
    }

    @Test(
        "Phoneme types that are not built in say so",
        arguments: ["pinyin", "hebrew", "japanese", "thai", "x"])
    func unsupported(type: String) {
        #expect(throws: PhonemeError.unsupportedPhonemeType(type)) {
            try decode(with: #""phoneme_type": "\#(type)""#)
        }
    }

    @Test(
        "What is not JSON is an error, however deep or short",
        arguments: ["", "{", "[]", "5", "nul", "\u{0}"])
    func notJSON(json: String) {
        #expect(throws: PhonemeError.self) { try decode(json) }
        #expect(throws: PhonemeError.self) { try decode(String(repeating: "[", count: 100_000)) }
    }

    @Test("A cut or changed configuration is read or refused, never fatal")
    func damaged() throws {
        let seed: UInt64 = 7
        var generator = SeededGenerator(seed: seed)
        let whole = [UInt8](try Golden.bytes("voice-multispeaker.onnx.json"))
        for _ in 0..<300 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            if Bool.random(using: &generator) {
                bytes.removeLast(Int.random(in: 0...bytes.count, using: &generator))
            }
            _ = try? VoiceConfiguration(json: Data(bytes))
        }
    }

    @Test("A voice reads text in its own ids, cut and with silences")
    func reader() throws {
        let voice = try decode(
            #"""
            {"audio": {"sample_rate": 16000}, "phoneme_type": "text", "inference": {"phoneme_silence": {",": 0.5}},
             "phoneme_id_map": {"_": [0], "^": [1], "$": [2], "a": [3], ",": [4], "b": [9]}}
            """#)
        let reader = try VoiceTextReader(voice, symbolCount: 9)
        let sentences = try reader.sentences(of: "A, ab")
        #expect(sentences.count == 1)
        #expect(sentences.first?.parts.map(\.encoding.ids) == [[1, 0, 3, 0, 4, 0, 2], [1, 0, 3, 0, 2]])
        #expect(sentences.first?.parts.map(\.silence) == [0.5, 0])
        #expect(sentences.first?.skipped == [" ", "b"])
        for nothing in ["", " ", "...", "?", "\u{200B}", "\n\n", "\0", "b", ","] {
            #expect(try reader.sentences(of: nothing).isEmpty)
        }
    }
}
