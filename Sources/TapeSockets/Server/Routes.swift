/// Routes by method and path pattern.
package struct Routes: Sendable {
    /// Gets the exchange and the decoded value of each `{name}` in the pattern.
    package typealias Handler = @Sendable (HTTPExchange, [String: String]) -> Void
    /// Gets the same, before the body is read.
    package typealias Taking = @Sendable (HTTPExchange, [String: String]) -> any BodyConsumer

    private struct Route: Sendable {
        var parts: [Substring]
        var handlers: [String: Handler] = [:]
        var intakes: [String: (limit: Int, begin: Taking)] = [:]

        var methods: Set<String> { Set(handlers.keys).union(intakes.keys) }

        /// The values of the pattern's names; nil if the path doesn't match.
        func match(_ path: [Substring]) -> [String: String]? {
            guard path.count == parts.count else { return nil }
            var values: [String: String] = [:]
            for (part, given) in zip(parts, path) {
                if part.hasPrefix("{"), part.hasSuffix("}") {
                    guard !given.isEmpty else { return nil }
                    values[String(part.dropFirst().dropLast())] = String(given)
                } else if part != given {
                    return nil
                }
            }
            return values
        }
    }

    private var routes: [Route] = []

    package init() {}

    /// All methods and patterns, in the order in which they were added.
    package var entries: [(method: String, pattern: String)] {
        routes.flatMap { route in
            route.methods.sorted().map { ($0, route.parts.joined(separator: "/")) }
        }
    }

    /// Adds a route, e.g. `on("GET", "/api/v1/sessions/{id}/events")`. A GET route also answers HEAD. If several
    /// patterns match a path, the first one wins.
    package mutating func on(_ method: String, _ pattern: String, _ handler: @escaping Handler) {
        edit(pattern) { $0.handlers[method] = handler }
    }

    /// Adds a route that processes its body piece by piece, up to `limit` bytes.
    package mutating func take(_ method: String, _ pattern: String, limit: Int, _ begin: @escaping Taking) {
        edit(pattern) { $0.intakes[method] = (limit, begin) }
    }

    private mutating func edit(_ pattern: String, _ body: (inout Route) -> Void) {
        let parts = Self.parts(pattern)
        let index = routes.firstIndex { $0.parts == parts } ?? routes.endIndex
        if index == routes.endIndex { routes.append(Route(parts: parts)) }
        body(&routes[index])
    }

    /// The intake of the request's route; nil if the body is to be collected.
    package func intake(_ request: HTTPRequest) -> BodyIntake? {
        let path = Self.parts(request.path)
        for route in routes {
            guard let values = route.match(path) else { continue }
            return route.intakes[request.method].map { intake in
                BodyIntake(limit: intake.limit) { intake.begin($0, values) }
            }
        }
        return nil
    }

    /// Whether a path has a route for a method.
    package func supports(_ method: String, _ path: String) -> Bool {
        let path = Self.parts(path)
        return routes.first { $0.match(path) != nil }?.methods.contains(method == "HEAD" ? "GET" : method) ?? false
    }

    /// Answers the exchange by its route, or with 405 if the path only has other methods. False if no route matches.
    package func handle(_ exchange: HTTPExchange) -> Bool {
        let path = Self.parts(exchange.request.path)
        let method = exchange.request.method
        for route in routes {
            guard let values = route.match(path) else { continue }
            if let handler = route.handlers[method] ?? (method == "HEAD" ? route.handlers["GET"] : nil) {
                handler(exchange, values)
            } else {
                let allowed = route.methods.union(route.handlers["GET"] == nil ? [] : ["HEAD"])
                exchange.respond(
                    HTTPResponse(
                        status: 405, "This path doesn't support \(method).",
                        headers: [("allow", allowed.sorted().joined(separator: ", "))]))
            }
            return true
        }
        return false
    }

    private static func parts(_ path: String) -> [Substring] {
        path.split(separator: "/", omittingEmptySubsequences: false)
    }
}
