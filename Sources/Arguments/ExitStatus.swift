/// What a command returns to the shell: the codes of BSD's `sysexits.h` that this package uses.
package enum ExitStatus: Int32, Sendable {
    case success = 0
    /// The command line is wrong.
    case usage = 64
    /// The input was read and is not what it should be.
    case badData = 65
    /// The input does not exist or cannot be opened.
    case noInput = 66
    /// Something the command needs is missing: a device, a library, a voice.
    case unavailable = 69
    /// Reading or writing failed: a full disk, a closed pipe, an unwritable folder.
    case inputOutput = 74
}
