import Playback

/// One request, run from input to result on the calling thread: reads the source, assembles, and delivers.
struct SpeechRequest: Sendable {
    let source: any SpeechSource
    let input: SpeechInput
    let options: GenerationOptions
    /// Whether nobody listens before the end.
    let wantsAll: Bool
    /// Whether the result holds the audio and its marks.
    let keepsAudio: Bool
    private let watch = PhaseWatch()
    private let start: Double

    init(
        _ source: any SpeechSource, _ input: SpeechInput, _ options: GenerationOptions, wantsAll: Bool,
        keepsAudio: Bool
    ) {
        self.source = source
        self.input = input
        self.options = options
        self.wantsAll = wantsAll
        self.keepsAudio = keepsAudio
        start = watch.now
    }

    /// Seconds since the request was made.
    var age: Double { watch.now - start }

    /// - Parameters:
    ///   - ready: called when the input has been accepted, with the rate of the audio, before any of it is made.
    ///   - deliver: called after every step; false ends the request.
    func run(
        _ cancellation: SpeechCancellation, ready: (Int) throws -> Void = { _ in },
        deliver: (SpeechProgress) throws -> Bool
    ) throws -> SpeechResult {
        let options = try options.validated()
        let reader = try source.reader(of: input, options: options, wantsAll: wantsAll, cancellation: cancellation)
        var assembler = try SpeechAssembler(sourceRate: source.sampleRate, options: options)
        var account = StepAccount(sourceRate: source.sampleRate, normalizes: options.normalizes)
        var tally = SpeechTally(sampleRate: assembler.sampleRate, keepsAudio: keepsAudio)
        var assembling = 0.0
        var idle = 0.0
        try watch.measure(&idle) { try ready(assembler.sampleRate) }

        try cancellation.check()
        try reader.prepare()
        var isComplete = false
        while !isComplete {
            try cancellation.check()
            var stepTime = 0.0
            let piece = try watch.measure(&stepTime) { try reader.next() }
            try cancellation.check()
            isComplete = piece?.isLast ?? true
            var joining = 0.0
            let made = watch.measure(&joining) {
                var made: (audio: [Float], marks: [SpeechMark]) = ([], [])
                if let piece { made = assembler.step(piece) }
                guard isComplete else { return made }
                let rest = assembler.finish()
                return (made.audio + rest.audio, made.marks + rest.marks)
            }
            assembling += joining
            stepTime += joining
            if piece == nil, made.audio.isEmpty { break }
            let step = account.record(
                piece, stepTime: stepTime, audio: Double(made.audio.count) / Double(assembler.sampleRate),
                held: assembler.held)
            var news = tally.record(made.audio, made.marks, of: piece, stepTime: stepTime, step: step)
            news.skippedPhonemes = reader.skippedPhonemes
            if tally.firstBuffer == nil, !made.audio.isEmpty { tally.firstBuffer = age }
            let goesOn = try watch.measure(&idle) { try deliver(news) }
            if !goesOn {
                tally.finishReason = .cancelled
                break
            }
        }
        var result = tally.result
        result.seed = reader.seed
        result.skippedPhonemes = reader.skippedPhonemes
        result.timings.fullPipeline = max(0, age - idle)
        result.timings.phases = reader.phases
        result.timings.phases.assembling = assembling
        return result
    }
}
