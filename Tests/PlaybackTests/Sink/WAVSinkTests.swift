import DSP
import Foundation
import Testing

@testable import Playback

@Suite("WAV-file sink")
struct WAVSinkTests {
    private func path() -> String {
        NSTemporaryDirectory() + "wav-sink-\(UUID().uuidString).wav"
    }

    /// The bytes of a mono file as the format's definition has them.
    private func riff(_ data: Data, tag: UInt16, bits: UInt16, rate: UInt32, head: Int) -> Bool {
        func word(_ offset: Int) -> UInt32 {
            (0..<4).reduce(0) { $0 | UInt32(data[offset + $1]) << (8 * UInt32($1)) }
        }
        guard data.count >= head, data.prefix(4) == Data("RIFF".utf8), data[8..<16] == Data("WAVEfmt ".utf8)
        else { return false }
        return word(4) == UInt32(data.count - 8) && word(20) & 0xFFFF == UInt32(tag) && word(20) >> 16 == 1
            && word(24) == rate && word(32) >> 16 == UInt32(bits)
            && data[head - 8..<head - 4] == Data("data".utf8) && word(head - 4) == UInt32(data.count - head)
    }

    @Test("The file holds what was played, sample for sample, in both encodings", arguments: [false, true])
    func wholeFile(isFloat: Bool) async throws {
        let file = path()
        defer { try? FileManager.default.removeItem(atPath: file) }
        let source = distinctAudio(100_000).enumerated().map { $0.offset % 2 == 0 ? $0.element : -$0.element }
        let output = AudioOutput(sink: WAVSink(path: file, encoding: isFloat ? .float32 : .int16))
        // Each playback replaces the file.
        for samples in [[Float](repeating: 0.1, count: 5000), source] {
            try output.startPlayback(strategy: .stream, sampleRate: 22_050, fadesEnds: false)
            for start in stride(from: 0, to: samples.count, by: 5000) {
                try output.enqueueAudioChunk(Array(samples[start..<start + 5000]))
            }
            await output.stopPlayback()
        }
        #expect(output.failure == nil)
        #expect(output.underrunCount == 0)
        #expect(abs(output.currentPlaybackTime - 100_000.0 / 22_050) < 1e-9)
        let data = try Data(contentsOf: URL(fileURLWithPath: file))
        let bytes = isFloat ? 4 : 2
        let head = data.count - source.count * bytes
        #expect(riff(data, tag: isFloat ? 3 : 1, bits: UInt16(8 * bytes), rate: 22_050, head: head))
        let body = [UInt8](data.suffix(source.count * bytes))
        let stored: [Float] = body.withUnsafeBytes { raw in
            isFloat
                ? (0..<source.count).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
                : (0..<source.count).map {
                    Float(raw.loadUnaligned(fromByteOffset: 2 * $0, as: Int16.self)) / 32_768
                }
        }
        let largest = zip(stored, source).map { abs($0 - $1) }.max() ?? 1
        #expect(largest <= (isFloat ? 0 : 0.5 / 32_768))
    }

    @Test("Samples beyond full scale are clamped, and NaN is silence")
    func clamps() throws {
        let file = path()
        defer { try? FileManager.default.removeItem(atPath: file) }
        let sink = WAVSink(path: file, encoding: .float32)
        _ = try sink.open(sampleRate: 8_000, bufferSeconds: 0.036)
        let samples: [Float] = [3, -3, .nan, .infinity, 0.5]
        let result = sink.write(samples.span)
        #expect(result == .accepted(5))
        sink.close()
        let data = try Data(contentsOf: URL(fileURLWithPath: file))
        let stored = [UInt8](data.suffix(20)).withUnsafeBytes { raw in
            (0..<5).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
        }
        #expect(stored == [1, -1, 0, 1, 0.5])
    }

    @Test("After a stop the file holds what had been written, and its header is right")
    func stopped() async throws {
        let file = path()
        defer { try? FileManager.default.removeItem(atPath: file) }
        let output = AudioOutput(sink: WAVSink(path: file))
        try output.startPlayback(strategy: .stream)
        try output.enqueueAudioChunk(distinctAudio(24_000 * 600))
        for _ in 0..<5000 where output.currentPlaybackTime == 0 { usleep(1000) }
        await output.stopPlayback(waitForCompletion: false)
        #expect(output.failure == nil)
        let data = try Data(contentsOf: URL(fileURLWithPath: file))
        #expect(data.count > 44 && data.count.isMultiple(of: 2))
        #expect(riff(data, tag: 1, bits: 16, rate: 24_000, head: 44))
    }

    @Test(
        "A folder that is not there is refused at the start, a full disk ends the playback, in one line that names the file"
    )
    func failures() async throws {
        let nowhere = AudioOutput(sink: WAVSink(path: "/nowhere/at/all.wav"))
        #expect(
            throws: PlaybackError.fileFailed(reason: "cannot create /nowhere/at/all.wav: no such file or folder")
        ) { try nowhere.startPlayback() }
        // More than the writer holds back, and less: the failure comes with a write, or with the end.
        for count in [200_000, 1000] {
            let full = AudioOutput(sink: WAVSink(path: "/dev/full"))
            try full.startPlayback(strategy: .stream)
            try full.enqueueAudioChunk(distinctAudio(count))
            await full.stopPlayback()
            #expect(full.failure == .fileFailed(reason: "cannot write /dev/full: the disk is full"))
            #expect("\(try #require(full.failure))".contains("\n") == false)
        }
    }
}
