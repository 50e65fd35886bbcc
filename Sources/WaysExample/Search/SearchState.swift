/// A screen of the search.
enum SearchScreen: Codable, Equatable, Sendable {
    case query
    case results(of: String)
    case item(name: String)
}

/// The state of the search. The route is a part of it.
struct SearchState: Codable, Equatable, Sendable {
    /// The screens of the navigation stack, the lowest first.
    var route: [SearchScreen] = [.query]
    var isSearching = false
    var found: [String] = []
}

enum SearchAction: Codable, Equatable, Sendable {
    case search(text: String)
    case found(items: [String])
    case open(item: String)
    case back
}
