// swift-tools-version: 6.1
import PackageDescription

// Tests of an app, each recorded to a tape: they must resolve no package but this repository's.
let package = Package(
    name: "TapedTests",
    platforms: [.iOS(.v16), .macOS(.v13)],
    dependencies: [.package(name: "StateTape", path: "../../..", traits: [])],
    targets: [
        .testTarget(
            name: "CartTests",
            dependencies: [
                .product(name: "StateTape", package: "StateTape"),
                .product(name: "StateTapeStore", package: "StateTape"),
                .product(name: "StateTapeTesting", package: "StateTape"),
            ])
    ]
)
