import Foundation
import Testing

@testable import TodoExample

@Suite struct AppActionTests {
    @Test("An action is encoded by domain, and decodes to the same action")
    func codable() throws {
        let actions: [(AppAction, String)] = [
            (.todos(.reopen(id: "t1")), #"{"todos":{"_0":{"reopen":{"id":"t1"}}}}"#),
            (.filter(.set(to: .tag("home"))), #"{"filter":{"_0":{"set":{"to":{"tag":{"_0":"home"}}}}}}"#),
            (.history(.undo), #"{"history":{"_0":{"undo":{}}}}"#),
            (.todos(.due(id: "t1", day: saturday)), #"{"todos":{"_0":{"due":{"day":"2026-11-21","id":"t1"}}}}"#),
        ]
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        for (action, json) in actions {
            let data = try encoder.encode(action)
            #expect(String(decoding: data, as: UTF8.self) == json)
            #expect(try JSONDecoder().decode(AppAction.self, from: data) == action)
        }
    }

    @Test("A state decodes to the same state")
    func state() throws {
        let state = try result(of: "add Buy 牛乳 #home due:fri", "done 1", "filter #home", "sync", "list New")
        let data = try JSONEncoder().encode(state)
        #expect(try JSONDecoder().decode(AppState.self, from: data) == state)
    }
}
