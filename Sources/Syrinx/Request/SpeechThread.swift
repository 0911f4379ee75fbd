import Foundation

/// Starts a thread for work that takes long or waits: tasks' threads are as few as the processors and must not be
/// kept.
func startSpeechThread(name: String, _ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.name = "syrinx " + name
    thread.stackSize = 8 << 20
    thread.start()
}
