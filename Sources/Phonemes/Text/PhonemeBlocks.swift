/// The blocks `[[ … ]]` of a text, which hold phonemes.
public enum PhonemeBlocks {
    /// Where a `[[` stands that has no `]]` after it, counted in Unicode scalars from the start of the text; nil if
    /// all are closed. It is read as text, which may not be what was meant: a matter for a warning.
    public static func unclosed(in text: String) -> Int? {
        SpeechText(text, phonemeBlocks: true).unclosedBlock
    }
}
