#if EspeakNG
    /// Sets the library's voice, by its file where that is known. Guarded by the library's lock.
    struct EspeakVoices {
        /// The directory that holds the library's data; nil where it does not say.
        private let data: String?
        /// What has been looked up.
        private var files: [String: EspeakVoiceFile?] = [:]
        /// The voice that was prepared, as long as no text has been read since.
        private var prepared: String?

        init(data: String?) {
            self.data = data
        }

        /// Sets a voice ahead of a text.
        ///
        /// - Returns: whether the library has that voice.
        mutating func prepare(_ voice: String, of functions: EspeakFunctions) -> Bool {
            guard set(voice, of: functions) else { return false }
            prepared = voice
            return true
        }

        /// Sets the voice for a text that is about to be read.
        ///
        /// It is set for every stay in the library, also when it is the same as before: that clears what the last text
        /// left in it. Only a voice that has been prepared and has read nothing is taken as it is.
        ///
        /// - Returns: whether the library has that voice.
        mutating func set(_ voice: String, of functions: EspeakFunctions) -> Bool {
            if prepared.take() == voice { return true }
            if let setVoiceByFile = functions.setVoiceByFile, file(of: voice)?.load(by: setVoiceByFile) == true {
                return true
            }
            return functions.setVoiceByName(voice) == 0
        }

        private mutating func file(of voice: String) -> EspeakVoiceFile? {
            if let known = files[voice] { return known }
            let file = data.flatMap { EspeakVoiceFile(of: voice, data: $0) }
            files.updateValue(file, forKey: voice)
            return file
        }
    }
#endif
