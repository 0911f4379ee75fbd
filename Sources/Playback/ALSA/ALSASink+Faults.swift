import Glibc

extension ALSASink {
    public func recover(from fault: SinkFault) -> SinkRecovery {
        if case .failed(let error) = fault { return .failed(error) }
        if fault == .suspended {
            let code = pcm.resume()
            if code >= 0 { return .running }
            if code == -EAGAIN { return .notYet }
            // ENOSYS and the like: this driver cannot resume, and starts afresh.
        }
        let code = pcm.prepare()
        guard code < 0 else { return .ready }
        return .failed(error(code, "start again"))
    }

    func fault(_ code: Int32, _ operation: String) -> SinkFault {
        switch code {
        case -EPIPE: .ranDry
        case -ESTRPIPE: .suspended
        default: .failed(error(code, operation))
        }
    }

    func error(_ code: Int32, _ operation: String) -> PlaybackError {
        // A server that ends leaves EIO or a bad state behind, a card that is pulled out ENODEV.
        if code == -ENODEV || code == -EBADFD || code == -EIO || pcm.state == .disconnected {
            return .deviceLost(device: device.name)
        }
        return .deviceFailed(device: device.name, operation: operation, code: code)
    }

    func openError(_ code: Int32) -> PlaybackError {
        switch code {
        case -EBUSY: .deviceBusy(device: device.name)
        case -ENOENT, -ENODEV, -ENXIO, -ECONNREFUSED, -EHOSTDOWN: .deviceNotFound(device: device.name)
        case -EACCES, -EPERM: .devicePermission(device: device.name)
        default: .deviceFailed(device: device.name, operation: PlaybackError.openOperation, code: code)
        }
    }
}
