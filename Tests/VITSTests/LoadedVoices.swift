import Synchronization
import TestSupport
import VITS

/// Models by the name of their voice, each loaded once.
enum LoadedVoices {
    static let executions: [VITSModel.Execution] = [.plain, .once, .automatic]

    private struct Key: Hashable {
        let name: String
        let execution: VITSModel.Execution
    }

    private static let models = Mutex<[Key: VITSModel]>([:])

    static func model(_ name: String, _ execution: VITSModel.Execution = .automatic) throws -> VITSModel {
        let key = Key(name: name, execution: execution)
        if let model = models.withLock({ $0[key] }) { return model }
        let model = try VITSModel(contentsOf: GoldenFiles.voice(name), execution: execution)
        models.withLock { $0[key] = model }
        return model
    }
}
