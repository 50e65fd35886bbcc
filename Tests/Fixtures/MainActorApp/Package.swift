// swift-tools-version: 6.2
import PackageDescription

// An app whose every type belongs to the main actor, conformances to Codable included.
let package = Package(
    name: "MainActorApp",
    platforms: [.iOS(.v16), .macOS(.v13)],
    dependencies: [.package(name: "StateTape", path: "../../..", traits: [])],
    targets: [
        .executableTarget(
            name: "MainActorApp",
            dependencies: [
                .product(name: "StateTape", package: "StateTape"),
                .product(name: "StateTapeStore", package: "StateTape"),
            ],
            swiftSettings: [.defaultIsolation(MainActor.self)]
        )
    ],
    swiftLanguageModes: [.v6]
)
