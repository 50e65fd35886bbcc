/// The timeouts and intervals between servers that share a database.
package struct PeerTiming: Sendable {
    /// How often each says that it is alive, and after which silence it counts as dead.
    package var beat: Duration = .seconds(2)
    package var lease: Duration = .seconds(6)
    /// The shortest time between two messages to the others.
    package var wake: Duration = .milliseconds(15)
    /// How often to read while the database can't wake the server, and the delay before a new connection.
    package var poll: Duration = .milliseconds(100)
    package var reconnect: Duration = .milliseconds(250)
    /// How long another server may take to answer a request. More than an app may take.
    package var pass: Duration = .seconds(8)
    /// How often the work is done that only one server does, such as retention.
    package var maintenance: Duration = .seconds(30)
    /// Whether to listen to the database, not only read at intervals.
    package var listens = true

    package init() {}
}
