import Synchronization

/// Tells work that is under way that nobody wants it any more. Set from any thread, never taken back.
///
/// Whoever computes looks at it between two tasks or layers and leaves: one load, no lock. Who sees it set sees
/// what was done before.
package final class CancelFlag: Sendable {
    private let value = Atomic<Bool>(false)

    package init() {}

    package var isSet: Bool { value.load(ordering: .acquiring) }

    package func set() { value.store(true, ordering: .releasing) }
}
