import DSP
import Foundation
import Syrinx

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request to Gemini: waits for the response, then gives its audio in pieces.
final class GeminiSpeechReader: SpeechReader {
    /// Seconds of a piece: how often a request can be cancelled while its audio is handed on.
    private static let pieceSeconds = 0.1

    private let request: URLRequest?
    private let text: String
    private let key: String
    private let cancellation: SpeechCancellation
    /// nil before the response, and for a text with nothing to say.
    private var audio: [Float]?
    private var given = 0

    /// - Parameter request: nil for a text with nothing to say.
    init(request: URLRequest?, text: String, key: String, cancellation: SpeechCancellation) {
        self.request = request
        self.text = text
        self.key = key
        self.cancellation = cancellation
    }

    func prepare() throws {
        if let request { audio = try fetch(request) }
    }

    func next() throws -> SpeechPiece? {
        guard let audio, given < audio.count else { return nil }
        let rate = Double(PCMFormat.gemini.sampleRate)
        let count = min(Int(Self.pieceSeconds * rate), audio.count - given)
        let isFirst = given == 0
        let isLast = given + count == audio.count
        defer { given += count }
        let sentence = SpeechMark(
            kind: .sentence, text: text, sentence: 0, start: 0, duration: Double(audio.count) / rate)
        return SpeechPiece(
            samples: Array(audio[given..<given + count]), endsInference: isLast, endsSentence: isLast, isLast: isLast,
            marks: isFirst ? [sentence] : [], remaining: Double(audio.count - given - count) / rate,
            recordingSamples: isFirst ? audio.count : 0)
    }

    private func fetch(_ request: URLRequest) throws -> [Float] {
        let exchange = HTTPExchange(request)
        let (status, body) = try exchange.run(cancellation)
        let response = try? JSONDecoder().decode(GeminiResponse.self, from: body)
        guard (200..<300).contains(status) else {
            let message = response?.error?.message ?? String(decoding: body.prefix(200), as: UTF8.self)
            throw RemoteSpeechError.refused(status: status, message: redacted(message))
        }
        guard let response else {
            throw RemoteSpeechError.malformedResponse(problem: "it is not the JSON that the interface promises")
        }
        return try Self.audio(of: response)
    }

    /// The service may repeat the key in its message.
    private func redacted(_ message: String) -> String {
        let line = message.replacing(key, with: "(key)").split(whereSeparator: \.isNewline).joined(separator: " ")
        return String(line.prefix(300))
    }

    private static func audio(of response: GeminiResponse) throws -> [Float] {
        let candidate = response.candidates?.first
        let parts = (candidate?.content?.parts ?? []).compactMap(\.inlineData)
        guard !parts.isEmpty else {
            let reason = response.promptFeedback?.blockReason ?? candidate?.finishReason
            throw RemoteSpeechError.noAudio(reason: reason)
        }
        var samples: [Float] = []
        var decoder = PCMDecoder(.signed16)
        for part in parts {
            let type = part.mimeType ?? "none"
            guard PCMFormat(mimeType: type) == .gemini else {
                throw RemoteSpeechError.unexpectedAudio(mimeType: type, expected: "audio/L16;codec=pcm;rate=24000")
            }
            do {
                let bytes = try Base64Decoder.decode((part.data ?? "").utf8)
                decoder.step(bytes.span, appendingTo: &samples)
            } catch {
                throw RemoteSpeechError.malformedResponse(problem: "\(error)")
            }
        }
        guard decoder.finish() == 0 else {
            throw RemoteSpeechError.malformedResponse(problem: "its audio ends in the middle of a sample")
        }
        guard !samples.isEmpty else { throw RemoteSpeechError.noAudio(reason: candidate?.finishReason) }
        return samples
    }
}
