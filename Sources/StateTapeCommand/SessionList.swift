import TapeFormat

/// A server's sessions, page by page. A server that always names a next page must fill neither the memory nor the
/// day of whoever called the command.
struct SessionList {
    /// Why a page can't belong to the list, for a message.
    struct Invalid: Error {
        let reason: String
    }

    /// Sessions of a page.
    static let page = 200
    private static let maxPages = 5_000
    private static let maxBytes = 128 << 20

    private(set) var sessions: [JSON] = []
    private var ids: Set<String> = []
    private var places: Set<String> = []
    private var bytes = 0

    /// Adds a page.
    ///
    /// - Parameter bytes: The length of its text.
    /// - Returns: The place where the next page begins; nil after the last one.
    mutating func add(_ page: JSON, bytes: Int) throws(Invalid) -> String? {
        guard let list = page["sessions"]?.array else { throw Invalid(reason: "it has no list “sessions”") }
        let found = ids.count
        for session in list {
            guard let id = session["session"]?.string else {
                throw Invalid(reason: "a session in the list has no id")
            }
            ids.insert(id)
        }
        sessions += list
        guard let next = page["next"], next != .null else { return nil }
        guard let next = next.string else { throw Invalid(reason: "the list's “next” is not a text") }
        // Damaged sessions are left out of a page, which may be empty then.
        guard places.insert(next).inserted, list.isEmpty || ids.count > found else {
            throw Invalid(reason: "the list of sessions repeats a page")
        }
        self.bytes += bytes
        guard self.bytes <= Self.maxBytes, places.count < Self.maxPages else {
            throw Invalid(
                reason: "the list of sessions doesn't end within \(Self.maxPages) pages and"
                    + " \(Self.maxBytes >> 20) MiB")
        }
        return next
    }
}
