import Glibc
import Testing

@testable import Playback

@Suite("ALSA sink, with a card of paper")
struct ALSASinkTests {
    private func sink(_ pcm: FakePCM) -> ALSASink { ALSASink(device: OutputDevice("hw:7"), pcm: pcm) }

    private func write(_ samples: [Float], to sink: ALSASink) -> SinkWrite { sink.write(samples.span) }

    private func opened(_ pcm: FakePCM, rate: Int = 24_000) throws -> ALSASink {
        let sink = sink(pcm)
        _ = try sink.open(sampleRate: rate, bufferSeconds: 0.036)
        return sink
    }

    // MARK: Negotiation

    @Test("A device that takes the audio as it is gets it so: float32, mono, its own rate")
    func plain() throws {
        let format = try sink(FakePCM()).open(sampleRate: 24_000, bufferSeconds: 0.036)
        #expect(format.sampleRate == 24_000)
        #expect(format.detail == "float32, 24000 Hz, mono")
        #expect(format.periodFrames == 288)
        #expect(format.bufferFrames == 1728)
        #expect(format.keepsTime)
    }

    @Test("A device without float gets 16 bits, and one without mono the sound on all channels")
    func int16Stereo() throws {
        let pcm = FakePCM()
        pcm.formats = [.int16]
        pcm.channels = 2...2
        let sink = try opened(pcm)
        #expect(write([0, 0.5, -0.5, 1, -1, 2, -2, .nan], to: sink) == .accepted(8))
        let samples = pcm.bytes.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
        let expected: [Int16] = [0, 16_384, -16_384, 32_767, -32_767, 32_767, -32_767, 0]
        #expect(samples == expected.flatMap { [$0, $0] })
    }

    @Test("A device with eight channels and nothing less gets all eight")
    func eightChannels() throws {
        let pcm = FakePCM()
        pcm.channels = 8...8
        let sink = try opened(pcm)
        #expect(write([0.25, -3], to: sink) == .accepted(2))
        let samples = pcm.bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        #expect(samples == [Float](repeating: 0.25, count: 8) + [Float](repeating: -1, count: 8))
    }

    @Test(
        "The rate: the audio's own, a multiple of it, 48 or 44.1 kHz, or the nearest",
        arguments: [
            (22_050, [22_050, 48_000], 22_050), (22_050, [44_100, 48_000], 44_100),
            (16_000, [44_100, 48_000], 48_000), (24_000, [44_100, 48_000], 48_000),
            (22_050, [48_000], 48_000), (22_050, [44_100], 44_100), (24_000, [32_000], 32_000),
            (24_000, [11_025, 192_000], 11_025),
        ])
    func rate(audio: Int, device: [Int], expected: Int) throws {
        let pcm = FakePCM()
        pcm.rates = device
        #expect(try sink(pcm).open(sampleRate: audio, bufferSeconds: 0.036).sampleRate == expected)
    }

    @Test("A device that only knows long periods: the writer queues two of them")
    func longPeriods() throws {
        let pcm = FakePCM()
        pcm.period = 2048
        pcm.buffer = 8192
        let format = try sink(pcm).open(sampleRate: 24_000, bufferSeconds: 0.036)
        let plan = WriterPlan(format: format, bufferSeconds: 0.036, leadInSeconds: 0)
        #expect(plan.target == 4096)
    }

    @Test("A device that takes no format that is known says so and is closed")
    func noFormat() throws {
        let pcm = FakePCM()
        pcm.formats = []
        #expect(throws: PlaybackError.self) { try opened(pcm) }
        #expect(pcm.calls == ["open hw:7", "close"])
    }

    // MARK: Opening

    @Test(
        "Why a device cannot be opened",
        arguments: [
            (-EBUSY, PlaybackError.deviceBusy(device: "hw:7")),
            (-ENOENT, .deviceNotFound(device: "hw:7")),
            (-ENODEV, .deviceNotFound(device: "hw:7")),
            (-ECONNREFUSED, .deviceNotFound(device: "hw:7")),
            (-ENXIO, .deviceNotFound(device: "hw:7")),
            (-EHOSTDOWN, .deviceNotFound(device: "hw:7")),
            (-EACCES, .devicePermission(device: "hw:7")),
            (-EPERM, .devicePermission(device: "hw:7")),
            (-EINVAL, .deviceFailed(device: "hw:7", operation: "open", code: -EINVAL)),
            (-ENOMEM, .deviceFailed(device: "hw:7", operation: "open", code: -ENOMEM)),
        ])
    func openErrors(code: Int32, expected: PlaybackError) {
        let pcm = FakePCM()
        pcm.openCode = code
        #expect(throws: expected) { try opened(pcm) }
        #expect(pcm.calls == ["open hw:7", "close"])
    }

    @Test("A configuration that is refused at the last moment closes the device")
    func installFails() {
        let pcm = FakePCM()
        pcm.installCode = -EINVAL
        #expect(
            throws: PlaybackError.deviceFailed(
                device: "hw:7", operation: "accept its configuration", code: -EINVAL)
        ) { try opened(pcm) }
        #expect(pcm.calls.last == "close")
    }

    // MARK: Faults

    @Test("Ran dry: prepare, then write and start again")
    func ranDry() throws {
        let pcm = FakePCM()
        let sink = try opened(pcm)
        pcm.delayCodes = [-EPIPE]
        #expect(sink.status() == .fault(.ranDry))
        #expect(sink.recover(from: .ranDry) == .ready)
        #expect(pcm.calls.last == "prepare")
        pcm.writeCodes = [-Int(EPIPE)]
        #expect(write([0.1], to: sink) == .fault(.ranDry))
        #expect(write([0.1], to: sink) == .accepted(1))
        #expect(sink.start() == nil)
        #expect(pcm.calls.last == "start")
    }

    @Test("Suspended: resume, asked again while the device wakes up")
    func suspended() throws {
        let pcm = FakePCM()
        let sink = try opened(pcm)
        pcm.delayCodes = [-ESTRPIPE]
        #expect(sink.status() == .fault(.suspended))
        pcm.resumeCodes = [-EAGAIN, 0]
        #expect(sink.recover(from: .suspended) == .notYet)
        #expect(sink.recover(from: .suspended) == .running)
        #expect(pcm.calls.suffix(2) == ["resume", "resume"])
    }

    @Test("Suspended, with a driver that cannot resume: prepare")
    func suspendedWithoutResume() throws {
        let pcm = FakePCM()
        let sink = try opened(pcm)
        pcm.resumeCodes = [-ENOSYS]
        #expect(sink.recover(from: .suspended) == .ready)
        #expect(pcm.calls.suffix(2) == ["resume", "prepare"])
    }

    @Test("Unplugged: the playback ends with the name of the device", arguments: [-ENODEV, -EBADFD, -EIO])
    func unplugged(code: Int32) throws {
        let pcm = FakePCM()
        let sink = try opened(pcm)
        pcm.delayCodes = [code]
        #expect(sink.status() == .fault(.failed(.deviceLost(device: "hw:7"))))
        pcm.writeCodes = [Int(code)]
        #expect(write([0.1], to: sink) == .fault(.failed(.deviceLost(device: "hw:7"))))
        pcm.prepareCode = code
        #expect(sink.recover(from: .ranDry) == .failed(.deviceLost(device: "hw:7")))
    }

    @Test("No room is no fault, and a write that is cut short reports what was taken")
    func partialWrites() throws {
        let pcm = FakePCM()
        let sink = try opened(pcm)
        pcm.room = 300
        #expect(write([Float](repeating: 0.1, count: 1000), to: sink) == .accepted(300))
        pcm.room = 0
        #expect(write([0.1], to: sink) == .accepted(0))
        pcm.room = .max
        #expect(write([Float](repeating: 0.1, count: 5000), to: sink) == .accepted(5000))
    }

    @Test("The end drains, a stop drops, and both close")
    func ends() async throws {
        for stops in [false, true] {
            let pcm = FakePCM()
            let output = AudioOutput(
                sink: sink(pcm), clock: SystemClock(), configuration: OutputConfiguration(), hasThread: true)
            try output.startPlayback(strategy: .stream)
            try output.enqueueAudioChunk([Float](repeating: 0.3, count: stops ? 24_000 : 800))
            for _ in 0..<2000 where stops && output.playbackState != .playing {
                try await Task.sleep(nanoseconds: 1_000_000)
            }
            await output.stopPlayback(waitForCompletion: !stops)
            #expect(pcm.calls.contains("drain") == !stops)
            #expect(pcm.calls.contains("drop") == stops)
            #expect(pcm.calls.last == "close")
            #expect(pcm.calls.count { $0 == "close" } == 1)
        }
    }

    @Test("A device pulled out while playing is closed, and the reason is kept")
    func pulledOut() async throws {
        let pcm = FakePCM()
        let output = AudioOutput(
            sink: sink(pcm), clock: SystemClock(), configuration: OutputConfiguration(), hasThread: true)
        pcm.delayCodes = [-ENODEV]
        try output.startPlayback(strategy: .stream)
        try output.enqueueAudioChunk([Float](repeating: 0.3, count: 24_000))
        await output.stopPlayback()
        #expect(output.failure == .deviceLost(device: "hw:7"))
        #expect(pcm.calls.last == "close")
    }
}

@Suite("Errors")
struct PlaybackErrorTests {
    @Test("Every error is one line that names the device and says what to do")
    func descriptions() {
        let errors: [PlaybackError] = [
            .deviceNotFound(device: "x"), .deviceBusy(device: "x"), .devicePermission(device: "x"),
            .deviceLost(device: "x"), .unsupportedFormat(device: "x", detail: "y"),
            .deviceFailed(device: "x", operation: "start", code: -5), .brokenPipe, .notPlaying,
            .alreadyPlaying,
            .invalidSampleRate(7), .invalidBufferDuration(-1), .queueFull(limitSeconds: 5),
            .systemResources(operation: "z", code: -24),
        ]
        for error in errors {
            #expect(!"\(error)".contains("\n"))
            #expect("\(error)".count > 30)
        }
        #expect("\(PlaybackError.deviceBusy(device: "hw:0"))".contains("'hw:0' is in use"))
        #expect("\(errors[5])".contains("Input/output error (-5); choose another device"))
    }
}
