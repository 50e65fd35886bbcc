/// A table of methods and path patterns.
package struct Routes: Sendable {
    /// Gets the exchange and the decoded value of each `{name}` of the pattern.
    package typealias Handler = @Sendable (HTTPExchange, [String: String]) -> Void

    package init() {}

    /// Adds a route, e.g. `on("GET", "/api/v1/sessions/{id}/events")`. A route of GET answers HEAD as well.
    package mutating func on(_ method: String, _ pattern: String, _ handler: @escaping Handler) {}

    /// Answers the exchange by its route, or with 405 if its path has only other methods; false if it has none.
    package func handle(_ exchange: HTTPExchange) -> Bool { false }
}
