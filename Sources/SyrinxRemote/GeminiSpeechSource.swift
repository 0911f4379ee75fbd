import DSP
import Foundation
import Syrinx

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Gemini's text-to-speech as a source: `generateContent` with audio as the response.
///
///     let tts = SpeechSynthesizer(source: try GeminiSpeechSource(voice: "Kore"))
///     try await tts.play(text: "Have a wonderful day!")
///
/// One HTTPS request for each text, whose response holds the audio as Base64 of 16-bit PCM, 24 kHz, mono. The
/// response comes as a whole, so nothing is heard before it is there; from then on everything is as with a voice on
/// this machine: pitch, volume, sample rate, playback, saving, cancellation.
///
/// Of the options, `speaker` names another of Gemini's voices and `language` is passed on; those that only a local
/// voice has (rate, length and noise scales, seed, another chunking than the usual) are refused. The API key is sent in
/// a header, to the base URL alone (redirections are not followed), and appears in no error.
public struct GeminiSpeechSource: SpeechSource {
    /// Where the service is.
    public static let defaultBaseURL = "https://generativelanguage.googleapis.com"
    /// The environment variable that the API key is taken from.
    public static let keyVariable = "GEMINI_API_KEY"

    /// 24 000, as the service sends it.
    public let sampleRate = PCMFormat.gemini.sampleRate
    /// The service's model that is asked.
    public let model: String
    /// The voice that speaks where the options name none.
    public let voice: String
    private let endpoint: URL
    private let key: String
    private let timeout: TimeInterval

    /// - Parameters:
    ///   - voice: one of Gemini's prebuilt voices, such as Kore, Puck, Aoede.
    ///   - baseURL: another server of the same interface. Plain HTTP is refused but for this machine itself, as it would
    ///     show the key to everyone on the way.
    ///   - key: the API key; nil takes it from the environment, `GEMINI_API_KEY`.
    ///   - timeout: seconds that the service may be silent.
    /// - Throws: `RemoteSpeechError.missingKey`, `.invalidBaseURL`.
    public init(
        voice: String = "Kore", model: String = "gemini-2.5-flash-preview-tts",
        baseURL: String = defaultBaseURL, key: String? = nil, timeout: TimeInterval = 120,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(RemoteSpeechError) {
        guard let key = key ?? environment[Self.keyVariable], !key.isEmpty else {
            throw .missingKey(variable: Self.keyVariable)
        }
        guard !key.unicodeScalars.contains(where: { $0.value < 0x21 || $0.value > 0x7E }) else {
            throw .unusableKey(variable: Self.keyVariable)
        }
        self.key = key
        self.voice = voice
        self.model = model
        self.timeout = timeout
        endpoint = try Self.endpoint(baseURL, model)
    }

    private static func endpoint(_ baseURL: String, _ model: String) throws(RemoteSpeechError) -> URL {
        guard var parts = URLComponents(string: baseURL), let host = parts.host, !host.isEmpty, parts.query == nil
        else {
            throw .invalidBaseURL(baseURL, problem: "it is no address such as \(defaultBaseURL)")
        }
        let isLocal = ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host)
        guard parts.scheme == "https" || parts.scheme == "http" && isLocal else {
            throw .invalidBaseURL(baseURL, problem: "it must begin with https://")
        }
        let folder = parts.path.hasSuffix("/") ? String(parts.path.dropLast()) : parts.path
        parts.path = folder + "/v1beta/models/\(model):generateContent"
        guard let url = parts.url else { throw .invalidBaseURL(baseURL, problem: "it is no address") }
        return url
    }

    /// - Throws: `SpeechError.invalidOption` for what Gemini has no setting for, and for phoneme ids.
    public func reader(
        of input: SpeechInput, options: GenerationOptions, wantsAll: Bool, cancellation: SpeechCancellation
    ) throws -> any SpeechReader {
        guard case .text(let text) = input else {
            throw SpeechError.invalidOption(name: "input", value: "phoneme ids", expected: "text, for Gemini")
        }
        try Self.refuseLocalOptions(options)
        let isEmpty = text.allSatisfy { $0.isWhitespace }
        let request = isEmpty ? nil : try request(text, options)
        return GeminiSpeechReader(request: request, text: text, key: key, cancellation: cancellation)
    }

    private static func refuseLocalOptions(_ options: GenerationOptions) throws(SpeechError) {
        func refuse(_ name: String, _ value: String) -> SpeechError {
            .invalidOption(name: name, value: value, expected: "nothing, as Gemini has no such setting")
        }
        if options.rate != 1 { throw refuse("rate", "\(options.rate)") }
        if let value = options.lengthScale { throw refuse("length scale", "\(value)") }
        if let value = options.noiseScale { throw refuse("noise scale", "\(value)") }
        if let value = options.noiseWidth { throw refuse("noise width", "\(value)") }
        // The numbers of threads and of workers are let pass: they change no sample anywhere.
        if options.chunking != .sentence { throw refuse("chunking", options.chunking.rawValue) }
        if let value = options.seed { throw refuse("seed", "\(value)") }
    }

    private func request(_ text: String, _ options: GenerationOptions) throws -> URLRequest {
        let voiceConfig = GeminiRequest.VoiceConfig(prebuiltVoiceConfig: .init(voiceName: options.speaker ?? voice))
        let body = GeminiRequest(
            contents: [.init(parts: [.init(text: text)])],
            generationConfig: .init(
                responseModalities: ["AUDIO"],
                speechConfig: .init(voiceConfig: voiceConfig, languageCode: options.language)))
        var request = URLRequest(url: endpoint, timeoutInterval: timeout)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue(key, forHTTPHeaderField: "x-goog-api-key")
        request.httpBody = try JSONEncoder().encode(body)
        return request
    }
}
