import Foundation

/// The command of a run: what builds it, and what starts the app.
enum RunCommand: Sendable {
    case swift(SwiftRun, [String])
    case other(build: String, start: [String])

    /// - Parameter build: A shell's command; nil for `swift run`.
    /// - Throws: `Failure` if it isn't known how to build the command.
    init(_ command: [String], build: String?) throws {
        if let build {
            self = .other(build: build, start: command)
        } else if let swift = try SwiftRun(command) {
            self = .swift(swift, command)
        } else {
            throw Failure(
                "“\(command.joined(separator: " "))” isn't `swift run`. Pass the command that builds it"
                    + " with --build.")
        }
    }

    var text: String {
        switch self {
        case .swift(_, let command), .other(_, let command): command.joined(separator: " ")
        }
    }

    var build: [String] {
        switch self {
        case .swift(let swift, _): swift.build
        case .other(let build, _): ["/bin/sh", "-c", build]
        }
    }

    /// The folder of the sources, absolute and without links, as compilers print it.
    var folder: String {
        switch self {
        case .swift(let swift, _): swift.folder.resolvingSymlinksInPath().path
        case .other: URL(fileURLWithPath: ".", isDirectory: true).resolvingSymlinksInPath().path
        }
    }

    /// What starts the app after the build.
    func start(_ environment: [String: String]) async throws -> [String] {
        switch self {
        case .swift(let swift, _): try await swift.start(environment)
        case .other(_, let start): start
        }
    }
}
