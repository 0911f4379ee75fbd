extension DeviceWriter {
    /// Whether there is enough to start, or to start again, at a moment of the clock.
    private func gateIsOpen(at now: UInt64) -> Bool {
        if controls.finished.load(ordering: .acquiring) { return true }
        let count = queue.count
        return count >= plan.reserve
            && (count >= controls.gate.load(ordering: .acquiring)
                || now >= controls.gateTime.load(ordering: .acquiring))
    }

    // MARK: Orders

    func obey() {
        if controls.stopRequested.load(ordering: .acquiring) {
            if mode != .stopping { beginStop() }
            return
        }
        let pause = controls.pauseRequested.load(ordering: .acquiring)
        switch mode {
        case .playing where pause: beginPause()
        case .gap where pause: mode = .pausing
        case .pausing where !pause, .paused where !pause: resume()
        default: break
        }
    }

    private func beginStop() {
        deadline = clock.nanoseconds + plan.stopLimit
        switch mode {
        case .waiting, .paused:
            if running { sink.drop() }
            end()
        case .playing:
            stageTail()
            mode = .stopping
        default:
            mode = .stopping
        }
    }

    private func beginPause() {
        stageTail()
        let isEnd = controls.finished.load(ordering: .acquiring) && queue.count == 0
        mode = isEnd ? .draining : .pausing
    }

    private func resume() {
        fadeInPosition = 0
        if gapIsUnderrun {
            mode = .gap
        } else if queue.count >= plan.reserve || controls.finished.load(ordering: .acquiring) {
            mode = .playing
        } else {
            mode = .waiting
        }
    }

    // MARK: Modes

    func hold() -> Next {
        guard !controls.pauseRequested.load(ordering: .acquiring) else { return .whenWoken }
        // Read once: were the gate's moment to pass between two readings, nobody would wake the writer for it.
        let now = clock.nanoseconds
        guard gateIsOpen(at: now) else {
            // Whoever moves the time wakes the writer. It wakes up a millisecond late rather than in vain.
            let time = controls.gateTime.load(ordering: .acquiring)
            return time == .max || time <= now ? .whenWoken : .after(time - now + 1_000_000)
        }
        mode = .playing
        fadeInPosition = plan.fadesEnds || hasPlayed ? 0 : fade.length
        hasPlayed = true
        volume.jump(to: controls.volume)
        return play()
    }

    func play() -> Next {
        while writtenThisTurn < 4 * plan.target {
            guard flush() else { break }
            guard mode == .playing else { return .after(0) }
            let room = plan.target - buffered
            if room <= 0 { break }
            if silenceOwed > 0 {
                silenceOwed -= stageSilence(min(room, silenceOwed))
                continue
            }
            // `finished` before the count: once it is set the count is final.
            let finished = controls.finished.load(ordering: .acquiring)
            let available = queue.count
            if finished {
                if available == 0 {
                    mode = .draining
                    return drain()
                }
                stageAudio(min(room, available), last: plan.fadesEnds ? available : nil)
            } else if available > plan.fade {
                stageAudio(min(room, available - plan.fade), last: nil)
            } else {
                let left = buffered - unreported - plan.reaction
                if plan.keepsTime, running, left <= 0 {
                    starve()
                    return bridge()
                }
                startIfNeeded()
                // Without a clock there is nothing to be in time for, but what the sink has yet to pass on.
                guard plan.keepsTime else { return buffered > 0 ? .after(2_000_000) : .whenWoken }
                // Looked at often, to know when the buffer shrinks.
                return .after(max(1_000_000, plan.nanoseconds(frames: min(left, plan.period / 4))))
            }
        }
        startIfNeeded()
        if mode == .ended { return .ended }
        guard plan.keepsTime else { return .after(2_000_000) }
        return .after(plan.nanoseconds(frames: buffered - (plan.target - plan.period)))
    }

    /// Frames that the sink may have taken without saying so yet.
    ///
    /// A sound server takes a period at a time and may tell of two at once (PulseAudio does). Its buffer then goes
    /// from nearly two periods to nothing, and a tail that waited for the second to go would come too late.
    private var unreported: Int {
        let elapsed = Double(clock.nanoseconds - min(clock.nanoseconds, unshrunk)) / 1e9
        return running ? Int(min(Double(plan.period), elapsed * Double(plan.sampleRate))) : 0
    }

    /// Nothing to follow and the sink nearly empty: what was held back ends the audio for now.
    private func starve() {
        stageTail()
        // Audio that comes at once may find nothing to bridge: the two fades meet in silence all the same.
        silenceOwed = max(silenceOwed, 1)
        gapIsUnderrun = true
        mode = .gap
    }

    /// In a gap: silence keeps the device running, so that it is the audio that decides and not the device.
    func bridge() -> Next {
        if gateIsOpen(at: clock.nanoseconds), flush(), mode == .gap {
            if queue.count > 0, gapIsUnderrun {
                controls.underruns.add(1, ordering: .relaxed)
            }
            gapIsUnderrun = false
            fadeInPosition = 0
            mode = .playing
            return play()
        }
        keepSilent()
        if mode == .ended { return .ended }
        return .after(max(1_000_000, plan.nanoseconds(frames: min(buffered - plan.reaction, plan.period))))
    }

    /// After the tail of a pause or stop: silence until the tail has been heard, then rest.
    func settleDown(then goal: WriterMode) -> Next {
        keepSilent()
        if mode == .ended { return .ended }
        let late = mode == .stopping && clock.nanoseconds >= deadline
        guard late || (ledger.pendingAudio == 0 && stagedStart == stagedEnd) else {
            return .after(max(1_000_000, plan.nanoseconds(frames: min(ledger.pendingAudio, plan.period))))
        }
        sink.drop()
        ledger.discard()
        (running, buffered, stagedStart, stagedEnd) = (false, 0, 0, 0)
        if goal == .ended {
            end()
            return .ended
        }
        // A device that has been at rest wakes up anew.
        silenceOwed = plan.leadIn
        mode = goal
        return .whenWoken
    }

    func drain() -> Next {
        guard flush() else { return .after(2_000_000) }
        if mode == .ended { return .ended }
        startIfNeeded()
        if !drainBegun {
            drainBegun = true
            sink.beginDrain()
            if running, case .running(_, let delay) = sink.status() { ledger.settle(delay: delay) }
        }
        if ledger.pendingAudio == 0 || !running {
            end()
            return .ended
        }
        return .after(max(1_000_000, plan.nanoseconds(frames: min(ledger.pendingAudio, plan.period))))
    }

    private func keepSilent() {
        // A draining device takes no more.
        guard flush(), plan.keepsTime, mode != .ended, !drainBegun else { return }
        let wanted = plan.reaction + plan.period
        if buffered < wanted {
            _ = stageSilence(wanted - buffered)
            _ = flush()
        }
        startIfNeeded()
    }
}
