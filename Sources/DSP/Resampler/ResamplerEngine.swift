import CKernels

/// The state of one stream in one precision: the recent input, a plane a channel, and where in it
/// the next output reads.
///
/// A plane begins with half a filter of silence, so that output 0 is centred on input 0. Input is
/// appended, outputs whose whole filter lies inside are made, and what no output needs again is
/// dropped from the front.
final class ResamplerEngine<Scalar: FIRScalar> {
    let bank: FilterBank<Scalar>
    let ratio: RateRatio
    /// The kernels' level: the same from the stream's first sample to its last.
    let level: syrinx_level
    let channels: Int
    /// Input frames that a plane holds.
    let capacity: Int
    /// From one plane to the next: `capacity`, and room that a kernel may read past the last frame,
    /// where it meets zero coefficients. What lies there is stale but finite.
    let stride: Int
    /// [channels, stride]
    let planes: AlignedStorage<Scalar>
    /// One call's worth of groups.
    let scratch: AlignedStorage<Scalar>

    /// Frames in the planes.
    var filled = 0
    /// Polyphase: where in the planes the current period starts; can be before their first frame,
    /// when the period's early outputs have been made. Cubic: where the next output starts to read.
    var base = 0
    /// Polyphase: the next output's number in its period. Cubic: its fraction in units of 1/`up`.
    var phase = 0

    /// Places of the input that one kernel call filters.
    static var repeats: Int { 4 }

    init(bank: FilterBank<Scalar>, ratio: RateRatio, channels: Int, level: syrinx_level) {
        self.bank = bank
        self.ratio = ratio
        self.channels = channels
        self.level = level
        switch bank {
        case .polyphase(let bank):
            // Whole calls of the kernel: 32 periods, or fewer where they are long.
            let call = bank.advance * Self.repeats
            capacity = bank.rows + call * max(1, min(8, 8192 / call))
        case .cubic(let bank):
            capacity = bank.rows + max(4096, 2 * ratio.down / ratio.up)
        }
        stride = roundUp(capacity + bank.rows, to: 64 / MemoryLayout<Scalar>.stride)
        planes = AlignedStorage(count: channels * stride)
        scratch = AlignedStorage(count: Self.repeats * Scalar.lanes)
        reset()
    }

    func reset() {
        filled = bank.taps / 2 - 1
        base = 0
        phase = 0
        for channel in 0..<channels {
            (planes.pointer + channel * stride).update(repeating: 0, count: filled)
        }
    }

    /// Outputs that could be made if the planes held `frames` frames.
    func available(frames: Int) -> Int {
        // Output i reads from base + ⌊(phase' + i·M)/L⌋ on, where phase' is the fraction in 1/L.
        let offset: Int
        switch bank {
        case .polyphase: offset = phase * ratio.down
        case .cubic: offset = phase
        }
        let last = frames - bank.taps - base
        guard last >= 0 else { return 0 }
        return max(0, ((last + 1) * ratio.up - offset + ratio.down - 1) / ratio.down)
    }

    /// Appends frames of interleaved input, as many as fit, and says how many. A sample that is not
    /// finite is taken as 0.
    func append(_ input: UnsafeBufferPointer<Float>, from frame: Int, count: Int) -> Int {
        let count = min(count, capacity - filled)
        for channel in 0..<channels {
            let plane = planes.pointer + channel * stride + filled
            var index = frame * channels + channel
            for position in 0..<count {
                let sample = input[index]
                plane[position] = sample.isFinite ? Scalar(sample) : 0
                index += channels
            }
        }
        filled += count
        return count
    }

    /// Appends silence, as much as fits of `count` frames, and says how much.
    func appendSilence(_ count: Int) -> Int {
        let count = min(count, capacity - filled)
        for channel in 0..<channels {
            (planes.pointer + channel * stride + filled).update(repeating: 0, count: count)
        }
        filled += count
        return count
    }

    /// Makes up to `limit` frames of output, writing them interleaved from `frame` on. Returns how
    /// many.
    func produce(_ output: UnsafeMutableBufferPointer<Float>, from frame: Int, limit: Int) -> Int {
        let count = min(limit, available(frames: filled))
        guard count > 0 else { return 0 }
        switch bank {
        case .polyphase(let bank): producePolyphase(bank, output, from: frame, count: count)
        case .cubic(let bank): produceCubic(bank, output, from: frame, count: count)
        }
        return count
    }

    /// Drops the first `count` frames of every plane.
    func drop(_ count: Int) {
        guard count > 0 else { return }
        filled -= count
        base -= count
        for channel in 0..<channels {
            let plane = planes.pointer + channel * stride
            plane.update(from: plane + count, count: filled)
        }
    }
}
