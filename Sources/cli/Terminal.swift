import Arguments
import Phonemes

/// What the program tells the person who runs it.
enum Terminal {
    /// One line on standard error.
    static func report(_ message: String) {
        let named = message.hasPrefix("syrinx") ? message : "syrinx: \(message)"
        ProgressLine.replace(with: StandardStream.line(named))
    }

    /// Names what a voice could not say.
    static func noteSkipped(_ phonemes: Set<Unicode.Scalar>) {
        guard !phonemes.isEmpty else { return }
        let listed = phonemes.sorted().map { "\($0)" }.joined(separator: " ")
        report("the voice does not know these phonemes and left them out: \(listed)")
    }

    /// Says that a `[[` was read as text, where it would otherwise begin phonemes.
    static func noteUnclosedBlock(in text: String, _ phonemizer: (any Phonemizer)?) {
        guard phonemizer is EspeakPhonemizer, let offset = PhonemeBlocks.unclosed(in: text) else { return }
        report("the [[ at character \(offset + 1) has no ]] and is read as text")
    }
}
