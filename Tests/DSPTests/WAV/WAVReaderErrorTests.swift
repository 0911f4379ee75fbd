import Foundation
import Testing

@testable import DSP

@Suite("What is no WAV file, or a damaged one")
struct WAVReaderErrorTests {
    private func failure(of bytes: [UInt8]) -> AudioFileError? {
        do {
            _ = try WAVReader(bytes: bytes, name: "x")
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "Other files are named",
        arguments: [
            ("", "it is empty"), ("RIF", "it begins with 'RIF'"), ("RIFFabcd", "it ends after 8 bytes"),
            ("RIFFabcdAVI LIST", "it is RIFF of the type 'AVI '"), ("fLaC0000000000000", "a FLAC file"),
            ("OggS0000000000000", "an Ogg file"), ("ID3000000000000000", "an MP3 file"),
            ("\0\0\0 ftypM4A 0000", "an MP4 or M4A file"), ("{\"error\": \"no such voice\"}", "text or JSON"),
            ("<!doctype html><html>", "a web page"), ("Hello world, hello", "it begins with 'Hell'"),
        ])
    func otherFiles(content: String, words: String) throws {
        let error = try #require(failure(of: Array(content.utf8)))
        guard case .notWAV("x", let found) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(found.contains(words), "\(found)")
        #expect(error.description.hasPrefix("x is not a WAV file: "))
    }

    @Test("Samples before their format are an error")
    func dataBeforeFormat() {
        guard case .malformed("x", let problem)? = failure(of: WAVBytes().data([0, 0]).format().bytes) else {
            Issue.record("no error")
            return
        }
        #expect(problem.contains("before the chunk that tells their format"))
    }

    @Test("Formats that contradict themselves are an error that says how")
    func contradictions() {
        let cases: [(WAVBytes, String)] = [
            (WAVBytes().format(channels: 0), "0 channels"),
            (WAVBytes().format(channels: 65), "65 channels"),
            (WAVBytes().format(channels: 0xffff), "65535 channels"),
            (WAVBytes().format(rate: 0), "0 Hz"),
            (WAVBytes().format(channels: 2, align: 3), "frames of 3 bytes"),
            (WAVBytes().format(bits: 16, align: 1), "frames of 1 bytes"),
            (WAVBytes().format(bits: 0, align: 0), "frames of 0 bytes"),
            (WAVBytes().format(tag: 0xfffe), "cut short"),
            (WAVBytes().chunk("fmt ", [1, 0, 1, 0]), "4 bytes, expected 16"),
        ]
        for (file, words) in cases {
            guard case .malformed("x", let problem)? = failure(of: file.data([0, 0]).bytes) else {
                Issue.record("no error for \(words)")
                continue
            }
            #expect(problem.contains(words), "\(problem)")
        }
    }

    @Test("Encodings that are not read are named")
    func unsupported() {
        let cases: [(WAVBytes, String)] = [
            (WAVBytes().format(tag: 2, bits: 4, align: 256), "Microsoft ADPCM"),
            (WAVBytes().format(tag: 0x11, bits: 4, align: 256), "IMA ADPCM"),
            (WAVBytes().format(tag: 0x55, bits: 0, align: 1), "MPEG"),
            (WAVBytes().format(tag: 0x1234), "0x1234"),
            (WAVBytes().format(bits: 64, align: 8), "PCM of 64 bits in 8 bytes"),
            (WAVBytes().format(tag: 3, bits: 16), "floats of 16 bits in 2 bytes"),
            (
                WAVBytes().format(tag: 0xfffe, extra: le(UInt16(22)) + [UInt8](repeating: 1, count: 22)),
                "unregistered extensible"
            ),
        ]
        for (file, words) in cases {
            guard case .unsupported("x", let what)? = failure(of: file.data([0, 0]).bytes) else {
                Issue.record(
                    "no error for \(words): \(String(describing: failure(of: file.data([0, 0]).bytes)))")
                continue
            }
            #expect(what.contains(words), "\(what)")
        }
    }

    @Test("A file cut anywhere before its samples is an error, and afterwards is not")
    func cutAnywhere() {
        let list = Array("INFOINAM".utf8) + le(UInt32(2)) + Array("ab".utf8)
        let whole = WAVBytes().chunk("JUNK", [UInt8](repeating: 0, count: 28)).format().chunk("LIST", list)
            .data([1, 2, 3, 4]).bytes
        for count in whole.indices {
            #expect(
                (failure(of: Array(whole[..<count])) == nil) == (count >= whole.count - 4), "\(count) bytes")
        }
    }

    @Test("A chunk that claims 3 GB of a file of 1 KB is an error and takes no memory")
    func boastingChunk() {
        for id in ["JUNK", "LIST", "fmt ", "ds64"] {
            let body =
                le(UInt16(1)) + le(UInt16(1)) + le(UInt32(8000)) + le(UInt32(16000)) + le(UInt16(2))
                + le(UInt16(16))
            let file = WAVBytes().chunk(id, body + [UInt8](repeating: 0, count: 1000), size: 3_000_000_000)
            guard case .malformed? = failure(of: file.bytes) else {
                Issue.record("no error for \(id)")
                continue
            }
        }
    }

    @Test("A missing file and a folder cannot be opened, and the line says why")
    func cannotOpen() throws {
        let folder = try TemporaryFolder()
        for (path, code) in [
            (folder("none.wav"), ENOENT), (folder.path, EISDIR), ("", ENOENT), ("a\0b", ENOENT),
        ] {
            let error = #expect(throws: AudioFileError.self) { _ = try WAVReader(path: path) }
            guard case .cannotOpen(_, code)? = error else {
                Issue.record("\(String(describing: error)) for \(path)")
                continue
            }
        }
        #expect(
            AudioFileError.cannotOpen(name: "none.wav", code: ENOENT).description
                == "cannot open none.wav: no such file or folder")
    }

    @Test("A descriptor that cannot be read is an error")
    func cannotRead() {
        #expect(throws: AudioFileError.cannotRead(name: "standard input", code: EBADF)) {
            _ = try WAVReader(fileDescriptor: 9999, name: "standard input")
        }
    }
}
