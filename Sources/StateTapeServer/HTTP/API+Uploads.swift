#if Server
    import Synchronization
    import TapeEngine
    import TapeFormat
    import TapeSockets

    extension API {
        func addUploads(_ routes: inout Routes) {
            routes.take("POST", "/api/v1/sessions", limit: uploads.limits.upload) { exchange, _ in
                if let upload = Upload(uploads, exchange) { return upload }
                return RefusedUpload(exchange)
            }
        }

        /// Streams one store's events as a file that the Redux DevTools import.
        func reduxFile(_ session: Session, _ exchange: HTTPExchange) throws -> HTTPResponse? {
            let query = try Query(exchange.request, "format", "from", "to", "store")
            let store = try query["store"] ?? onlyStore(of: session)
            let range = try part(of: session, query)
            let file = Mutex(
                try ReduxExport(
                    tapes[session], store: store, after: try start(of: session, store, from: range.lowerBound),
                    to: range.upperBound, states))
            exchange.stream(
                status: 200,
                headers: [
                    ("content-type", "application/json"),
                    ("content-disposition", "attachment; filename=\"\(session.id).redux.json\""),
                ] + Answer.headers
            ) { try file.withLock { try $0.piece() } }
            return nil
        }

        /// The event before `from` where the store has a state there, else its next full state.
        private func start(of session: Session, _ store: String, from: Int) throws -> Int {
            if from > 0, case .state = try states.state(of: tapes[session], store: store, after: from - 1) {
                return from - 1
            }
            guard let seq = try archive.nextState(of: session.row, store: store, after: from - 1) else {
                throw Problem(404, "store-absent", "Store “\(store)” has no state from event \(from) on.")
            }
            return seq
        }

        private func onlyStore(of session: Session) throws -> String {
            let stores = try archive.stores(of: session.row, upTo: session.next - 1)
            if stores.contains("main") || stores.isEmpty { return "main" }
            guard stores.count == 1 else {
                throw Problem(
                    400, "bad-query", "The session has several stores; “store” names one of them.",
                    [("stores", .array(stores.map(JSON.string)))])
            }
            return stores[0]
        }
    }
#endif
