/// The mechanism that an ``EventLoop`` uses to wait for events.
package enum EventLibrary: Sendable {
    /// `poll()`, which checks all connections on every turn: for the few connections of an app.
    case poll
    /// libuv, through libwebsockets' plugin: idle connections cost nothing per turn. Only for listeners, since with
    /// libuv libwebsockets loses a client's last data when it closes.
    case libuv
}
