extension DeviceWriter {
    /// How long a device may do nothing, beyond the audio queued in it, once it has been told that the end is the end.
    static var drainLimit: UInt64 { 1_000_000_000 }
    /// How long before that: a sound server may hold a stream for some seconds, while it moves it to another card.
    static var stuckLimit: UInt64 { 10_000_000_000 }

    /// Gives up a device that takes nothing and plays nothing: nobody would ever see the end.
    ///
    /// Progress is a frame taken or a frame heard. A sink without a clock (a pipe whose reader is slow) may take as
    /// long as it likes; so may a pause and a wait for the gate, in which nothing is asked of the device.
    func giveUpIfStuck() {
        let now = clock.nanoseconds
        let pending = ledger.pendingAudio
        let isAsked = mode == .playing || mode == .gap || mode == .draining
        let beginsToDrain = mode == .draining && !wasDraining
        if !plan.keepsTime || !isAsked || beginsToDrain || writtenThisTurn > 0 || pending != pendingBefore
            || buffered != bufferedBefore
        {
            progressed = now
        }
        (pendingBefore, bufferedBefore, wasDraining) = (pending, buffered, mode == .draining)
        let limit = mode == .draining ? Self.drainLimit + plan.nanoseconds(frames: pending) : Self.stuckLimit
        guard now - min(now, progressed) >= limit else { return }
        sink.drop()
        let isFinished = controls.finished.load(ordering: .acquiring)
        guard isFinished, queue.count == 0, stagedStart == stagedEnd || !stagedIsAudio else {
            return fail(.deviceStuck(seconds: Double(limit / 1_000_000) / 1000))
        }
        // All was handed over: a device that only never says that it is done.
        ledger.settle(delay: 0)
        end()
    }
}
