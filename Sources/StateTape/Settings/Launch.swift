package import Foundation

/// The parts of a process's environment that the recorder reads at launch.
package struct Launch: Sendable {
    package var environment: [String: String]
    package var arguments: [String]
    /// Whether the build is optimised, for users rather than developers.
    package var isRelease: Bool
    /// The folder for the per-install device id; nil keeps none.
    package var folder: URL?
    /// The folder for events that the server does not have yet; nil keeps them in memory only.
    package var spool: URL?
    /// Whether to compress messages; nil if the address decides.
    package var compresses: Bool?
    /// Whether every array is compared with the recorder's own copies of its elements, even if it is short or rarely
    /// changes.
    package var ownsArrays = false
    /// Labels beside those of `STATETAPE_LABELS`.
    package var testLabels: [(String, String)] = []

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

    /// This process as if its executable had that name.
    package static func of(_ program: String) -> Launch {
        var launch = current
        launch.arguments = [program] + launch.arguments.dropFirst()
        launch.spool = spool(launch.environment, app: program)
        return launch
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

    /// A folder for this app's spool alone: in the folder that `STATETAPE_SPOOL` names, or in the caches folder, which
    /// some platforms share between apps.
    static func spool(_ environment: [String: String], app: String) -> URL? {
        let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
        let named = environment["STATETAPE_SPOOL"].flatMap { $0.isEmpty ? nil : URL(fileURLWithPath: $0) }
        return (named?.appendingPathComponent("statetape") ?? caches?.appendingPathComponent("statetape/spool"))?
            .appendingPathComponent(app, isDirectory: true)
    }

    /// A file name for this app, always a single path component.
    private static var app: String {
        let program = CommandLine.arguments.first.map { ($0 as NSString).lastPathComponent }
        return fileName(Bundle.main.bundleIdentifier ?? program ?? ProcessInfo.processInfo.processName)
    }

    static func fileName(_ text: String) -> String {
        let name = String(text.map { $0 == "/" || $0 == "\0" ? "_" : $0 })
        return name.isEmpty || name.hasPrefix(".") ? "_" + name : name
    }

    /// The file of this app's ``ServerLink``. Some platforms share the folder between apps, and a user who accepts the
    /// link for one app has not accepted it for another.
    var link: URL? { folder?.appendingPathComponent("links", isDirectory: true).appendingPathComponent(Self.app) }

    /// SwiftUI runs the app's code to draw a preview.
    var isPreview: Bool { environment["XCODE_RUNNING_FOR_PREVIEWS"] == "1" }

    /// Whether the process runs unit tests.
    var isTestHost: Bool {
        let variables = ["XCTestConfigurationFilePath", "XCTestBundlePath", "XCTestSessionIdentifier"]
        if variables.contains(where: { environment[$0] != nil }) { return true }
        let program = arguments.first ?? ""
        return program.hasSuffix(".xctest") || program.hasSuffix("/xctest")
            || program.hasSuffix("swiftpm-testing-helper")
    }

    /// The pairs in `STATETAPE_LABELS`, as `k=v,k=v`, and the test's.
    var labels: [(String, String)] {
        testLabels
            + (environment["STATETAPE_LABELS"] ?? "").split(separator: ",").compactMap { pair in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2, !parts[0].isEmpty else { return nil }
                return (String(parts[0]), String(parts[1]))
            }
    }
}
