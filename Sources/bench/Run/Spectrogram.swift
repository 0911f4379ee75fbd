import Foundation

/// Energy over time and frequency, as a greyscale picture inside a page.
struct Spectrogram {
    let image: String

    private static let size = 512

    init(_ samples: [Float]) {
        let (size, columns) = (Self.size, 900)
        guard samples.count > size else {
            image = ""
            return
        }
        let rows = size / 2
        let window = (0..<size).map { Float(0.5 - 0.5 * cos(2 * Double.pi * Double($0) / Double(size))) }
        var pixels = [UInt8](repeating: 0, count: rows * columns)
        for column in 0..<columns {
            let start = (samples.count - size) * column / (columns - 1)
            var real = (0..<size).map { Double(samples[start + $0] * window[$0]) }
            var imaginary = [Double](repeating: 0, count: size)
            Self.transform(&real, &imaginary)
            for row in 0..<rows {
                let energy = 10 * log10(real[row] * real[row] + imaginary[row] * imaginary[row] + 1e-12)
                // 70 dB from black to white; a bitmap's rows go upwards, as frequencies do.
                pixels[row * columns + column] = UInt8(max(0, min(255, (energy + 40) / 70 * 255)))
            }
        }
        let bitmap = Self.bitmap(pixels, width: columns, height: rows)
        image = "<img alt=\"spectrogram\" src=\"data:image/bmp;base64,\(bitmap.base64EncodedString())\">"
    }

    /// The discrete Fourier transform in place, radix 2 (Cooley and Tukey 1965).
    private static func transform(_ real: inout [Double], _ imaginary: inout [Double]) {
        let count = real.count
        var j = 0
        for i in 1..<count {
            var bit = count >> 1
            while j & bit != 0 {
                j ^= bit
                bit >>= 1
            }
            j |= bit
            if i < j {
                real.swapAt(i, j)
                imaginary.swapAt(i, j)
            }
        }
        var length = 2
        while length <= count {
            for start in stride(from: 0, to: count, by: length) {
                for k in 0..<length / 2 {
                    let angle = -2 * Double.pi * Double(k) / Double(length)
                    let (c, s) = (cos(angle), sin(angle))
                    let (a, b) = (start + k, start + k + length / 2)
                    let (x, y) = (real[b] * c - imaginary[b] * s, real[b] * s + imaginary[b] * c)
                    (real[b], imaginary[b]) = (real[a] - x, imaginary[a] - y)
                    (real[a], imaginary[a]) = (real[a] + x, imaginary[a] + y)
                }
            }
            length *= 2
        }
    }

    /// An uncompressed bitmap with 256 greys. Width: a multiple of 4.
    private static func bitmap(_ pixels: [UInt8], width: Int, height: Int) -> Data {
        var data = Data("BM".utf8)
        func append(_ value: Int, _ bytes: Int) {
            for i in 0..<bytes { data.append(UInt8(value >> (8 * i) & 255)) }
        }
        let offset = 54 + 1024
        append(offset + pixels.count, 4)
        append(0, 4)
        append(offset, 4)
        for (value, bytes) in [
            (40, 4), (width, 4), (height, 4), (1, 2), (8, 2), (0, 4), (pixels.count, 4), (2835, 4), (2835, 4),
            (256, 4), (0, 4),
        ] {
            append(value, bytes)
        }
        for grey in 0..<256 { append(grey * 0x010101, 4) }
        data.append(contentsOf: pixels)
        return data
    }
}
