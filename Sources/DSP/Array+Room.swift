extension Array {
    /// An array of what `fill` writes to the start of `room` elements, and as long as it says: how the
    /// processors' `step` and `finish` into a span become ones that return an array.
    init(room: Int, of blank: Element, fill: (inout MutableSpan<Element>) -> Int) {
        self.init(unsafeUninitializedCapacity: room) { buffer, count in
            buffer.initialize(repeating: blank)
            var output = buffer.mutableSpan
            count = fill(&output)
        }
    }
}
