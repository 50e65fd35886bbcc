#if Server
    import Foundation
    import TapeFormat
    import TapeSockets

    extension API {
        func addPrune(_ routes: inout Routes) {
            routes.on("POST", "/api/v1/prune") { exchange, _ in answer(exchange) { try prune(exchange) } }
        }

        /// Takes `{"keepDays":30,"maxSize":10000000000,"dryRun":true}`; answers with what goes, or went, and why.
        private func prune(_ exchange: HTTPExchange) throws -> HTTPResponse? {
            let body = try json(exchange.body)
            func count(_ name: String, _ range: ClosedRange<Int>) throws -> Int? {
                guard let json = body[name] else { return nil }
                guard let count = json.int, range.contains(count) else {
                    throw Problem(400, "bad-body", "“\(name)” must be a whole number from \(range.lowerBound) on.")
                }
                return count
            }
            let retention = Retention(
                keepDays: try count("keepDays", 1...100_000), maxSize: try count("maxSize", 0...(.max)))
            guard retention != Retention() else {
                throw Problem(400, "bad-body", "“keepDays” or “maxSize” must say what goes.")
            }
            let size = try archive.size()
            let removals = try pruning.plan(retention)
            guard body["dryRun"]?.bool != true else { return Self.pruned(removals, of: size) }
            pruning.remove(removals[...]) { result in
                answer(exchange) { Self.pruned(try result.get(), of: size) }
            }
            return nil
        }

        private static func pruned(_ removals: [Removal], of size: Int) -> HTTPResponse {
            Answer.json([
                "sessions": .array(
                    removals.map { removal in
                        [
                            "session": .string(removal.session.id), "app": .string(removal.session.app),
                            "events": .number(.init(removal.session.events)),
                            "lastSeen": .string(Session.text(removal.session.lastSeen)),
                            "reason": .string(removal.reason.rawValue), "bytes": .number(.init(removal.bytes)),
                        ]
                    }),
                "bytes": .number(.init(removals.reduce(0) { $0 + $1.bytes })), "size": .number(.init(size)),
            ])
        }
    }
#endif
