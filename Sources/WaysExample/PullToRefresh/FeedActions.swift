import StateTapeStore

/// Loads the news. While it loads, a second pull is dropped.
struct Refresh: SelfExecuting, Codable {
    func reduce(_ feed: inout Feed) { feed.isRefreshing = true }

    func execute() async throws -> [String] { await NewsServer.items() }

    func reduce(_ feed: inout Feed, _ items: [String]) {
        feed.items = items
        feed.isRefreshing = false
    }

    func reduce(_ feed: inout Feed, failure: String) { feed.isRefreshing = false }
}

/// Tells the server that the newest item was read. It waits until the news are loaded.
struct MarkRead: SelfExecuting, Codable {
    func execute() async throws -> String { await NewsServer.markRead() }

    func reduce(_ feed: inout Feed, _ item: String) { feed.read.append(item) }
}

/// A made-up server, which always has the same news.
enum NewsServer {
    static func items() async -> [String] {
        await Task.yield()
        return ["Rain tomorrow", "Market opens"]
    }

    static func markRead() async -> String {
        await Task.yield()
        return "Rain tomorrow"
    }
}
