/// A punctuation mark at which espeak-ng's reader ends a clause.
struct ClauseMark: Sendable, Equatable {
    let end: ClauseEnd
    /// Full-width marks, the danda and the ellipsis end a clause with no white space after them.
    let needsSpace: Bool

    /// The mark that a scalar is, if any. The table is what espeak-ng 1.51 does with
    /// each punctuation mark and symbol of Unicode.
    init?(_ scalar: Unicode.Scalar) {
        let (end, needsSpace): (ClauseEnd, Bool)
        switch scalar {
        case ".", "\u{06D4}", "\u{0701}", "\u{0704}", "\u{1362}", "\u{166E}", "\u{1803}", "\u{1809}",
            "\u{2CF9}",
            "\u{2CFE}", "\u{2E33}", "\u{2E3C}", "\u{A4FF}", "\u{A60E}", "\u{A6F3}", "\u{FE12}", "\u{FE52}",
            "\u{FF61}", "\u{16AF5}", "\u{1BC9F}", "\u{1DA88}":
            (end, needsSpace) = (.fullStop, true)
        case "\u{0589}", "\u{0964}", "\u{0DF4}", "\u{0F0D}", "\u{3002}", "\u{FF0E}":
            (end, needsSpace) = (.silentSentence, false)
        case "?", "\u{037E}", "\u{061F}", "\u{0709}", "\u{1367}", "\u{1945}", "\u{2047}", "\u{2753}",
            "\u{2754}",
            "\u{2CFA}", "\u{2CFB}", "\u{A60F}", "\u{A6F7}", "\u{FE16}", "\u{FE56}", "\u{11143}", "\u{1E95F}":
            (end, needsSpace) = (.question, true)
        case "\u{FF1F}":
            (end, needsSpace) = (.silentSentence, false)
        case "!", "\u{0703}", "\u{07F9}", "\u{1944}", "\u{203C}", "\u{2755}", "\u{2757}", "\u{2762}",
            "\u{2763}",
            "\u{FE15}", "\u{FE57}", "\u{1E95E}":
            (end, needsSpace) = (.exclamation, true)
        case "\u{FF01}":
            (end, needsSpace) = (.silentSentence, false)
        case ",", "\u{055D}", "\u{060C}", "\u{0702}", "\u{07F8}", "\u{0F14}", "\u{1363}", "\u{1802}",
            "\u{1808}",
            "\u{2E32}", "\u{2E34}", "\u{2E41}", "\u{A4FE}", "\u{A60D}", "\u{A6F5}", "\u{FE10}", "\u{FE11}",
            "\u{FE50}", "\u{FE51}", "\u{FF64}", "\u{1144D}", "\u{1DA87}":
            (end, needsSpace) = (.comma, true)
        case "\u{3001}", "\u{FF0C}":
            (end, needsSpace) = (.silentClause, false)
        case ":", "\u{0706}", "\u{0707}", "\u{1365}", "\u{1366}", "\u{1804}", "\u{2982}", "\u{A6F4}",
            "\u{FE13}",
            "\u{FE55}", "\u{12471}", "\u{12472}", "\u{1DA8A}":
            (end, needsSpace) = (.colon, true)
        case "\u{FF1A}":
            (end, needsSpace) = (.silentClause, false)
        case ";", "\u{0387}", "\u{061B}", "\u{0708}", "\u{1364}", "\u{2013}", "\u{2014}", "\u{204F}",
            "\u{2E35}",
            "\u{2E3A}", "\u{2E3B}", "\u{A6F6}", "\u{FE14}", "\u{FE31}", "\u{FE32}", "\u{FE54}", "\u{1DA89}":
            (end, needsSpace) = (.semicolon, true)
        case "\u{2026}", "\u{00A1}", "\u{00BF}", "\u{1801}", "\u{22EE}", "\u{22EF}", "\u{22F0}", "\u{22F1}",
            "\u{FE19}", "\u{FF1B}":
            (end, needsSpace) = (.silentClause, false)
        case "\u{0700}", "\u{0965}", "\u{0F0E}", "\u{10FB}", "\u{1368}":
            (end, needsSpace) = (.silentSentence, true)
        default:
            return nil
        }
        self.end = end
        self.needsSpace = needsSpace
    }

    private init(end: ClauseEnd, needsSpace: Bool) {
        self.end = end
        self.needsSpace = needsSpace
    }

    /// "…", and three or more dots in a row.
    static let ellipsis = ClauseMark(end: .silentClause, needsSpace: false)

    /// What a run of adjacent marks counts as: its first mark decides.
    init?(run: ArraySlice<Unicode.Scalar>) {
        if run.count >= 3, run.prefix(3).allSatisfy({ $0 == "." }) {
            self = .ellipsis
        } else if let first = run.first, let mark = ClauseMark(first) {
            self = mark
        } else {
            return nil
        }
    }
}
