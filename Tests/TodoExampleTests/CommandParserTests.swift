import Testing

@testable import TodoExample

@Suite struct CommandParserTests {
    @Test(
        "Each command is parsed",
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
        "Typed days are parsed",
        arguments: [
            ("today", 0), ("tomorrow", 1), ("+10", 10), ("sun", 1), ("Friday", 6), ("sat", 7), ("2026-11-20", -1),
        ])
    func days(word: String, distance: Int) throws {
        #expect(try Command(parsing: "due 1 \(word)", today: saturday) == .due(1, saturday + distance))
    }

    @Test("An empty line is no command")
    func empty() throws {
        #expect(try Command(parsing: "  ", today: saturday) == nil)
    }

    @Test(
        "An invalid command's error shows the correct usage",
        arguments: [
            ("dne 2", "Unknown command “dne”. Did you mean: done 2 3"),
            ("flter open", "Unknown command “flter”. Did you mean: filter open"),
            ("buy milk", "Unknown command “buy”. Type help to list all commands"),
            ("done", "Usage: done 2 3"), ("done x", "Usage: done 2 3"),
            ("add #only", "Usage: add Buy milk #home due:tomorrow"),
            ("due 1 someday", "“someday” isn't a day. Try today, tomorrow, fri, +3, 2026-12-24 or none"),
            ("add x due:2026-02-30", "“2026-02-30” isn't a day. Try today, tomorrow, fri, +3, 2026-12-24 or none"),
            ("filter home", "Unknown filter. Use all, open, done, overdue or a #tag"),
            ("sync now", "sync takes no arguments"),
        ])
    func unknown(line: String, message: String) {
        #expect(throws: CommandError(message: message)) { try Command(parsing: line, today: saturday) }
    }

    @Test(
        "A command for a missing todo or list fails with a hint",
        arguments: [
            ("done 3", "No todo 3 on the screen. Choose 1 to 2"),
            ("done 0", "No todo 0 on the screen. Choose 1 to 2"),
            ("move 1 Nowhere", "No list “Nowhere”. Create it with: list Nowhere"),
            ("undo", "Nothing to undo"),
        ])
    func missing(line: String, message: String) {
        #expect(throws: CommandError(message: message)) { try result(of: line) }
    }
}
