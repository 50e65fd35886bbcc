// swift-tools-version: 6.1
import PackageDescription

// An app that links the recorder and nothing else: it must resolve no package but this repository's.
let package = Package(
    name: "NoTraits",
    platforms: [.iOS(.v16), .macOS(.v13)],
    dependencies: [.package(name: "StateTape", path: "../../..", traits: [])],
    targets: [
        .executableTarget(name: "NoTraits", dependencies: [.product(name: "StateTape", package: "StateTape")])
    ]
)
