import CKernels
import Glibc
import TestSupport
import Testing

typealias Kernel = (UnsafePointer<Float>, UnsafeMutablePointer<Float>, Int) -> Void

/// Distance from `exact` in units in the last place of it; infinity for a wrong NaN or infinity.
func ulps(_ value: Float, _ exact: Double) -> Double {
    let rounded = Float(exact)
    if rounded.isNaN { return value.isNaN ? 0 : .infinity }
    if rounded.isInfinite { return value == rounded ? 0 : .infinity }
    guard value.isFinite else { return .infinity }
    return abs(Double(value) - exact) / Double(rounded.ulp)
}

/// Floats of all magnitudes and both signs, by steps through the bit patterns (an odd step: all
/// mantissas occur), then evenly over the range where the functions bend, then the specials.
let sweep: [Float] = {
    var values: [Float] = []
    var bits: UInt32 = 0
    while bits < UInt32.max - 20011 {
        values.append(Float(bitPattern: bits))
        bits += 20011
    }
    for index in -140_000...140_000 { values.append(Float(index) * 0.00103) }
    values += [
        0, -0.0, 1, -1, .nan, .infinity, -.infinity, .greatestFiniteMagnitude,
        -.greatestFiniteMagnitude, .leastNonzeroMagnitude, -.leastNonzeroMagnitude,
        .leastNormalMagnitude, -.leastNormalMagnitude, 88.722835, 88.72284, -87.33655, -103.97207,
        -103.97209, 9.0109, 10, -10, 14.1, -14.1, -14.2, 1e-20, -1e-20, 0.34657359, 0.6931472,
    ]
    return values
}()

struct Function: CustomTestStringConvertible, Sendable {
    let name: String
    let bound: Double
    let kernel: @Sendable (UnsafePointer<Float>, UnsafeMutablePointer<Float>, Int) -> Void
    let exact: @Sendable (Double) -> Double
    var testDescription: String { name }
}

let functions: [Function] = [
    Function(name: "exp", bound: 1.5, kernel: { syrinx_exp($0, $1, $2) }, exact: { Glibc.exp($0) }),
    Function(name: "tanh", bound: 3, kernel: { syrinx_tanh($0, $1, $2) }, exact: { Glibc.tanh($0) }),
    Function(
        name: "sigmoid", bound: 3, kernel: { syrinx_sigmoid($0, $1, $2) },
        exact: { 1 / (1 + Glibc.exp(-$0)) }),
    Function(name: "erf", bound: 3, kernel: { syrinx_erf($0, $1, $2) }, exact: { Glibc.erf($0) }),
    Function(
        name: "gelu", bound: 7, kernel: { syrinx_gelu($0, $1, $2) },
        exact: { $0 == -.infinity ? 0 : $0 * 0.5 * Glibc.erfc(-$0 / 2.0.squareRoot()) }),
    Function(
        name: "softplus", bound: 3, kernel: { syrinx_softplus($0, $1, $2) },
        exact: { max($0, 0) + Glibc.log1p(Glibc.exp(-abs($0))) }),
    Function(
        name: "relu", bound: 0, kernel: { syrinx_relu($0, $1, $2) },
        exact: { $0.isNaN ? .nan : max($0, 0) }),
    Function(
        name: "leaky relu", bound: 0.5, kernel: { syrinx_leaky_relu($0, 0.1, $1, $2) },
        exact: { $0 > 0 ? $0 : $0 * Double(Float(0.1)) }),
    Function(
        name: "leaky relu of slope above 1", bound: 0.5,
        kernel: { syrinx_leaky_relu($0, 1.5, $1, $2) }, exact: { $0 > 0 ? $0 : $0 * 1.5 }),
]

@Suite("Elementwise kernels")
struct ElementwiseTests {
    @Test("A function stays within its stated ulp over all magnitudes and specials", arguments: functions)
    func accuracy(function: Function) {
        let exact = sweep.map { function.exact(Double($0)) }
        atEachLevel { level in
            var y = [Float](repeating: 0, count: sweep.count)
            function.kernel(sweep, &y, sweep.count)
            var worst = (error: 0.0, at: Float(0), value: Float(0))
            for (index, value) in y.enumerated() {
                let error = ulps(value, exact[index])
                if error > worst.error { worst = (error, sweep[index], value) }
            }
            #expect(
                worst.error <= function.bound,
                "\(level) \(function.name)(\(worst.at)) = \(worst.value): \(worst.error) ulp")
        }
    }

    @Test("Tails and in-place runs give the same bits as the long run", arguments: functions)
    func tails(function: Function) {
        let x = (0..<70).map { Float($0) * 0.37 - 12 }
        atEachLevel { level in
            var long = [Float](repeating: 0, count: x.count)
            function.kernel(x, &long, x.count)
            for count in 0...40 {
                for start in [0, 1, 7] {
                    var y = [Float](repeating: 99, count: count + 1)
                    x.withUnsafeBufferPointer {
                        function.kernel($0.baseAddress! + start, &y, count)
                    }
                    let wanted = long[start..<start + count] + [99]
                    #expect(y.elementsEqual(wanted), "\(level) start \(start) count \(count)")
                    var inPlace = Array(x[start..<start + count])
                    inPlace.withUnsafeMutableBufferPointer {
                        guard let base = $0.baseAddress else { return }
                        function.kernel(base, base, count)
                    }
                    #expect(inPlace.elementsEqual(wanted.dropLast()), "\(level) count \(count)")
                }
            }
        }
    }

    @Test("Odd functions keep the sign of zero")
    func signedZero() {
        let x: [Float] = [0, -0.0]
        atEachLevel { level in
            for kernel in [syrinx_tanh, syrinx_erf] {
                var y: [Float] = [1, 1]
                kernel(x, &y, 2)
                #expect(y[0].bitPattern == 0 && y[1].bitPattern == 0x8000_0000, "\(level) \(y)")
            }
        }
    }

    @Test("Sums, products and scalings match plain Swift")
    func arithmetic() {
        for count in [0, 1, 3, 15, 16, 17, 33, 100] {
            let seed = UInt64(count) + 11
            var random = SeededGenerator(seed: seed)
            let x = random.floats(count)
            let z = random.floats(count)
            atEachLevel { level in
                var y = [Float](repeating: 0, count: count)
                syrinx_add(x, z, &y, count)
                #expect(y == zip(x, z).map { $0 + $1 }, "\(level) seed \(seed)")
                syrinx_multiply(x, z, &y, count)
                #expect(y == zip(x, z).map { $0 * $1 }, "\(level) seed \(seed)")
                syrinx_scale(x, 0.3, &y, count)
                #expect(y == x.map { $0 * 0.3 }, "\(level) seed \(seed)")
                y = z
                syrinx_add_scaled(x, 0.3, &y, count)
                for index in 0..<count {
                    let exact = Double(z[index]) + Double(x[index]) * Double(Float(0.3))
                    #expect(abs(Double(y[index]) - exact) < 1.2e-7, "\(level) seed \(seed)")
                }
            }
        }
    }

    @Test("The gate is tanh of the first half times sigmoid of the second, 4 ulp")
    func gate() {
        var random = SeededGenerator(seed: 5)
        for channels in [1, 5, 16, 31, 96, 192] {
            let rows = 7
            let stride = 2 * channels + 3
            var x = random.floats(rows * stride, limit: 8)
            x[0] = -0.0
            x[channels] = -120
            atEachLevel { level in
                var y = [Float](repeating: 7, count: rows * channels)
                syrinx_gate(x, stride, &y, channels, rows, channels)
                var worst = 0.0
                for t in 0..<rows {
                    for c in 0..<channels {
                        let a = Double(x[t * stride + c])
                        let b = Double(x[t * stride + channels + c])
                        let exact = Glibc.tanh(a) / (1 + Glibc.exp(-b))
                        worst = max(worst, ulps(y[t * channels + c], exact))
                    }
                }
                #expect(worst <= 4, "\(level) channels \(channels): \(worst) ulp")
                var inPlace = x
                inPlace.withUnsafeMutableBufferPointer {
                    let base = $0.baseAddress!
                    syrinx_gate(base, stride, base, stride, rows, channels)
                }
                #expect(inPlace[stride..<stride + channels].elementsEqual(y[channels..<2 * channels]))
            }
        }
    }

    @Test("A row added to every row leaves the gap between rows alone")
    func addRow() {
        let (rows, channels, stride) = (3, 21, 25)
        let x = (0..<rows * stride).map { Float($0) }
        let row = (0..<channels).map { Float($0) * 0.5 }
        atEachLevel { level in
            var y = [Float](repeating: -1, count: rows * stride)
            syrinx_add_row(x, stride, row, &y, stride, rows, channels)
            for index in y.indices {
                let c = index % stride
                #expect(y[index] == (c < channels ? x[index] + row[c] : -1), "\(level) \(index)")
            }
        }
    }

    @Test("Softmax matches double precision and sums to one, masked columns included")
    func softmax() {
        var random = SeededGenerator(seed: 9)
        for columns in [1, 2, 7, 16, 33, 109, 383, 4096] {
            let rows = 3
            var x = random.floats(rows * columns, limit: 20)
            if columns > 2 {
                x[1] = -1e4
                x[2] = -.infinity
            }
            atEachLevel { level in
                var y = [Float](repeating: 0, count: x.count)
                syrinx_softmax_rows(x, columns, &y, columns, rows, columns)
                for t in 0..<rows {
                    let row = x[t * columns..<(t + 1) * columns].map { Double($0) }
                    let top = row.max()!
                    let sum = row.reduce(0) { $0 + Glibc.exp($1 - top) }
                    var worst = 0.0
                    for c in 0..<columns {
                        let exact = Glibc.exp(row[c] - top) / sum
                        let error = abs(Double(y[t * columns + c]) - exact)
                        let bound = row[c].isFinite ? 1e-6 + 6e-8 * (top - row[c]) : 0
                        worst = max(worst, error / (bound * exact + 1e-44))
                    }
                    #expect(worst <= 1, "\(level), \(columns) columns, row \(t)")
                }
            }
        }
    }

    @Test("A softmax row with NaN becomes NaN, and its neighbours do not")
    func softmaxOfNaN() {
        atEachLevel { level in
            for place in [0, 5, 39] {
                var x = [Float](repeating: 1, count: 80)
                x[place] = .nan
                var y = [Float](repeating: 0, count: 80)
                syrinx_softmax_rows(x, 40, &y, 40, 2, 40)
                #expect(y[..<40].allSatisfy { $0.isNaN }, "\(level) \(place)")
                #expect(y[40...].allSatisfy { abs($0 - 0.025) < 1e-8 }, "\(level) \(place)")
            }
        }
    }

    @Test("Layer norm matches double precision, a mean of 1000 spreads included")
    func layerNorm() {
        for channels in [1, 2, 5, 16, 31, 96, 192, 200] {
            let seed = UInt64(channels)
            var random = SeededGenerator(seed: seed)
            let rows = 4
            var x = random.floats(rows * channels)
            for c in 0..<channels { x[channels + c] += 1000 }
            let gain = random.floats(channels)
            let bias = random.floats(channels)
            atEachLevel { level in
                var y = [Float](repeating: 0, count: x.count)
                syrinx_layer_norm(x, channels, gain, bias, 1e-5, &y, channels, rows, channels)
                for t in 0..<rows {
                    let row = x[t * channels..<(t + 1) * channels].map { Double($0) }
                    let mean = row.reduce(0, +) / Double(channels)
                    let variance =
                        row.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(channels)
                    let tolerance = t == 1 ? 1e-3 : 4e-6
                    for c in 0..<channels {
                        let exact =
                            (row[c] - mean) / (variance + Double(Float(1e-5))).squareRoot()
                            * Double(gain[c]) + Double(bias[c])
                        let error = abs(Double(y[t * channels + c]) - exact)
                        #expect(error < tolerance, "\(level) \(channels) seed \(seed) [\(t), \(c)]")
                    }
                }
            }
        }
    }
}
