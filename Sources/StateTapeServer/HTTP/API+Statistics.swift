import TapeArchive
import TapeEngine
import TapeFormat
import TapeSockets

extension API {
    private static let maxBuckets = 2_000
    private static let maxKeyframes = 200
    /// A day, in milliseconds.
    private static let maxPause = 86_400_000
    /// After this time, a filtered histogram answers with what it has counted so far.
    private static let maxFiltering = Duration.seconds(10)

    func addStatistics(_ routes: inout Routes) {
        session(&routes, "GET", "/histogram", hasQuery: true) { session, exchange, _ in
            try histogram(session, exchange)
        }
        session(&routes, "GET", "/activity", hasQuery: true) { session, exchange, _ in
            try activity(session, exchange)
        }
        session(&routes, "GET", "/overview") { session, exchange, _ in try overview(session, exchange) }
    }

    /// The number of events over time, with the query's filter.
    func histogram(_ session: Session, _ exchange: HTTPExchange) throws -> HTTPResponse? {
        let query = try Query(exchange.request, "buckets", "bookmarked", lists: EventFilter.names)
        let buckets = try query.count("buckets", 1...Self.maxBuckets) ?? 200
        let filter = try filter(query, session)
        // The parameters as one unambiguous text.
        let request = exchange.request.query.flatMap { [$0.name, $0.value] }.debugDescription
        let client = access.client(exchange.request)
        try statistics.answer(session, for: client, "histogram \(session.marked) \(request)") {
            // Not longer than the times that heads can have.
            let duration = Int(min((session.duration * 1_000).rounded(), 0x1p52))
            var histogram = Histogram(buckets: buckets, duration: duration)
            var scan = self.scan(session, filter, for: exchange)
            try statistics.walk(&scan, until: filter.isEmpty ? nil : .now + Self.maxFiltering) { histogram.take($0) }
            let next: JSON = scan.isAtEnd ? .null : .number(.init(scan.next))
            let members = histogram.members + [("next", next), ("committed", .number(.init(session.next)))]
            return (.object(JSON.Object(members)), isLasting: scan.isAtEnd)
        } then: { result in
            answer(exchange, result)
        }
        return nil
    }

    /// What happened in a range of events, over a time axis on which long pauses are short.
    func activity(_ session: Session, _ exchange: HTTPExchange) throws -> HTTPResponse? {
        let query = try Query(exchange.request, "buckets", "pause", "from", "to")
        let buckets = try query.count("buckets", 1...Self.maxBuckets) ?? 200
        let pause = try query.count("pause", 1...Self.maxPause) ?? 2_000
        let (from, to) = try query.range()
        let client = access.client(exchange.request)
        try statistics.answer(session, for: client, "activity \(buckets) \(pause) \(from ?? -1) \(to ?? -1)") {
            var activity = Activity()
            var scan = self.scan(session, from: from ?? 0, for: exchange)
            try statistics.walk(&scan, to: to) { activity.take($0) }
            let members = activity.members(buckets: buckets, pause: pause * 1_000)
            return (.object(JSON.Object(members + [("committed", .number(.init(session.next)))])), isLasting: true)
        } then: { result in
            answer(exchange, result)
        }
        return nil
    }

    /// The statistics of a session: see ``Overview``.
    func overview(_ session: Session, _ exchange: HTTPExchange) throws -> HTTPResponse? {
        let client = access.client(exchange.request)
        try statistics.answer(session, for: client, "overview") {
            let overview = try statistics.overview(session) { scan(session, from: $0, for: exchange) }
            let answer = overview.json(
                duration: session.duration, states: try states.latest(of: tapes[session]),
                keyframes: try keyframes(of: session))
            return (answer, isLasting: true)
        } then: { result in
            answer(exchange, result)
        }
        return nil
    }

    /// The sizes of states at keyframes, by store. A sample if there are many.
    private func keyframes(of session: Session) throws -> [String: [StateSizes.Point]] {
        let all = try archive.keyframeSizes(of: session.row).filter { $0.seq < session.next }
        let step = max(1, all.count / Self.maxKeyframes)
        var points: [String: [StateSizes.Point]] = [:]
        for (index, keyframe) in all.enumerated() where index % step == 0 {
            guard let head = try tapes[session].heads(from: keyframe.seq)?.first else { continue }
            points[keyframe.store, default: []].append(
                StateSizes.Point(seq: keyframe.seq, at: head.at, bytes: keyframe.bytes))
        }
        return points
    }

    /// Sends the result of a search.
    func answer(_ exchange: HTTPExchange, _ result: Result<JSON, any Error>) {
        answer(exchange) { Answer.json(try result.get()) }
    }
}
