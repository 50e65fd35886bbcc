import Testing

@testable import TodoExample

@Suite struct ListsReducerTests {
    @Test("A list that is there is opened, another is made")
    func list() throws {
        #expect(try result(of: "list work").selectedList == "work")
        let made = try result(of: "list Days off")
        #expect(made.list == TodoList(id: "l4", name: "Days off"))
        #expect(made.lists.count == 3)
    }

    @Test("When the open list is removed its neighbour opens, and the last list stays")
    func remove() throws {
        let state = try result(of: "list Work", "remove-list")
        #expect(state.list.id == "inbox")
        #expect(throws: CommandError(message: "The last list stays")) {
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
