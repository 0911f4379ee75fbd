/// What can go wrong between this program and a speech service. No case holds a key.
public enum RemoteSpeechError: Error, Equatable, Sendable {
    /// There is no API key.
    case missingKey(variable: String)
    /// The API key has characters that none has.
    case unusableKey(variable: String)
    /// The address is none that a key may be sent to.
    case invalidBaseURL(String, problem: String)
    /// The service cannot be reached or broke off.
    case unreachable(host: String, reason: String)
    /// The service answered with an HTTP status that is no success.
    case refused(status: Int, message: String)
    /// The response is damaged.
    case malformedResponse(problem: String)
    /// The response has no audio; the reason is the service's, if it gave one.
    case noAudio(reason: String?)
    /// The audio is in a format that was not agreed on.
    case unexpectedAudio(mimeType: String, expected: String)
}

extension RemoteSpeechError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .missingKey(let variable):
            "there is no API key; set the environment variable \(variable)"
        case .unusableKey(let variable):
            "the API key has spaces or characters beyond ASCII; check the environment variable \(variable)"
        case .invalidBaseURL(let url, let problem):
            "cannot use the address \(url): \(problem)"
        case .unreachable(let host, let reason):
            "cannot reach \(host): \(reason)"
        case .refused(let status, let message):
            "the speech service refused the request (HTTP \(status)): \(message)"
        case .malformedResponse(let problem):
            "the speech service's response cannot be read: \(problem)"
        case .noAudio(let reason):
            "the speech service gave no audio" + (reason.map { " (\($0))" } ?? "") + "; try another text or voice"
        case .unexpectedAudio(let type, let expected):
            "the speech service sent audio of type \(type); expected \(expected)"
        }
    }
}
