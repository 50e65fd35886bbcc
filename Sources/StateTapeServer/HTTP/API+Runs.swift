import TapeArchive
import TapeFormat
import TapeSockets

extension API {
    /// Bytes of a report's longest text.
    private static let maxText = 4_000
    /// The most changed files, and the most errors, of a report.
    private static let maxList = 100

    func addRuns(_ routes: inout Routes) {
        routes.on("GET", "/api/v1/runs") { exchange, _ in
            answer(exchange) {
                try Query.refuse(exchange.request)
                return Answer.json(["runs": .array(try core.runs.all())])
            }
        }
        routes.on("PUT", "/api/v1/runs/{id}") { exchange, names in
            answer(exchange) {
                try Query.refuse(exchange.request)
                return Answer.json(try core.runs.report(try run(names["id"] ?? "", exchange.body)))
            }
        }
        routes.on("DELETE", "/api/v1/runs/{id}") { exchange, names in
            answer(exchange) {
                try Query.refuse(exchange.request)
                guard try core.runs.end(names["id"] ?? "") else {
                    throw Problem(404, "run-absent", "This run doesn't exist.")
                }
                return Answer.empty()
            }
        }
    }

    private func run(_ id: String, _ bytes: [UInt8]) throws -> Run {
        guard id.wholeMatch(of: /[A-Za-z0-9]{1,64}/) != nil else {
            throw RequestBody.bad("A run's id has at most 64 letters and digits.")
        }
        let body = try RequestBody(
            bytes, "status", "command", "changed", "errors", "message", "seconds", "buildSeconds")
        guard let status = try body.string("status", max: 10).flatMap(Run.Status.init) else {
            throw RequestBody.bad("“status” must be “building”, “failed”, “running” or “stopped”.")
        }
        let changed = try body.strings("changed") ?? []
        guard let errors = (body["errors"] ?? []).array else {
            throw RequestBody.bad("“errors” must be an array.")
        }
        guard max(changed.count, errors.count) <= Self.maxList,
            changed.allSatisfy({ $0.utf8.count <= Self.maxText })
        else {
            throw RequestBody.bad(
                "“changed” and “errors” may have \(Self.maxList) elements of \(Self.maxText) bytes.")
        }
        return Run(
            id: id, status: status, command: try body.string("command", max: Self.maxText), changed: changed,
            errors: try errors.map(buildError), message: try body.string("message", max: Self.maxText),
            seconds: try seconds("seconds", body), buildSeconds: try seconds("buildSeconds", body))
    }

    private func buildError(_ json: JSON) throws -> Run.BuildError {
        let body = try RequestBody(json.bytes, "file", "line", "column", "text")
        guard let text = try body.string("text", max: Self.maxText) else {
            throw RequestBody.bad("An error needs “text”.")
        }
        return Run.BuildError(
            file: try body.string("file", max: Self.maxText), line: try body.count("line"),
            column: try body.count("column"), text: text)
    }

    private func seconds(_ name: String, _ body: RequestBody) throws -> JSON? {
        guard let json = body[name] else { return nil }
        guard json.number != nil else { throw RequestBody.bad("“\(name)” must be a number.") }
        return json
    }
}
