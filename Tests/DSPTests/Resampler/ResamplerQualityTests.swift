import CKernels
import Glibc
import Testing

@testable import DSP

/// The kernel levels that this CPU has.
let kernelLevels: [syrinx_level] = (0..<UInt32(syrinx_level_count)).map { syrinx_level(rawValue: $0) }
    .filter(syrinx_kernel_level_available)

func levelName(_ level: syrinx_level) -> String { String(cString: syrinx_kernel_level_name(level)) }

/// A whole recording through a stream at a chosen kernel level.
func resampled(
    _ samples: [Float], from input: Double, to output: Double, _ quality: ResamplerQuality = .high,
    level: syrinx_level = syrinx_kernel_level(), channels: Int = 1
) throws -> [Float] {
    let filter = try ResamplerFilter(from: input, to: output, quality: quality)
    var resampler = try Resampler(filter, channels: channels, level: level)
    return resampler.step(samples) + resampler.finish()
}

/// The bounds that `ResamplerQuality` states.
private struct Promise {
    let quality: ResamplerQuality
    let passband: Double
    let stopBand: Double
    let distortion: Double

    static let all = [
        Promise(quality: .fast, passband: 0.85, stopBand: -96, distortion: -96),
        Promise(quality: .high, passband: 0.91, stopBand: -132.5, distortion: -135),
        Promise(quality: .veryHigh, passband: 0.91, stopBand: -165, distortion: -150),
    ]
}

/// The response seen through the resampler itself: an impulse at every place of a period, the
/// outputs interleaved, is the impulse response at the least common rate of input and output.
private struct SampledResponse {
    let impulse: [Double]
    let up: Int

    init(
        from input: Double, to output: Double, quality: ResamplerQuality, level: syrinx_level,
        interpolates: Bool = false
    ) throws {
        let ratio = try RateRatio(from: input, to: output)
        let filter = try ResamplerFilter(
            from: input, to: output, quality: quality, interpolates: interpolates)
        let reach = filter.latency + 2
        let start = roundUp(reach, to: ratio.down)
        var impulse = [Double](repeating: 0, count: 2 * reach * ratio.up)
        var resampler = try Resampler(filter, channels: 1, level: level)
        for place in start..<start + ratio.down {
            var samples = [Float](repeating: 0, count: start + ratio.down + reach)
            samples[place] = 1
            resampler.reset()
            for (index, sample) in (resampler.step(samples) + resampler.finish()).enumerated() {
                let time = index * ratio.down - place * ratio.up + reach * ratio.up
                if impulse.indices.contains(time) { impulse[time] = Double(sample) }
            }
        }
        self.impulse = impulse
        up = ratio.up
    }

    /// In dB at `frequency` cycles an input sample.
    func callAsFunction(_ frequency: Double) -> Double {
        let angle = 2 * .pi * frequency / Double(up)
        let (stepCosine, stepSine) = (cos(angle), sin(angle))
        var (real, imaginary, c, s) = (0.0, 0.0, 1.0, 0.0)
        for (n, value) in impulse.enumerated() {
            if n % 512 == 0 { (c, s) = (cos(angle * Double(n)), sin(angle * Double(n))) }
            real += value * c
            imaginary += value * s
            (c, s) = (c * stepCosine - s * stepSine, s * stepCosine + c * stepSine)
        }
        return decibels((real * real + imaginary * imaginary).squareRoot() / Double(up))
    }
}

@Suite("Resampler: quality")
struct ResamplerQualityTests {
    @Test("The pass band is flat within 0.01 dB, and images stay below what each preset states")
    func frequencyResponse() throws {
        for promise in Promise.all {
            for level in kernelLevels {
                let response = try SampledResponse(
                    from: 22_050, to: 24_000, quality: promise.quality, level: level)
                for step in 0...100 {
                    let frequency = 0.5 * promise.passband * Double(step) / 100
                    #expect(
                        abs(response(frequency)) < 0.01,
                        "\(promise.quality) \(levelName(level)) at \(frequency)")
                }
                // Dense where the side lobes are highest, then on to the third image.
                let edge = (0...150).map { 0.5 + 0.03 * Double($0) / 150 }
                let rest = (0...150).map { 0.53 + 2.97 * Double($0) / 150 }
                let worst = (edge + rest).map { response($0) }.max() ?? 0
                #expect(worst < promise.stopBand, "\(promise.quality) \(levelName(level))")
            }
        }
    }

    @Test("Interpolated taps have the same pass and stop band, up to where the interpolation repeats")
    func interpolatedResponse() throws {
        for promise in Promise.all {
            for level in kernelLevels {
                let response = try SampledResponse(
                    from: 22_050, to: 24_000, quality: promise.quality, level: level, interpolates: true)
                let name = "\(promise.quality) \(levelName(level))"
                for step in 0...50 {
                    #expect(abs(response(0.5 * promise.passband * Double(step) / 50)) < 0.01, "\(name)")
                }
                let edge = (0...60).map { 0.5 + 0.03 * Double($0) / 60 }
                // 64 segments a sample: what cubics leave of the pass band lies about 64 cycles a sample.
                let repetition = (0...60).map { 63.5 + Double($0) / 60 }
                let worst = (edge + repetition).map { response($0) }.max() ?? 0
                #expect(worst < promise.stopBand, "\(name)")
            }
        }
    }

    /// Two phases alone show the response no deeper than float32 rounds the samples; 147 average that out.
    @Test(
        "Aliases stay below what each preset states when the rate falls",
        arguments: [(22_050.0, -200.0), (16_000, -150)])
    func aliases(to rate: Double, floor: Double) throws {
        for promise in Promise.all {
            for level in kernelLevels {
                let response = try SampledResponse(
                    from: 24_000, to: rate, quality: promise.quality, level: level)
                // The lower Nyquist frequency, in cycles an input sample.
                let nyquist = rate / 48_000
                for step in 0...60 {
                    #expect(abs(response(promise.passband * nyquist * Double(step) / 60)) < 0.01)
                }
                let worst = (0...400).map { response(nyquist + 0.6 * Double($0) / 400) }.max() ?? 0
                #expect(worst < max(promise.stopBand, floor), "\(promise.quality) \(levelName(level))")
            }
        }
    }

    @Test(
        "A full-scale sine at 1 and at 9 kHz keeps its amplitude and phase, and distortion and noise are below what each preset states"
    )
    func distortion() throws {
        for promise in Promise.all {
            for level in kernelLevels {
                for hertz in [1000.0, 9000] {
                    let input = tone(hertz, rate: 22_050, count: 22_050, amplitude: 0.999)
                    let output = try resampled(input, from: 22_050, to: 24_000, promise.quality, level: level)
                    let fit = ToneFit(output, hertz: hertz, rate: 24_000, over: 1000..<23_000)
                    let name = "\(promise.quality) \(levelName(level)) \(hertz) Hz"
                    #expect(fit.residual < promise.distortion, "\(name)")
                    #expect(abs(decibels(fit.amplitude / 0.999)) < 0.001, "\(name)")
                    #expect(abs(fit.phase) < 1e-7, "\(name)")
                }
            }
        }
    }

    @Test("Interpolated taps, for rates without a small ratio, meet the same bounds")
    func arbitraryRates() throws {
        for promise in Promise.all {
            for level in kernelLevels {
                for (from, to) in [(22_050.0, 24_001.0), (22_050, 24_000.37), (48_000, 44_101.5)] {
                    for hertz in [1000.0, 9000] {
                        let input = tone(hertz, rate: from, count: Int(from), amplitude: 0.999)
                        let output = try resampled(input, from: from, to: to, promise.quality, level: level)
                        let fit = ToneFit(output, hertz: hertz, rate: to, over: 1000..<output.count - 1000)
                        let name = "\(promise.quality) \(levelName(level)) \(from) to \(to), \(hertz) Hz"
                        #expect(fit.residual < promise.distortion, "\(name)")
                        #expect(abs(decibels(fit.amplitude / 0.999)) < 0.001, "\(name)")
                        #expect(abs(fit.phase) < 1e-6, "\(name)")
                    }
                }
            }
        }
    }

    @Test("No tone of the input's whole range leaves an image above the bound in the output")
    func sweep() throws {
        for hertz in stride(from: 200.0, to: 11_000, by: 311) {
            let input = tone(hertz, rate: 22_050, count: 6000, amplitude: 0.999)
            let output = try resampled(input, from: 22_050, to: 24_000, .high)
            let fit = ToneFit(output, hertz: hertz, rate: 24_000, over: 400..<6100)
            #expect(fit.residual < -132.5, "\(hertz) Hz")
        }
    }

    @Test(
        "A sweep inside the pass band comes out as Fourier interpolation makes it",
        arguments: [
            (22_050, 24_000), (16_000, 24_000), (22_050, 48_000), (22_050, 16_000), (44_100, 8000),
            (22_050, 44_100),
        ])
    func agreesWithFourier(rates: (Int, Int)) throws {
        let input = try golden("resampler/chirp-\(rates.0)-for-\(rates.1).f32")
        let expected = try golden("resampler/chirp-\(rates.0)-to-\(rates.1).f32")
        for (quality, bound) in [(ResamplerQuality.fast, -90.0), (.high, -120), (.veryHigh, -127)] {
            for level in kernelLevels {
                let output = try resampled(
                    input, from: Double(rates.0), to: Double(rates.1), quality, level: level)
                #expect(output.count == expected.count)
                let power = zip(output, expected).map { pow(Double($0) - Double($1), 2) }.reduce(0, +)
                let reference = expected.map { pow(Double($0), 2) }.reduce(0, +)
                let difference = 10 * log10(power / reference)
                #expect(difference < bound, "\(quality) \(levelName(level))")
            }
        }
    }
}
