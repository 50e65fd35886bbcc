import TapeArchive
import TapeEngine
import TapeFormat
import TapeSockets

extension API {
    func addUploads(_ routes: inout Routes) {
        routes.take("POST", "/api/v1/sessions", limit: core.uploads.limits.upload) { exchange, _ in
            if let upload = Upload(core.uploads, exchange, of: access.client(exchange.request)) { return upload }
            return RefusedUpload(exchange)
        }
    }

    /// Streams one store's events as a file for the Redux DevTools.
    func reduxFile(_ session: Session, _ exchange: HTTPExchange) throws -> HTTPResponse? {
        let query = try Query(exchange.request, "format", "from", "to", "store")
        let part = try part(of: session, query)
        let file = Locked(try export(tapes[session], store: query["store"], part))
        exchange.stream(
            status: 200,
            headers: [
                ("content-type", "application/json"),
                ("content-disposition", "attachment; filename=\"\(session.id).redux.json\""),
            ] + Answer.headers
        ) { try file.withLock { try $0.piece() } }
        return nil
    }

    private func export(_ tape: ArchivedTape, store: String?, _ part: Range<Int>) throws -> ReduxExport {
        do {
            return try ReduxExport(tape, store: store, part, states)
        } catch ReduxExport.Failure.severalStores(let stores) {
            throw Problem(
                400, "bad-query", "The session has several stores; “store” names one of them.",
                [("stores", .array(stores.map(JSON.string)))])
        } catch ReduxExport.Failure.noState(let store, let from) {
            throw Problem(
                404, "store-absent",
                "The tape has no state of store “\(store)” from event \(from) on.\(try tape.storesBesides(store))")
        }
    }
}
