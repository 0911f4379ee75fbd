import Synchronization
import TestSupport
import VITS

/// Models by the name of their voice, each loaded once.
enum LoadedVoices {
    private static let models = Mutex<[String: VITSModel]>([:])

    static func model(_ name: String) throws -> VITSModel {
        if let model = models.withLock({ $0[name] }) { return model }
        let model = try VITSModel(contentsOf: GoldenFiles.voice(name))
        models.withLock { $0[name] = model }
        return model
    }
}
