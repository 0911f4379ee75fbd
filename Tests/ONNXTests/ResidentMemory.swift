import Foundation

/// How much of the mappings of a file is in memory, from /proc/self/smaps.
func residentKilobytes(of path: String) -> Int? {
    // Files of /proc say that they are empty: to be read to the end, whatever their size.
    guard let handle = FileHandle(forReadingAtPath: "/proc/self/smaps"),
        let data = try? handle.readToEnd()
    else { return nil }
    let smaps = String(decoding: data, as: UTF8.self)
    var inside = false
    var total: Int?
    for line in smaps.split(separator: "\n") {
        if line.contains("-"), line.contains(" r") { inside = line.hasSuffix(path) }
        if inside, line.hasPrefix("Rss:"), let size = line.split(separator: " ").dropFirst().first {
            total = (total ?? 0) + (Int(size) ?? 0)
        }
    }
    return total
}
