internal import CTapeSockets

extension SocketEvents {
    /// Sent to a connection that exceeds a limit.
    private static let tooMany: StaticString = """
        HTTP/1.1 503 Service Unavailable\r
        content-type: text/plain; charset=utf-8\r
        content-length: 71\r
        connection: close\r
        \r
        Too many connections from this address, or to this server. Close some.

        """

    /// Accepts a connection to a listener, or returns the bytes that refuse it.
    static func accept(_ socket: OpaquePointer?) -> UnsafePointer<CChar>? {
        let tooMany = UnsafeRawPointer(tooMany.utf8Start).assumingMemoryBound(to: CChar.self)
        guard let socket, let owner = tape_listener_owner(socket) else { return tooMany }
        let context = Unmanaged<ListenerContext>.fromOpaque(owner).takeUnretainedValue()
        let http = HTTPSocket(socket, at: context)
        guard context.enter(http.peer) else { return tooMany }
        adopt(socket, by: http)
        return nil
    }
}
