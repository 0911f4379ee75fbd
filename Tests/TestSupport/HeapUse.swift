import Foundation
import Glibc

/// Bytes of the C heap that are in use now, in all arenas and mapped blocks, as glibc's `malloc_info`
/// counts them (blocks in a thread's cache of freed ones count as used). Nil where there is no such
/// function.
///
/// Of the whole process: to be taken in an exit test, where nothing else runs.
package func heapBytesInUse() -> Int? {
    typealias Report = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32
    guard let symbol = dlsym(nil, "malloc_info") else { return nil }
    let report = unsafeBitCast(symbol, to: Report.self)
    // A fixed buffer, so that the report itself allocates as little as can be.
    var buffer = [CChar](repeating: 0, count: 1 << 20)
    guard let stream = fmemopen(&buffer, buffer.count, "w") else { return nil }
    let status = report(0, stream)
    fclose(stream)
    guard status == 0 else { return nil }
    let text = buffer.withUnsafeBufferPointer { bytes in
        bytes.baseAddress.map { String(cString: $0) } ?? ""
    }
    // The totals of all heaps come last.
    guard let totals = text.range(of: "</heap>", options: .backwards) else { return nil }
    var use = 0
    for line in text[totals.upperBound...].split(separator: "\n") {
        let fields = line.split(separator: "\"")
        guard let size = fields.dropFirst(line.hasPrefix("<total") ? 5 : 3).first.flatMap({ Int($0) }) else {
            continue
        }
        if line.hasPrefix("<system type=\"current\"") || line.hasPrefix("<total type=\"mmap\"") {
            use += size
        }
        if line.hasPrefix("<total type=\"fast\"") || line.hasPrefix("<total type=\"rest\"") { use -= size }
    }
    return use
}
