import Synchronization

/// Tells work that is under way that nobody wants it any more. Set from any thread, never taken back.
///
/// Whoever computes looks at it between two tasks or layers and leaves: one relaxed load, no lock.
package final class CancelFlag: Sendable {
    private let value = Atomic<Bool>(false)

    package init() {}

    package var isSet: Bool { value.load(ordering: .relaxed) }

    package func set() { value.store(true, ordering: .releasing) }
}
