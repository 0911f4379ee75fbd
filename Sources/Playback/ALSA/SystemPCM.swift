import CALSA
import Glibc

/// The real thing: libasound.
final class SystemPCM: PCMDevice {
    private var pcm: OpaquePointer?
    private var hardware: OpaquePointer?

    func open(_ name: String) -> Int32 {
        quietly {
            let code = snd_pcm_open(&pcm, name, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK)
            if code >= 0, hardware == nil { return snd_pcm_hw_params_malloc(&hardware) }
            return code
        }
    }

    func beginConfiguration() -> Int32 {
        quietly {
            let code = snd_pcm_hw_params_any(pcm, hardware)
            guard code >= 0 else { return code }
            // ALSA's own converter is linear interpolation unless set up otherwise; ours is not. Devices that
            // convert behind ALSA's back (a sound server) take any rate.
            _ = snd_pcm_hw_params_set_rate_resample(pcm, hardware, 0)
            return snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_RW_INTERLEAVED)
        }
    }

    func choose(format: PCMFormat) -> Int32 {
        let code =
            switch format {
            case .float32: SND_PCM_FORMAT_FLOAT
            case .int16: SND_PCM_FORMAT_S16
            }
        return quietly { snd_pcm_hw_params_set_format(pcm, hardware, code) }
    }

    func choose(channels: Int) -> Int32 {
        quietly { snd_pcm_hw_params_set_channels(pcm, hardware, UInt32(channels)) }
    }

    func choose(rate: Int) -> Int32 {
        quietly { snd_pcm_hw_params_set_rate(pcm, hardware, UInt32(rate), 0) }
    }

    func chooseChannels(near channels: Int) -> Int {
        var value = UInt32(channels)
        let code = quietly { snd_pcm_hw_params_set_channels_near(pcm, hardware, &value) }
        return code < 0 ? Int(code) : Int(value)
    }

    func chooseRate(near rate: Int) -> Int {
        var value = UInt32(rate)
        let code = quietly { snd_pcm_hw_params_set_rate_near(pcm, hardware, &value, nil) }
        return code < 0 ? Int(code) : Int(value)
    }

    func choosePeriod(near frames: Int) -> Int {
        var value = snd_pcm_uframes_t(frames)
        let code = quietly { snd_pcm_hw_params_set_period_size_near(pcm, hardware, &value, nil) }
        return code < 0 ? Int(code) : Int(value)
    }

    func chooseBuffer(near frames: Int) -> Int {
        var value = snd_pcm_uframes_t(frames)
        let code = quietly { snd_pcm_hw_params_set_buffer_size_near(pcm, hardware, &value) }
        return code < 0 ? Int(code) : Int(value)
    }

    func installConfiguration() -> Int32 {
        quietly {
            var code = snd_pcm_hw_params(pcm, hardware)
            guard code >= 0 else { return code }
            var software: OpaquePointer?
            code = snd_pcm_sw_params_malloc(&software)
            guard code >= 0 else { return code }
            defer { snd_pcm_sw_params_free(software) }
            code = snd_pcm_sw_params_current(pcm, software)
            guard code >= 0 else { return code }
            // What is written first may start the device; the writer puts the rest behind it at once. A sound server
            // takes this for what must be queued before it goes on after an underrun, which the writer's short queue
            // has to reach: with more, each would wait for the other.
            var period: snd_pcm_uframes_t = 0
            code = snd_pcm_hw_params_get_period_size(hardware, &period, nil)
            guard code >= 0 else { return code }
            code = snd_pcm_sw_params_set_start_threshold(pcm, software, period)
            guard code >= 0 else { return code }
            code = snd_pcm_sw_params(pcm, software)
            guard code >= 0 else { return code }
            return snd_pcm_prepare(pcm)
        }
    }

    /// Frames that have to be queued for the device to start by itself; nil where it does not say.
    var startThreshold: Int? {
        var software: OpaquePointer?
        guard snd_pcm_sw_params_malloc(&software) >= 0 else { return nil }
        defer { snd_pcm_sw_params_free(software) }
        var frames: snd_pcm_uframes_t = 0
        guard snd_pcm_sw_params_current(pcm, software) >= 0,
            snd_pcm_sw_params_get_start_threshold(software, &frames) >= 0
        else { return nil }
        return Int(clamping: frames)
    }

    var state: PCMState {
        switch snd_pcm_state(pcm) {
        case SND_PCM_STATE_SETUP: .setup
        case SND_PCM_STATE_PREPARED: .prepared
        case SND_PCM_STATE_RUNNING: .running
        case SND_PCM_STATE_XRUN: .xrun
        case SND_PCM_STATE_DRAINING: .draining
        case SND_PCM_STATE_SUSPENDED: .suspended
        case SND_PCM_STATE_DISCONNECTED: .disconnected
        default: .other
        }
    }

    func prepare() -> Int32 { quietly { snd_pcm_prepare(pcm) } }
    func start() -> Int32 { quietly { snd_pcm_start(pcm) } }
    func resume() -> Int32 { quietly { snd_pcm_resume(pcm) } }
    func drain() -> Int32 { quietly { snd_pcm_drain(pcm) } }
    func drop() -> Int32 { quietly { snd_pcm_drop(pcm) } }

    func close() {
        quietly {
            if let pcm { snd_pcm_close(pcm) }
            if let hardware { snd_pcm_hw_params_free(hardware) }
        }
        pcm = nil
        hardware = nil
    }

    func availableAndDelay() -> (code: Int32, available: Int, delay: Int) {
        var available = 0
        var delay = 0
        let code = quietly { snd_pcm_avail_delay(pcm, &available, &delay) }
        return (code, available, delay)
    }

    func write(_ frames: UnsafeRawPointer, count: Int) -> Int {
        quietly {
            errno = 0
            let result = snd_pcm_writei(pcm, frames, snd_pcm_uframes_t(count))
            let cause = errno
            // A device that ends in a file says EIO whatever happened to the file; why is in errno. A card and a sound
            // server say EIO when they are gone, and have no such cause.
            guard result == -Int(EIO) else { return result }
            let isFile = snd_pcm_type(pcm) == SND_PCM_TYPE_FILE
            switch cause {
            case ENOSPC, EDQUOT, EFBIG: return -Int(cause)
            // The plugin goes on without a file that it could not open.
            case EBADF where isFile: return -Int(ENOENT)
            default: return result
            }
        }
    }

    /// Keeps ALSA from writing to stderr. One store to thread-local memory each way.
    private func quietly<Result>(_ body: () -> Result) -> Result {
        let before = syrinx_alsa_silence()
        defer { _ = snd_lib_error_set_local(before) }
        return body()
    }
}

/// ALSA's text for a code, which knows its own codes and the system's.
func systemMessage(_ code: Int32) -> String {
    String(cString: snd_strerror(code))
}
