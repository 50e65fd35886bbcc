/// What an ``EventLoop`` waits through.
package enum EventLibrary: Sendable {
    /// `poll()`, which walks all connections on every turn: for an app's few.
    case poll
    /// libuv, through libwebsockets' plugin: idle connections cost a turn nothing. For listeners only: there libwebsockets
    /// loses what a client says as it closes.
    case libuv
}
