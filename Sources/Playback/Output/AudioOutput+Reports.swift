extension AudioOutput {
    /// Seconds of the audio handed over that have been heard: what a cursor in the text follows.
    ///
    /// Comes from the device's own queue, so it counts what has left the loudspeaker (as far as the device knows) and
    /// not what was written. Never goes back, stands still in gaps and pauses, never exceeds
    /// ``scheduledAudioDuration`` and equals it at the end; renewed every 12 ms. Stays at its last value until the
    /// next start. 0 before the first.
    public var currentPlaybackTime: Double { session?.heardSeconds ?? 0 }

    /// Seconds of audio handed over since the last start.
    public var scheduledAudioDuration: Double { session?.scheduledSeconds ?? 0 }

    /// Seconds queued and not yet heard.
    public var lead: Double {
        guard let session, session.controls.mode != .ended else { return 0 }
        return session.leadSeconds
    }

    /// The latest playback, to tell it from a later one by identity; nil before the first.
    package var playback: (any AnyObject & Sendable)? { session }

    /// Whether the latest playback was told to stop at once, and not to play to its end.
    package var isStopRequested: Bool { session?.controls.stopRequested.load(ordering: .acquiring) ?? false }

    /// Seconds that the strategy wants queued at this moment, also while sound goes on: a producer that rests with less
    /// risks a gap. 0 without a playback.
    package var requiredLead: Double { session?.requiredLead ?? 0 }

    /// Seconds of audio that must still be made before sound starts, or starts again after an underrun. At most: `auto`
    /// may start while a step is being made, as soon as what is queued lasts until it comes. 0 while something is
    /// heard and when no playback is going on; infinite while the strategy waits for the end
    /// (`generateFirst`, or `auto` before the first measured step).
    public var silentBufferRemaining: Double { session?.silentSeconds ?? 0 }

    /// Gaps within the audio since the last start: generation did not keep up, or this process was kept from running.
    /// Counted when the audio goes on, so that an end that was late in being declared is none.
    public var underrunCount: Int { session?.controls.underruns.load(ordering: .relaxed) ?? 0 }

    /// Seconds from the start of playback until its first sample was heard: left the loudspeaker, as far as the device
    /// knows. Its own delay and the lead-in count. Nil before, and if nothing was ever heard.
    public var timeToFirstSound: Double? { session?.firstSoundSeconds }

    /// Why the last playback ended early, nil if it did not.
    public var failure: PlaybackError? { session?.failure }

    /// What the device agreed to, nil before the first start: "float32, 48000 Hz, 2 channels".
    public var deviceFormat: SinkFormat? { session?.format }

    /// What the output is doing.
    public var playbackState: PlaybackState {
        if isOpening { return .buffering }
        guard let session else { return .idle }
        return switch session.controls.mode {
        case .waiting: session.controls.pauseRequested.load(ordering: .relaxed) ? .paused : .buffering
        case .gap: .buffering
        case .playing: .playing
        case .pausing, .paused: .paused
        case .draining, .stopping: .ending
        case .ended: .idle
        }
    }
}
