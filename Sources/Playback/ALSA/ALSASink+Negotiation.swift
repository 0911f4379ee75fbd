extension ALSASink {
    /// Agrees with the device on format, channels, rate, period and buffer.
    ///
    /// - Format: float32, which loses nothing; else 16 bits.
    /// - Channels: one; else two, else what there is, with the sound on all of them.
    /// - Rate: the audio's own; else a whole multiple of it, which needs the least work; else 48 or 44.1 kHz,
    ///   which cards run at natively; else the nearest.
    /// - Period: a third of what the writer keeps queued, as it wakes up that often and the device's pointer may
    ///   move no finer than its period.
    /// - Buffer: twice what the writer keeps queued. The writer never fills it, so its size costs no latency, and a
    ///   device that only knows other sizes has some room.
    func negotiate(sampleRate: Int, bufferSeconds: Double) throws(PlaybackError) -> SinkFormat {
        try check(pcm.beginConfiguration(), "describe what it can do")
        guard let format = PCMFormat.allCases.first(where: { pcm.choose(format: $0) >= 0 }) else {
            throw .unsupportedFormat(
                device: device.name, detail: "it takes neither float32 nor int16 samples")
        }
        let channels = try chooseChannels()
        let rate = try chooseRate(for: sampleRate)

        let target = max(3, Int((bufferSeconds * Double(rate)).rounded()))
        let period = pcm.choosePeriod(near: target / 3)
        try check(period, "set a period of \(target / 3) frames")
        let buffer = pcm.chooseBuffer(near: max(2 * target, 4 * period))
        try check(buffer, "set a buffer of \(max(2 * target, 4 * period)) frames")
        try check(pcm.installConfiguration(), "accept its configuration")

        layout = FrameLayout(format: format, channels: channels)
        bufferFrames = buffer
        return SinkFormat(
            sampleRate: rate, bufferFrames: buffer, periodFrames: period, keepsTime: true,
            detail: "\(format.name), \(rate) Hz, \(channels == 1 ? "mono" : "\(channels) channels")")
    }

    private func chooseChannels() throws(PlaybackError) -> Int {
        for channels in 1...2 where pcm.choose(channels: channels) >= 0 { return channels }
        let channels = pcm.chooseChannels(near: 2)
        guard channels > 0 else {
            throw .unsupportedFormat(device: device.name, detail: "it names no number of channels")
        }
        return channels
    }

    private func chooseRate(for sampleRate: Int) throws(PlaybackError) -> Int {
        let multiples = [1, 2, 3, 4].map { $0 * sampleRate }.filter { $0 == sampleRate || $0 <= 96_000 }
        for rate in multiples + [48_000, 44_100] where pcm.choose(rate: rate) >= 0 { return rate }
        let rate = pcm.chooseRate(near: sampleRate)
        guard rate >= 1_000 else {
            throw .unsupportedFormat(device: device.name, detail: "it names no rate near \(sampleRate) Hz")
        }
        return rate
    }

    private func check(_ code: Int32, _ operation: String) throws(PlaybackError) {
        try check(Int(code), operation)
    }

    private func check(_ code: Int, _ operation: String) throws(PlaybackError) {
        guard code < 0 else { return }
        throw error(Int32(truncatingIfNeeded: code), operation)
    }
}
