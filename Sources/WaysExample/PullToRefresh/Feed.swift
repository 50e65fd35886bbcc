/// The news, newest first.
struct Feed: Codable, Equatable, Sendable {
    var items: [String] = []
    var isRefreshing = false
    var read: [String] = []
}
