// Filled by the commits that follow.
if CommandLine.arguments.dropFirst().first == "resample" {
    print(try ResampleCommand(arguments: Array(CommandLine.arguments.dropFirst(2))).run())
} else {
    print("tts-bench")
}
