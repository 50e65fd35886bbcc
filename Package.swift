// swift-tools-version: 6.1
import PackageDescription

// On a Mac, apps link the libraries alone; `--traits Server` adds the server and its command there.
// Every dependency from outside is behind this trait, so that an app with `traits: []` resolves nothing else.
#if os(Linux)
    let defaultTraits: Set<String> = ["Server"]
#else
    let defaultTraits: Set<String> = []
#endif

let server = TargetDependencyCondition.when(traits: ["Server"])

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "StateTape",
    platforms: [.iOS(.v16), .macOS(.v13)],
    products: [
        .library(name: "StateTape", targets: ["StateTape"]),
        .library(name: "StateTapeStore", targets: ["StateTapeStore"]),
        .library(name: "TapeFormat", targets: ["TapeFormat"]),
        .executable(name: "statetape", targets: ["StateTapeCommand"]),
        .executable(name: "todo-example", targets: ["TodoExample"]),
        .executable(name: "statetape-bench", targets: ["StateTapeBenchmarks"]),
        .plugin(name: "StateTapePlugin", targets: ["StateTapePlugin"]),
    ],
    traits: [
        .trait(name: "Server", description: "The server, its command line, the example app and the benchmarks"),
        .default(enabledTraits: defaultTraits),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        // Recorded by tests and benchmarks, linked by nothing else.
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        // `swift package generate-documentation`.
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
    ],
    targets: [
        // What an app links.
        .target(name: "TapeFormat", swiftSettings: settings),
        // In Apple’s SDKs, and what libwebsockets-dev brings on Debian. No pkgConfig: it would warn where only an SDK has it.
        .systemLibrary(name: "CZlib"),
        .target(
            name: "StateTape",
            dependencies: ["CZlib", "TapeFormat", .target(name: "TapeSockets", condition: .when(platforms: [.linux]))],
            swiftSettings: settings
        ),
        .target(name: "StateTapeStore", swiftSettings: settings),

        // What reads tapes, wherever they are kept.
        .systemLibrary(name: "CText"),
        .target(name: "TapeEngine", dependencies: ["CText", "CZlib", "TapeFormat"], swiftSettings: settings),

        // Sockets, the same for the server and for an app on Linux.
        .systemLibrary(
            name: "CLibwebsockets",
            pkgConfig: "libwebsockets",
            providers: [.apt(["libwebsockets-dev"]), .brew(["libwebsockets"])]
        ),
        .target(
            name: "CTapeSockets", dependencies: ["CLibwebsockets"],
            linkerSettings: [.linkedLibrary("ssl", .when(platforms: [.linux]))]),
        .target(name: "TapeSockets", dependencies: ["CTapeSockets"], swiftSettings: settings),

        // The server and the commands.
        .systemLibrary(
            name: "CCrypto",
            pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl"])]
        ),
        .systemLibrary(
            name: "CZstd",
            pkgConfig: "libzstd",
            providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]
        ),
        .systemLibrary(
            name: "CQRencode",
            pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]
        ),
        .systemLibrary(
            name: "CPCRE2",
            pkgConfig: "libpcre2-8",
            providers: [.apt(["libpcre2-dev"]), .brew(["pcre2"])]
        ),
        .target(
            name: "StateTapeServer",
            dependencies: [
                "CCrypto", "CPCRE2", "CQRencode", "CZlib", "CZstd", "TapeEngine", "TapeFormat", "TapeSockets",
                .product(name: "GRDB", package: "GRDB.swift", condition: server),
                .product(name: "Logging", package: "swift-log", condition: server),
                // Linked nowhere: it puts the plugin behind the trait, as only a target's product can be.
                .product(
                    name: "Swift-DocC", package: "swift-docc-plugin",
                    condition: .when(platforms: [.custom("none")], traits: ["Server"])),
            ],
            resources: [.embedInCode("HTTP/openapi.json")],
            swiftSettings: settings,
            plugins: ["EmbedPage"]
        ),
        // Build the files of `web` into the server.
        .plugin(name: "EmbedPage", capability: .buildTool(), dependencies: ["PagePacker"], path: "Sources/EmbedPage"),
        .executableTarget(name: "PagePacker"),
        .executableTarget(
            name: "StateTapeCommand",
            dependencies: [
                "CZlib", "StateTapeServer", "TapeEngine", "TapeFormat", "TodoExample",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: server),
                .product(name: "Logging", package: "swift-log", condition: server),
            ],
            swiftSettings: settings
        ),
        // `swift package statetape …` in a package that depends on this one.
        .plugin(
            name: "StateTapePlugin",
            capability: .command(
                intent: .custom(verb: "statetape", description: "Run the StateTape server and its commands."),
                permissions: [
                    .writeToPackageDirectory(reason: "It keeps sessions in statetape-data and writes exported files."),
                    .allowNetworkConnections(scope: .all(), reason: "It serves the page, and sends tapes to servers."),
                ]),
            dependencies: ["StateTapeCommand"],
            path: "Sources/StateTapePlugin"
        ),
        .executableTarget(
            name: "TodoExample",
            dependencies: [
                "StateTape", "StateTapeStore",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: server),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "StateTapeBenchmarks",
            dependencies: [
                "StateTape", "StateTapeStore", "StateTapeServer", "TapeEngine", "TapeFormat", "TapeSockets",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: server),
                .product(name: "GRDB", package: "GRDB.swift", condition: server),
                .product(name: "OrderedCollections", package: "swift-collections", condition: server),
            ],
            swiftSettings: settings
        ),

        .testTarget(
            name: "TapeFormatTests", dependencies: ["TapeFormat"], resources: [.copy("Golden")], swiftSettings: settings
        ),
        // Tapes that tests of several modules read.
        .target(
            name: "SampleTapes", dependencies: ["TapeFormat"], path: "Tests/SampleTapes", swiftSettings: settings),
        .testTarget(
            name: "TapeEngineTests", dependencies: ["SampleTapes", "StateTapeServer", "TapeEngine", "TapeFormat"],
            swiftSettings: settings),
        .testTarget(name: "TapeSocketsTests", dependencies: ["TapeSockets"], swiftSettings: settings),
        .testTarget(name: "StateTapeStoreTests", dependencies: ["StateTapeStore"], swiftSettings: settings),
        // States of every shape, recorded by tests, and by an executable in release builds.
        .target(name: "CShapes", path: "Tests/CShapes"),
        .target(
            name: "ResilientShapes", path: "Tests/ResilientShapes",
            swiftSettings: settings + [.unsafeFlags(["-enable-library-evolution"])]
        ),
        .target(
            name: "StateShapes", dependencies: ["CShapes", "ResilientShapes", "StateTape", "TapeFormat"],
            path: "Tests/StateShapes", swiftSettings: settings
        ),
        .executableTarget(
            name: "StateShapesCheck", dependencies: ["StateShapes"], path: "Tests/StateShapesCheck",
            swiftSettings: settings
        ),
        .testTarget(
            name: "StateTapeTests",
            dependencies: [
                "CShapes", "ResilientShapes", "StateShapes", "StateTape", "StateTapeStore", "TapeFormat",
                .target(name: "TapeSockets", condition: .when(platforms: [.linux])),
                .product(name: "Collections", package: "swift-collections", condition: server),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "StateTapeServerTests",
            dependencies: [
                "CZlib", "SampleTapes", "StateTapeServer", "StateTape", "StateTapeStore", "TapeEngine", "TapeFormat",
                "TapeSockets",
                .product(name: "GRDB", package: "GRDB.swift", condition: server),
                .product(name: "InMemoryLogging", package: "swift-log", condition: server),
                .product(name: "Logging", package: "swift-log", condition: server),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "TodoExampleTests", dependencies: ["TodoExample", "StateTapeStore"], swiftSettings: settings),
        .testTarget(
            name: "StateTapeCommandTests",
            dependencies: [
                "StateTapeCommand", "StateTapeServer", "TapeEngine", "TapeFormat",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: server),
            ],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)

// libFuzzer brings the `main` of this one: only `Tests/Fuzz/run` builds it.
if Context.environment["STATETAPE_FUZZERS"] != nil {
    package.targets.append(
        .executableTarget(
            name: "Fuzz", dependencies: ["StateTape", "StateTapeServer", "TapeFormat", "TapeSockets"],
            path: "Tests/Fuzz", exclude: ["Corpus", "run", "seeds.py", "tokens.dict"],
            swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])]
        ))
}
