#if Server
    import TapeSockets

    /// Where the work of requests is done: control has threads of its own, so that no view-only link keeps it waiting.
    struct RequestWork: Sendable {
        let access: Access
        /// The server's own work is done here too.
        let workers: Workers
        private let control = Workers()

        init(_ access: Access, _ workers: Workers) {
            (self.access, self.workers) = (access, workers)
        }

        func run(_ request: HTTPRequest, _ body: @escaping @Sendable () -> Void) {
            let client = access.client(request)
            (client.role == .control ? control : workers).run(for: client, body)
        }

        func stop() { control.stop() }
    }
#endif
