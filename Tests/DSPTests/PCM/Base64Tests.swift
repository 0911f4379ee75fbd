import Foundation
import TestSupport
import Testing

@testable import DSP

@Suite("Base64")
struct Base64Tests {
    @Test(
        "The examples of RFC 4648",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ])
    func examples(plain: String, coded: String) throws {
        #expect(try Base64Decoder.decode(coded.utf8) == Array(plain.utf8))
        var encoder = Base64Encoder()
        var text: [UInt8] = []
        encoder.step(Array(plain.utf8).span, appendingTo: &text)
        encoder.finish(appendingTo: &text)
        #expect(String(decoding: text, as: UTF8.self) == coded)
    }

    @Test("White space, the alphabet for URLs and a missing padding are accepted")
    func lenient() throws {
        #expect(try Base64Decoder.decode(" Z m\r\n9v\tYg = = \n".utf8) == Array("foob".utf8))
        #expect(try Base64Decoder.decode("-_-_".utf8) == Base64Decoder.decode("+/+/".utf8))
        #expect(try Base64Decoder.decode("Zm9vYg".utf8) == Array("foob".utf8))
        #expect(try Base64Decoder.decode("Zm9vYmE".utf8) == Array("fooba".utf8))
    }

    @Test(
        "What is not Base64 is an error with the byte and its place",
        arguments: [
            ("Zm9*", 3), ("Zm\u{0}v", 2), ("=", 0), ("Z=", 1), ("Zg==Zg==", 4), ("Zg=v", 3), ("Zg===", 4),
            ("Zm9vYmFy====", 8), ("\"Zm9v\"", 0), ("Zm9ä", 3),
        ])
    func illegal(text: String, offset: Int) {
        let byte = Array(text.utf8)[offset]
        #expect(throws: AudioFileError.notBase64(byte: byte, offset: offset)) {
            try Base64Decoder.decode(text.utf8)
        }
    }

    @Test("Text that stops in the middle of a group is an error", arguments: ["Z", "Zm9vY", "Zg="])
    func cut(text: String) {
        #expect(throws: AudioFileError.truncatedBase64(offset: text.utf8.count)) {
            try Base64Decoder.decode(text.utf8)
        }
    }

    @Test("Split anywhere, both directions agree with Foundation")
    func chunking() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for count in [0, 1, 2, 3, 100, 1001] {
            let plain = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let coded = Array(Data(plain).base64EncodedData(options: [.lineLength76Characters]))
            var decoder = Base64Decoder()
            var encoder = Base64Encoder()
            var decoded: [UInt8] = []
            var text: [UInt8] = []
            for chunk in pieces(of: coded, using: &random) {
                var bytes = [UInt8](repeating: 0, count: decoder.maximumOutput(for: chunk.count))
                var room = bytes.mutableSpan
                let made = try decoder.step(chunk.span, into: &room)
                decoded += bytes[..<made]
            }
            decoded += try decoder.finish()
            #expect(decoded == plain, "seed \(seed)")
            for chunk in pieces(of: plain, using: &random) { encoder.step(chunk.span, appendingTo: &text) }
            encoder.finish(appendingTo: &text)
            #expect(text == Array(Data(plain).base64EncodedData()), "seed \(seed)")
        }
    }

    private func pieces(of bytes: [UInt8], using random: inout SeededGenerator) -> [[UInt8]] {
        var result: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Int.random(in: 0...7, using: &random)
            result.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return result
    }
}
