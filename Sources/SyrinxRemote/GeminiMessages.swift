/// The body of a `generateContent` request for speech.
struct GeminiRequest: Encodable {
    struct Content: Encodable {
        var parts: [Part]
    }
    struct Part: Encodable {
        var text: String
    }
    struct GenerationConfig: Encodable {
        var responseModalities: [String]
        var speechConfig: SpeechConfig
    }
    struct SpeechConfig: Encodable {
        var voiceConfig: VoiceConfig
        var languageCode: String?
    }
    struct VoiceConfig: Encodable {
        var prebuiltVoiceConfig: PrebuiltVoiceConfig
    }
    struct PrebuiltVoiceConfig: Encodable {
        var voiceName: String
    }

    var contents: [Content]
    var generationConfig: GenerationConfig
}

/// What of the response matters here. Every field may be missing: what that means is decided where it is read.
struct GeminiResponse: Decodable {
    struct Candidate: Decodable {
        var content: Content?
        var finishReason: String?
    }
    struct Content: Decodable {
        var parts: [Part]?
    }
    struct Part: Decodable {
        var inlineData: InlineData?
        var text: String?
    }
    struct InlineData: Decodable {
        var mimeType: String?
        var data: String?
    }
    struct PromptFeedback: Decodable {
        var blockReason: String?
    }
    struct Failure: Decodable {
        var message: String?
    }

    var candidates: [Candidate]?
    var promptFeedback: PromptFeedback?
    var error: Failure?
}
