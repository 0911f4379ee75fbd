import Foundation
import Glibc
import Synchronization

/// An HTTP server on this machine that gives one prepared answer to every request, and keeps what it was asked.
final class LocalServer: Sendable {
    struct Request: Sendable {
        var head = ""
        var body = Data()

        func header(_ name: String) -> String? {
            head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
                .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
        }
    }

    let port: UInt16
    private let listener: Int32
    private let received = Mutex<[Request]>([])
    private let isStopped = Atomic<Bool>(false)

    struct DoesNotStart: Error {}

    /// - Parameters:
    ///   - status: the answer's status line after "HTTP/1.1 ".
    ///   - answers: false for a server that takes requests and says nothing.
    init(status: String = "200 OK", headers: [String] = [], body: Data, answers: Bool = true) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard bound else { throw DoesNotStart() }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.count)", "Connection: close"] + headers
        let answer = Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
        let thread = Thread { [weak self] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0, let self else {
                    if connection >= 0 { close(connection) }
                    close(listener)
                    return
                }
                self.serve(connection, answers ? answer : nil)
            }
        }
        thread.start()
    }

    deinit { stop() }

    var address: String { "http://127.0.0.1:\(port)" }
    var requests: [Request] { received.withLock { $0 } }

    func stop() {
        guard !isStopped.exchange(true, ordering: .relaxed) else { return }
        // Ends the thread's wait. The thread closes the socket itself: its number must not be another's before that.
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func serve(_ connection: Int32, _ answer: Data?) {
        var bytes = Data()
        var block = [UInt8](repeating: 0, count: 65_536)
        var request = Request()
        while true {
            if let end = bytes.range(of: Data("\r\n\r\n".utf8)) {
                request.head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
                request.body = bytes[end.upperBound...]
                if request.body.count >= Int(request.header("Content-Length") ?? "0") ?? 0 { break }
            }
            let count = recv(connection, &block, block.count, 0)
            guard count > 0 else { break }
            bytes += block[..<count]
        }
        received.withLock { [request] in $0.append(request) }
        guard let answer else { return }
        answer.withUnsafeBytes { rest in
            var sent = 0
            while sent < rest.count {
                let count = send(
                    connection, rest.baseAddress?.advanced(by: sent), rest.count - sent, Int32(MSG_NOSIGNAL))
                guard count > 0 else { break }
                sent += count
            }
        }
        close(connection)
    }
}
