internal import CTapeSockets
import Foundation
import TapeFormat

/// WebSocket connections to other machines.
package enum Client {
    /// Starts to connect and returns at once. The handler then gets `opened`, or `closed` with no code and the reason.
    ///
    /// - Parameters:
    ///   - loop: The connection's loop.
    ///   - url: `ws://` or `wss://`, with path and query.
    ///   - subprotocol: The subprotocol to offer; empty for none.
    ///   - headers: Sent with the upgrade, e.g. `Authorization`.
    ///   - maxMessage: Bytes of the longest message that is accepted. A longer one closes the connection with 1009.
    ///   - maxOutstanding: The most bytes queued for a slow peer. Above this the connection is dropped.
    ///   - authority: A PEM file of certificates to trust instead of the system's.
    ///   - handler: Receives the connection's events.
    @discardableResult
    package static func connect(
        on loop: EventLoop, to url: String, subprotocol: String, headers: [(String, String)] = [],
        maxMessage: Int = 16 << 20, maxOutstanding: Int = 64 << 20, authority: String? = nil,
        handler: any ConnectionHandler & Sendable
    ) -> Connection {
        let target = Target(url)
        let connection = Connection(
            on: loop, peer: target.map { "\($0.host):\($0.port)" } ?? url, maxMessage: maxMessage,
            maxOutstanding: maxOutstanding,
            heartbeat: Heartbeat(pingAfter: .seconds(20), dropAfter: .seconds(60)), handler: handler)
        let lines = headers.map { "\(clean($0.0)): \(clean($0.1))\r\n" }.joined()
        let isQueued = loop.enqueue {
            guard let target else { return connection.socketClosed(error: "\(url) is not a ws:// or wss:// URL") }
            connection.connect(to: target, subprotocol: subprotocol, headers: lines, authority: authority)
        }
        if !isQueued { handler.closed(connection, code: nil, reason: "the event loop has ended") }
        return connection
    }

    private static func clean(_ text: String) -> String {
        String(text.unicodeScalars.filter { $0 != "\r" && $0 != "\n" })
    }
}

struct Target {
    var host: String
    var port: Int
    /// With the query.
    var path: String
    var isTLS: Bool

    init?(_ url: String) {
        guard let parts = URLComponents(string: url), let host = parts.host, !host.isEmpty else { return nil }
        switch parts.scheme?.lowercased() {
        case "ws": isTLS = false
        case "wss": isTLS = true
        default: return nil
        }
        self.host = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        port = parts.port ?? (isTLS ? 443 : 80)
        guard 1...65535 ~= port else { return nil }
        path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        if let query = parts.percentEncodedQuery { path += "?" + query }
    }
}

extension Connection {
    func connect(to target: Target, subprotocol: String, headers: String, authority: String?) {
        guard loop.library == .poll else {
            return socketClosed(error: "an event loop on libuv can't open client connections")
        }
        guard let raw = loop.raw, shared.withLock({ $0.closing == nil || !$0.queue.isEmpty }) else {
            return socketClosed(error: "closed before it was open")
        }
        loop.members.value.enter(self)
        let owner = SocketEvents.retain(self)
        // Nested closures would be specialised for each representation of a string, and take 20 KB of an app.
        let strings: [String] = [target.host, target.path, subprotocol, headers, authority ?? ""]
        let texts = strings.map { strdup($0) }
        defer { texts.forEach { free($0) } }
        var options = tape_connect_options(
            host: texts[0], port: Int32(target.port), path: texts[1], subprotocol: subprotocol.isEmpty ? nil : texts[2],
            headers: texts[3], authority: authority == nil ? nil : texts[4], tls: target.isTLS)
        io.value.socket = tape_connect(raw.pointer, &options, owner)
    }
}
