import TapeFormat

/// The apps that are connected to other servers.
package final class RemoteApps: Sendable {
    package struct App: Sendable, Equatable {
        package let server: String
        /// Nil for a process that sends a recovered recording.
        package let status: LiveApp?

        package init(server: String, status: LiveApp?) {
            (self.server, self.status) = (server, status)
        }
    }

    private let apps = Locked<[String: App]>([:])

    package init() {}

    /// The sessions with a live app.
    package var live: Set<String> { Set(apps.withLock { $0.filter { $0.value.status != nil } }.keys) }

    package func status(of session: String) -> LiveApp? { apps.withLock { $0[session]?.status } }

    /// Whether an app, or a process that recovered a recording, is connected.
    package func isConnected(_ session: String) -> Bool { apps.withLock { $0[session] != nil } }

    package func server(of session: String) -> String? { apps.withLock { $0[session]?.server } }

    /// Replaces what is known of some sessions; nil for all.
    ///
    /// - Returns: The sessions of which something else is known now.
    package func replace(_ sessions: Set<String>?, by found: [String: App]) -> Set<String> {
        apps.withLock { apps in
            let asked = sessions ?? Set(apps.keys).union(found.keys)
            let changed = asked.filter { apps[$0] != found[$0] }
            for session in changed { apps[session] = found[session] }
            return changed
        }
    }
}
