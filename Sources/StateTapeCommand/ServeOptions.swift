import ArgumentParser
import Foundation
import StateTapeServer
import TapeArchive

/// The options of the commands that start a server.
struct ServeOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The address to listen on; port 0 picks a free port.", valueName: "host:port"))
    var listen = ListenAddress(host: "127.0.0.1", port: 8080)

    @Option(help: ArgumentHelp("The folder for recorded sessions; created if missing.", valueName: "folder"))
    var data = "./statetape-data"

    @Option(
        help: ArgumentHelp(
            "Serve the page from this folder, to work on the page itself (default: the built-in page).",
            valueName: "folder"))
    var web: String?

    @Option(
        help: ArgumentHelp(
            "Accept this token with a role; may be repeated. Role app: record and upload; view: read only; control:"
                + " everything. The token in STATETAPE_TOKEN has the role control. If a control token is needed and"
                + " none is given, the server makes one at the first start.",
            valueName: "role=value"), transform: RoleToken.init(parsing:))
    var token: [RoleToken] = []

    @Option(
        help: ArgumentHelp(
            "Accept requests to this host name, too; may be repeated.", valueName: "name"))
    var allowHost: [String] = []

    @Option(help: ArgumentHelp("The TLS certificate chain, as PEM.", valueName: "file"))
    var tlsCert: String?

    @Option(help: ArgumentHelp("The private key of the TLS certificate, as PEM.", valueName: "file"))
    var tlsKey: String?

    @Option(
        help: "When to acknowledge events: once they are on the disk (full), or once the system has them (normal).")
    var sync = Sync.full

    @OptionGroup var database: DatabaseOption

    @OptionGroup var retention: RetentionOptions

    @OptionGroup var limits: LimitOptions

    func validate() throws {
        guard (tlsCert == nil) == (tlsKey == nil) else {
            throw ValidationError("TLS needs both --tls-cert and --tls-key.")
        }
        guard web.map({ FileManager.default.fileExists(atPath: $0 + "/index.html") }) ?? true else {
            throw ValidationError("The folder of --web, \(web ?? ""), has no index.html.")
        }
    }

    /// Starts a server that logs to standard error.
    ///
    /// - Parameter isPrivate: Whether the server is for this command's own app.
    func start(isPrivate: Bool = false) throws -> Server {
        Descriptors.raise()
        var configuration = Configuration(data: URL(named: data, isDirectory: true))
        configuration.database = try database.address()
        configuration.host = listen.host
        configuration.port = listen.port
        if let web { configuration.page = Page(URL(named: web, isDirectory: true)) }
        configuration.tokens = token.map(\.token)
        if let token = ProcessInfo.processInfo.environment["STATETAPE_TOKEN"], !token.isEmpty {
            configuration.tokens.append(.init(.control, token))
        }
        configuration.allowedHosts = allowHost
        configuration.tlsCertificate = tlsCert.map { URL(named: $0, isDirectory: false) }
        configuration.tlsKey = tlsKey.map { URL(named: $0, isDirectory: false) }
        configuration.sync = sync
        configuration.isPrivate = isPrivate
        configuration.limits = limits.limits
        configuration.retention = Retention(keepDays: retention.keepDays, maxSize: retention.maxSize?.bytes)
        let logger = ServerLog.logger()
        return try Server(configuration, logger: logger)
    }
}

extension Sync: ExpressibleByArgument {}

/// `app=…`, `view=…` or `control=…`.
struct RoleToken {
    let token: Configuration.Token

    init(parsing argument: String) throws {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let role = Role(rawValue: String(parts[0])) else {
            throw ValidationError("The value of --token is ROLE=VALUE, with the role app, view or control.")
        }
        // The same as in a token file: everything else can be guessed, or gets lost on the way.
        guard 8...1_000 ~= parts[1].utf8.count, parts[1].utf8.allSatisfy({ 0x21...0x7e ~= $0 }) else {
            throw ValidationError(
                "The token of --token \(role.rawValue)=… needs 8 to 1,000 letters, digits and signs of ASCII, without spaces,"
                    + " such as those of `openssl rand -hex 16`.")
        }
        token = .init(role, String(parts[1]))
    }
}
