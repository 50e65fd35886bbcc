import Testing

@testable import TodoExample

@Suite struct FrameTests {
    @Test("A frame shows the lists, the open list's todos in columns, and a status line")
    func frame() throws {
        let state = try result(
            of: "add Buy milk #home #shop due:tomorrow", "add Pay the rent 日本 #money due:2026-11-19", "done 1")
        #expect(
            drawn(state, columns: 60) == [
                " Todo                                            Sat 21 Nov",
                " [Inbox 3]  Work 1",
                "────────────────────────────────────────────────────────────",
                "   1 ○ Add something to do         #start",
                "   2 ○ Buy milk                    #home #shop  tomorrow",
                "   3 ○ Pay the rent 日本           #money       2 days late",
                "   4 ✓ Type help and press return  #start",
                "────────────────────────────────────────────────────────────",
                " 3 open · 1 done · 1 overdue                 not synced yet",
            ])
    }

    @Test("A frame shows the filter, and a message if no todo matches")
    func filter() throws {
        let state = try result(of: "filter #none")
        let frame = drawn(state)
        #expect(frame[0].hasPrefix(" Todo   only #none"))
        #expect(frame[3] == "     No todos with the tag #none")
    }

    @Test(
        "A frame shows the result of the last sync",
        arguments: [
            (Sync.Status.running, "syncing…"),
            (.finished(at: noon, sent: 3, received: 1), "synced 12:00: 3 sent, 1 received"),
            (.failed(at: noon, reason: "the server did not answer"), "sync failed 12:00: the server did not answer"),
        ])
    func sync(status: Sync.Status, text: String) throws {
        var state = AppState()
        state.sync.status = status
        #expect(try #require(drawn(state).last).hasSuffix(text))
    }

    @Test("No line is wider than the terminal", arguments: [1, 8, 20, 40, 200])
    func width(columns: Int) throws {
        let state = try result(
            of: "add 日本語のとても長い題名がここにあります #日本語 #long-tag-name due:+400", "add 👩‍👩‍👧‍👦 e\u{301} #x due:2020-01-01",
            "list A list with a very long name indeed", "list Inbox", "filter #x", "filter all")
        let moment = Moment.noon(of: saturday)
        let frame = Frame(state, now: noon, calendar: moment.calendar, columns: columns)
        #expect(frame.lines.allSatisfy { $0.columns <= columns })
    }

    @Test("A frame fills all rows, and shows how many todos don't fit")
    func rows() throws {
        var state = AppState()
        for number in 1...20 { state = try result(of: "add Todo \(number)", from: state) }
        let small = drawn(state, rows: 10)
        #expect(small.count == 10)
        #expect(small[7] == "     … 18 more")
        let large = drawn(state, rows: 40)
        #expect(large.count == 40)
        #expect(large[24] == "  22 ○ Todo 20")
        #expect(large[25] == "")
    }

    @Test("Without colors the text is at most bold, dim, underlined or inverse")
    func colors() {
        let styles: [Style] =
            [.plain, .bold, .dim, .selected, .good, .warning, .bad, .link] + ["a", "b", "c"].map(Style.tag)
        for style in styles {
            let codes = style.code(colored: false).split(separator: ";")
            #expect(codes.allSatisfy { ["1", "2", "4", "7"].contains($0) }, "\(style)")
        }
        let line = Line("done", .good)
        #expect(line.ansi(colored: false) == "done" && line.ansi(colored: true) == "\u{1b}[32mdone\u{1b}[0m")
    }

    @Test("An applied state can't send escape sequences to the terminal, and may have no list")
    func hostile() throws {
        var state = AppState()
        state.lists[0].todos[0].title = "\u{1b}[2Jgone\n"
        state.lists[0].todos[0].tags = ["\u{7}"]
        #expect(drawn(state)[3] == "   1 ○ [2Jgone              #")
        let ansi = Frame(state, now: noon, calendar: Moment.noon(of: saturday).calendar, columns: 80).lines[3].ansi(
            colored: true)
        #expect(!ansi.contains("\u{1b}[2J"))
        state.lists = []
        #expect(drawn(state)[3].contains("No todos yet"))
    }
}
