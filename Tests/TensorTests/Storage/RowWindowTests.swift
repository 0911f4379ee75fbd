import TestSupport
import Testing

@testable import Tensor

@Suite("A window of rows")
struct RowWindowTests {
    /// What a row holds in these tests.
    private func value(_ row: Int, _ column: Int) -> Float { Float(row * 100 + column) }

    private func write(_ rows: Range<Int>, to window: RowWindow) {
        for t in rows {
            window.withRow(t) { row in
                for c in row.indices { row[c] = value(t, c) }
            }
        }
    }

    private func expected(_ rows: Range<Int>, _ window: RowWindow) -> [Float] {
        rows.flatMap { t in
            (0..<window.channels).map { t < 0 || t >= window.length ? 0 : value(t, $0) }
        }
    }

    @Test("starts with its leading padding, zero and readable")
    func start() {
        let window = RowWindow(channels: 3)
        window.reset(length: 5, padding: 4)
        #expect(window.start == -4 && window.end == 0 && window.readable == 0)
        #expect(window.copy(rows: -4..<0) == [Float](repeating: 0, count: 12))
    }

    @Test("shows its trailing padding with the last row, not before")
    func end() {
        let window = RowWindow(channels: 2)
        window.reset(length: 5, padding: 3)
        window.append(4)
        #expect(window.readable == 4)
        window.append(1)
        #expect(window.end == 5 && window.readable == 8)
        write(0..<5, to: window)
        #expect(window.copy(rows: -3..<8) == expected(-3..<8, window))
    }

    @Test("of no rows is padding alone")
    func empty() {
        let window = RowWindow(rows: 0, channels: 2, padding: 2)
        #expect(window.readable == 2)
        #expect(window.copy(rows: -2..<2) == [Float](repeating: 0, count: 8))
        #expect(RowWindow(rows: 0, channels: 4).copy(rows: 0..<0).isEmpty)
    }

    @Test("of no rows has both paddings from the start, and keeps them behind a discard")
    func emptyStart() {
        let window = RowWindow(channels: 3)
        window.reset(length: 0, padding: 4)
        #expect(window.start == -4 && window.readable == 4)
        #expect(window.copy(rows: -4..<4) == [Float](repeating: 0, count: 24))
        // An empty step behind the end, as a finished stream takes, touches nothing.
        window.discard(before: 3)
        for _ in 0..<3 { window.append(0) }
        #expect(window.start == 3 && window.copy(rows: 3..<4) == [0, 0, 0])
    }

    @Test("can be used again")
    func reuse() {
        let window = RowWindow(channels: 2, capacity: 4)
        for length in [6, 3, 11, 1, 0, 7] {
            window.reset(length: length, padding: 2)
            window.append(length)
            write(0..<length, to: window)
            #expect(window.copy(rows: -2..<length + 2) == expected(-2..<length + 2, window))
        }
    }

    @Test("forgets no more than it is told, and nothing twice")
    func discard() {
        let window = RowWindow(channels: 1)
        window.reset(length: 10, padding: 2)
        window.append(6)
        window.discard(before: 3)
        window.discard(before: 1)
        #expect(window.start == 3)
        window.discard(before: 100)
        #expect(window.start == 6 && window.end == 6)
        window.append(4)
        write(6..<10, to: window)
        window.discard(before: 100)
        #expect(window.start == 12)
    }

    /// Everything that a stream does to a window, in random order, against rows that are known.
    @Test("keeps its rows through any schedule", arguments: testSeeds(1...60))
    func schedule(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let window = RowWindow(
            channels: Int.random(in: 1...5, using: &random), capacity: Int.random(in: 0...12, using: &random))
        for _ in 0..<4 {
            let length = Int.random(in: 0...120, using: &random)
            let padding = Int.random(in: 0...9, using: &random)
            window.reset(length: length, padding: padding)
            var kept = -padding
            while window.end < length {
                let rows = window.end..<min(length, window.end + Int.random(in: 0...15, using: &random))
                window.append(rows.count)
                write(rows, to: window)
                #expect(
                    window.copy(rows: kept..<window.readable) == expected(kept..<window.readable, window),
                    "seed \(seed)")
                if Bool.random(using: &random) {
                    kept = max(kept, Int.random(in: -padding...window.end, using: &random))
                    window.discard(before: kept)
                    #expect(window.start == kept)
                }
            }
            window.append(0)
            #expect(
                window.copy(rows: kept..<length + padding) == expected(kept..<length + padding, window),
                "seed \(seed)")
        }
    }

    @Test("does not grow with the length of the signal")
    func capacity() {
        let window = RowWindow(channels: 3, capacity: 4 + 16 + 4)
        window.reset(length: 100_000, padding: 4)
        let before = window.capacity
        while window.end < window.length {
            window.append(16)
            window.discard(before: window.end - 4)
        }
        #expect(window.capacity == before)
    }

    @Test("writes and reads back spans of rows")
    func spans() {
        let window = RowWindow(rows: 4, channels: 3)
        window.zero(rows: 0..<4)
        let values = (0..<6).map { Float($0) }
        window.write(values.span, at: 1)
        var out: [Float] = [9]
        window.appendRows(1..<3, to: &out)
        window.appendRows(2..<2, to: &out)
        #expect(out == [9] + values)
        window.zero(rows: 2..<3)
        #expect(window.copy(rows: 0..<4) == [0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0])
    }
}

@Suite("A buffer of floats")
struct AlignedBufferTests {
    @Test(
        "is zero, aligned to a cache line, and holds what it is given",
        arguments: [0, 1, 15, 16, 17, 1000, 1 << 20])
    func contents(count: Int) {
        let buffer = AlignedBuffer(count: count)
        #expect(buffer.array == [Float](repeating: 0, count: count))
        #expect(UInt(bitPattern: buffer.base) % 64 == 0)
        let values = (0..<count).map { Float($0) }
        #expect(AlignedBuffer(values).array == values)
    }
}
