#if Server
    import ArgumentParser
    import Foundation
    import Logging
    import StateTapeServer

    /// How a server is set up, for the commands that start one.
    struct ServeOptions: ParsableArguments {
        @Option(help: ArgumentHelp("Where to listen; port 0 picks a free one.", valueName: "host:port"))
        var listen = ListenAddress(host: "127.0.0.1", port: 8080)

        @Option(help: ArgumentHelp("The folder that keeps the sessions; made if absent.", valueName: "folder"))
        var data = "./statetape-data"

        @Option(
            help: ArgumentHelp(
                "A folder to serve the page from, for work on the page (default: the built-in page).",
                valueName: "folder"))
        var web: String?

        @Option(
            help: ArgumentHelp(
                "A token that lets in; may be repeated. app records and uploads, view reads and watches, control does"
                    + " everything, as does the token in STATETAPE_TOKEN. Where one is needed and none is for control,"
                    + " that one is made at the first start.",
                valueName: "role=value"))
        var token: [RoleToken] = []

        @Option(
            help: ArgumentHelp(
                "A further host name by which the server may be reached; may be repeated.", valueName: "name"))
        var allowHost: [String] = []

        @Option(help: ArgumentHelp("A certificate chain in PEM, for TLS.", valueName: "file"))
        var tlsCert: String?

        @Option(help: ArgumentHelp("The certificate's private key in PEM.", valueName: "file"))
        var tlsKey: String?

        @Option(help: "What a commit waits for: the disk (full) or the system (normal).")
        var sync = Configuration.Sync.full

        @OptionGroup var retention: RetentionOptions

        @OptionGroup var limits: LimitOptions

        func validate() throws {
            guard (tlsCert == nil) == (tlsKey == nil) else {
                throw ValidationError("--tls-cert and --tls-key go together.")
            }
            guard web.map({ FileManager.default.fileExists(atPath: $0 + "/index.html") }) ?? true else {
                throw ValidationError("--web \(web ?? "") has no index.html.")
            }
        }

        /// Starts a server; logs go to standard error.
        func start() throws -> Server {
            Descriptors.raise()
            var configuration = Configuration(data: URL(fileURLWithPath: data, isDirectory: true))
            configuration.host = listen.host
            configuration.port = listen.port
            if let web { configuration.page = Page(URL(fileURLWithPath: web, isDirectory: true)) }
            configuration.tokens = token.map(\.token)
            if let token = ProcessInfo.processInfo.environment["STATETAPE_TOKEN"], !token.isEmpty {
                configuration.tokens.append(.init(.control, token))
            }
            configuration.allowedHosts = allowHost
            configuration.tlsCertificate = tlsCert.map { URL(fileURLWithPath: $0) }
            configuration.tlsKey = tlsKey.map { URL(fileURLWithPath: $0) }
            configuration.sync = sync
            configuration.limits = limits.limits
            configuration.retention = Retention(keepDays: retention.keepDays, maxSize: retention.maxSize?.bytes)
            let logger = Logger(label: "statetape") { StreamLogHandler.standardError(label: $0) }
            return try Server(configuration, logger: logger)
        }
    }

    extension Configuration.Sync: ExpressibleByArgument {}

    /// `app=…`, `view=…` or `control=…`.
    struct RoleToken: ExpressibleByArgument {
        let token: Configuration.Token

        init?(argument: String) {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let role = Role(rawValue: String(parts[0])), !parts[1].isEmpty else { return nil }
            token = .init(role, String(parts[1]))
        }
    }
#endif
