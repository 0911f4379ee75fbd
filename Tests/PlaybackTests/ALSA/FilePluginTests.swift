import Foundation
import Testing

@testable import Playback

/// ALSA's own `file` plugin over its `null` device captures every frame. It keeps no time: what is written is gone
/// at once, so the audio is there before it starts.
@Suite("ALSA with its file plugin", .serialized)
struct FilePluginTests {
    private func play(_ source: [Float], rate: Int, on device: String) async throws -> AudioOutput {
        _ = TestDevices.shared
        let output = AudioOutput(device: OutputDevice(device))
        try output.configure(sampleRate: rate)
        try output.startPlayback(strategy: .generateFirst)
        for start in stride(from: 0, to: source.count, by: 1000) {
            try output.enqueueAudioChunk(Array(source[start..<min(source.count, start + 1000)]))
        }
        await output.stopPlayback()
        #expect(output.failure == nil)
        #expect(output.underrunCount == 0)
        #expect(output.currentPlaybackTime == output.scheduledAudioDuration)
        return output
    }

    /// A sound server waits for as much after an underrun: the writer keeps two periods at least in the device.
    @Test("A device starts with a period at most, so that one that ran dry goes on with the queue that it is given")
    func startThreshold() throws {
        _ = TestDevices.shared
        for device in ["float", "int16", "rate48"] {
            let pcm = SystemPCM()
            let sink = ALSASink(device: OutputDevice(device), pcm: pcm)
            let format = try sink.open(sampleRate: 22_050, bufferSeconds: 0.036)
            let threshold = try #require(pcm.startThreshold)
            #expect(threshold >= 1 && threshold <= format.periodFrames, "\(device): \(threshold)")
            sink.close()
        }
    }

    @Test("float32: the frames captured are the samples given, but for one fade at each end")
    func float() async throws {
        let source = distinctAudio(30_011)
        let output = try await play(source, rate: 22_050, on: "float")
        #expect(output.deviceFormat?.detail == "float32, 22050 Hz, mono")
        let captured = try TestDevices.shared.capture("float.raw", as: Float.self)
        #expect(captured.count == source.count)
        #expect(firstDifference(captured[235..<source.count - 235], source[235..<source.count - 235]) == nil)
        let heard = Heard(captured, source: source, breaks: [], fade: 235)
        #expect(heard.fault == nil)
        #expect(heard.stretches.count == 1)
    }

    @Test("int16: every frame captured is the sample given, rounded")
    func int16() async throws {
        let source = distinctAudio(20_000).enumerated().map { $0.offset % 2 == 0 ? $0.element : -$0.element }
        let output = try await play(source, rate: 24_000, on: "int16")
        #expect(output.deviceFormat?.detail == "int16, 24000 Hz, mono")
        let captured = try TestDevices.shared.capture("int16.raw", as: Int16.self)
        #expect(captured.count == source.count)
        for index in 256..<source.count - 256 {
            #expect(captured[index] == Int16((source[index] * 32_767).rounded(.toNearestOrAwayFromZero)))
        }
    }

    @Test("A device at another rate gets the conversion of the whole, to the frame")
    func rate() async throws {
        let source = (0..<22_050).map { index -> Float in 0.4 + 0.3 * Float(index % 50) / 50 }
        let output = try await play(source, rate: 22_050, on: "rate48")
        #expect(output.deviceFormat?.detail == "float32, 48000 Hz, mono")
        let captured = try TestDevices.shared.capture("rate48.raw", as: Float.self)
        let converted = try resample(source, from: 22_050, to: 48_000)
        #expect(converted.count == 48_000)
        #expect(captured.count == 48_000)
        #expect(firstDifference(captured[512..<47_488], converted[512..<47_488]) == nil)
    }

    @Test("A device with two channels gets the sound on both")
    func stereo() async throws {
        let source = distinctAudio(10_000)
        let output = try await play(source, rate: 24_000, on: "stereo")
        #expect(output.deviceFormat?.detail == "float32, 24000 Hz, 2 channels")
        let captured = try TestDevices.shared.capture("stereo.raw", as: Float.self)
        #expect(captured.count == 20_000)
        for index in 256..<9_744 {
            #expect(captured[2 * index] == source[index] && captured[2 * index + 1] == source[index])
        }
    }

    @Test("Producer slower than the device: gaps are where underruns were counted, and nothing is lost")
    func starved() async throws {
        _ = TestDevices.shared
        let output = AudioOutput(device: OutputDevice("float"))
        try output.startPlayback(strategy: .stream)
        let source = distinctAudio(24_000)
        for start in stride(from: 0, to: source.count, by: 6000) {
            try output.enqueueAudioChunk(Array(source[start..<start + 6000]))
            try await Task.sleep(nanoseconds: 150_000_000)
        }
        await output.stopPlayback()
        let captured = try TestDevices.shared.capture("float.raw", as: Float.self)
        let heard = Heard(captured, source: source, breaks: [], fade: 256)
        #expect(heard.fault == nil)
        #expect(heard.matched == source.count)
        #expect(heard.gaps == output.underrunCount)
    }

    @Test("A device whose file cannot be opened or has no room ends the playback with that as the reason")
    func fileTrouble() async throws {
        for (name, code, advice) in [
            ("nofolder", -ENOENT, "correct the file that its definition"), ("full", -ENOSPC, "make room"),
        ] {
            _ = TestDevices.shared
            let output = AudioOutput(device: OutputDevice(name))
            try output.startPlayback(strategy: .generateFirst)
            try output.enqueueAudioChunk(distinctAudio(24_000))
            await output.stopPlayback()
            let expected = PlaybackError.deviceFailed(device: name, operation: "take samples", code: code)
            #expect(output.failure == expected)
            #expect("\(expected)".contains(advice))
            #expect(output.playbackState == .idle)
        }
    }

    @Test("A device that is wrongly defined says so, and where to correct it")
    func wrongDefinition() {
        _ = TestDevices.shared
        let error = PlaybackError.deviceFailed(device: "nofile", operation: "open", code: -EINVAL)
        #expect(throws: error) { try AudioOutput(device: OutputDevice("nofile")).startPlayback() }
        #expect("\(error)".contains("~/.asoundrc"))
    }

    @Test("A device that does not exist and a server that does not answer are told by name")
    func notThere() {
        _ = TestDevices.shared
        for name in ["nosuchdevice", "noserver"] {
            let output = AudioOutput(device: OutputDevice(name))
            #expect(throws: PlaybackError.deviceNotFound(device: name)) { try output.startPlayback() }
            #expect(output.playbackState == .idle)
        }
    }
}
