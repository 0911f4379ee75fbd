/// The least of the last `length` numbers, each step in constant time on average: a queue of
/// candidates, rising from front to back. Lemire, "Streaming maximum-minimum filter using no more than
/// three comparisons per element", 2006. Does not allocate after `init`.
struct SlidingMinimum: Sendable {
    let length: Int
    private var values: [Float]
    private var times: [Int]
    private var head = 0
    private var count = 0
    private var time = 0

    init(length: Int) {
        self.length = length
        values = [Float](repeating: 0, count: length)
        times = [Int](repeating: 0, count: length)
    }

    mutating func push(_ value: Float) -> Float {
        while count > 0, values[index(count - 1)] >= value { count -= 1 }
        if count > 0, times[head] <= time - length {
            head = index(1)
            count -= 1
        }
        values[index(count)] = value
        times[index(count)] = time
        count += 1
        time += 1
        return values[head]
    }

    mutating func reset() { (head, count, time) = (0, 0, 0) }

    private func index(_ offset: Int) -> Int {
        let index = head + offset
        return index < length ? index : index - length
    }
}
