import Foundation

extension VoiceConfiguration {
    /// Reads the bytes of a `.onnx.json`, which may come from anywhere.
    public init(json: Data) throws(PhonemeError) {
        let limit = 16 << 20
        guard json.count <= limit else {
            throw .configuration(field: "the file", problem: "has \(json.count) bytes, more than \(limit)")
        }
        // A decoder tries one type after another for a value that may be any: three times as long, a millisecond.
        guard let parsed = try? JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed),
            let decoded = JSONValue(parsed)
        else {
            throw .configuration(field: "the file", problem: "is not valid JSON")
        }
        let root = try Field("the file", decoded).object()
        let audio = try root.required("audio").object()
        let inference = try root["inference"]?.object()
        let language = try root["language"]?.object()

        sampleRate = try audio.required("sample_rate").integer(in: 1_000...384_000)
        quality = try audio["quality"]?.string()
        hop = try root["hop_length"]?.integer(in: 1...65_536) ?? 256

        let type = try root["phoneme_type"]?.string() ?? PhonemeType.espeak.rawValue
        guard let phonemeType = PhonemeType(rawValue: type) else { throw .unsupportedPhonemeType(type) }
        self.phonemeType = phonemeType
        espeakVoice = try root["espeak"]?.object()["voice"]?.string()
        if phonemeType == .espeak, espeakVoice == nil {
            throw .configuration(field: "espeak.voice", problem: "is missing")
        }

        symbolCount = try root["num_symbols"]?.integer(in: 3...1_000_000) ?? 256
        phonemeIDs = try root.required("phoneme_id_map").dictionary { field throws(PhonemeError) in
            try field.array { field throws(PhonemeError) in try field.integer(in: 0...1_000_000) }
        }
        vowelClusters =
            try root["vowel_clusters"]?.array { field throws(PhonemeError) in
                try field.array { field throws(PhonemeError) in try field.string() }.joined()
            } ?? []
        let silences =
            try inference?["phoneme_silence"]?.dictionary { field throws(PhonemeError) in
                try field.number(in: 0...60)
            } ?? [:]
        phonemeSilences = [:]
        for (phoneme, seconds) in silences {
            let scalars = phoneme.canonicallyDecomposedScalars
            guard scalars.count == 1 else {
                throw .configuration(
                    field: "inference.phoneme_silence",
                    problem: "has the key \"\(phoneme.prefix(40))\", which is not one phoneme")
            }
            phonemeSilences[scalars[0]] = seconds
        }

        speakerCount = try root["num_speakers"]?.integer(in: 1...1_000_000) ?? 1
        let lastSpeaker = speakerCount - 1
        speakerIDs =
            try root["speaker_id_map"]?.dictionary { field throws(PhonemeError) in
                try field.integer(in: 0...lastSpeaker)
            } ?? [:]
        defaultSpeaker = try root["default_speaker_id"]?.integer(in: 0...lastSpeaker) ?? 0

        noiseScale = try inference?["noise_scale"]?.number(in: 0...10) ?? 0.667
        durationNoiseScale = try inference?["noise_w"]?.number(in: 0...10) ?? 0.8
        lengthScale = try inference?["length_scale"]?.number(in: 0.01...100) ?? 1

        self.language = Language(
            code: try language?["code"]?.string(), family: try language?["family"]?.string(),
            region: try language?["region"]?.string(), nativeName: try language?["name_native"]?.string(),
            englishName: try language?["name_english"]?.string(),
            country: try language?["country_english"]?.string())
        dataset = try root["dataset"]?.string()
        piperVersion = try root["piper_version"]?.string()
        // A map without begin, pad and end is found here, not at the first sentence.
        _ = try phonemeIDMap()
    }
}

/// Any JSON value.
private enum JSONValue {
    case null
    case bool
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// - Parameter value: as `JSONSerialization` gives it; nested no deeper than its limit.
    /// - Returns: nil for what is no JSON value.
    init?(_ value: Any) {
        switch value {
        case let string as String:
            self = .string(string)
        case let members as [String: Any]:
            var object = [String: JSONValue](minimumCapacity: members.count)
            for (key, member) in members {
                guard let value = JSONValue(member) else { return nil }
                object[key] = value
            }
            self = .object(object)
        case let elements as [Any]:
            var array: [JSONValue] = []
            array.reserveCapacity(elements.count)
            for element in elements {
                guard let value = JSONValue(element) else { return nil }
                array.append(value)
            }
            self = .array(array)
        case is NSNull:
            self = .null
        case let number as NSNumber:
            // A boolean is a number of type char.
            self = number.objCType.pointee == CChar(UInt8(ascii: "c")) ? .bool : .number(number.doubleValue)
        default:
            return nil
        }
    }

    var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// A value and where it stands, for messages.
private struct Field {
    let path: String
    let value: JSONValue

    init(_ path: String, _ value: JSONValue) {
        self.path = path
        self.value = value
    }

    struct Object {
        let path: String?
        let members: [String: JSONValue]

        private func path(of key: String) -> String { path.map { "\($0).\(key)" } ?? key }

        /// The member, unless it is missing or null.
        subscript(key: String) -> Field? {
            switch members[key] {
            case nil, .null: nil
            case .some(let value): Field(path(of: key), value)
            }
        }

        func required(_ key: String) throws(PhonemeError) -> Field {
            guard let field = self[key] else {
                throw .configuration(field: path(of: key), problem: "is missing")
            }
            return field
        }
    }

    private func wrong(_ expected: String) -> PhonemeError {
        .configuration(field: path, problem: "is \(value.kind), not \(expected)")
    }

    func object() throws(PhonemeError) -> Object {
        guard case .object(let members) = value else { throw wrong("an object") }
        return Object(path: path == "the file" ? nil : path, members: members)
    }

    func string() throws(PhonemeError) -> String {
        guard case .string(let string) = value else { throw wrong("a string") }
        return string
    }

    func number(in range: ClosedRange<Double>) throws(PhonemeError) -> Double {
        guard case .number(let number) = value else { throw wrong("a number") }
        guard range.contains(number) else {
            throw .configuration(
                field: path, problem: "is \(number), outside \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func integer(in range: ClosedRange<Int>) throws(PhonemeError) -> Int {
        guard case .number(let number) = value else { throw wrong("an integer") }
        guard let integer = Int(exactly: number) else {
            throw .configuration(field: path, problem: "is \(number), not an integer")
        }
        guard range.contains(integer) else {
            throw .configuration(
                field: path, problem: "is \(integer), outside \(range.lowerBound) to \(range.upperBound)")
        }
        return integer
    }

    func array<Element>(
        _ element: (Field) throws(PhonemeError) -> Element
    ) throws(PhonemeError) -> [Element] {
        guard case .array(let values) = value else { throw wrong("an array") }
        var elements: [Element] = []
        for (index, value) in values.enumerated() {
            elements.append(try element(Field("\(path)[\(index)]", value)))
        }
        return elements
    }

    func dictionary<Element>(
        _ element: (Field) throws(PhonemeError) -> Element
    ) throws(PhonemeError) -> [String: Element] {
        guard case .object(let members) = value else { throw wrong("an object") }
        var elements: [String: Element] = [:]
        for (key, value) in members {
            elements[key] = try element(Field("\(path)[\"\(key.prefix(40))\"]", value))
        }
        return elements
    }
}
