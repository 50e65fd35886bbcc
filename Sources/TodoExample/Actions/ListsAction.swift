enum ListsAction: Codable, Equatable, Sendable {
    case add(id: String, name: String)
    case select(id: String)
    case rename(id: String, name: String)
    case remove(id: String)
}
