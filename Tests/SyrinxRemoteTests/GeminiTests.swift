import Foundation
import Playback
import Syrinx
import Testing

@testable import SyrinxRemote

@Suite("Gemini as a source of speech")
struct GeminiTests {
    private static let key = "not-a-real-key-0123456789"

    /// One second of a ramp, as the service sends it: 16 bits, low byte first.
    private static let pcm: [Int16] = (0..<24_000).map { Int16($0 - 12_000) }

    private func answer(
        mimeType: String = "audio/L16;codec=pcm;rate=24000", samples: [Int16] = pcm
    ) throws -> Data {
        let bytes = samples.withUnsafeBufferPointer { Data(buffer: $0) }
        let object: [String: Any] = [
            "candidates": [
                [
                    "content": [
                        "role": "model",
                        "parts": [["inlineData": ["mimeType": mimeType, "data": bytes.base64EncodedString()]]],
                    ], "finishReason": "STOP", "index": 0,
                ]
            ], "usageMetadata": ["promptTokenCount": 9], "modelVersion": "gemini-2.5-flash-preview-tts",
        ]
        return try JSONSerialization.data(withJSONObject: object)
    }

    private func synthesizer(_ server: LocalServer, output: AudioOutput = AudioOutput()) throws -> SpeechSynthesizer {
        SpeechSynthesizer(
            source: try GeminiSpeechSource(voice: "Aoede", baseURL: server.address, key: Self.key), audioOutput: output)
    }

    @Test("The request is what the interface documents, and the key is in its header alone")
    func request() async throws {
        let server = try LocalServer(body: try answer())
        _ = try await synthesizer(server).generate(
            text: "Say \"hi\".", options: GenerationOptions(speaker: "Kore", language: "en-US"))
        let request = try #require(server.requests.first)
        #expect(server.requests.count == 1)
        #expect(request.head.hasPrefix("POST /v1beta/models/gemini-2.5-flash-preview-tts:generateContent HTTP/1.1"))
        #expect(request.header("x-goog-api-key") == Self.key)
        #expect(request.header("Content-Type") == "application/json")
        let body = try #require(try JSONSerialization.jsonObject(with: request.body) as? NSDictionary)
        let expected: NSDictionary = [
            "contents": [["parts": [["text": "Say \"hi\"."]]]],
            "generationConfig": [
                "responseModalities": ["AUDIO"],
                "speechConfig": [
                    "languageCode": "en-US", "voiceConfig": ["prebuiltVoiceConfig": ["voiceName": "Kore"]],
                ],
            ],
        ]
        #expect(body == expected)
    }

    @Test("The audio is the samples sent, but for the fades at the ends; another rate and volume work as for any voice")
    func audio() async throws {
        let server = try LocalServer(body: try answer())
        let tts = try synthesizer(server)
        let result = try await tts.generate(text: "Hello.")
        #expect(result.sampleRate == 24_000 && result.audio.count == 24_000)
        for index in 256..<24_000 - 256 { #expect(result.audio[index] == Float(Self.pcm[index]) / 32_768) }
        #expect(result.sentences.map(\.text) == ["Hello."])
        let other = try await tts.generate(text: "Hello.", options: GenerationOptions(volume: 0.5, sampleRate: 48_000))
        #expect(other.audio.count == 48_000)
    }

    @Test("It is played and streamed as a voice on this machine is")
    func faces() async throws {
        let server = try LocalServer(body: try answer())
        let output = AudioOutput(sink: NullSink())
        let tts = try synthesizer(server, output: output)
        let played = try await tts.play(text: "Hello.")
        #expect(played.finishReason == .finished && played.audio.count == 24_000)
        #expect(output.currentPlaybackTime == 1)
        var streamed: [Float] = []
        for try await chunk in tts.stream(text: "Hello.") { streamed += chunk.audio }
        #expect(streamed == played.audio)
    }

    @Test("Text with nothing to say is no request")
    func empty() async throws {
        let server = try LocalServer(body: try answer())
        #expect(try await synthesizer(server).generate(text: " \n").audio.isEmpty)
        #expect(server.requests.isEmpty)
    }

    private func failure(_ server: LocalServer) async throws -> RemoteSpeechError? {
        do {
            _ = try await synthesizer(server).generate(text: "Hello.")
            return nil
        } catch let error as RemoteSpeechError {
            #expect(!"\(error)".contains(Self.key) && !"\(error)".contains("\n"))
            return error
        }
    }

    @Test("An HTTP error tells status and message, and never the key")
    func httpErrors() async throws {
        let body = Data(
            #"{"error": {"code": 400, "message": "API key \#(Self.key) not valid.\nGet one.", "status": "INVALID_ARGUMENT"}}"#
                .utf8)
        let refused = try await failure(LocalServer(status: "400 Bad Request", body: body))
        #expect(refused == .refused(status: 400, message: "API key (key) not valid. Get one."))
        let html = try await failure(LocalServer(status: "503 Service Unavailable", body: Data("<html>".utf8)))
        #expect(html == .refused(status: 503, message: "<html>"))
    }

    @Test("A redirection is not followed: the key goes nowhere else")
    func redirection() async throws {
        let other = try LocalServer(body: try answer())
        let server = try LocalServer(
            status: "307 Temporary Redirect", headers: ["Location: \(other.address)/"], body: Data())
        #expect(try await failure(server) == .refused(status: 307, message: ""))
        #expect(other.requests.isEmpty)
    }

    @Test(
        "Audio of another type or rate is refused, as what it was called",
        arguments: ["audio/mpeg", "audio/L16;codec=pcm;rate=16000", "audio/L16;codec=pcm", "audio/L16;rate=24000"])
    func mimeTypes(type: String) async throws {
        let error = try await failure(LocalServer(body: answer(mimeType: type)))
        #expect(error == .unexpectedAudio(mimeType: type, expected: "audio/L16;codec=pcm;rate=24000"))
    }

    @Test(
        "A response without audio tells the service's reason",
        arguments: [
            (#"{"candidates": [{"finishReason": "SAFETY"}]}"#, "SAFETY"),
            (#"{"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}"#, "PROHIBITED_CONTENT"),
            (#"{"candidates": [{"content": {"parts": [{"text": "Hello."}]}, "finishReason": "STOP"}]}"#, "STOP"),
            ("{}", nil),
        ] as [(String, String?)])
    func noAudio(body: String, reason: String?) async throws {
        let error = try await failure(LocalServer(body: Data(body.utf8)))
        #expect(error == .noAudio(reason: reason))
    }

    @Test(
        "A damaged response is an error, not noise",
        arguments: [
            "", "[1, 2", #"{"candidates": 3}"#,
            #"{"candidates":[{"content":{"parts":[{"inlineData":{"mimeType":"audio/L16;codec=pcm;rate=24000","data":"AA!A"}}]}}]}"#,
            #"{"candidates":[{"content":{"parts":[{"inlineData":{"mimeType":"audio/L16;codec=pcm;rate=24000","data":"AAAA"}}]}}]}"#,
        ])
    func damaged(body: String) async throws {
        guard case .malformedResponse? = try await failure(LocalServer(body: Data(body.utf8))) else {
            Issue.record("accepted: \(body)")
            return
        }
    }

    @Test("A server that is not there is named")
    func unreachable() async throws {
        let server = try LocalServer(body: Data())
        server.stop()
        guard case .unreachable(let host, _)? = try await failure(server) else {
            Issue.record("no error")
            return
        }
        #expect(host == "127.0.0.1")
    }

    @Test("Cancelling does not wait for a service that says nothing")
    func cancellation() async throws {
        let server = try LocalServer(body: Data(), answers: false)
        let output = AudioOutput(sink: NullSink())
        let tts = try synthesizer(server, output: output)
        let task = Task { try await tts.play(text: "Hello.") }
        while server.requests.isEmpty { try await Task.sleep(nanoseconds: 1_000_000) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(output.playbackState == .idle)
    }

    @Test("Options that only a local voice has are refused")
    func options() async throws {
        let server = try LocalServer(body: try answer())
        let tts = try synthesizer(server)
        for options in [
            GenerationOptions(rate: 1.5), GenerationOptions(noiseScale: 0), GenerationOptions(seed: 1),
            GenerationOptions(chunking: .none),
        ] {
            await #expect(throws: SpeechError.self) { try await tts.generate(text: "Hello.", options: options) }
        }
        await #expect(throws: SpeechError.self) { try await tts.generate(.ids([[1, 2]])) }
        #expect(server.requests.isEmpty)
    }

    @Test("Without a key, or to an address in the clear, there is no source")
    func keys() {
        #expect(throws: RemoteSpeechError.missingKey(variable: "GEMINI_API_KEY")) {
            try GeminiSpeechSource(environment: [:])
        }
        #expect(throws: RemoteSpeechError.unusableKey(variable: "GEMINI_API_KEY")) {
            try GeminiSpeechSource(environment: ["GEMINI_API_KEY": "a\r\nb"])
        }
        for address in ["http://example.com", "ftp://localhost", "example.com", ""] {
            #expect(throws: RemoteSpeechError.self) { try GeminiSpeechSource(baseURL: address, key: "k") }
        }
    }
}
