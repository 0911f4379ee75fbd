import Foundation
import Glibc
import Testing

@testable import DSP

@Suite("Output files without O_TMPFILE")
struct TemporaryNameTests {
    private func names(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test("A file has a temporary name until it is complete, and none if it is given up")
    func names() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "syrinx-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("a").path
        var file = try OutputFile(path: path, unnamed: false)
        try file.write([1, 2, 3].span)
        #expect(try names(folder).first?.hasPrefix(".syrinx-") == true)
        try file.commit()
        #expect(try names(folder) == ["a"])
        file = try OutputFile(path: path, unnamed: false)
        #expect(try names(folder).count == 2)
        file.cancel()
        #expect(try names(folder) == ["a"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([1, 2, 3]))
    }

    @Test("A program that ends in the middle leaves nothing of files that are not complete")
    func discarding() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "syrinx-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        await #expect(processExitsWith: .exitCode(7)) { [path = folder.path as String] in
            let complete = try OutputFile(path: path + "/complete", unnamed: false)
            try complete.commit()
            let first = try OutputFile(path: path + "/first", unnamed: false)
            let second = try OutputFile(path: path + "/second", unnamed: false)
            try first.write([1].span)
            try second.write([1].span)
            let count = try FileManager.default.contentsOfDirectory(atPath: path).count
            OutputFile.discardAll { _exit(count == 3 ? 7 : 1) }
        }
        #expect(try names(folder) == ["complete"])
    }
}
