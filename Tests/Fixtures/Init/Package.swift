// swift-tools-version: 6.1
import PackageDescription

// What `statetape init` connects, before it does. ReSwift and Puredux are stand-ins with the shapes of the libraries.
let package = Package(
    name: "Init",
    platforms: [.iOS(.v17), .macOS(.v14)],
    targets: [
        .target(name: "ReSwift"),
        .target(name: "Puredux"),
        .executableTarget(name: "Main", dependencies: [.product(name: "StateTapeStore", package: "StateTape")]),
        .target(
            name: "Property",
            dependencies: [
                .product(name: "StateTapeStore", package: "StateTape")
            ]
        ),
        .target(name: "Model"),
        .target(name: "Split"),
        .target(name: "Assigned"),
        .target(name: "Actor"),
        .target(name: "Await"),
        .target(name: "Conforming"),
        .target(name: "Copied"),
        .target(name: "Waiting"),
        .target(name: "Strict"),
        .target(name: "Reduced", dependencies: ["ReSwift"]),
        .target(name: "Flow", dependencies: ["Puredux"]),
    ],
    swiftLanguageModes: [.v6]
)
