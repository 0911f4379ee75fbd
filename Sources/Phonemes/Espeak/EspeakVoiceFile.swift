#if EspeakNG
    import Glibc

    /// The file that espeak-ng takes for the name of a voice, found without reading the others.
    ///
    /// `espeak_SetVoiceByName` looks for `lang/en-us`, does not find it, for the file is `lang/gmw/en-US`, and then
    /// reads every voice it has, some three hundred files: milliseconds in a process that lives for fifty. It takes,
    /// in 1.51, 1.52 and since,
    ///
    /// 1. the file of that name, in lower case, right below `voices/` or `lang/`; or else
    /// 2. the voice whose `name` line it is, case aside; or else
    /// 3. the file of that name in a directory below these two, case aside; of several one that what they contain
    ///    decides on.
    ///
    /// Only the third is answered here, and only where there is one such file and it is below `lang/`. Two things are
    /// taken for granted, as making sure of them would take as long as espeak-ng takes. The code of a language with a
    /// file of its own is not the `name` line ("English (America)", "klatt2") of another: the tests check that for the
    /// data installed. And no second file of the name lies deeper, or differs by odd capitals ("EN-us") alone.
    struct EspeakVoiceFile {
        let path: String

        /// - Parameters:
        ///   - voice: the name that `espeak_SetVoiceByName` would be given.
        ///   - data: the directory that holds `voices` and `lang`, as `espeak_Info` tells.
        /// - Returns: nil where espeak-ng may take something else, or nothing: for names that are not of the form of a
        ///   language's code ("en-us+f3", "English (America)"), unknown ones, and two files of one name.
        init?(of voice: String, data: String) {
            guard let spellings = Self.spellings(of: voice),
                let others = Self.files(spelled: spellings, in: "\(data)/voices"), others.isEmpty,
                let files = Self.files(spelled: spellings, in: "\(data)/lang"), files.count == 1,
                Self.hasLanguage(files[0])
            else { return nil }
            path = files[0]
        }

        /// Has the library load the file.
        ///
        /// `espeak_ng_SetVoiceByFile` lower-cases its argument, too, and keeps 59 bytes of it, so it is given the open
        /// file's name in `/proc`. That becomes the `identifier` of the current voice, which only SSML would use.
        ///
        /// - Returns: false where the file or `/proc` cannot be opened, or the library refuses the file.
        func load(by setVoiceByFile: EspeakFunctions.SetVoiceByFile) -> Bool {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return false }
            defer { close(descriptor) }
            return setVoiceByFile("/proc/self/fd/\(descriptor)") == 0
        }
    }

    extension EspeakVoiceFile {
        /// The files of a name in the subdirectories of `directory`; nil where the name is in `directory` itself.
        private static func files(spelled spellings: [String], in directory: String) -> [String]? {
            // What cannot be read has no voices for espeak-ng either.
            guard let stream = opendir(directory) else { return [] }
            defer { closedir(stream) }
            var files: [String] = []
            while let entry = readdir(stream) {
                // SAFETY: the name ends within the entry, which stays until the next `readdir`.
                let family = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                if family.hasPrefix(".") { continue }
                if strcasecmp(family, spellings[0]) == 0 { return nil }
                for spelling in spellings {
                    // Asking for one file takes a third of the time of listing the directory.
                    let file = "\(family)/\(spelling)"
                    if faccessat(dirfd(stream), file, F_OK, 0) == 0 { files.append("\(directory)/\(file)") }
                }
            }
            return files
        }

        /// A code as its file may be spelled: in lower case ("en-us-nyc"), and, if that is another, with the capitals
        /// of RFC 5646 ("en-US-nyc", "cmn-Latn-pinyin"). Nil for what does not look like a code.
        ///
        /// In bytes: a process's first use of `String`'s `lowercased` and `split` takes as long as ten system calls.
        static func spellings(of voice: String) -> [String]? {
            var code = Array(voice.utf8)
            for index in code.indices {
                switch code[index] {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"): code[index] += 0x20
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    break
                default: return nil
                }
            }
            if code.isEmpty { return nil }
            let lowercase = String(decoding: code, as: UTF8.self)

            var start = code.firstIndex(of: UInt8(ascii: "-")).map { $0 + 1 } ?? code.endIndex
            while start < code.endIndex {
                let end = code[start...].firstIndex(of: UInt8(ascii: "-")) ?? code.endIndex
                // After a singleton, "x", nothing is a region or a script.
                if end - start == 1 { break }
                let capitals = end - start == 2 ? 2 : end - start == 4 ? 1 : 0
                for index in start..<start + capitals where code[index] >= UInt8(ascii: "a") { code[index] -= 0x20 }
                start = end + 1
            }
            let capitalized = String(decoding: code, as: UTF8.self)
            return capitalized == lowercase ? [lowercase] : [lowercase, capitalized]
        }

        /// Whether a file has a `language` line, in its first 4096 bytes. espeak-ng does not count those without among
        /// its voices, but would load them.
        private static func hasLanguage(_ path: String) -> Bool {
            // Without waiting, should it be a pipe.
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { return false }
            defer { close(descriptor) }
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = read(descriptor, &bytes, bytes.count)
            return bytes.prefix(max(count, 0)).split(separator: UInt8(ascii: "\n")).contains {
                $0.starts(with: "language ".utf8) || $0.starts(with: "language\t".utf8)
            }
        }
    }
#endif
