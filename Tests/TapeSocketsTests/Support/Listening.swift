import TapeSockets

/// Runs `body` with a loop and a listener on a free port, then stops the loop.
func listening(
    _ service: TestService, options: Listener.Options = Listener.Options(), subprotocols: [String] = ["test.v1"],
    _ body: (Listener, EventLoop) async throws -> Void
) async throws {
    // Like the server's loop.
    let loop = try EventLoop(.libuv)
    defer { loop.stop() }
    let listener = try Listener(
        on: loop, host: "127.0.0.1", port: 0, subprotocols: subprotocols, options: options, service: service)
    try await body(listener, loop)
}

extension EventLoop {
    /// The loop of all tests' clients.
    static let clients: EventLoop = {
        guard let loop = try? EventLoop() else { fatalError("no loop") }
        return loop
    }()

    /// Returns once everything queued before has run.
    func caughtUp() async {
        await withCheckedContinuation { continuation in
            execute { continuation.resume() }
        }
    }

    /// Waits for a timer of this loop.
    func passed(_ time: Duration) async {
        await withCheckedContinuation { continuation in
            schedule(after: time) { continuation.resume() }
        }
    }
}
