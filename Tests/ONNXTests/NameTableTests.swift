import Testing

@testable import ONNX

@Suite("The table of names")
struct NameTableTests {
    @Test(
        "each name has a number of its own, in the order of the first mentions, even where all hashes are equal",
        arguments: [(HashKey(), 20_000), (HashKey(start: 0, factor: 0), 1_000)])
    func numbers(key: HashKey, count: Int) throws {
        // Lengths around the eight bytes that are hashed at a time; names that differ in one byte; and more names
        // than the table has room for at first.
        let names =
            (0..<40).map { String(repeating: "n", count: $0) }
            + (0..<20).map { String(repeating: "n", count: $0) + "m" }
            + (0..<count).map { "/node.\($0)/output" }
        var text: [UInt8] = []
        let ranges = names.map { name in
            text += name.utf8
            return text.count - name.utf8.count..<text.count
        }
        let bytes = text.withUnsafeBytes { ModelBytes(copying: $0, name: "names") }
        var table = NameTable(bytes, key: key)
        // The first name, the empty one, is there from the beginning.
        for (index, range) in ranges.enumerated() {
            let (number, isNew) = table.insert(range)
            #expect(number == Int32(index) && isNew == (index > 0), "\(names[index])")
        }
        #expect(table.count == names.count)
        for (index, name) in names.enumerated() {
            #expect(table.insert(ranges[index]) == (Int32(index), false), "\(name)")
            #expect(table.number(of: name) == Int32(index))
            #expect(table[Int32(index)] == name)
        }
        for name in ["N", "nm ", "/node.\(count)/output", "/node.1/outpuT"] { #expect(table.number(of: name) == nil) }
    }
}
