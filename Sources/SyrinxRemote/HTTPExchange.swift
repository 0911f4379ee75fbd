import Foundation
import Synchronization
import Syrinx

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One HTTP request and its whole response, waited for on the calling thread.
final class HTTPExchange: NSObject, URLSessionDataDelegate {
    /// More than an hour of speech in Base64.
    private static let largestBody = 256 << 20

    private struct State {
        var body = Data()
        var outcome: Result<Int, RemoteSpeechError>?
    }

    private let request: URLRequest
    private let state = Mutex(State())
    private let done = DispatchSemaphore(value: 0)

    init(_ request: URLRequest) {
        self.request = request
    }

    /// - Returns: status and body.
    /// - Throws: `RemoteSpeechError.unreachable`, or `CancellationError` when the request is cancelled.
    func run(_ cancellation: SpeechCancellation) throws -> (status: Int, body: Data) {
        let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil)
        defer { session.invalidateAndCancel() }
        let task = session.dataTask(with: request)
        let done = self.done
        cancellation.onCancel {
            task.cancel()
            done.signal()
        }
        task.resume()
        done.wait()
        try cancellation.check()
        return try state.withLock { state in
            guard let outcome = state.outcome else { throw CancellationError() }
            return (try outcome.get(), state.body)
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // The key is for this server alone. The redirection itself becomes the response.
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLarge = state.withLock { state in
            state.body.append(data)
            return state.body.count > Self.largestBody
        }
        if isTooLarge { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let host = request.url?.host ?? "the service"
        let isTooLarge = state.withLock { $0.body.count > Self.largestBody }
        let outcome: Result<Int, RemoteSpeechError> =
            if isTooLarge {
                .failure(.malformedResponse(problem: "it is larger than \(Self.largestBody >> 20) MiB"))
            } else if let error {
                .failure(.unreachable(host: host, reason: Self.reason(error)))
            } else if let response = task.response as? HTTPURLResponse {
                .success(response.statusCode)
            } else {
                .failure(.unreachable(host: host, reason: "there was no HTTP response"))
            }
        state.withLock { $0.outcome = $0.outcome ?? outcome }
        done.signal()
    }

    private static func reason(_ error: any Error) -> String {
        guard let code = (error as? URLError)?.code else { return "the connection failed" }
        return switch code {
        case .timedOut: "it did not answer in time"
        case .cannotFindHost, .dnsLookupFailed: "there is no such host"
        case .cannotConnectToHost: "nothing answers there"
        case .networkConnectionLost: "the connection broke off"
        case .secureConnectionFailed, .serverCertificateUntrusted: "its certificate is not trusted"
        default: "the connection failed (\(code.rawValue))"
        }
    }
}
