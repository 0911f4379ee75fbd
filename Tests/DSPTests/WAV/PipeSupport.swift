import Foundation

/// Calls `body` with the writing end of a pipe and returns all that it wrote, at most what a pipe holds (64 KiB).
func throughPipe(_ body: (Int32) throws -> Void) throws -> [UInt8] {
    let pipe = Pipe()
    try body(pipe.fileHandleForWriting.fileDescriptor)
    try pipe.fileHandleForWriting.close()
    return [UInt8](pipe.fileHandleForReading.readDataToEndOfFile())
}
