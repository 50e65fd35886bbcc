package import Foundation
package import TapeArchive
import TapeFormat
package import TapeSockets

/// The server's settings. The defaults: this machine only, port 8080, no token.
package struct Configuration: Sendable {
    /// The address to listen on: a name, an IPv4 or an IPv6 address without brackets.
    package var host = "127.0.0.1"
    /// The port to listen on; with 0 the system chooses a free one.
    package var port = 8080
    /// The folder of the archive and the tokens, created if it doesn't exist. Only one server can use it at a time.
    package var data: URL
    /// The database with the archive; nil for a file in the data folder.
    package var database: DatabaseAddress?
    /// The timeline page.
    package var page = Page.builtIn
    /// The tokens and their roles. If a token is needed and none gives control, the server makes one. One is needed
    /// on every address but loopback, and as soon as there are other tokens.
    package var tokens: [Token] = []
    /// More host names that a request's `Host` header may have, without port.
    package var allowedHosts: [String] = []
    /// The PEM files of a certificate chain and its private key. Without them the server uses plain HTTP.
    package var tlsCertificate: URL?
    package var tlsKey: URL?
    package var sync = Sync.full
    /// Whether the server belongs to one command: apps then send it no recordings that were made for another archive.
    package var isPrivate = false
    /// What the server deletes on its own; nothing by default.
    package var retention = Retention()
    package var timing = Timing()
    package var limits = Limits()
    /// How the event loop waits for events, if that library is installed.
    package var eventLibrary = EventLibrary.libuv

    package init(data: URL) {
        self.data = data
    }

    /// A secret and the role that it gives.
    package struct Token: Sendable, Equatable {
        package let role: Role
        package let value: String

        package init(_ role: Role, _ value: String) {
            self.role = role
            self.value = value
        }
    }

    /// Timeouts and intervals.
    package struct Timing: Sendable {
        /// How long a new connection may take to send its `hello`.
        package var hello: Duration = .seconds(5)
        /// How long an app may take to answer a push, with the commit.
        package var push: Duration = .seconds(5)
        /// How long a lock of an app lasts if nobody renews it.
        package var lock: Duration = .seconds(60)
        /// How long an app may take to begin or stop a replay.
        package var replay: Duration = .seconds(10)
        /// How long a viewer with a full queue may read nothing.
        package var viewer: Duration = .seconds(30)
        /// Silence after which a connection is pinged, and after which it is dropped.
        package var ping: Duration = .seconds(20)
        package var drop: Duration = .seconds(60)
        /// The delay before a failed write is tried again.
        package var retry: Duration = .seconds(1)
        /// The longest turn of the event loop. If a turn takes longer, the process ends with a message.
        package var turn: Duration = .seconds(30)
        /// How long a request body may be slower than `Limits.bodyRate`.
        package var body: Duration = .seconds(10)
        /// How long one request may scan events before it answers with what it has found so far.
        package var scan: Duration = .milliseconds(50)
        /// The interval for checking that the archive's file still exists.
        package var place: Duration = .seconds(2)
        /// The interval for applying retention.
        package var retention: Duration = .seconds(60)
        /// How long apps can send events again that a damaged log has lost, before a gap replaces them.
        package var refill: Duration = .seconds(60)

        /// Between servers that share a database.
        package var peers = PeerTiming()

        package init() {}
    }

    /// How much the server accepts. Above each limit the peer gets an error that names the limit.
    package struct Limits: Sendable {
        /// Bytes of a line, decompressed; at most the format's own limit. Large enough for a state of 50 MB.
        package var line = 64 << 20
        /// Bytes of a state that results from patches, as JSON text without escapes.
        package var state = TapeFormat.Limits.state
        /// Bytes of an uploaded tape, both as sent and unpacked.
        package var upload = 2 << 30
        /// Connected apps whose hello was accepted.
        package var apps = 4_096
        /// Connections that have not sent a hello. Above this, the address with the most of them loses its oldest one.
        package var pendingApps = 256
        /// Connections from one other machine; for IPv6, from one /64 network.
        package var connectionsPerAddress = 1_024
        /// Connections from this machine. Unlimited, since a local proxy connects on behalf of many clients.
        package var localConnections = Int.max
        /// The average bytes per second that a request body must reach.
        package var bodyRate = 4 << 10
        /// Connected pages.
        package var viewers = 256

        package init() {}
    }
}
