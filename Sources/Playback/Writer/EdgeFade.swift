import Glibc

/// The gains of an edge fade: a raised cosine, sin²(π/2 · (i + ½)/n).
///
/// 256 samples at 24 kHz (10.7 ms), as many milliseconds at other rates: long enough that the jump to silence
/// makes no click, short enough not to be heard as a fade. Unlike a straight line it has no corner at either
/// end. No gain is 0, so that an inserted silence can be told from audio.
struct EdgeFade {
    let gains: UnsafeBufferPointer<Float>

    /// Samples of the fade.
    var length: Int { gains.count }

    /// 256 samples at 24 kHz, scaled.
    static func length(sampleRate: Int) -> Int {
        max(1, (256 * sampleRate + 12_000) / 24_000)
    }

    /// The caller owns the gains and calls `deallocate`.
    init(sampleRate: Int) {
        let count = Self.length(sampleRate: sampleRate)
        let table = UnsafeMutableBufferPointer<Float>.allocate(capacity: count)
        for index in 0..<count {
            let root = sin(Double.pi / 2 * (Double(index) + 0.5) / Double(count))
            table.initializeElement(at: index, to: Float(root * root))
        }
        gains = UnsafeBufferPointer(table)
    }

    func deallocate() { gains.deallocate() }

    /// Fades in samples of which the first is number `start` of the fade. Returns the number after the last.
    func fadeIn(_ samples: UnsafeMutableBufferPointer<Float>, from start: Int) -> Int {
        let count = min(samples.count, length - start)
        guard count > 0 else { return start }
        for index in 0..<count { samples[index] *= gains[start + index] }
        return start + count
    }

    /// Fades out samples of which the last is followed by `after` more before silence.
    func fadeOut(_ samples: UnsafeMutableBufferPointer<Float>, after: Int) {
        var distance = after
        var index = samples.count - 1
        while index >= 0, distance < length {
            samples[index] *= gains[distance]
            distance += 1
            index -= 1
        }
    }
}
