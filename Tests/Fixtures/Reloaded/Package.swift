// swift-tools-version: 6.1
import PackageDescription

// An app for `statetape run`. The tests work on a copy of it.
let package = Package(
    name: "Reloaded",
    platforms: [.iOS(.v18), .macOS(.v15)],
    dependencies: [.package(name: "StateTape", path: "../../..", traits: [])],
    targets: [
        .executableTarget(name: "Reloaded", dependencies: [.product(name: "StateTape", package: "StateTape")])
    ]
)
