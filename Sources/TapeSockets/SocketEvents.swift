internal import CTapeSockets

/// Passes each event of a C socket to the socket's owner: an ``HTTPSocket`` until an upgrade, then a ``Connection``.
enum SocketEvents {
    // Never changes after it is initialised.
    nonisolated(unsafe) static let table: UnsafePointer<tape_events> = {
        let table = UnsafeMutablePointer<tape_events>.allocate(capacity: 1)
        table.initialize(
            to: tape_events(
                accepted: { socket in accept(socket) },
                received: { socket, bytes, count in
                    (owner(socket) as? any ServerSocketOwner)?.received(
                        UnsafeMutableRawBufferPointer(start: bytes, count: count))
                },
                opened: { socket in
                    if let socket { connection(socket)?.opened(socket) }
                },
                piece: { socket, bytes, count, first, last, text in
                    connection(socket)?.received(
                        UnsafeRawBufferPointer(start: bytes, count: count), isFirst: first, isLast: last, isText: text)
                },
                close_received: { socket, code, reason, count in
                    let reason = UnsafeRawBufferPointer(start: reason, count: count)
                    connection(socket)?.closeReceived(code: code, reason: String(decoding: reason, as: UTF8.self))
                },
                writable: { socket in owner(socket)?.writable() ?? false },
                gone: { socket, error in
                    if let socket, let connection = connection(socket) {
                        var server: UnsafePointer<CChar>?
                        let status = Int(tape_answer(socket, &server))
                        if status > 0 {
                            connection.io.value.answer = (status, server.map { String(cString: $0) } ?? "")
                        }
                    }
                    owner(socket)?.socketClosed(error: error.map { String(cString: $0) })
                    release(socket)
                },
                timer: { context, isDue in
                    guard let context else { return }
                    let scheduled = Unmanaged<Scheduled>.fromOpaque(context).takeRetainedValue()
                    if isDue { scheduled.fire() }
                }))
        return UnsafePointer(table)
    }()

    /// Makes `owner` the socket's owner, and retains it until the socket is closed.
    static func adopt(_ socket: OpaquePointer, by owner: any SocketOwner) {
        release(socket)
        tape_set_owner(socket, retain(owner))
    }

    static func retain(_ owner: any SocketOwner) -> UnsafeMutableRawPointer {
        Unmanaged.passRetained(Holder(owner)).toOpaque()
    }

    private static func release(_ socket: OpaquePointer?) {
        guard let context = tape_owner(socket) else { return }
        Unmanaged<Holder>.fromOpaque(context).release()
        tape_set_owner(socket, nil)
    }

    private static func owner(_ socket: OpaquePointer?) -> (any SocketOwner)? {
        guard let context = tape_owner(socket) else { return nil }
        return Unmanaged<Holder>.fromOpaque(context).takeUnretainedValue().owner
    }

    private static func connection(_ socket: OpaquePointer?) -> Connection? {
        owner(socket) as? Connection
    }

    private final class Holder {
        let owner: any SocketOwner

        init(_ owner: any SocketOwner) {
            self.owner = owner
        }
    }
}

/// Receives a socket's events, on the loop's thread.
protocol SocketOwner: AnyObject {
    /// The socket can be written. Returns false to close it.
    func writable() -> Bool
    /// The socket no longer exists.
    func socketClosed(error: String?)
}

/// Receives the events of a server's socket.
protocol ServerSocketOwner: SocketOwner {
    /// Bytes were read; the owner may change them in place.
    func received(_ bytes: UnsafeMutableRawBufferPointer)
}
