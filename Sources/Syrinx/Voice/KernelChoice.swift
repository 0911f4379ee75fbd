import CKernels
import Glibc

/// The instruction set that the environment variable `SYRINX_KERNELS` asks for.
package enum KernelChoice {
    /// What is wrong with it, for a command to tell; nil where it is not set or was followed.
    package static var problem: String? {
        guard let value = getenv("SYRINX_KERNELS"), value.pointee != 0 else { return nil }
        let wanted = String(cString: value)
        let used = name(syrinx_kernel_level())
        guard wanted != used else { return nil }
        let known = (0..<UInt32(syrinx_level_count)).map { syrinx_level($0) }
        let names = known.map(name)
        return names.contains(wanted)
            ? "SYRINX_KERNELS is \(wanted), which this processor does not have; \(used) is used"
            : "SYRINX_KERNELS is '\(wanted.prefix(40))'; expected \(names.joined(separator: ", ")); \(used) is used"
    }

    private static func name(_ level: syrinx_level) -> String { String(cString: syrinx_kernel_level_name(level)) }
}
