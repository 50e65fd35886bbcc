/// A made-up server, which always answers with the same number.
enum NumberServer {
    static func number() async -> Int {
        await Task.yield()
        return 40
    }
}
