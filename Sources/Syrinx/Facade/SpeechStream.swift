/// A request's audio as an asynchronous sequence of ``SpeechProgress``. Each has some samples, but perhaps the last;
/// marks and step times of steps that gave none (what they made is still in a crossfade, say) come with the next chunk.
///
/// Every iteration is a request of its own, which begins with the first call of `next`. Throws what
/// ``SpeechSynthesizer/generate(text:options:callback:)`` throws.
public struct SpeechStream: AsyncSequence, Sendable {
    /// News with the samples of a step or of a few.
    public typealias Element = SpeechProgress

    let source: any SpeechSource
    let input: SpeechInput
    let options: GenerationOptions

    /// A request, which begins when it is first asked for a chunk.
    public func makeAsyncIterator() -> Iterator {
        Iterator(request: SpeechRequest(source, input, options, wantsAll: false, keepsAudio: false))
    }

    /// One request. It ends when the last copy of its iterator goes away.
    public struct Iterator: AsyncIteratorProtocol {
        private let reader: Reader
        private var hasBegun = false

        init(request: SpeechRequest) {
            reader = Reader(request: request)
        }

        /// The next chunk; nil at the end.
        public mutating func next() async throws -> SpeechProgress? {
            if !hasBegun {
                hasBegun = true
                reader.begin()
            }
            return try await reader.channel.next()
        }

        /// Ends the request when the iterator goes away.
        private final class Reader: Sendable {
            let channel = SpeechChannel()
            private let request: SpeechRequest

            init(request: SpeechRequest) { self.request = request }

            deinit { channel.cancellation.cancel() }

            func begin() {
                let (channel, request) = (channel, request)
                startSpeechThread(name: "stream") {
                    var silent = SpeechProgress()
                    channel.finish(
                        Result {
                            _ = try request.run(channel.cancellation) { news in
                                var news = news
                                news.marks = silent.marks + news.marks
                                news.stepTime += silent.stepTime
                                silent = SpeechProgress()
                                if news.audio.isEmpty, news.fraction < 1 {
                                    silent = news
                                    return true
                                }
                                return channel.send(news)
                            }
                        })
                }
            }
        }
    }
}
