import Foundation
import TestSupport
import Testing
import VITS

@Suite("A voice file that is truncated while it is open")
struct TruncatedFileTests {
    @Test(
        "is found out before the next sentence, which throws and does not end in SIGBUS; one that is replaced is not missed"
    )
    func truncated() async {
        await #expect(processExitsWith: .success) {
            let original = try GoldenFiles.voice("tiny-medium")
            let path = FileManager.default.temporaryDirectory
                .appendingPathComponent("truncated-\(ProcessInfo.processInfo.processIdentifier).onnx").path
            defer { unlink(path) }
            for execution in [VITSModel.Execution.automatic, .once] {
                unlink(path)
                try FileManager.default.copyItem(atPath: original, toPath: path)
                let model = try VITSModel(contentsOf: path, execution: execution)
                let rendering = Rendering(model: model, request: SentenceRequest(ids: Rendering.ids(9)))
                let other = path + ".new"
                try FileManager.default.copyItem(atPath: original, toPath: other)
                try #require(rename(other, path) == 0)
                let whole = try rendering.audio(.scheduled)

                let cut = try VITSModel(contentsOf: path, execution: execution)
                try #require(truncate(path, 4096) == 0)
                #expect(throws: VITSError.fileTruncated) {
                    try Rendering(model: cut, request: rendering.request).audio(.scheduled)
                }
                // The one that was replaced still has its own.
                #expect(try rendering.audio(.scheduled).hasSameBits(as: whole))
            }
        }
    }
}
