import Foundation
import Logging
import TapeArchive
import TapeEngine
import TapeFormat
import TapeSockets

/// The HTTP API. Reads the archive on worker threads and answers.
struct API: Sendable {
    let archive: any Archive
    let broker: any Broker
    let core: ServerCore
    let tapes: Tapes
    let states: States
    /// Those that are shown, of which no value is needed.
    let shown: States
    let statistics: SessionStatistics
    let apps: LiveApps
    let access: Access
    let refusals: RefusedConnections
    let wrongTokens: WrongTokens
    let connect: ServerAddresses
    let metrics: Metrics
    let events: EventPost
    let requestWork: RequestWork
    let pending: PendingAnswers
    /// The sessions whose states are being built for others than control.
    let building = OneAtATime<Int64>()
    let searches: Searches
    /// How long an app may take to answer a push, with the commit.
    let pushTime: Duration
    let isSecure: Bool
    let page: Page
    let logger: Logger

    func routes() -> Routes {
        var routes = Routes()
        addAccess(&routes)
        addSessions(&routes)
        addEvents(&routes)
        addMatches(&routes)
        addCauses(&routes)
        addStatistics(&routes)
        addDiff(&routes)
        addBookmarks(&routes)
        addStartStates(&routes)
        addRuns(&routes)
        addPrune(&routes)
        addUploads(&routes)
        session(&routes, "GET", "/tape", hasQuery: true) { session, exchange, _ in try download(session, exchange) }
        addApp(&routes)
        return routes
    }

    /// Answers on a worker thread. If the body returns nil, it answers the exchange itself.
    func answer(_ exchange: HTTPExchange, _ body: @escaping @Sendable () throws -> HTTPResponse?) {
        requestWork.run(exchange.request) { work(exchange, body) }
    }

    /// Answers on a separate thread, for work that may keep a core busy.
    func search(_ exchange: HTTPExchange, _ body: @escaping @Sendable () throws -> HTTPResponse?) throws(Problem) {
        try searches.run(for: access.client(exchange.request)) { work(exchange, body) }
    }

    private func work(_ exchange: HTTPExchange, _ body: () throws -> HTTPResponse?) {
        do {
            // Skips the work if the client left before it started.
            if exchange.isPeerGone { throw SearchLimit.Cancelled() }
            try pending.check(access.client(exchange.request))
            if let response = try body() { exchange.respond(response) }
        } catch is SearchLimit.Cancelled {
            exchange.respond(Problem(503, "cancelled", "The client closed the connection.").response)
        } catch let problem as Problem {
            exchange.respond(problem.response)
        } catch let failure as EventFilter.Failure {
            exchange.respond(Problem(failure).response)
        } catch let failure as TooLarge {
            exchange.respond(Problem(failure).response)
        } catch let deleted as DeletedSession {
            exchange.respond(Self.absent(deleted.id).response)
        } catch let damage as DamagedSession {
            exchange.respond(Problem(500, "damaged", damage.description).response)
        } catch {
            if let outage = Unwritable.outage(error) {
                return exchange.respond(Problem.unwritable(outage, for: exchange.request).response)
            }
            logger.error("\(exchange.request.method) \(exchange.request.path) failed: \(error)")
            exchange.respond(
                Problem(500, "internal", "The server failed to answer; see its log.").response)
        }
    }

    /// Adds a route below a session's path.
    ///
    /// - Parameter hasQuery: Whether the body reads the query parameters. If not, the request must have none.
    func session(
        _ routes: inout Routes, _ method: String, _ path: String, hasQuery: Bool = false,
        _ body: @escaping @Sendable (Session, HTTPExchange, [String: String]) throws -> HTTPResponse?
    ) {
        routes.on(method, "/api/v1/sessions/{id}" + path) { exchange, names in
            answer(exchange) {
                if !hasQuery { try Query.refuse(exchange.request) }
                let name = names["id"] ?? ""
                if let session = try archive.session(name) { return try body(session, exchange, names) }
                if let redirect = try redirect(name, exchange.request) { return redirect }
                guard let session = try archive.session(name) else { throw Self.absent(name) }
                return try body(session, exchange, names)
            }
        }
    }

    /// The seq of the path, if it is committed.
    func seq(_ names: [String: String], _ session: Session) throws(Problem) -> Int {
        guard let seq = names["seq"].flatMap({ Int($0) }), seq >= session.first, seq < session.next else {
            throw Problem(
                404, "event-absent", "This event doesn't exist; event numbers are below \(session.next).")
        }
        return seq
    }

    /// A scan of the events from a seq on that pass the query's filter. It stops when the client of `exchange`
    /// disconnects.
    func scan(
        _ session: Session, from seq: Int = 0, _ filter: EventFilter = EventFilter(), for exchange: HTTPExchange
    ) -> EventScan {
        EventScan(tapes[session], from: seq, filter) { exchange.isPeerGone }
    }

    /// The filter of a query about a session.
    func filter(_ query: Query, _ session: Session) throws -> EventFilter {
        try query.filter { Set(try archive.bookmarks(of: session.row).map(\.content.seq)) }
    }

    func summary(_ session: Session) -> JSON {
        session.summary(live: apps.status(of: session.id))
    }
}
