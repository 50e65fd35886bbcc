import Testing

@testable import TodoExample

@Suite struct CommandParserTests {
    @Test(
        "Each command is read as typed",
        arguments: [
            ("add Buy milk", Command.add(title: "Buy milk", tags: [], due: nil)),
            ("  ADD  #a Buy  due:today #b milk ", .add(title: "Buy milk", tags: ["a", "b"], due: saturday)),
            ("done 2 3", .done([2, 3])), ("reopen 1", .reopen([1])), ("done all", .done(.all)), ("rm 4", .remove([4])),
            ("rename 2 Oat milk", .rename(2, title: "Oat milk")),
            ("tag 2 #a b", .tag(2, ["a", "b"])), ("untag 2 #a", .untag(2, ["a"])),
            ("due 2 none", .due(2, nil)), ("move 2 Days off", .move(2, list: "Days off")),
            ("list Days off", .list("Days off")), ("rename-list Office", .renameList("Office")),
            ("filter open", .filter(.open)), ("filter late", .filter(.overdue)), ("f #home", .filter(.tag("home"))),
            ("clear", .clear), ("undo", .undo), ("remove-list", .removeList), ("sync", .sync), ("?", .help),
            ("quit", .quit),
        ])
    func commands(line: String, command: Command) throws {
        #expect(try Command(parsing: line, today: saturday) == command)
    }

    @Test(
        "Days are read as people type them",
        arguments: [
            ("today", 0), ("tomorrow", 1), ("+10", 10), ("sun", 1), ("Friday", 6), ("sat", 7), ("2026-11-20", -1),
        ])
    func days(word: String, distance: Int) throws {
        #expect(try Command(parsing: "due 1 \(word)", today: saturday) == .due(1, saturday + distance))
    }

    @Test("An empty line is nothing")
    func empty() throws {
        #expect(try Command(parsing: "  ", today: saturday) == nil)
    }

    @Test(
        "What is not understood is answered by what would be",
        arguments: [
            ("dne 2", "There is no command “dne”. Did you mean: done 2 3"),
            ("flter open", "There is no command “flter”. Did you mean: filter open"),
            ("buy milk", "There is no command “buy”. Type help for all that there are"),
            ("done", "Type it like this: done 2 3"), ("done x", "Type it like this: done 2 3"),
            ("add #only", "Type it like this: add Buy milk #home due:tomorrow"),
            ("due 1 someday", "“someday” is no day: try today, tomorrow, fri, +3, 2026-12-24 or none"),
            ("add x due:2026-02-30", "“2026-02-30” is no day: try today, tomorrow, fri, +3, 2026-12-24 or none"),
            ("filter home", "Filter by all, open, done, overdue or a #tag"), ("sync now", "Type only: sync"),
        ])
    func unknown(line: String, message: String) {
        #expect(throws: CommandError(message: message)) { try Command(parsing: line, today: saturday) }
    }

    @Test(
        "A command on what is not on the screen says what is",
        arguments: [
            ("done 3", "There is no number 3 on the screen: 1 to 2"),
            ("done 0", "There is no number 0 on the screen: 1 to 2"),
            ("move 1 Nowhere", "There is no list “Nowhere”: list Nowhere makes it"),
            ("undo", "There is nothing to undo"),
        ])
    func missing(line: String, message: String) {
        #expect(throws: CommandError(message: message)) { try result(of: line) }
    }
}
