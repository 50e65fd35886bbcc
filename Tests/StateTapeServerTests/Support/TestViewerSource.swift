@testable import StateTapeServer

/// Answers each viewer that so many events are committed; nothing at all without a number.
struct TestViewerSource: ViewerSource {
    var committed: Int?

    func next(_ sessions: Set<String>, then: @escaping ([String: Int]?) -> Void) {
        if let committed { then(Dictionary(uniqueKeysWithValues: sessions.map { ($0, committed) })) }
    }

    func sendSummaries(_ sessions: Set<String>?) {}
}
