package import Foundation
package import Logging
package import TapeArchive
import TapeEngine
import TapeFormat
import TapeSockets

/// The server: apps record into it, and pages show the recordings. It runs from `init` until `stop()`.
package final class Server: Sendable {
    /// The port that the server listens on.
    package let port: Int
    /// The URL of the page. Its fragment holds the token, if this start made one.
    package let pageURL: URL
    /// The URL for an app that the server's own command starts: it names the archive, so that what the app records for
    /// it goes nowhere else, even if the app never reaches it.
    package let appURL: String

    private let folder: DataFolder
    private let parts: ServerParts
    private let listener: Listener
    private let isStopped = Locked(false)

    /// Opens the archive and starts accepting connections.
    package init(_ configuration: Configuration, logger: Logger) throws(ServerError) {
        FreedMemory.keepLargePiecesApart()
        let connections = try Descriptors.connections()
        // Nothing fails once the loop runs, but the listener.
        var page = try Self.page(configuration)
        let newFolders = NewFolders(configuration.data)
        folder = try DataFolder(configuration.data)
        let (marker, archive, shared): (CrashMarker, any Archive, SharedServices)
        let (tokens, newToken): ([Configuration.Token], String?)
        let loop: EventLoop
        do throws(ServerError) {
            let address = configuration.database.map(ArchiveAddress.database) ?? .folder(configuration.data)
            archive = try address.open(sync: configuration.sync, logger: logger)
            // Not before: a start that is refused forgets nothing.
            marker = try CrashMarker(folder.working.path)
            shared = try SharedServices(archive, folder, timing: configuration.timing.peers, logger: logger)
            (tokens, newToken) = try Self.tokens(configuration, shared.tokens, logger)
            do throws(SocketsError) {
                loop = try EventLoop(configuration.eventLibrary)
            } catch {
                throw ServerError(error)
            }
        } catch {
            newFolders.remove()
            throw error
        }
        #if os(Linux)
            if loop.library == .poll {
                logger.warning(
                    "libwebsockets-evlib-uv is missing, so idle apps cost CPU time. Install it, then restart.")
            }
        #endif
        parts = ServerParts(
            configuration, archive, shared, loop, tokens: tokens, marker: marker, logger: logger)
        do throws(SocketsError) {
            var options = Listener.Options(configuration, connections: connections)
            options.spoolFailed = { [parts] in parts.spoolFailures.add(peer: $0, reason: $1) }
            listener = try Listener(
                on: loop, host: configuration.host, port: configuration.port,
                subprotocols: [RequestGate.appProtocol, RequestGate.viewerProtocol], options: options,
                service: parts.gate)
        } catch {
            parts.abandon()
            // Nobody has seen the new token. Delete it, so that the next successful start makes one and prints it.
            if newToken != nil { shared.tokens.forget(.control) }
            newFolders.remove()
            throw ServerError(error)
        }
        port = listener.port
        page.port = listener.port
        page.fragment = newToken.map { "token=\($0)" }
        guard let pageURL = page.url else { preconditionFailure("The host was checked above.") }
        self.pageURL = pageURL
        appURL = pageURL.absoluteString + (pageURL.fragment == nil ? "#" : "&") + "archive=\(archive.id)"
        parts.start()
    }

    /// Stops accepting, commits what has arrived, closes every connection with 1001, and returns. Idempotent.
    package func stop() {
        let isFirst = isStopped.withLock { isStopped in
            defer { isStopped = true }
            return !isStopped
        }
        guard isFirst else { return }
        listener.stopAccepting()
        parts.stop()
        folder.unlock()
    }

    /// How the event loop waits for events.
    var eventLibrary: EventLibrary { parts.core.loop.library }

    /// The API's routes.
    var routes: Routes { parts.gate.routes }

    /// The valid tokens. If a token is needed, at least one of them gives control.
    private static func tokens(
        _ configuration: Configuration, _ kept: any TokenStore, _ logger: Logger
    ) throws(ServerError) -> (all: [Configuration.Token], new: String?) {
        var tokens = configuration.tokens
        try checkRoles(tokens)
        if tokens.isEmpty, LocalAddresses.isLoopback(configuration.host) { return ([], nil) }
        // Random, not derived: a view-only link tells nothing about the token for control.
        if !tokens.contains(where: { $0.role == .view }) {
            tokens.append(.init(.view, try kept.token(.view).value))
            try checkRoles(tokens)
        }
        guard !tokens.contains(where: { $0.role == .control }) else { return (tokens, nil) }
        let token = try kept.token(.control)
        if !token.isNew { logger.info("The token is in \(token.place)") }
        tokens.append(.init(.control, token.value))
        try checkRoles(tokens)
        return (tokens, token.isNew ? token.value : nil)
    }

    /// Refuses a token with two roles: a link for the lesser one would give the other, too.
    private static func checkRoles(_ tokens: [Configuration.Token]) throws(ServerError) {
        for (index, token) in tokens.enumerated() {
            guard let other = tokens[..<index].first(where: { $0.value == token.value && $0.role != token.role })
            else { continue }
            throw ServerError(
                .token,
                "One token has two roles, \(other.role) and \(token.role), so each would give both. Use different values in"
                    + " --token, STATETAPE_TOKEN and the files “token” and “view-token” of the data folder.")
        }
    }

    /// The page's address, without port and token.
    private static func page(_ configuration: Configuration) throws(ServerError) -> URLComponents {
        let host = LocalAddresses.isEvery(configuration.host) ? "127.0.0.1" : configuration.host
        var page = URLComponents()
        page.scheme = configuration.tlsCertificate == nil ? "http" : "https"
        page.host = LocalAddresses.authority(host)
        page.path = "/"
        guard page.url != nil else { throw ServerError(.address, "“\(host)” is not a valid address.") }
        return page
    }
}
