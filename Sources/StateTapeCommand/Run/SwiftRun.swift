import Foundation
import TapeFormat

/// A `swift run` command, taken apart: what to build, and which product to start.
struct SwiftRun: Equatable {
    /// The options that `swift build` takes, too.
    private(set) var options: [String] = []
    private(set) var product: String?
    /// Of the product.
    private(set) var arguments: [String] = []
    /// The value of `--package-path`.
    private(set) var packagePath: String?

    /// The options that have a value of their own.
    private static let valued: Set = [
        "-c", "--configuration", "--package-path", "--scratch-path", "--build-path", "--cache-path",
        "--config-path", "--security-path", "--swift-sdks-path", "--swift-sdk", "--sdk", "--toolchain", "--triple",
        "--arch", "--traits", "-j", "--jobs", "-Xcc", "-Xswiftc", "-Xlinker", "-Xcxx", "--sanitize",
        "--build-system", "--netrc-file", "--default-registry-url", "--resolver-fingerprint-checking",
        "--resolver-signing-entity-checking", "--manifest-cache", "--explicit-target-dependency-import-check",
        "--pkg-config-path", "--toolset", "--multiroot-data-file", "-Xbuild-tools-swiftc", "-debug-info-format",
        "--experimental-lto-mode",
    ]
    /// The options of `swift run` alone.
    private static let skipped: Set = ["--skip-build", "--build-tests"]

    /// - Returns: Nil if it is another command.
    /// - Throws: `Failure` for an option with which `swift run` starts no app.
    init?(_ command: [String]) throws {
        guard command.count >= 2, (command[0] as NSString).lastPathComponent == "swift", command[1] == "run"
        else { return nil }
        var rest = command.dropFirst(2)
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-") else {
                product = argument
                arguments = Array(rest)
                return
            }
            if argument == "--" { continue }
            guard argument != "--repl", argument != "--debugger" else {
                throw Failure("`statetape run` can't run `swift run \(argument.shellWord)`.")
            }
            if Self.skipped.contains(argument) { continue }
            options.append(argument)
            if argument.hasPrefix("--package-path=") { packagePath = String(argument.dropFirst(15)) }
            if Self.valued.contains(argument), let value = rest.popFirst() {
                options.append(value)
                if argument == "--package-path" { packagePath = value }
            }
        }
    }

    var build: [String] { ["swift", "build"] + options + (product.map { ["--product", $0] } ?? []) }

    /// The package's folder: that of the option, or the nearest one around the working folder with a manifest.
    var folder: URL {
        let here = URL(named: packagePath ?? ".", isDirectory: true).standardizedFileURL
        if packagePath != nil { return here }
        var folder = here
        while folder.path != "/" {
            if FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path) {
                return folder
            }
            folder = folder.deletingLastPathComponent()
        }
        return here
    }

    /// The command that starts the product that was built: not `swift run --skip-build`, which takes half a second.
    ///
    /// - Throws: `Failure` if the package has none or several, and the command names none.
    func start(_ environment: [String: String]) async throws -> [String] {
        let product = try await executable(environment)
        guard
            let output = await ChildProcess.output(
                of: ["swift", "build"] + options + ["--show-bin-path"], environment),
            // Warnings come first.
            let folder = output.split(separator: "\n").last
        else { throw Failure("`swift build --show-bin-path` failed.") }
        return [folder + "/" + product] + arguments
    }

    private func executable(_ environment: [String: String]) async throws -> String {
        if let product { return product }
        let path = packagePath.map { ["--package-path", $0] } ?? []
        let text = await ChildProcess.output(
            of: ["swift", "package"] + path + ["describe", "--type", "json"], environment)
        let products = text.flatMap(Self.executables) ?? []
        guard products.count == 1 else {
            throw Failure(
                products.isEmpty
                    ? "The package has no executable product."
                    : "The package has several executables: \(products.joined(separator: ", ")). Name one of them"
                        + " after `swift run`.")
        }
        return products[0]
    }

    /// The executable products in a package's description.
    static func executables(_ text: String) -> [String]? {
        struct Description: Decodable {
            struct Product: Decodable {
                let name: String
                let type: [String: [String]?]
            }
            let products: [Product]
        }
        guard let start = text.firstIndex(of: "{") else { return nil }
        let description = try? JSONDecoder().decode(Description.self, from: Data(text[start...].utf8))
        return description?.products.filter { $0.type.keys.contains("executable") }.map(\.name)
    }
}
