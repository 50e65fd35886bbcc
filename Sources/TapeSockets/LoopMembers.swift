internal import CTapeSockets

/// The listeners and connections of a loop, which must be closed before its thread ends.
final class LoopMembers {
    /// Each with the object that owns its events.
    private var listeners: [(context: AnyObject, pointer: OpaquePointer)] = []
    private var connections: [ObjectIdentifier: Connection] = [:]
    private var isLeaving = false
    /// Stop waiting for peers to answer the close.
    var stopsWaiting = false

    var areClosed: Bool { stopsWaiting || connections.isEmpty }

    func enter(_ context: AnyObject, at pointer: OpaquePointer) {
        listeners.append((context, pointer))
    }

    func enter(_ connection: Connection) {
        connections[ObjectIdentifier(connection)] = connection
        if isLeaving { Self.dismiss(connection) }
    }

    func exit(_ connection: Connection) {
        connections[ObjectIdentifier(connection)] = nil
    }

    func leave() {
        isLeaving = true
        for listener in listeners { tape_listener_close(listener.pointer) }
        for connection in connections.values { Self.dismiss(connection) }
    }

    private static func dismiss(_ connection: Connection) {
        connection.close(code: 1001, reason: "going away")
    }
}
