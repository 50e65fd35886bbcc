import Testing

@testable import TodoExample

@Suite struct ListsReducerTests {
    @Test("An existing list is opened, a new one is created")
    func list() throws {
        #expect(try result(of: "list work").selectedList == "work")
        let made = try result(of: "list Days off")
        #expect(made.list == TodoList(id: "l4", name: "Days off"))
        #expect(made.lists.count == 3)
    }

    @Test("Removing the open list opens its neighbor; the last list can't be removed")
    func remove() throws {
        let state = try result(of: "list Work", "remove-list")
        #expect(state.list.id == "inbox")
        #expect(throws: CommandError(message: "Can't remove the last list")) {
            try result(of: "remove-list", from: state)
        }
        var last = state
        reduce(&last, .lists(.remove(id: "inbox")))
        #expect(last == state)
    }

    @Test("A list is renamed")
    func rename() throws {
        #expect(try result(of: "rename-list In tray").lists.map(\.name) == ["In tray", "Work"])
    }
}
