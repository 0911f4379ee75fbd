import TestSupport

/// Damages files in the ways that find mistakes in a parser: sizes that lie, bits that flip, parts that are cut,
/// doubled or swapped. Reproducible from its seed.
struct WAVMutator {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// One of `corpus`, damaged one to eight times.
    mutating func next(from corpus: [[UInt8]]) -> [UInt8] {
        var bytes = corpus[Int.random(in: 0..<corpus.count, using: &random)]
        for _ in 0..<Int.random(in: 1...8, using: &random) { damage(&bytes, corpus) }
        return bytes
    }

    mutating func number(in range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func damage(_ bytes: inout [UInt8], _ corpus: [[UInt8]]) {
        guard !bytes.isEmpty else { return }
        // The header is where the decisions are.
        let reach = Bool.random(using: &random) ? min(bytes.count, 80) : bytes.count
        let place = Int.random(in: 0..<reach, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes[place] = [0, 1, 0x7f, 0x80, 0xfe, 0xff].randomElement(using: &random) ?? 0
        case 2: overwrite(&bytes, place, le(interesting))
        case 3: overwrite(&bytes, place, le(UInt16(truncatingIfNeeded: interesting)))
        case 4: bytes.removeSubrange(place...)
        case 5:
            let end = min(bytes.count, place + Int.random(in: 0...40, using: &random))
            bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &random))
        case 6:
            let end = min(bytes.count, place + Int.random(in: 0...40, using: &random))
            bytes.removeSubrange(place..<end)
        default:
            let name =
                ["RIFF", "RF64", "BW64", "WAVE", "fmt ", "data", "LIST", "INFO", "ds64", "fact", "JUNK"]
                .randomElement(using: &random) ?? "data"
            overwrite(&bytes, place, Array(name.utf8))
        }
    }

    private var interesting: UInt32 {
        mutating get {
            [
                0, 1, 2, 15, 16, 18, 40, 0x7f, 0xff, 0xffff, 0x7fff_f000, 0x7fff_ffff, 0x8000_0000,
                0xffff_fff0,
                0xffff_ffff, UInt32.random(in: 0...UInt32.max, using: &random),
            ].randomElement(using: &random) ?? 0
        }
    }

    private func overwrite(_ bytes: inout [UInt8], _ place: Int, _ value: [UInt8]) {
        for (i, byte) in value.enumerated() where place + i < bytes.count { bytes[place + i] = byte }
    }
}
