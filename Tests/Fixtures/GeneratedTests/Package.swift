// swift-tools-version: 6.1
import PackageDescription

// An app, an executable, whose tests are generated from its tapes; see test_generated.py.
let package = Package(
    name: "GeneratedTests",
    platforms: [.iOS(.v16), .macOS(.v13)],
    dependencies: [.package(name: "StateTape", path: "../../..", traits: [])],
    targets: [
        .executableTarget(
            name: "Shop",
            dependencies: [
                .product(name: "StateTape", package: "StateTape"),
                .product(name: "StateTapeStore", package: "StateTape"),
            ],
            swiftSettings: [.unsafeFlags(["-warnings-as-errors"])]),
        .testTarget(
            name: "ShopTests",
            dependencies: ["Shop", .product(name: "StateTapeTesting", package: "StateTape")],
            swiftSettings: [.unsafeFlags(["-warnings-as-errors"])]),
    ]
)
