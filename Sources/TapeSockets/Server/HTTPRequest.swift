import Foundation

/// The head of an HTTP request.
package struct HTTPRequest: Sendable {
    /// `GET`, `HEAD`, `POST`, `PUT`, `PATCH`, `DELETE` or `OPTIONS`.
    package var method: String
    /// The path, percent-decoded, without the query; begins with `/`.
    package var path: String
    /// The query parameters in order, percent-decoded. One without `=` has an empty value.
    package var query: [(name: String, value: String)]
    /// The headers, by lower-case name.
    package var headers: [String: String]
    /// The peer's numeric address.
    package var peer: String

    package init(
        method: String, path: String, query: [(name: String, value: String)] = [], headers: [String: String] = [:],
        peer: String = ""
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.peer = peer
    }

    /// Whether `if-none-match` contains an entity tag: the peer already has that version.
    package func holds(_ tag: String) -> Bool {
        (headers["if-none-match"] ?? "").split(separator: ",").contains { item in
            let item = item.trimmingCharacters(in: .whitespaces)
            return item == "*" || item == tag || item == "W/" + tag
        }
    }
}
