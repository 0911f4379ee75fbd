import Phonemes

/// What goes through the model at once: a sentence or a part of one.
struct Inference {
    let ids: [Int]
    /// Its number in the request.
    let index: Int
    let sentence: Int
    let startsSentence: Bool
    let endsSentence: Bool
    /// Seconds of silence that the voice asks for behind it.
    let silence: Double
    /// How much of the request it is, in the units of ``InferenceSequence/totalWeight``.
    let weight: Double
    let script: Script

    /// What the ids stand for.
    struct Script {
        /// The sentence's text; empty for ids.
        var text = ""
        /// The sentence's phonemes.
        var phonemes: [Unicode.Scalar] = []
        /// The sentence's words, as ranges of `phonemes`.
        var words: [Range<Int>] = []
        /// The words as they are written, if there are as many.
        var writtenWords: [String] = []
        /// For each id of the inference, the index of its phoneme, or -1.
        var owners: [Int] = []
        var skipped: Set<Unicode.Scalar> = []
    }
}

extension Inference.Script {
    init(_ sentence: PhonemeSentence, _ part: SentenceCutter.Part) {
        text = sentence.text
        phonemes = sentence.phonemes
        words = sentence.words.filter { sentence.phonemes[$0].contains(where: Self.isSpoken) }
        let written = sentence.text.split(whereSeparator: \.isWhitespace).map(String.init)
        writtenWords = written.count == words.count ? written : []
        owners = part.encoding.owners
        skipped = part.encoding.skipped
    }

    private static func isSpoken(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    /// Words and phonemes with their times from the inference's first sample.
    ///
    /// - Parameters:
    ///   - durations: frames of each id.
    ///   - frameSeconds: hop over sample rate.
    func marks(durations: [Int], frameSeconds: Double, sentence: Int) -> [SpeechMark] {
        guard owners.count == durations.count else { return [] }
        var phonemeMarks: [(owner: Int, start: Int, frames: Int)] = []
        var frame = 0
        for (owner, duration) in zip(owners, durations) {
            if owner >= 0 {
                if phonemeMarks.last?.owner == owner {
                    phonemeMarks[phonemeMarks.count - 1].frames += duration
                } else {
                    phonemeMarks.append((owner, frame, duration))
                }
            }
            frame += duration
        }
        func mark(_ kind: SpeechMark.Kind, _ text: String, _ start: Int, _ frames: Int) -> SpeechMark {
            SpeechMark(
                kind: kind, text: text, sentence: sentence, start: Double(start) * frameSeconds,
                duration: Double(frames) * frameSeconds)
        }
        var marks: [SpeechMark] = []
        for (index, word) in words.enumerated() {
            let inside = phonemeMarks.filter { word.contains($0.owner) }
            guard let first = inside.first, let last = inside.last else { continue }
            let text = writtenWords.isEmpty ? string(word) : writtenWords[index]
            marks.append(mark(.word, text, first.start, last.start + last.frames - first.start))
        }
        for (index, phoneme) in phonemeMarks.enumerated() {
            let next = index + 1 < phonemeMarks.count ? phonemeMarks[index + 1].owner : phoneme.owner + 1
            marks.append(mark(.phoneme, string(phoneme.owner..<next), phoneme.start, phoneme.frames))
        }
        return marks
    }

    private func string(_ range: Range<Int>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: phonemes[range].filter { !skipped.contains($0) })
        return String(view)
    }
}
