import DSP
import Glibc

/// A resampler to be measured: ours, or a library's that is installed on this machine.
protocol ResampleContender {
    var name: String { get }

    /// Converts a whole mono recording in one thread.
    func resample(_ input: [Float]) throws -> [Float]

    /// Seconds that a conversion takes, without the design of the filter.
    func time(_ input: [Float]) throws -> Double
}

func monotonicSeconds() -> Double {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) * 1e-9
}

struct SyrinxResampler: ResampleContender {
    let filter: ResamplerFilter
    var name: String { "Syrinx .\(filter.quality.rawValue)" }

    func resample(_ input: [Float]) throws -> [Float] {
        var resampler = try Resampler(filter)
        return resampler.step(input) + resampler.finish()
    }

    func time(_ input: [Float]) throws -> Double {
        var resampler = try Resampler(filter)
        var output = [Float](repeating: 0, count: resampler.maximumOutput(for: input.count))
        let start = monotonicSeconds()
        var room = output.mutableSpan
        _ = resampler.step(input.span, into: &room)
        _ = resampler.finish(into: &room)
        return monotonicSeconds() - start
    }
}

/// libsoxr, opened at run time: it is not a dependency, only a yardstick.
struct SoxrResampler: ResampleContender {
    enum Recipe: String {
        case high = "HQ"
        case veryHigh = "VHQ"
    }
    private typealias Create =
        @convention(c) (
            Double, Double, CUnsignedInt, UnsafeMutableRawPointer?, UnsafeRawPointer?, UnsafeRawPointer?,
            UnsafeRawPointer?
        ) -> OpaquePointer?
    private typealias Process =
        @convention(c) (
            OpaquePointer, UnsafeRawPointer?, Int, UnsafeMutablePointer<Int>?, UnsafeMutableRawPointer?, Int,
            UnsafeMutablePointer<Int>?
        ) -> UnsafePointer<CChar>?
    private typealias Delete = @convention(c) (OpaquePointer) -> Void

    let recipe: Recipe
    let rates: (Double, Double)
    private let create: Create
    private let process: Process
    private let delete: Delete
    var name: String { "soxr \(recipe.rawValue)" }

    init?(_ recipe: Recipe, from inputRate: Double, to outputRate: Double) {
        guard let library = dlopen("libsoxr.so.0", RTLD_NOW), let create = dlsym(library, "soxr_create"),
            let process = dlsym(library, "soxr_process"), let delete = dlsym(library, "soxr_delete")
        else { return nil }
        self.recipe = recipe
        rates = (inputRate, outputRate)
        // SAFETY: the types are those of soxr.h 0.1.3.
        self.create = unsafeBitCast(create, to: Create.self)
        self.process = unsafeBitCast(process, to: Process.self)
        self.delete = unsafeBitCast(delete, to: Delete.self)
    }

    func resample(_ input: [Float]) throws -> [Float] { try run(input).output }
    func time(_ input: [Float]) throws -> Double { try run(input).seconds }

    private func run(_ input: [Float]) throws -> (output: [Float], seconds: Double) {
        // soxr_quality_spec_t as soxr_quality_spec(recipe, 0) fills it: precision in bits, linear
        // phase, pass band end, stop band begin, reserved, flags. Written out because Swift cannot
        // receive a C structure from a function it looked up by name.
        let bits = recipe == .high ? 20.0 : 28.0
        let rejection = bits * 20 * log10(2)
        let passband = 1 - 0.05 / ((1.6e-6 * rejection - 7.5e-4) * rejection + 0.646)
        let quality: [UInt64] = [
            bits.bitPattern, (50.0).bitPattern, passband.bitPattern, (1.0).bitPattern, 0, 1 << 31,
        ]
        guard let stream = create(rates.0, rates.1, 1, nil, nil, quality, nil) else {
            throw ResampleFailure.refused(name)
        }
        defer { delete(stream) }
        var output = [Float](repeating: 0, count: Int(Double(input.count) * rates.1 / rates.0) + 4096)
        var count = 0
        let start = monotonicSeconds()
        try output.withUnsafeMutableBufferPointer { room in
            guard let target = room.baseAddress else { return }
            var (used, made) = (0, 0)
            guard process(stream, input, input.count, &used, target, room.count, &made) == nil else {
                throw ResampleFailure.refused(name)
            }
            count = made
            repeat {
                guard process(stream, nil, 0, nil, target + count, room.count - count, &made) == nil else {
                    throw ResampleFailure.refused(name)
                }
                count += made
            } while made > 0
        }
        let seconds = monotonicSeconds() - start
        return (Array(output[..<count]), seconds)
    }
}

/// libsamplerate, opened at run time.
struct SampleRateResampler: ResampleContender {
    enum Converter: CInt {
        case best = 0
        case medium = 1
    }
    private typealias Simple = @convention(c) (UnsafeMutableRawPointer, CInt, CInt) -> CInt

    let converter: Converter
    let ratio: Double
    private let simple: Simple
    var name: String { "libsamplerate \(converter)" }

    init?(_ converter: Converter, from inputRate: Double, to outputRate: Double) {
        guard let library = dlopen("libsamplerate.so.0", RTLD_NOW),
            let simple = dlsym(library, "src_simple")
        else { return nil }
        self.converter = converter
        ratio = outputRate / inputRate
        // SAFETY: the type is that of samplerate.h 0.2.2.
        self.simple = unsafeBitCast(simple, to: Simple.self)
    }

    func resample(_ input: [Float]) throws -> [Float] { try run(input).output }
    func time(_ input: [Float]) throws -> Double { try run(input).seconds }

    private func run(_ input: [Float]) throws -> (output: [Float], seconds: Double) {
        var output = [Float](repeating: 0, count: Int(Double(input.count) * ratio) + 64)
        let start = monotonicSeconds()
        let count = try input.withUnsafeBufferPointer { source in
            try output.withUnsafeMutableBufferPointer { target in
                // SRC_DATA: two pointers, four counts, end_of_input and its padding, the ratio.
                var data: [UInt64] = [
                    UInt64(UInt(bitPattern: source.baseAddress)),
                    UInt64(UInt(bitPattern: target.baseAddress)), UInt64(source.count),
                    UInt64(target.count), 0, 0, 1, ratio.bitPattern,
                ]
                guard simple(&data, converter.rawValue, 1) == 0 else {
                    throw ResampleFailure.refused(name)
                }
                return Int(data[5])
            }
        }
        return (Array(output[..<count]), monotonicSeconds() - start)
    }
}

enum ResampleFailure: Error, CustomStringConvertible {
    case refused(String)
    case unmeasurable(from: Double, to: Double)
    case unwritable(path: String)

    var description: String {
        switch self {
        case .refused(let name): "\(name) refused these rates"
        case .unmeasurable(let from, let to):
            "the ratio of \(Int(from)) to \(Int(to)) Hz has too many phases to measure them all; choose rates"
                + " whose ratio has terms of 1000 at most, such as 22050 and 24000"
        case .unwritable(let path): "cannot write \(path)"
        }
    }
}
