// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "Syrinx",
    products: [
        .library(name: "Syrinx", targets: ["Syrinx"]),
        .library(name: "SyrinxRemote", targets: ["SyrinxRemote"]),
        .library(name: "SyrinxDSP", targets: ["DSP"]),
        .library(name: "SyrinxPlayback", targets: ["Playback"]),
        .executable(name: "syrinx", targets: ["SyrinxCommand"]),
        .executable(name: "tts-bench", targets: ["BenchCommand"]),
    ],
    traits: [
        .default(enabledTraits: ["EspeakNG"]),
        .trait(
            name: "EspeakNG",
            description: "Text input through the system's espeak-ng (GPL-3.0-or-later), opened at run time."
        ),
    ],
    targets: [
        // A system library: a module map and nothing else.
        .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),

        // Inference.
        .target(name: "CKernels"),
        .target(name: "Tensor", dependencies: ["CKernels"], exclude: ["README.md"]),
        .target(name: "ONNX"),
        .target(name: "VITS", dependencies: ["Tensor", "ONNX"]),

        // Reference cases: what ONNX Runtime computes of a voice, and how near we come.
        .target(name: "Golden", dependencies: ["VITS", "Tensor"]),

        // Sound.
        .target(name: "DSP", dependencies: ["CKernels"], exclude: ["README.md"]),
        .target(name: "Playback", dependencies: ["DSP", "CALSA"]),

        // Text.
        .target(name: "Phonemes"),

        // What applications import.
        .target(name: "Syrinx", dependencies: ["VITS", "DSP", "Playback", "Phonemes", "CKernels"]),

        // Speech services on the network; apart, as FoundationNetworking takes its time to load.
        .target(name: "SyrinxRemote", dependencies: ["Syrinx", "DSP"]),

        // Commands.
        .target(name: "Arguments"),
        .target(name: "CAllocationCount"),
        .executableTarget(
            name: "SyrinxCommand",
            dependencies: ["Syrinx", "VITS", "Phonemes", "DSP", "Playback", "Arguments", "CKernels"],
            path: "Sources/cli"),
        .executableTarget(
            name: "BenchCommand",
            dependencies: [
                "Syrinx", "VITS", "Tensor", "Golden", "Phonemes", "Playback", "DSP", "Arguments", "CKernels",
                "CAllocationCount",
            ],
            path: "Sources/bench"),
        .executableTarget(
            name: "PlaybackReport", dependencies: ["Syrinx", "Playback", "Arguments"], path: "Sources/playback-report"),

        // Tests.
        .target(name: "TestSupport", path: "Tests/TestSupport"),
        .testTarget(name: "CKernelsTests", dependencies: ["CKernels", "TestSupport"]),
        .testTarget(name: "TensorTests", dependencies: ["Tensor", "TestSupport"]),
        .testTarget(name: "ONNXTests", dependencies: ["ONNX", "TestSupport"]),
        .testTarget(name: "VITSTests", dependencies: ["VITS", "Tensor", "Golden", "TestSupport"]),
        .testTarget(name: "DSPTests", dependencies: ["DSP", "TestSupport", "CAllocationCount"]),
        .testTarget(name: "PlaybackTests", dependencies: ["Playback", "Syrinx", "VITS", "DSP", "TestSupport"]),
        .testTarget(name: "PhonemesTests", dependencies: ["Phonemes", "TestSupport"]),
        .testTarget(name: "SyrinxTests", dependencies: ["Syrinx", "Playback", "DSP", "VITS", "Tensor", "TestSupport"]),
        .testTarget(name: "SyrinxRemoteTests", dependencies: ["SyrinxRemote", "Syrinx", "Playback"]),
        .testTarget(name: "ArgumentsTests", dependencies: ["Arguments"]),
        .testTarget(name: "CommandTests", dependencies: ["TestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)
