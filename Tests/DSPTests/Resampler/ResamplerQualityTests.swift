import CKernels
import Testing

@testable import DSP

/// The kernel levels that this CPU has.
let kernelLevels: [syrinx_level] = (0..<UInt32(syrinx_level_count)).map { syrinx_level(rawValue: $0) }
    .filter(syrinx_kernel_level_available)

func levelName(_ level: syrinx_level) -> String { String(cString: syrinx_kernel_level_name(level)) }

func resampled(
    _ samples: [Float], from input: Double, to output: Double, _ quality: ResamplerQuality = .high,
    level: syrinx_level = syrinx_kernel_level()
) throws -> [Float] {
    let filter = try ResamplerFilter(from: input, to: output, quality: quality)
    var resampler = try Resampler(filter, channels: 1, level: level)
    return resampler.step(samples) + resampler.finish()
}

@Suite("Resampler: quality")
struct ResamplerQualityTests {
    @Test("probe") func probe() throws {
        for quality in ResamplerQuality.allCases {
            for level in kernelLevels {
                for hertz in [1000.0, 9000] {
                    for amp in [0.999, 0.7] {
                    let x = tone(hertz, rate: 22050, count: 22050, amplitude: amp)
                    let y = try resampled(x, from: 22050, to: 24000, quality, level: level)
                    let fit = ToneFit(y, hertz: hertz, rate: 24000, over: 1000..<23000)
                    let z = try resampled(x, from: 22050, to: 24000.7, quality, level: level)
                    let fit2 = ToneFit(z, hertz: hertz, rate: 24000.7, over: 1000..<23000)
                    print(quality, levelName(level), hertz, amp, y.count, fit.amplitude, fit.phase, fit.residual - decibels(amp), fit2.residual - decibels(amp), fit2.phase)
                    }
                }
            }
        }
    }
}
