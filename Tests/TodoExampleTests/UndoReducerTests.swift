import Testing

@testable import TodoExample

@Suite struct UndoReducerTests {
    @Test(
        "Undo restores the lists",
        arguments: [
            "add Buy milk", "done 1", "rename 1 New", "tag 1 #a", "due 1 fri", "remove 1", "move 1 Work",
            "list New one", "rename-list Office", "remove-list",
        ])
    func undo(line: String) throws {
        let before = AppState()
        let changed = try result(of: line)
        #expect(changed.lists != before.lists)
        let after = try result(of: line, "undo")
        #expect(after.lists == before.lists)
        #expect(after.selectedList == before.selectedList)
        #expect(after.history.isEmpty)
    }

    @Test("Clear is undone in one step")
    func clear() throws {
        let before = try result(of: "done 1", "done 1")
        #expect(try result(of: "clear", "undo", from: before).lists == before.lists)
    }

    @Test("Only changes can be undone, and only the last twenty")
    func history() throws {
        #expect(try result(of: "tag 1 #start").history.isEmpty)
        var many = AppState()
        for number in 1...30 { many = try result(of: "add \(number)", from: many) }
        #expect(many.history.count == Undo.limit)
        #expect(many.history.first?.title == "add 11")
    }

    @Test("An undo with invalid indices from a tape doesn't crash")
    func hostile() {
        var state = AppState()
        let todo = Todo(id: "new", title: "x")
        state.history = [
            Undo(
                title: "",
                steps: [
                    .todo(todo, index: -5, list: "inbox"), .todo(todo, index: 5, list: "none"),
                    .withoutTodo(id: "none"),
                    .list(TodoList(id: "l", name: "L"), index: -1), .withoutList(id: "none", open: "none"),
                ])
        ]
        reduce(&state, .history(.undo))
        #expect(state.lists.map(\.id) == ["l", "inbox", "work"])
        #expect(state.lists[1].todos.first == todo)
    }
}
