/// What is to be spoken.
public enum SpeechInput: Sendable {
    /// Text in the voice's language; `[[ … ]]` holds phonemes.
    case text(String)
    /// Sentences of phoneme ids, each with its begin, pad and end ids.
    case ids([[Int]])
}
