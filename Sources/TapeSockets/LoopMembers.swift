internal import CTapeSockets

/// What lives on a loop and has to leave before its thread ends.
final class LoopMembers {
    /// With what each leads its events to.
    private var listeners: [(context: AnyObject, pointer: OpaquePointer)] = []
    private var connections: [ObjectIdentifier: Connection] = [:]
    private var isLeaving = false
    /// No longer waits for peers to answer the close.
    var isImpatient = false

    var areGone: Bool { isImpatient || connections.isEmpty }

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
