#if EspeakNG
    /// One stay inside the library, with its voice set: reads clauses from a window on the text.
    ///
    /// After a clause the library holds back the one character that it has read past the end, in a global
    /// variable. It starts every clause afresh otherwise, so a stay that begins at that character gives the same
    /// clauses as one long stay does, and the lock can be left in between.
    struct EspeakSession {
        /// Bytes offered at once. The library measures the length of what it is given before every clause, so
        /// offering a whole book would take quadratic time.
        static let window = 8192
        /// A clause holds some 800 bytes at most, so it cannot have seen the end of a window that lies further
        /// away than this.
        static let margin = 2048
        /// A stay ends with the first sentence past this many bytes.
        static let stay = 1024

        /// The terminator of a clause that ended because the text did.
        static let endOfText: Int32 = 0x90028

        let functions: EspeakFunctions
        let usesTerminators: Bool

        /// Reads the clauses from `start` on, in a child process where the text is not plain.
        ///
        /// Text that the library crashes over is read again in smaller and smaller pieces, and what is left of it
        /// without the characters that are not plain; a piece that still fails is passed over.
        func clauses(of text: [UInt8], from start: Int, plain: PlainText) -> [EspeakClause] {
            let end = Self.windowEnd(of: text, from: start, Self.window)
            if plain.contains(text[start..<end]) { return clauses(of: text, from: start) }
            for window in [Self.window, 1024, 96] {
                if let clauses = EspeakChild.clauses({ clauses(of: text, from: start, window: window) }) {
                    return clauses
                }
            }
            let pieceEnd = Self.windowEnd(of: text, from: start, 96)
            let cleaned = String(decoding: text[start..<pieceEnd], as: UTF8.self).unicodeScalars.flatMap {
                plain.contains($0) && ($0.properties.isAlphabetic || $0.isASCII)
                    ? Array(String($0).utf8) : Array(repeating: 0x20, count: UTF8.width($0))
            }
            if cleaned.count == pieceEnd - start,
                let clauses = EspeakChild.clauses({ clauses(of: text[..<start] + cleaned, from: start) })
            {
                return clauses
            }
            return [EspeakClause(phonemes: "", end: .cut, upperBound: pieceEnd)]
        }

        /// Reads the clauses from `start` on: to the end of a sentence, of the window or of the text.
        func clauses(of text: [UInt8], from start: Int, window: Int = window) -> [EspeakClause] {
            dropHeldBackCharacter()

            let end = Self.windowEnd(of: text, from: start, window)
            let endsText = end == text.count
            var bytes = Array(text[start..<end])
            // With white space at its end the library holds back that instead of a mark that it has not read.
            bytes.append(contentsOf: [0x20, 0])

            var clauses: [EspeakClause] = []
            var position = 0
            var stuck = 0
            bytes.withUnsafeBytes { bytes in
                guard let base = bytes.baseAddress else { return }
                var next: UnsafeRawPointer? = base
                while let here = next, stuck < 4 {
                    var terminator: Int32 = 0
                    let phonemes = read(&next, &terminator)
                    let pointer = next.map { $0 - base } ?? bytes.count - 1
                    guard pointer >= here - base, pointer < bytes.count else { break }

                    let isLast = next == nil
                    let region = bytes[position..<max(pointer, position)]
                    let heldBack = isLast ? 0 : Self.lengthOfLastScalar(region)
                    let clauseEnd: ClauseEnd
                    if !usesTerminators {
                        clauseEnd = ClauseEnd(clause: Self.scalars(region), isLast: isLast)
                    } else if isLast, terminator & 0xFFFFF == Self.endOfText {
                        // The end of the window, or of the text: whether a sentence ends there is not for the
                        // library to say, as a block of phonemes may follow.
                        clauseEnd = .cut
                    } else {
                        clauseEnd = ClauseEnd(terminator: UInt32(bitPattern: terminator))
                    }
                    let upperBound = isLast ? end - start : pointer - heldBack
                    stuck = upperBound > position || isLast ? 0 : stuck + 1
                    position = max(position, upperBound)
                    clauses.append(
                        EspeakClause(phonemes: phonemes, end: clauseEnd, upperBound: start + position))

                    if clauseEnd.endsSentence, position >= Self.stay { return }
                    if !endsText, position > bytes.count - Self.margin { return }
                }
            }
            if position == 0 || stuck == 4 {
                // The library made no headway. This has not been seen; the rest of the window is given up.
                clauses.append(EspeakClause(phonemes: "", end: .cut, upperBound: end))
            }
            return clauses
        }

        private func read(_ next: inout UnsafeRawPointer?, _ terminator: inout Int32) -> String {
            let utf8: Int32 = 1
            let ipa: Int32 = 2
            let phonemes: UnsafePointer<CChar>?
            if usesTerminators, let function = functions.textToPhonemesWithTerminator {
                phonemes = function(&next, utf8, ipa, &terminator)
            } else {
                phonemes = functions.textToPhonemes(&next, utf8, ipa)
            }
            return phonemes.map { String(cString: $0) } ?? ""
        }

        /// A text that ended in the middle of a run of marks leaves one behind for the next text.
        private func dropHeldBackCharacter() {
            var nothing: UInt8 = 0
            withUnsafePointer(to: &nothing) { pointer in
                var next: UnsafeRawPointer? = UnsafeRawPointer(pointer)
                var terminator: Int32 = 0
                _ = read(&next, &terminator)
            }
        }

        private static func windowEnd(of text: [UInt8], from start: Int, _ window: Int) -> Int {
            guard text.count - start > window else { return text.count }
            var end = start + window
            if window < margin, let space = text[start + 1..<end].lastIndex(of: 0x20) { return space }
            while end > start + 1, text[end] & 0xC0 == 0x80 { end -= 1 }
            return end
        }

        private static func lengthOfLastScalar(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
            guard var index = bytes.indices.last else { return 0 }
            while index > bytes.startIndex, bytes[index] & 0xC0 == 0x80 { index -= 1 }
            return bytes.endIndex - index
        }

        private static func scalars(_ bytes: Slice<UnsafeRawBufferPointer>) -> [Unicode.Scalar] {
            Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
        }
    }
#endif
