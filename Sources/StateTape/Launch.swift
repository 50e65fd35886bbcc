package import Foundation

/// What a process was started with, as far as the recorder looks at it.
package struct Launch: Sendable {
    package var environment: [String: String]
    package var arguments: [String]
    /// Built with optimisation for people, not for developers.
    package var isRelease: Bool
    /// Where the per-install device id is kept; nil keeps none.
    package var folder: URL?
    /// Where events are kept until the server has them; nil keeps them in memory only.
    package var spool: URL?
    /// Whether what is sent is compressed; nil where the address says it.
    package var compresses: Bool?
    /// How long the stores wait for what the server says of where they are to begin, in seconds.
    package var startLimit: TimeInterval = 0.3
    /// Whether each array is compared with elements of the recorder's own, however short it is and seldom it changes.
    package var ownsArrays = false

    package init(
        environment: [String: String], arguments: [String] = [], isRelease: Bool = false, folder: URL? = nil,
        spool: URL? = nil
    ) {
        self.environment = environment
        self.arguments = arguments
        self.isRelease = isRelease
        self.folder = folder
        self.spool = spool
    }

    package static var current: Launch {
        #if DEBUG
            let isRelease = false
        #else
            let isRelease = true
        #endif
        let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        let environment = ProcessInfo.processInfo.environment
        return Launch(
            environment: environment, arguments: CommandLine.arguments, isRelease: isRelease,
            folder: support?.appendingPathComponent("statetape", isDirectory: true),
            spool: spool(environment, app: app))
    }

    /// A folder of the app's own, which nothing else is kept in: below the one that `STATETAPE_SPOOL` names, or in the
    /// caches, which some platforms share between apps.
    static func spool(_ environment: [String: String], app: String) -> URL? {
        let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
        let named = environment["STATETAPE_SPOOL"].flatMap { $0.isEmpty ? nil : URL(fileURLWithPath: $0) }
        return (named?.appendingPathComponent("statetape") ?? caches?.appendingPathComponent("statetape/spool"))?
            .appendingPathComponent(app, isDirectory: true)
    }

    /// A name for this app's own files: one part of a path, whatever the process calls itself.
    private static var app: String {
        let program = CommandLine.arguments.first.map { ($0 as NSString).lastPathComponent }
        return fileName(Bundle.main.bundleIdentifier ?? program ?? ProcessInfo.processInfo.processName)
    }

    static func fileName(_ text: String) -> String {
        let name = String(text.map { $0 == "/" || $0 == "\0" ? "_" : $0 })
        return name.isEmpty || name.hasPrefix(".") ? "_" + name : name
    }

    /// Where this app's ``ServerLink`` is saved. Some platforms share the folder between apps, and who said yes for one has
    /// not said it for another.
    var link: URL? { folder?.appendingPathComponent("links", isDirectory: true).appendingPathComponent(Self.app) }

    /// SwiftUI runs the app's code to draw a preview.
    var isPreview: Bool { environment["XCODE_RUNNING_FOR_PREVIEWS"] == "1" }

    /// The process runs unit tests.
    var isTestHost: Bool {
        let variables = ["XCTestConfigurationFilePath", "XCTestBundlePath", "XCTestSessionIdentifier"]
        if variables.contains(where: { environment[$0] != nil }) { return true }
        let program = arguments.first ?? ""
        return program.hasSuffix(".xctest") || program.hasSuffix("/xctest")
            || program.hasSuffix("swiftpm-testing-helper")
    }

    /// What follows `-name` on the command line.
    func argument(_ name: String) -> String? {
        guard let index = arguments.firstIndex(of: "-" + name), index + 1 < arguments.count else { return nil }
        return arguments[index + 1]
    }

    /// `k=v,k=v` of `STATETAPE_LABELS`.
    var labels: [(String, String)] {
        (environment["STATETAPE_LABELS"] ?? "").split(separator: ",").compactMap { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else { return nil }
            return (String(parts[0]), String(parts[1]))
        }
    }
}
