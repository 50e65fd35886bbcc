// swift-tools-version: 6.2
import PackageDescription

// An app whose state changes from one build to the next.
let package = Package(
    name: "Edits",
    platforms: [.iOS(.v16), .macOS(.v13)],
    dependencies: [.package(name: "StateTape", path: "../../..", traits: [])],
    targets: [
        .executableTarget(name: "Edits", dependencies: [.product(name: "StateTape", package: "StateTape")])
    ],
    swiftLanguageModes: [.v6]
)
