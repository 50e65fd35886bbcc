import Foundation
import TapeArchive
import TapeFormat
import TapeSockets

extension API {
    func addPrune(_ routes: inout Routes) {
        routes.on("POST", "/api/v1/prune") { exchange, _ in answer(exchange) { try prune(exchange) } }
    }

    /// Takes `{"keepDays":30,"maxSize":10000000000,"dryRun":true}`. Answers with the sessions that are deleted, or
    /// would be, and why.
    private func prune(_ exchange: HTTPExchange) throws -> HTTPResponse? {
        try Query.refuse(exchange.request)
        let body = try RequestBody(exchange.body, "keepDays", "maxSize", "all", "only", "dryRun")
        let retention = Retention(
            keepDays: try body.count("keepDays", 1...100_000), maxSize: try body.count("maxSize", 0...Limits.seq),
            sparesNewest: try body.bool("all") != true)
        guard !retention.isOff else { throw RequestBody.bad("The body needs “keepDays” or “maxSize”.") }
        let only = try body.strings("only").map(Set.init)
        let isDryRun = try body.bool("dryRun") == true
        let plan = try core.pruning.plan(retention).filter { only?.contains($0.session.id) ?? true }
        if isDryRun { return Self.pruned(plan) }
        core.pruning.remove(plan.removals[...]) { result in
            answer(exchange) {
                let deleted = Set(try result.get().map(\.session.id))
                return Self.pruned(plan.filter { deleted.contains($0.session.id) })
            }
        }
        return nil
    }

    private static func pruned(_ plan: RemovalPlan) -> HTTPResponse {
        Answer.json([
            "sessions": .array(
                plan.removals.map { removal in
                    [
                        "session": .string(removal.session.id), "app": .string(removal.session.app),
                        "events": .number(.init(removal.session.events)),
                        "lastSeen": .string(Session.text(removal.session.lastSeen)),
                        "reason": .string(removal.reason.rawValue), "bytes": .number(.init(removal.bytes)),
                    ]
                }),
            "bytes": .number(.init(plan.bytes)), "size": .number(.init(plan.size)),
        ])
    }
}
