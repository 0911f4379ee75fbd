import CKernels
import Foundation
import Glibc
import Tensor

/// What this machine is and can do.
enum Machine {
    static var cpu: String {
        let info = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let line = info.split(separator: "\n").first { $0.hasPrefix("model name") || $0.hasPrefix("Model") }
        let name = line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
        return name ?? "unknown"
    }

    static var kernels: String { String(cString: syrinx_kernel_level_name(syrinx_kernel_level())) }

    static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// The most memory that this process has held since its program began: `getrusage` would count the process
    /// that started it as well.
    static var peakMemoryBytes: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        let kibibytes = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) }
        if let kibibytes { return kibibytes << 10 }
        // Without /proc: at least not less than it was.
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Int(usage.ru_maxrss) << 10
    }

    /// GFLOP/s of one thread: multiply-adds in registers, and a product of 256 × 256 matrices; the best of
    /// several turns.
    static func peak() -> BenchReport.Peak {
        var sink: Float = 0
        let fma = best { syrinx_probe_multiply_add(2_000_000, &sink) }
        let side = 256
        let a = [Float](repeating: 0.5, count: side * side)
        var packed = [Float](repeating: 0, count: syrinx_gemm_packed_size(side, side))
        var c = a
        syrinx_gemm_pack(a, side, 1, side, side, &packed)
        let gemm = best {
            for _ in 0..<20 { syrinx_gemm(a, side, packed, nil, &c, side, side, side, side, false) }
            return 20 * 2 * Double(side * side * side)
        }
        return BenchReport.Peak(fma: fma, gemm: gemm)
    }

    private static func best(_ work: () -> Double) -> Double {
        (0..<7).map { _ in
            let start = Stopwatch.now
            let operations = work()
            return operations / (Stopwatch.now - start) * 1e-9
        }.max() ?? 0
    }
}
