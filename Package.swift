// swift-tools-version: 6.1
import PackageDescription

// libFuzzer brings a `main` of its own, so that no other executable can be built with it, such as the page's packer.
let isFuzzing = Context.environment["STATETAPE_FUZZERS"] != nil

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
        .library(name: "StateTapeTesting", targets: ["StateTapeTesting"]),
        .library(name: "TapeFormat", targets: ["TapeFormat"]),
        .executable(name: "statetape", targets: ["StateTapeCommand"]),
        .executable(name: "todo-example", targets: ["TodoExampleApp"]),
        .executable(name: "ways-example", targets: ["WaysExample"]),
        .executable(name: "shop-example", targets: ["ShopExample"]),
        .executable(name: "statetape-bench", targets: ["StateTapeBenchmarks"]),
        .plugin(name: "StateTapePlugin", targets: ["StateTapePlugin"]),
    ],
    traits: [
        // All external dependencies need it: an app with `traits: []` resolves no other package.
        .trait(name: "Server", description: "The server, its command line, the example apps and the benchmarks"),
        .default(enabledTraits: ["Server"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        // Only tests and benchmarks link this package.
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        // Adds `swift package generate-documentation`.
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
    ],
    targets: [
        // The libraries for apps.
        .target(name: "TapeFormat", swiftSettings: settings),
        // What a store tells a recorder of a dispatch, so that neither depends on the other.
        .target(name: "DispatchContext", dependencies: ["CCallStack"], swiftSettings: settings),
        // Walks a thread's stack, which Swift can't.
        .target(name: "CCallStack"),
        // In Apple’s SDKs; on Debian libwebsockets-dev installs it. pkgConfig would warn if only an SDK has it.
        .systemLibrary(name: "CZlib"),
        // The only importer of zlib.
        .target(name: "Zlib", dependencies: ["CZlib"], swiftSettings: settings),
        // Two values in, a patch out; a value in, JSON out.
        .target(name: "StateCapture", dependencies: ["DispatchContext", "TapeFormat"], swiftSettings: settings),
        // Numbered lines in, an acknowledging server out.
        .target(
            name: "TapeUplink",
            dependencies: [
                "DispatchContext", "TapeFormat", "Zlib",
                .target(name: "TapeSockets", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "StateTape",
            dependencies: ["CCallStack", "DispatchContext", "StateCapture", "TapeFormat", "TapeUplink"],
            swiftSettings: settings),
        .target(name: "StateTapeStore", dependencies: ["DispatchContext"], swiftSettings: settings),

        // Reads tapes from files and from the archive.
        .systemLibrary(name: "CText"),
        .systemLibrary(name: "CLinux"),
        .target(name: "TapeEngine", dependencies: ["CText", "TapeFormat", "Zlib"], swiftSettings: settings),
        // Tests from tapes, for an app's test targets.
        .target(
            name: "StateTapeTesting",
            dependencies: [
                "StateCapture", "StateTape", "TapeEngine", "TapeFormat", "TapeUplink",
                .target(name: "TapeSockets", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: settings),

        // Sockets for the server, and for apps on Linux.
        .systemLibrary(
            name: "CLibwebsockets",
            pkgConfig: "libwebsockets",
            providers: [.apt(["libwebsockets-dev"]), .brew(["libwebsockets"])]
        ),
        .target(
            name: "CTapeSockets", dependencies: ["CLibwebsockets"],
            linkerSettings: [.linkedLibrary("ssl", .when(platforms: [.linux]))]),
        .target(name: "TapeSockets", dependencies: ["CTapeSockets", "TapeFormat"], swiftSettings: settings),

        // What is kept, and how: the archive in a file, and in a database.
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
        .target(
            name: "TapeArchive",
            dependencies: [
                "CCrypto", "CLinux", "CZstd", "TapeEngine", "TapeFormat", "Zlib",
                .product(name: "GRDB", package: "GRDB.swift", condition: server),
                .product(name: "GRDBSQLite", package: "GRDB.swift", condition: server),
                .product(name: "Logging", package: "swift-log", condition: server),
            ],
            swiftSettings: settings),
        .systemLibrary(
            name: "CPostgres",
            pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
        ),
        .target(
            name: "TapeArchivePostgres",
            dependencies: [
                "CLinux", "CPostgres", "TapeArchive", "TapeEngine", "TapeFormat",
                .product(name: "Logging", package: "swift-log", condition: server),
            ],
            swiftSettings: settings),

        // The server and the commands.
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
                "CLinux", "CPCRE2", "CQRencode", "TapeArchive", "TapeArchivePostgres", "TapeEngine", "TapeFormat",
                "TapeSockets", "Zlib",
                .product(name: "Logging", package: "swift-log", condition: server),
                // Never linked. Only a target's product can depend on a trait, and the plugin should need the trait.
                .product(
                    name: "Swift-DocC", package: "swift-docc-plugin",
                    condition: .when(platforms: [.custom("none")], traits: ["Server"])),
            ],
            resources: [.embedInCode("HTTP/openapi.json")],
            swiftSettings: settings + (isFuzzing ? [.define("WITHOUT_PAGE")] : []),
            plugins: isFuzzing ? [] : ["EmbedPage"]
        ),
        // Embeds the files of `web` in the server.
        .plugin(name: "EmbedPage", capability: .buildTool(), dependencies: ["PagePacker"], path: "Sources/EmbedPage"),
        .executableTarget(name: "PagePacker"),
        .executableTarget(
            name: "StateTapeCommand",
            dependencies: [
                "CLinux", "StateTape", "StateTapeServer", "TapeArchive", "TapeEngine", "TapeFormat", "TapeSockets",
                "TapeUplink", "TodoExample", "Zlib",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: server),
                .product(name: "Logging", package: "swift-log", condition: server),
            ],
            resources: [.embedInCode("CI/failures.html")],
            swiftSettings: settings
        ),
        // Adds `swift package statetape …` to packages that depend on this one.
        .plugin(
            name: "StateTapePlugin",
            capability: .command(
                intent: .custom(verb: "statetape", description: "Run the StateTape server and its commands."),
                permissions: [
                    .writeToPackageDirectory(reason: "It writes sessions to statetape-data, and exported files."),
                    .allowNetworkConnections(scope: .all(), reason: "It serves the page, and talks to servers."),
                ]),
            dependencies: ["StateTapeCommand"],
            path: "Sources/StateTapePlugin"
        ),
        // A library, so that `statetape demo` needs no second executable.
        .target(
            name: "TodoExample",
            dependencies: [
                "StateTape", "StateTapeStore", "TapeUplink",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: server),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "TodoExampleApp",
            dependencies: [
                "TodoExample", .product(name: "ArgumentParser", package: "swift-argument-parser", condition: server),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "WaysExample",
            dependencies: [
                "StateTape", "StateTapeStore",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: server),
            ],
            swiftSettings: settings
        ),
        // A shop with a bug; `Tests/run --site` shows a visit to it.
        .executableTarget(
            name: "ShopExample",
            dependencies: [
                "StateTape", "StateTapeStore",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: server),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "StateTapeBenchmarks",
            dependencies: [
                "CPostgres", "DispatchContext", "StateCapture", "StateTape", "StateTapeServer", "StateTapeStore",
                "StateTapeTesting", "TapeArchive", "TapeEngine", "TapeFormat", "TapeSockets",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: server),
                .product(name: "GRDB", package: "GRDB.swift", condition: server),
                .product(name: "OrderedCollections", package: "swift-collections", condition: server),
            ],
            swiftSettings: settings
        ),

        .testTarget(
            name: "TapeFormatTests", dependencies: ["TapeFormat", "SampleTapes"], resources: [.copy("Golden")],
            swiftSettings: settings),
        // Tapes for the tests of several modules.
        .target(
            name: "SampleTapes", dependencies: ["TapeFormat"], path: "Tests/SampleTapes", swiftSettings: settings),
        .testTarget(
            name: "TapeEngineTests",
            dependencies: ["SampleTapes", "StateTapeServer", "TapeArchive", "TapeEngine", "TapeFormat"],
            swiftSettings: settings),
        .testTarget(name: "TapeSocketsTests", dependencies: ["TapeFormat", "TapeSockets"], swiftSettings: settings),
        .testTarget(
            name: "StateTapeStoreTests", dependencies: ["DispatchContext", "StateTapeStore"], swiftSettings: settings),
        // State types of many shapes, for the tests and for an executable that checks release builds.
        .target(name: "CShapes", path: "Tests/CShapes"),
        .target(
            name: "ResilientShapes", path: "Tests/ResilientShapes",
            swiftSettings: settings + [.unsafeFlags(["-enable-library-evolution"])]
        ),
        .target(
            name: "StateShapes",
            dependencies: ["CShapes", "ResilientShapes", "StateCapture", "StateTape", "TapeFormat"],
            path: "Tests/StateShapes", swiftSettings: settings
        ),
        .executableTarget(
            name: "StateShapesCheck", dependencies: ["StateShapes"], path: "Tests/StateShapesCheck",
            swiftSettings: settings
        ),
        .testTarget(
            name: "StateTapeTests",
            dependencies: [
                "CShapes", "DispatchContext", "ResilientShapes", "StateCapture", "StateShapes", "StateTape",
                "StateTapeStore", "TapeFormat", "TapeUplink",
                .target(name: "TapeSockets", condition: .when(platforms: [.linux])),
                .product(name: "Collections", package: "swift-collections", condition: server),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "StateTapeServerTests",
            dependencies: [
                "CZlib", "SampleTapes", "StateTape", "StateTapeServer", "StateTapeStore", "TapeArchive",
                "TapeArchivePostgres", "TapeEngine", "TapeFormat", "TapeSockets", "TapeUplink",
                .product(name: "GRDB", package: "GRDB.swift", condition: server),
                .product(name: "InMemoryLogging", package: "swift-log", condition: server),
                .product(name: "Logging", package: "swift-log", condition: server),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "StateTapeTestingTests", dependencies: ["StateTape", "StateTapeTesting", "TapeEngine", "TapeFormat"],
            swiftSettings: settings),
        .testTarget(
            name: "TodoExampleTests",
            dependencies: ["StateTape", "StateTapeStore", "StateTapeTesting", "TapeUplink", "TodoExample"],
            // A replay finds its tape beside its own source.
            exclude: ["Tapes"], swiftSettings: settings),
        .testTarget(
            name: "WaysExampleTests",
            dependencies: [
                "StateTape", "StateTapeServer", "StateTapeStore", "StateTapeTesting", "TapeArchive", "TapeFormat",
                "WaysExample",
                .product(name: "Logging", package: "swift-log", condition: server),
            ],
            // A replay finds its tape beside its own source.
            exclude: ["Tapes"], swiftSettings: settings),
        .testTarget(
            name: "ShopExampleTests",
            dependencies: ["ShopExample", "StateTape", "StateTapeStore", "StateTapeTesting", "TapeFormat"],
            // A replay finds its tape beside its own source.
            exclude: ["Tapes"], swiftSettings: settings),
        .testTarget(
            name: "StateTapeCommandTests",
            dependencies: [
                "StateTapeCommand", "StateTapeServer", "TapeArchive", "TapeArchivePostgres", "TapeEngine", "TapeFormat",
                "TapeUplink",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: server),
                .product(name: "Logging", package: "swift-log", condition: server),
            ],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)

// The compiler that can isolate a whole module to the main actor is newer than the tools version.
#if compiler(>=6.2)
    package.targets.append(
        .testTarget(
            name: "MainActorStoreTests", dependencies: ["StateTapeStore"],
            swiftSettings: settings + [.unsafeFlags(["-default-isolation", "MainActor"])]
        ))
#endif

// The server's tests and the benchmarks use Linux's own calls.
#if !os(Linux)
    let linuxOnly = [
        "StateTapeBenchmarks", "StateTapeCommandTests", "StateTapeServerTests", "TapeEngineTests", "TapeSocketsTests",
        "WaysExampleTests",
    ]
    package.targets.removeAll { linuxOnly.contains($0.name) }
    package.products.removeAll { $0.name == "statetape-bench" }
#endif

// libFuzzer provides `main`; only `Tests/Fuzz/run` builds this target.
if isFuzzing {
    package.targets.append(
        .executableTarget(
            name: "Fuzz",
            dependencies: ["StateTape", "StateTapeServer", "TapeEngine", "TapeFormat", "TapeSockets", "TapeUplink"],
            path: "Tests/Fuzz", exclude: ["Corpus", "run", "seeds.py", "tokens.dict"],
            swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])]
        ))
}
