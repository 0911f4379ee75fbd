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
    /// Outputs that are made together when input comes in bulk.
    private let bulkFrames: Int
    /// From one plane to the next: `capacity`, and room that a kernel may read past the last frame,
    /// where it meets zero coefficients. What lies there is stale but finite.
    let stride: Int
    /// [channels, stride]
    let planes: AlignedStorage<Scalar>
    /// A group's outputs in every period of the planes.
    let scratch: AlignedStorage<Scalar>

    /// Frames in the planes.
    var filled = 0
    /// Polyphase: where in the planes the current period starts; can be before their first frame,
    /// when the period's early outputs have been made. Cubic: where the next output starts to read.
    var base = 0
    /// Polyphase: the next output's number in its period. Cubic: its fraction in units of 1/`up`.
    var phase = 0

    /// Periods that are made together when input comes in bulk, a multiple of the four that a kernel
    /// filters at once. Enough that a group's taps, read from the second-level cache once, serve
    /// many outputs; few enough that the input stays in the first.
    private static var bulk: Int { 16 }

    init(bank: FilterBank<Scalar>, ratio: RateRatio, channels: Int, level: syrinx_level) {
        self.bank = bank
        self.ratio = ratio
        self.channels = channels
        self.level = level
        var places = 1
        switch bank {
        case .polyphase(let bank):
            let periods = max(4, min(Self.bulk, 8192 / bank.advance / 4 * 4))
            bulkFrames = periods * bank.period
            // With full planes `bulkFrames` can be made, wherever in its group the next output is.
            capacity = bank.rows + periods * bank.advance
            // And the parts of periods at both ends, and what the rows beyond the taps hold.
            places = periods + 3 + (bank.rows - bank.taps) / bank.advance
        case .cubic(let bank):
            bulkFrames = 1
            capacity = bank.rows + max(4096, 2 * ratio.down / ratio.up)
        }
        stride = roundUp(capacity + bank.rows, to: 64 / MemoryLayout<Scalar>.stride)
        planes = AlignedStorage(count: channels * stride)
        scratch = AlignedStorage(count: places * Scalar.lanes)
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
            if channels == 1, let source = input.baseAddress?.advanced(by: frame) {
                // The same with a stride that the compiler knows, which it turns into vectors.
                for position in 0..<count {
                    let sample = source[position]
                    plane[position] = sample.isFinite ? Scalar(sample) : 0
                }
                continue
            }
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
    /// many: all that there are, or, if more input waits, perhaps only as many as are made most
    /// quickly together.
    func produce(
        _ output: UnsafeMutableBufferPointer<Float>, from frame: Int, limit: Int, more: Bool = false
    ) -> Int {
        var count = min(limit, available(frames: filled))
        guard count > 0 else { return 0 }
        if more, count >= bulkFrames { count -= count % bulkFrames }
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
