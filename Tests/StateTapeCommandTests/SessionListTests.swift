import TapeFormat
import Testing

@testable import StateTapeCommand

@Suite("The list of a server's sessions") struct SessionListTests {
    private static func page(_ ids: ClosedRange<Int>, next: JSON?) -> JSON {
        var page = JSON.Object([("sessions", .array(ids.map { ["session": .string("SESSION-\($0)")] }))])
        page["next"] = next
        return .object(page)
    }

    @Test("All pages of a list are read; an empty one may stand between them, as damaged sessions are left out")
    func whole() throws {
        var list = SessionList()
        #expect(try list.add(Self.page(1...200, next: "a"), bytes: 1) == "a")
        #expect(try list.add(["sessions": [], "next": "b"], bytes: 1) == "b")
        #expect(try list.add(Self.page(201...201, next: nil), bytes: 1) == nil)
        #expect(list.sessions.count == 201)
    }

    /// What the failure says, how many pages are fine, and the pages.
    private static let cases: [(String, Int, @Sendable (Int) -> JSON)] = [
        ("doesn't end within 5000 pages", 4_999, { page($0...$0, next: .string("\($0)")) }),
        ("doesn't end within 5000 pages", 4_999, { ["sessions": [], "next": .string("\($0)")] }),
        ("repeats a page", 1, { page(1...1, next: .string("\($0)")) }),
        ("repeats a page", 1, { page($0...$0, next: "same") }),
        ("is not a text", 0, { page($0...$0, next: .number(.init($0))) }),
        ("has no id", 0, { _ in ["sessions": [["session": 5]]] }),
        ("no list", 0, { _ in ["sessions": 5] }),
    ]

    @Test(
        "A list ends with a reason once it can't be a server's",
        arguments: cases)
    func endless(_ reason: String, _ pages: Int, _ page: @Sendable (Int) -> JSON) throws {
        var list = SessionList()
        for number in 0..<pages { #expect(try list.add(page(number), bytes: 1) != nil) }
        let error = #expect(throws: SessionList.Invalid.self) { try list.add(page(pages), bytes: 1) }
        #expect(error?.reason.contains(reason) == true, "\(String(describing: error))")
    }

    @Test("A list of too many bytes ends")
    func bytes() throws {
        var list = SessionList()
        #expect(try list.add(Self.page(1...1, next: "1"), bytes: 128 << 20) == "1")
        #expect(throws: SessionList.Invalid.self) { try list.add(Self.page(2...2, next: "2"), bytes: 1) }
    }

    @Test("One long cell doesn't make each row of a table as long")
    func table() {
        let rows = Table([["A", "B"], [String(repeating: "x", count: 5_000), "1"], ["y", "2"]]).lines
        #expect(rows[0].count == 203 && rows[1].hasSuffix("x  1") && rows[2].hasSuffix(" 2"))
    }
}
