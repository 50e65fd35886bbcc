/// A made-up server, which always knows the same fruits.
enum SearchServer {
    static func items(matching text: String) async -> [String] {
        await Task.yield()
        return ["apple", "apricot", "banana", "grape"].filter { $0.contains(text) }
    }
}
