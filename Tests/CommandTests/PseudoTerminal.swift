import Foundation
import Glibc

/// A terminal without a screen: what a program prints to it is kept.
final class PseudoTerminal {
    struct Failure: Error { let call: String }

    private let master: Int32
    /// The end that a program takes for its terminal.
    let handle: FileHandle

    /// - Parameter columns: how wide it is; 0 if it does not know.
    init(columns: UInt16 = 0) throws {
        var (master, end): (Int32, Int32) = (-1, -1)
        var size = winsize(ws_row: 0, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        guard openpty(&master, &end, nil, nil, &size) == 0 else { throw Failure(call: "openpty") }
        for descriptor in [master, end] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        self.master = master
        handle = FileHandle(fileDescriptor: end, closeOnDealloc: true)
    }

    deinit { close(master) }

    /// Waits until what the program printed is enough.
    func output(untilIt isEnough: (String) -> Bool) throws -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !isEnough(String(decoding: bytes, as: UTF8.self)) {
            let count = read(master, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Waits for the end of a program that was started with ``handle`` as one of its streams.
    /// - Returns: everything that it printed there.
    func output(until process: Process) throws -> String {
        try handle.close()
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            // The last program that has it open has ended: EIO.
            let count = read(master, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self)
    }
}
