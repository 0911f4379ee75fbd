import Playback

/// Keeps count of a request: makes its news and its result.
struct SpeechTally {
    private let sampleRate: Int
    /// Whether audio and marks are kept: both grow with the text.
    private let keepsAudio: Bool
    private var audio: [Float] = []
    private var samples = 0
    private var steps = 0
    private var sentence = 0
    private var sentencesCompleted = 0
    private var fraction = 0.0
    private var marks: [SpeechMark] = []
    /// Where the current sentence's mark is in `marks`.
    private var sentenceMark: Int?
    /// Seconds from the request to the first samples.
    var firstBuffer: Double?
    var finishReason = SpeechResult.FinishReason.finished
    /// Whether the last piece has been recorded.
    private(set) var isComplete = false

    init(sampleRate: Int, keepsAudio: Bool) {
        self.sampleRate = sampleRate
        self.keepsAudio = keepsAudio
    }

    /// - Parameters:
    ///   - piece: nil for what comes after the last piece of a source that did not know it was the last.
    ///   - step: what playback is told of it.
    mutating func record(
        _ audio: [Float], _ marks: [SpeechMark], of piece: SpeechPiece?, stepTime: Double, step: GenerationStep
    ) -> SpeechProgress {
        isComplete = piece?.isLast ?? true
        steps += 1
        samples += audio.count
        sentence = max(sentence, piece?.sentence ?? 0)
        if isComplete || piece?.endsSentence == true { sentencesCompleted = sentence + 1 }
        if keepsAudio {
            self.audio += audio
            record(marks)
        }

        var news = SpeechProgress()
        news.audio = audio
        news.sampleRate = sampleRate
        news.stepTime = stepTime
        news.chunkIndex = sentence
        news.chunksCompleted = sentencesCompleted
        news.stepsCompleted = steps
        news.audioDuration = seconds
        news.remainingDuration = step.remaining
        news.step = step
        news.nextStepDuration = step.coming.first ?? 0
        news.fraction = advance(remaining: news.remainingDuration)
        news.marks = marks
        return news
    }

    private var seconds: Double { Double(samples) / Double(sampleRate) }

    private mutating func advance(remaining: Double) -> Double {
        if isComplete {
            fraction = 1
        } else if seconds > 0 {
            // The guess of what remains may have been too low; and there is always something left.
            fraction = min(max(fraction, seconds / (seconds + max(0, remaining))), 1 - 1e-9)
        }
        return fraction
    }

    private mutating func record(_ new: [SpeechMark]) {
        for mark in new {
            if mark.kind == .sentence, let sentenceMark, marks[sentenceMark].sentence == mark.sentence {
                marks[sentenceMark] = mark
                continue
            }
            if mark.kind == .sentence { sentenceMark = marks.count }
            marks.append(mark)
        }
    }

    var result: SpeechResult {
        var result = SpeechResult()
        result.audio = audio
        result.sampleRate = sampleRate
        result.sampleCount = samples
        result.finishReason = finishReason
        result.marks = marks
        result.timings.timeToFirstBuffer = firstBuffer ?? 0
        result.timings.audioDuration = seconds
        return result
    }
}
