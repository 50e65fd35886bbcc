import Foundation
import StateTapeStore
import Testing

@Suite("Saved histories")
struct HistoryFileTests {
    private struct Note: Codable, Equatable, Sendable {
        var texts: [String] = []
        var weight = 0.0
    }

    private enum NoteAction: Codable, Equatable, Sendable {
        case add(String)
        case weigh(Double)
    }

    private static func reduce(_ state: inout Note, _ action: NoteAction) {
        switch action {
        case .add(let text): state.texts.append(text)
        case .weigh(let weight): state.weight = weight
        }
    }

    private typealias NoteHistory = History<Note, NoteAction>

    private static func connected(_ history: NoteHistory) -> Store<Note, NoteAction> {
        let store = Store(initial: history.start, reducer: reduce, middleware: [history.middleware])
        history.connect(store)
        return store
    }

    private static func fresh() -> NoteHistory { NoteHistory(initial: Note(), reducer: reduce) }

    /// Calls the body with the URL of a file in a folder that exists.
    private func withFile(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.appendingPathComponent("history.json"))
    }

    @Test("A launch resumes the saved history at its position, with all steps")
    func resume() throws {
        try withFile { url in
            do {
                let history = NoteHistory(initial: Note(), reducer: Self.reduce, limit: 4)
                let store = Self.connected(history)
                for text in ["a", "b", "c", "d"] { store.dispatch(.add(text)) }
                store.replace(Note(texts: ["x"]))
                store.dispatch(.weigh(.infinity))
                history.skip(after: 3)
                history.stepBack()
                try history.save(to: url)
            }
            let history = try #require(try NoteHistory(contentsOf: url, reducer: Self.reduce, limit: 4))
            let store = Self.connected(history)
            #expect(store.state == Note(texts: ["x"]))
            #expect(history.positions == 2...6)
            #expect(history.position == 5)
            history.stepForward()
            #expect(store.state.weight == .infinity)
            history.jump(to: 4)
            #expect(store.state.texts == ["a", "b", "c"])
            history.skip(after: 3, false)
            #expect(store.state.texts == ["a", "b", "c", "d"])
            try history.save(to: url)
        }
    }

    @Test("A smaller limit drops the oldest steps of a saved history")
    func smaller() throws {
        let history = Self.fresh()
        let store = Self.connected(history)
        for text in ["a", "b", "c"] { store.dispatch(.add(text)) }
        let resumed = try NoteHistory(data: try history.data(), reducer: Self.reduce, limit: 1)
        #expect(resumed.positions == 2...3)
        #expect(resumed.start == store.state)
    }

    @Test("Without a file there is no history")
    func none() throws {
        try withFile { url in
            let history = try NoteHistory(contentsOf: url, reducer: Self.reduce)
            #expect(history == nil)
        }
    }

    /// Texts that aren't a history of notes, with a part of the error's text.
    private static let foreign: [(String, String)] = [
        ("", "isn't a history"), ("hello", "isn't a history"), (#"{"tape":1}"#, "isn't a history"),
        (String(repeating: "[", count: 100_000), "isn't a history"),
        (#"{"history":"statetape","format":2}"#, "has format 2"),
        (#"{"history":"statetape","format":1}"#, "damaged"),
        (empty(position: 1), "position"), (empty(position: -1), "position"), (empty(dropped: .max), "position"),
        (empty(dropped: -1), "position"), (empty(base: #"{"count":1}"#), "texts"),
    ]

    /// A history without steps.
    private static func empty(
        base: String = #"{"texts":[],"weight":0}"#, position: Int = 0, dropped: Int = 0
    ) -> String {
        #"""
        {"history":"statetape","format":1,
        "tape":{"base":\#(base),"steps":[],"position":\#(position),"dropped":\#(dropped)}}
        """#
    }

    @Test("A file that isn't a history of the same types is an error that says why, and never overwritten")
    func kept() throws {
        for (text, reason) in Self.foreign {
            try withFile { url in
                try Data(text.utf8).write(to: url)
                let error = #expect(throws: HistoryError.self) {
                    try NoteHistory(contentsOf: url, reducer: Self.reduce)
                }
                #expect(error?.description.contains(reason) == true, "\(text.prefix(99)) \(String(describing: error))")
                let saving = #expect(throws: HistoryError.self) { try Self.fresh().save(to: url) }
                #expect(saving?.description.contains(url.path) == true)
                #expect(try Data(contentsOf: url) == Data(text.utf8))
            }
        }
    }

    @Test("No cut of a saved history is read as one")
    func cut() throws {
        let history = Self.fresh()
        let store = Self.connected(history)
        store.dispatch(.add("a"))
        store.dispatch(.weigh(.nan))
        let data = try history.data()
        for length in 0..<data.count {
            #expect(throws: HistoryError.self) {
                try NoteHistory(data: data.prefix(length), reducer: Self.reduce)
            }
        }
    }

    @Test("A history that wasn't saved leaves the file as it was")
    func unwritable() throws {
        struct Unwritable: Codable {
            func encode(to encoder: any Encoder) throws { throw CancellationError() }
            init() {}
            init(from decoder: any Decoder) throws {}
        }
        try withFile { url in
            let old = Self.fresh()
            try old.save(to: url)
            let data = try Data(contentsOf: url)
            let history = History<Note, Unwritable>(initial: Note(), reducer: { _, _ in })
            let store = Store(initial: Note(), reducer: { _, _ in }, middleware: [history.middleware])
            history.connect(store)
            store.dispatch(Unwritable())
            #expect(throws: CancellationError.self) { try history.save(to: url) }
            #expect(try Data(contentsOf: url) == data)
            #expect(throws: CocoaError.self) { try old.save(to: url.appendingPathComponent("inside.json")) }
        }
    }

    @Test("Only the first save to a file reads it")
    func once() throws {
        struct Watched: Codable {
            static let decoded = Seen<Int>()
            init() {}
            init(from decoder: any Decoder) throws { Self.decoded(1) }
        }
        try withFile { url in
            func history() -> History<Watched, Int> { History(initial: Watched(), reducer: { _, _ in }) }
            try history().save(to: url)
            let second = history()
            for _ in 0..<3 { try second.save(to: url) }
            #expect(Watched.decoded.values.count == 1)
        }
    }

    @Test("Saves while actions are dispatched write whole histories")
    func threads() throws {
        try withFile { url in
            let history = Self.fresh()
            let store = Self.connected(history)
            let failures = Seen<String>()
            let save: @Sendable () -> Void = {
                for _ in 0..<20 { do { try history.save(to: url) } catch { failures("\(error)") } }
            }
            onThreads([{ for _ in 0..<500 { store.dispatch(.add("a")) } }, save, save])
            #expect(failures.values.isEmpty)
            try history.save(to: url)
            #expect(try NoteHistory(contentsOf: url, reducer: Self.reduce)?.start == store.state)
        }
    }
}
