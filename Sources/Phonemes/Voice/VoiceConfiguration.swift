/// What a Piper voice says about itself: the `.onnx.json` beside its `.onnx`.
///
/// Optional fields that are missing take Piper's defaults. A field of the wrong type or outside its range is an
/// error that names it; fields that are not listed here are ignored.
public struct VoiceConfiguration: Sendable, Equatable {
    /// How text becomes phonemes.
    public enum PhonemeType: String, Sendable, Equatable {
        case espeak
        case text
    }

    /// What the voice speaks: `language`.
    public struct Language: Sendable, Equatable {
        /// Such as "en_US".
        public var code: String?
        public var family: String?
        public var region: String?
        public var nativeName: String?
        public var englishName: String?
        public var country: String?
    }

    /// Samples per second: `audio.sample_rate`. Required.
    public var sampleRate: Int
    /// `audio.quality`: a label, which says nothing dependable about the model.
    public var quality: String?
    /// `espeak.voice`. Required for phoneme type espeak.
    public var espeakVoice: String?
    /// `phoneme_type`; espeak if missing.
    public var phonemeType: PhonemeType
    /// `phoneme_id_map`. Required.
    public var phonemeIDs: [String: [Int]]
    /// `vowel_clusters`: phonemes of several scalars that are one symbol where they occur. None if missing.
    public var vowelClusters: [String]
    /// `inference.phoneme_silence`: seconds of silence after a phoneme. None if missing.
    public var phonemeSilences: [Unicode.Scalar: Double]
    /// `num_symbols`: rows of the embedding; 256 if missing. A phoneme with an id from here on is not known.
    public var symbolCount: Int
    /// `num_speakers`; 1 if missing. The model itself decides whether it takes a speaker.
    public var speakerCount: Int
    /// `speaker_id_map`: ids by name. Empty if missing.
    public var speakerIDs: [String: Int]
    /// `default_speaker_id`; 0 if missing.
    public var defaultSpeaker: Int
    /// `inference.noise_scale`; 0.667 if missing.
    public var noiseScale: Double
    /// `inference.length_scale`; 1 if missing. Above 0.
    public var lengthScale: Double
    /// `inference.noise_w`; 0.8 if missing.
    public var durationNoiseScale: Double
    /// `hop_length`: samples per frame; 256 if missing. The model itself is the better source.
    public var hop: Int
    public var language: Language
    /// `dataset`: the name of the voice.
    public var dataset: String?
    public var piperVersion: String?

    /// The map from phonemes to ids.
    public func phonemeIDMap() throws(PhonemeError) -> PhonemeIDMap {
        try PhonemeIDMap(phonemeIDs, clusters: vowelClusters, symbolCount: symbolCount)
    }

    /// The phonemizer that the voice was trained with.
    public func phonemizer() throws(PhonemeError) -> any Phonemizer {
        switch phonemeType {
        case .text: return TextPhonemizer()
        case .espeak:
            guard let espeakVoice else { throw .configuration(field: "espeak.voice", problem: "is missing") }
            return try EspeakPhonemizer(voice: espeakVoice)
        }
    }

    /// The id of a speaker that a user names: a name of `speaker_id_map`, else a number; nil if there is no such
    /// speaker.
    public func speaker(named name: String) -> Int? {
        if let id = speakerIDs[name] { return id }
        guard let id = Self.number(name), (0..<speakerCount).contains(id) else { return nil }
        return id
    }

    /// The number that `text` is as numbers are usually written: without a sign or leading zeros.
    package static func number(_ text: String) -> Int? {
        guard let number = Int(text), number >= 0, String(number) == text else { return nil }
        return number
    }
}
