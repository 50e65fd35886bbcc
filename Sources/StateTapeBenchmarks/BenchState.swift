import Foundation

/// A typical state with many small elements: 20 todos are about 4 KB of JSON.
struct BenchState: Codable, Sendable {
    struct Todo: Codable, Sendable, Identifiable {
        var id: Int
        var title: String
        var note: String?
        var done = false
        var due: Date?
        var tags: [String]
        var priority: Int
        var list: String

        init(_ index: Int) {
            id = index
            title = "Todo number \(index) of a list of things to be done"
            note = index % 3 == 0 ? "a note" : nil
            due = index % 2 == 0 ? Date(timeIntervalSinceReferenceDate: 800_000_000 + Double(index)) : nil
            tags = ["home", "tag\(index % 7)"]
            priority = index % 5
            list = "List \(index % 4)"
        }
    }

    var todos: [Todo]
    var counter = 0
    var filter = "all"

    init(todos count: Int) {
        todos = (0..<count).map(Todo.init)
    }

    /// Makes a state of about this size as JSON.
    static func ofSize(_ bytes: Int) -> BenchState {
        let one = (try? JSONEncoder().encode(BenchState(todos: 100)).count / 100) ?? 200
        return BenchState(todos: max(1, bytes / one))
    }

    static func reduce(_ state: inout BenchState, _ action: BenchAction) {
        switch action {
        case .toggle(let index):
            state.todos[index % state.todos.count].done.toggle()
            state.counter += 1
        case .count: state.counter += 1
        }
    }
}

enum BenchAction: Codable, Sendable {
    /// Changes an element of the array.
    case toggle(Int)
    /// Changes a small member outside of the array.
    case count
}

/// A text document.
struct TextState: Codable, Sendable {
    struct Document: Codable, Sendable {
        var text: String
    }

    var document: Document
    var cursor = 0
    var revision = 0

    init(bytes: Int) {
        document = Document(
            text: String(
                repeating: "A line of text, as it might stand in a document.\n", count: bytes / 49))
    }

    static func reduce(_ state: inout TextState, _ action: TextAction) {
        switch action {
        case .insert(let at, let text):
            let index = state.document.text.utf8.index(state.document.text.startIndex, offsetBy: at)
            state.document.text.insert(contentsOf: text, at: index)
            state.cursor = at + text.utf8.count
        case .edit(let at, let removed, let text):
            let scalars = state.document.text.unicodeScalars
            let start = scalars.index(scalars.startIndex, offsetBy: at)
            let end = scalars.index(start, offsetBy: removed)
            state.document.text.unicodeScalars.replaceSubrange(start..<end, with: text.unicodeScalars)
            state.cursor = at + text.unicodeScalars.count
        }
        state.revision += 1
    }
}

enum TextAction: Codable, Sendable {
    /// Inserts text at a byte offset.
    case insert(at: Int, text: String)
    /// Replaces scalars at a scalar offset.
    case edit(at: Int, removed: Int, text: String)
}
