import Glibc

@testable import Playback

/// A card of paper: says what it was told to say, and remembers what it was asked.
final class FakePCM: PCMDevice {
    // What it can do.
    var formats: Set<PCMFormat> = [.float32, .int16]
    var channels: ClosedRange<Int> = 1...2
    var rates: [Int] = [8_000, 16_000, 22_050, 24_000, 44_100, 48_000]
    var period = 0
    var buffer = 0

    // What it answers.
    var openCode: Int32 = 0
    var installCode: Int32 = 0
    var resumeCodes: [Int32] = []
    var prepareCode: Int32 = 0
    var delayCodes: [Int32] = []
    var writeCodes: [Int] = []
    var room = Int.max
    var state = PCMState.prepared

    // What happened.
    var calls: [String] = []
    var bytes: [UInt8] = []
    private var frameBytes = 0
    private var chosen = (format: PCMFormat.float32, channels: 0, rate: 0, buffer: 0)
    private var queued = 0

    func open(_ name: String) -> Int32 {
        calls.append("open \(name)")
        return openCode
    }

    func beginConfiguration() -> Int32 { 0 }

    func choose(format: PCMFormat) -> Int32 {
        guard formats.contains(format) else { return -EINVAL }
        chosen.format = format
        return 0
    }

    func choose(channels count: Int) -> Int32 {
        guard channels.contains(count) else { return -EINVAL }
        chosen.channels = count
        return 0
    }

    func choose(rate: Int) -> Int32 {
        guard rates.contains(rate) else { return -EINVAL }
        chosen.rate = rate
        return 0
    }

    func chooseChannels(near count: Int) -> Int {
        chosen.channels = min(max(count, channels.lowerBound), channels.upperBound)
        return chosen.channels
    }

    func chooseRate(near rate: Int) -> Int {
        chosen.rate = rates.min { abs($0 - rate) < abs($1 - rate) } ?? -Int(EINVAL)
        return chosen.rate
    }

    func choosePeriod(near frames: Int) -> Int { period == 0 ? frames : period }

    func chooseBuffer(near frames: Int) -> Int {
        chosen.buffer = buffer == 0 ? frames : buffer
        return chosen.buffer
    }

    func installConfiguration() -> Int32 {
        frameBytes = chosen.format.bytes * chosen.channels
        return installCode
    }

    private func note(_ call: String, _ code: Int32 = 0) -> Int32 {
        calls.append(call)
        return code
    }

    func prepare() -> Int32 {
        queued = 0
        if prepareCode >= 0 { state = .prepared }
        return note("prepare", prepareCode)
    }
    func start() -> Int32 {
        state = .running
        return note("start")
    }
    func resume() -> Int32 { note("resume", resumeCodes.isEmpty ? 0 : resumeCodes.removeFirst()) }
    func drain() -> Int32 {
        // Plays all at once.
        (state, queued) = (.setup, 0)
        return note("drain")
    }
    func drop() -> Int32 {
        (state, queued) = (.setup, 0)
        return note("drop")
    }
    func close() { calls.append("close") }

    func availableAndDelay() -> (code: Int32, available: Int, delay: Int) {
        if !delayCodes.isEmpty {
            let code = delayCodes.removeFirst()
            if code < 0 { return (code, 0, 0) }
        }
        if state == .setup { return (-EBADFD, 0, 0) }
        return (0, chosen.buffer - queued, queued)
    }

    func write(_ frames: UnsafeRawPointer, count: Int) -> Int {
        if !writeCodes.isEmpty {
            let code = writeCodes.removeFirst()
            if code < 0 { return code }
        }
        let taken = min(count, room)
        bytes += UnsafeRawBufferPointer(start: frames, count: taken * frameBytes)
        queued += taken
        return taken == 0 ? -Int(EAGAIN) : taken
    }
}
