extension DeviceWriter {
    // MARK: Staging

    /// Takes samples from the queue to the block. `last` is the number of samples, these included, after which
    /// the audio ends; nil if it goes on.
    func stageAudio(_ count: Int, last: Int?) {
        compact()
        let start = stagedEnd
        let wanted = min(count, block.count - start)
        let room = UnsafeMutableBufferPointer(rebasing: block[start..<start + max(0, wanted)])
        let moved = queue.take(into: room)
        let samples = UnsafeMutableBufferPointer(rebasing: block[start..<start + moved])
        fadeInPosition = fade.fadeIn(samples, from: fadeInPosition)
        volume.apply(target: controls.volume, to: samples)
        if let last { fade.fadeOut(samples, after: max(0, last - moved)) }
        stagedEnd = start + moved
        stagedIsAudio = true
    }

    /// Stages what ends the audio for now: the samples held back, after those that the sink has not taken, faded
    /// out.
    func stageTail() {
        if stagedStart < stagedEnd, !stagedIsAudio { return }
        let already = stagedEnd - stagedStart
        stageAudio(min(queue.count, max(0, plan.fade - already)), last: nil)
        fade.fadeOut(UnsafeMutableBufferPointer(rebasing: block[stagedStart..<stagedEnd]), after: 0)
    }

    /// Stages silence; the block must be empty. Returns how much.
    func stageSilence(_ count: Int) -> Int {
        let length = max(0, min(count, block.count))
        UnsafeMutableBufferPointer(rebasing: block[0..<length]).update(repeating: 0)
        (stagedStart, stagedEnd) = (0, length)
        stagedIsAudio = false
        return length
    }

    private func compact() {
        if stagedStart == stagedEnd {
            (stagedStart, stagedEnd) = (0, 0)
        } else if stagedStart > 0 {
            let length = stagedEnd - stagedStart
            for index in 0..<length { block[index] = block[stagedStart + index] }
            (stagedStart, stagedEnd) = (0, length)
        }
    }

    // MARK: Towards the sink

    /// Hands the staged samples over. False if some remain, or if nothing can be played now.
    func flush() -> Bool {
        var faults = 0
        while stagedStart < stagedEnd {
            let samples = UnsafeBufferPointer(rebasing: block[stagedStart..<stagedEnd])
            switch sink.write(samples.span) {
            case .accepted(let count):
                guard count > 0 else { return false }
                if stagedIsAudio, firstWritten == 0 { firstWritten = clock.nanoseconds }
                ledger.wrote(count, isAudio: stagedIsAudio)
                stagedStart += count
                buffered += count
                writtenThisTurn += count
            case .fault(let fault):
                faults += 1
                guard faults < 3, handle(fault) else { return false }
            }
        }
        return true
    }

    func startIfNeeded() {
        guard !running, buffered > 0, mode != .ended else { return }
        running = true
        observed = clock.nanoseconds
        unshrunk = observed
        if let fault = sink.start() { _ = handle(fault) }
    }

    /// Once the device has played audio, its first sample was heard as long ago as what has been heard since lasts.
    /// A sink without a clock plays what it is given at once: never before it was written.
    func noteFirstSound() {
        guard ledger.heardAudio > 0, controls.firstSound.load(ordering: .relaxed) == 0 else { return }
        let now = clock.nanoseconds
        let since = min(plan.nanoseconds(frames: ledger.heardAudio), now - min(now, firstWritten))
        controls.firstSound.store(max(1, now - since), ordering: .releasing)
    }

    // MARK: What the sink says

    /// Asks the sink for its queue. False if there is nothing to be done this turn.
    func observe() -> Bool {
        guard running else { return true }
        switch sink.status() {
        case .running(let frames, let delay):
            if frames < buffered { unshrunk = observed }
            observed = clock.nanoseconds
            buffered = frames
            ledger.settle(delay: delay)
            if frames > 0 {
                holdsFrames = true
            } else if holdsFrames, mode == .playing, plan.keepsTime {
                // Some plugins go on silently where a card reports XRUN.
                holdsFrames = false
                noteDry()
            }
            return true
        case .fault(let fault):
            return handle(fault)
        }
    }

    /// One path for each fault. False if nothing can be written now.
    func handle(_ fault: SinkFault) -> Bool {
        if case .failed(let error) = fault {
            fail(error)
            return false
        }
        switch sink.recover(from: fault) {
        case .ready:
            ledger.settle(delay: 0)
            (running, buffered, holdsFrames) = (false, 0, false)
            if mode == .playing {
                if fault == .ranDry { noteDry() } else { fadeInAgain() }
            }
            return true
        case .running:
            return true
        case .notYet:
            return false
        case .failed(let error):
            fail(error)
            return false
        }
    }

    /// The device has run dry in the middle of audio: the writer came too late. The gap's first edge is lost; what
    /// follows fades in.
    private func noteDry() {
        let finished = controls.finished.load(ordering: .acquiring)
        if !finished, stagedStart == stagedEnd, queue.count <= plan.fade {
            gapIsUnderrun = true
            mode = .gap
        } else {
            if stagedStart < stagedEnd || queue.count > 0 { controls.underruns.add(1, ordering: .relaxed) }
            fadeInAgain()
        }
    }

    private func fadeInAgain() {
        fadeInPosition = 0
        guard stagedStart < stagedEnd, stagedIsAudio else { return }
        let staged = UnsafeMutableBufferPointer(rebasing: block[stagedStart..<stagedEnd])
        fadeInPosition = fade.fadeIn(staged, from: 0)
    }
}
