import Testing

@testable import TodoExample

@Suite struct TodosReducerTests {
    @Test("A new todo is in the open list, with its tags, its due day and a new identifier")
    func add() throws {
        let state = try result(of: "add Buy milk #home #shop due:tomorrow", "add Second")
        #expect(
            state.list.todos.suffix(2) == [
                Todo(id: "t4", title: "Buy milk", tags: ["home", "shop"], due: saturday + 1),
                Todo(id: "t5", title: "Second"),
            ])
    }

    @Test("Done, reopen, rename, tag, untag and due change one todo")
    func change() throws {
        let done = try result(of: "done 1")
        #expect(done.list.todos[0].done == noon)
        // Completed todos move to the end of the screen.
        let reopened = try result(of: "reopen 2", from: done)
        #expect(reopened.list.todos[0].done == nil)
        let changed = try result(of: "rename 1 New name", "tag 1 #a #start", "untag 1 #start", "due 1 +2")
        #expect(changed.list.todos[0] == Todo(id: "t1", title: "New name", tags: ["a"], due: saturday + 2))
    }

    @Test("Clear removes completed todos only from the open list")
    func clear() throws {
        let state = try result(of: "done 1", "list Work", "done 1", "list Inbox", "clear")
        #expect(state.lists.map(\.todos.count) == [1, 1])
    }

    @Test("A todo moves to another list")
    func move() throws {
        let state = try result(of: "move 1 work")
        #expect(state.lists.map { $0.todos.map(\.id) } == [["t2"], ["t3", "t1"]])
    }

    @Test(
        "An action on a missing todo or list changes nothing",
        arguments: [
            TodosAction.done(id: "x", at: noon), .rename(id: "x", title: "y"), .remove(id: "x"), .clear(list: "x"),
            .move(id: "t1", list: "x"), .add(todo: Todo(id: "t9", title: "y"), list: "x"),
            .add(todo: Todo(id: "t1", title: "again"), list: "inbox"),
        ])
    func missing(action: TodosAction) {
        var state = AppState()
        reduce(&state, .todos(action))
        #expect(state == AppState())
    }
}
