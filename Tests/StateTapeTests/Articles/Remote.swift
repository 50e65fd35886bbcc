/// The server of the articles' apps.
struct Remote: Sendable {
    func items() async throws -> [String] { ["Milk"] }
    func find(_ text: String) async throws -> [String] { [text] }
}

let remote = Remote()
