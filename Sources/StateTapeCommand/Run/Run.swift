import ArgumentParser
import Foundation
import StateTapeServer

struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run an app, and reload it at the same state when you save a source file.",
        discussion: """
            Starts a private server on this machine unless --server or STATETAPE_URL names one, and prints the page's \
            URL. After each change it builds while the app keeps running. If the build succeeds, it ends the app and \
            starts it again in the same state; if not, this terminal and the page show the errors. Ctrl-C ends \
            everything.

            A launch state that was set for the app, on the page or with `statetape start-state`, takes precedence: each \
            reload starts there.

            Examples: statetape run -- swift run App
                      statetape run --build make --watch src -- ./app
            """
    )

    enum Start: String, EnumerableFlag {
        case latest, replay

        static func help(for value: Start) -> ArgumentHelp? {
            switch value {
            case .latest: "Start the new app in the state of the old one."
            case .replay: "Replay the old app's actions through the new reducers."
            }
        }
    }

    @Flag(help: "How the new app gets its state.")
    var start = Start.latest

    @Option(
        help: ArgumentHelp(
            "A server's URL, as `statetape serve` prints it (default: STATETAPE_URL, then a private server).",
            valueName: "url"))
    var server: String?

    @Option(
        help: ArgumentHelp(
            "The server's token, with control (default: the token in the server's URL, then STATETAPE_TOKEN).",
            valueName: "token"))
    var token: String?

    @Option(
        help: ArgumentHelp(
            "Start a private server with this folder for sessions (default: a temporary one, removed at the end).",
            valueName: "folder"))
    var data: String?

    @Option(
        help: ArgumentHelp(
            "The shell command that builds the app (default: as `swift run` does).", valueName: "command")
    )
    var build: String?

    @Option(
        help: ArgumentHelp(
            "Watch all files of this folder; may be repeated (default: the package's sources and manifest).",
            valueName: "folder"))
    var watch: [String] = []

    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp("The command that runs the app, after “--”.", valueName: "command"))
    var command: [String] = []

    func validate() throws {
        guard let name = command.first, !name.isEmpty else {
            throw ValidationError("Pass the app's command after “--”, such as: statetape run -- swift run App")
        }
        do {
            _ = try RunCommand(command, build: build)
            // Without --build it is a `swift run`.
            let folder = try build == nil ? SwiftRun(command)?.folder : nil
            let manifest = folder?.appendingPathComponent("Package.swift").path
            if let folder, let manifest, !FileManager.default.fileExists(atPath: manifest) {
                throw Failure(
                    "There is no Package.swift in \(folder.path): change to the folder of the package, or pass its path,"
                        + " as in `swift run --package-path FOLDER`.")
            }
        } catch {
            throw ValidationError("\(error)")
        }
        for folder in watch {
            var isFolder = ObjCBool(false)
            guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
                throw ValidationError("The folder of --watch, \(folder), doesn't exist.")
            }
            guard !KernelFiles.contain(folder) else {
                throw ValidationError(
                    "The folder of --watch, \(folder), can't be watched: the kernel makes its files. Name a folder of"
                        + " sources.")
            }
        }
        guard server == nil || data == nil else {
            throw ValidationError("--data is the private server's folder: pass it without --server.")
        }
        guard token == nil || address != nil else {
            throw ValidationError("A private server needs no token: pass --token with --server.")
        }
        if let address { _ = try ServerClient.parse(["--server", address]).base }
    }

    private static func variable(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A folder that is named wins over the environment.
    private var address: String? { server ?? (data == nil ? Self.variable("STATETAPE_URL") : nil) }

    func run() async throws {
        let interruption = Interruption()
        let inherited = InheritedDescriptors()
        let command = try RunCommand(command, build: build)
        let server = try address.map { try RunServer($0, token: token) } ?? RunServer(data: data)
        defer { server.stop() }
        let folders =
            watch.isEmpty
            ? [SourceFolder(url: URL(named: command.folder, isDirectory: true), isWhole: false)]
            : watch.map {
                SourceFolder(
                    url: URL(named: $0, isDirectory: true).resolvingSymlinksInPath(), isWhole: true)
            }
        var reloader = try Reloader(command, folders: folders, server, replay: start == .replay, inherited)
        Output.line("statetape listening on \(server.page)")
        await reloader.run(interruption)
    }
}
