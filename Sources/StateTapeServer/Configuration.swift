#if Server
    package import Foundation
    import TapeFormat
    package import TapeSockets

    /// How a server is set up. The defaults serve this machine alone, on port 8080, without a token.
    package struct Configuration: Sendable {
        /// The address to listen on: a name, an IPv4 or an IPv6 address without brackets.
        package var host = "127.0.0.1"
        /// The port to listen on; 0 lets the system pick a free one.
        package var port = 8080
        /// The folder of the archive, made if absent. One server at a time uses it.
        package var data: URL
        /// The timeline page.
        package var page = Page.builtIn
        /// Tokens with what they allow. One that gives full control is made if there is none and one is needed: on any
        /// address but loopback, and wherever there are others.
        package var tokens: [Token] = []
        /// Further names that a request's `Host` may bear, without port.
        package var allowedHosts: [String] = []
        /// The files of a certificate chain and its private key, both PEM; without them HTTP is plain.
        package var tlsCertificate: URL?
        package var tlsKey: URL?
        package var sync = Sync.full
        /// What is removed by itself; nothing unless it says so.
        package var retention = Retention()
        package var timing = Timing()
        package var limits = Limits()
        /// What the event loop waits through, if it is there.
        package var eventLibrary = EventLibrary.libuv

        package init(data: URL) {
            self.data = data
        }

        /// A secret, and what it lets its holder do.
        package struct Token: Sendable, Equatable {
            package let role: Role
            package let value: String

            package init(_ role: Role, _ value: String) {
                self.role = role
                self.value = value
            }
        }

        /// What a commit waits for.
        package enum Sync: String, Sendable, CaseIterable {
            /// The disk has it: an acknowledged event survives a power failure.
            case full
            /// The system has it: an acknowledged event survives the end of the process.
            case normal
        }

        /// How long the server waits for its peers.
        package struct Timing: Sendable {
            /// For an app's `hello` after its connection was opened.
            package var hello: Duration = .seconds(5)
            /// For an app's answer to a push, and its commit.
            package var push: Duration = .seconds(5)
            /// For a viewer with a full queue to read anything.
            package var viewer: Duration = .seconds(30)
            /// Before a connection that gives no sign of life is pinged, and before it is dropped.
            package var ping: Duration = .seconds(20)
            package var drop: Duration = .seconds(60)
            /// Before what couldn't be written is tried again.
            package var retry: Duration = .seconds(1)
            /// For a turn of the event loop; a process that takes longer ends, with a message.
            package var turn: Duration = .seconds(30)
            /// How long a request's body may come slower than `Limits.bodyRate`.
            package var body: Duration = .seconds(10)
            /// How long an answer goes through events before it ends with what it has found.
            package var scan: Duration = .milliseconds(50)
            /// Between two looks whether the archive's file is still there.
            package var place: Duration = .seconds(2)
            /// Between two looks for sessions that retention removes.
            package var retention: Duration = .seconds(60)

            package init() {}
        }

        /// How much the server takes; past each the peer gets an error that names it.
        package struct Limits: Sendable {
            /// Bytes of a line, decompressed; at most what the format allows.
            package var line = 16 << 20
            /// Bytes of a state that patches make, as JSON text without escapes.
            package var state = TapeFormat.Limits.state
            /// Bytes of an uploaded tape, as sent and unpacked.
            package var upload = 2 << 30
            /// Connected apps, of which a hello was accepted.
            package var apps = 4_096
            /// Connections that have not said hello. Of more, the oldest of the address that has most is closed.
            package var pendingApps = 256
            /// Connections from one other machine; for IPv6, from one network of 64 bits.
            package var connectionsPerAddress = 1_024
            /// Connections from this machine. A proxy on it speaks for others, who would lock each other out.
            package var localConnections = Int.max
            /// Bytes a second that a request's body must bring on average.
            package var bodyRate = 4 << 10
            /// Connected pages.
            package var viewers = 256

            package init() {}
        }
    }
#endif
