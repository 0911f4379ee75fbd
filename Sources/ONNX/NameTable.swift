#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The names of a model's values, each told apart once: from then on a value is a number.
///
/// A graph gives the name of a value where it is made and wherever it is read. Comparing numbers in place of texts of
/// 40 bytes is most of what makes opening a model quick.
struct NameTable: Sendable {
    /// The number of the empty name, which stands for an optional value that is left out.
    static let empty: Int32 = 0

    let bytes: ModelBytes
    /// Where in the file each name was met first.
    private var names: [Range<Int>] = []
    private var hashes: [UInt32] = []
    /// A hash table with open addressing: numbers, −1 where there is none. A power of two, at most half of them taken.
    private var slots = [Int32](repeating: -1, count: 1 << 13)
    private let key: HashKey

    init(_ bytes: ModelBytes, key: HashKey = HashKey()) {
        self.bytes = bytes
        self.key = key
        names.reserveCapacity(slots.count / 2)
        hashes.reserveCapacity(slots.count / 2)
        _ = insert(0..<0)
    }

    /// Names met so far; their numbers are 0 ..< count.
    var count: Int { names.count }

    /// The number of the name that stands in a range of the file, and whether it is new.
    mutating func insert(_ range: Range<Int>) -> (number: Int32, isNew: Bool) {
        let name = bytes.bytes(range)
        let hash = key.hash(name)
        let slot = slot(of: name, hash)
        if slots[slot] >= 0 { return (slots[slot], false) }
        let number = Int32(count)
        slots[slot] = number
        names.append(range)
        hashes.append(hash)
        if 2 * count > slots.count { grow() }
        return (number, true)
    }

    /// The number of a name; nil for one that was not met.
    func number(of name: String) -> Int32? {
        var name = name
        return name.withUTF8 { utf8 in
            let name = UnsafeRawBufferPointer(utf8)
            let number = slots[slot(of: name, key.hash(name))]
            return number < 0 ? nil : number
        }
    }

    subscript(number: Int32) -> String { bytes.text(names[Int(number)]) }

    /// Where the name is, or where it belongs.
    private func slot(of name: UnsafeRawBufferPointer, _ hash: UInt32) -> Int {
        var slot = Int(hash) & (slots.count - 1)
        while slots[slot] >= 0 {
            let number = Int(slots[slot])
            if hashes[number] == hash, areEqual(bytes.bytes(names[number]), name) { break }
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }

    private func areEqual(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
        guard a.count == b.count else { return false }
        guard let first = a.baseAddress, let second = b.baseAddress else { return true }
        return memcmp(first, second, a.count) == 0
    }

    private mutating func grow() {
        slots = [Int32](repeating: -1, count: 2 * slots.count)
        for (number, hash) in hashes.enumerated() {
            var slot = Int(hash) & (slots.count - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(number)
        }
    }
}

/// Hashes names with a secret, so that nobody can make a file whose names collide.
///
/// Eight bytes at a time are folded in by a multiplication whose high half is added to its low one, as wyhash and
/// foldhash do. `Hasher` is sound too, and takes several times as long for names of this length.
struct HashKey: Sendable {
    var start = UInt64.random(in: 0 ... .max)
    var factor = UInt64.random(in: 0 ... .max) | 1

    func hash(_ name: UnsafeRawBufferPointer) -> UInt32 {
        var state = start ^ UInt64(name.count)
        let words = name.count / 8
        for word in 0..<words {
            state = fold(state ^ name.loadUnaligned(fromByteOffset: 8 * word, as: UInt64.self))
        }
        var last: UInt64 = 0
        for index in 8 * words..<name.count { last = last << 8 | UInt64(name[index]) }
        return UInt32(truncatingIfNeeded: fold(fold(state ^ last)))
    }

    private func fold(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: factor)
        return product.high ^ product.low
    }
}
