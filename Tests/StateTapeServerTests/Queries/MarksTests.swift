import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive
@testable import TapeEngine

@Suite(.timeLimit(.minutes(1))) struct MarksTests {
    private let path = TestServer.session

    @Test("A bookmark is stored and sent to pages; a deleted one's number is not reused")
    func bookmarks() async throws {
        let server = try TestServer()
        let app = try await server.recorded(Sample.counting(to: 10))
        let viewer = await server.viewer()
        viewer.send([ViewerRequest.watchSessions.bytes])
        func mark(_ seq: Int, _ text: String) async throws -> JSON {
            try await server.http.send(
                "POST", path + "/bookmarks", body: ["seq": .number(.init(seq)), "text": .string(text)]
            ).json()
        }
        let made = try await server.http.send(
            "POST", path + "/bookmarks", body: ["seq": 7, "text": " bug here ", "author": "Ana"])
        #expect(made.status == 201)
        let first = try made.json()
        #expect(
            first["n"] == 1 && first["seq"] == 7 && first["text"] == "bug here" && first["author"] == "Ana")
        #expect(first["made"]?.string?.hasSuffix("Z") == true)
        let second = try await mark(3, "before")
        _ = try await viewer.summary { $0["bookmarks"] == ["count": 2, "changes": 2] }
        let list = try await server.http.get(path + "/bookmarks").json()
        #expect(list["bookmarks"] == [second, first])
        #expect(try await server.http.send("DELETE", path + "/bookmarks/2").status == 204)
        #expect(try await server.http.send("DELETE", path + "/bookmarks/2").code == "bookmark-absent")
        #expect(try await mark(4, "again")["n"] == 4)
        _ = try await viewer.summary { $0["bookmarks"] == ["count": 2, "changes": 4] }
        app.close()
    }

    @Test("A search for events with a bookmark, and its histogram, follow the bookmarks")
    func search() async throws {
        let server = try TestServer()
        let app = try await server.recorded(Sample.counting(to: 10))
        func seqs(_ query: String) async throws -> JSON? {
            try await server.http.get(path + "/matches?" + query).json()["seqs"]
        }
        func count() async throws -> JSON? {
            try await server.http.get(path + "/histogram?buckets=1&bookmarked=true").json()["counts"]
        }
        #expect(try await seqs("bookmarked=true") == [])
        #expect(try await count() == [0])
        for seq in [7, 3] {
            let body: JSON = ["seq": .number(.init(seq)), "text": "here"]
            #expect(try await server.http.send("POST", path + "/bookmarks", body: body).status == 201)
        }
        #expect(try await seqs("bookmarked=true") == [3, 7])
        #expect(try await count() == [2])
        #expect(try await seqs("bookmarked=false&value=5") == [5])
        #expect(try await server.http.send("DELETE", path + "/bookmarks/1").status == 204)
        #expect(try await seqs("bookmarked=true") == [3])
        #expect(try await count() == [1])
        for query in ["bookmarked=1", "bookmarked=true&bookmarked=true", "-bookmarked=true"] {
            #expect(try await server.http.get(path + "/matches?" + query).code == "bad-query", "\(query)")
        }
        app.close()
    }

    @Test("A bookmark without an event or text, with too long a text, or above the limit is refused")
    func refused() async throws {
        let server = try TestServer()
        let app = try await server.recorded(Sample.counting(to: 2))
        func code(_ body: JSON) async throws -> String? {
            try await server.http.send("POST", path + "/bookmarks", body: body).code
        }
        #expect(try await code(["seq": 2, "text": "x"]) == "event-absent")
        #expect(try await code(["text": "x"]) == "bad-body")
        #expect(try await code(["seq": 0, "text": "  "]) == "bad-body")
        #expect(try await code(["seq": 0, "text": 5]) == "bad-body")
        let long: JSON = .string(String(repeating: "x", count: 2_001))
        #expect(try await code(["seq": 0, "text": long]) == "bad-body")
        #expect(try await code(["seq": 0, "text": "x", "author": long]) == "bad-body")
        app.close()

        let archive = try TestArchive()
        let session = try archive.record(Sample.counting(to: 2))
        let place = Bookmark.Content(seq: 1, text: "x", author: nil)
        #expect(try archive.archive.mark(session.row, place, made: 0, most: 1) != nil)
        #expect(try archive.archive.mark(session.row, place, made: 0, most: 1) == nil)
        #expect(try archive.archive.bookmarks(of: session.row).count == 1)
    }

    @Test("A device's nickname is in its sessions' summaries and exports, and is sent to pages")
    func nicknames() async throws {
        let server = try TestServer()
        let app = try await server.recorded(Sample.counting(to: 2))
        let viewer = await server.viewer()
        viewer.send([ViewerRequest.watchSessions.bytes])
        func name(_ nickname: JSON, device: String = "phone") async throws -> HTTPClient.Response {
            try await server.http.send("PATCH", "/api/v1/devices/" + device, body: ["nickname": nickname])
        }
        #expect(try await name("Red phone").json() == ["device": "phone", "nickname": "Red phone"])
        _ = try await viewer.summary { $0["device"]?["nickname"] == "Red phone" }
        let list = try await server.http.get("/api/v1/sessions").json()
        #expect(list["sessions"]?[0]?["device"]?["nickname"] == "Red phone")
        let exported = try await Header(JSON(parsing: Array(server.http.get(path + "/tape").text.utf8).lines[0]))
        #expect(exported.device == Header.Device(id: "phone", name: "Ana's red phone", nickname: "Red phone"))
        #expect(try await name("Blue phone").status == 200)
        #expect(try await server.http.get(path).json()["device"]?["nickname"] == "Blue phone")
        #expect(try await name("").json()["nickname"] == .null)
        #expect(try await server.http.get(path).json()["device"] == ["id": "phone", "name": "Ana's red phone"])
        #expect(try await name("x", device: "none").code == "device-absent")
        #expect(try await name(1).status == 422)
        #expect(try await server.http.send("PATCH", "/api/v1/devices/phone", body: [:]).status == 422)
        app.close()
    }

    @Test("An exported tape has the session's title, and so has its upload to another server")
    func exportedTitle() async throws {
        let server = try TestServer()
        let app = try await server.recorded(Sample.counting(to: 2))
        func exported(_ query: String = "") async throws -> [UInt8] {
            try await Array(server.http.get(path + "/tape" + query).text.utf8)
        }
        let before = try await exported()
        #expect(try await server.http.send("PATCH", path, body: ["title": "The crash"]).status == 200)
        let (whole, part) = (try await exported(), try await exported("?from=1"))
        #expect(try Header(JSON(parsing: whole.lines[0])).title == "The crash")
        #expect(try Header(JSON(parsing: part.lines[0])).states?["main"] != nil)
        #expect(try Header(JSON(parsing: part.lines[0])).title == "The crash")
        #expect(try await server.http.send("PATCH", path, body: ["title": ""]).status == 200)
        #expect(try await exported() == before)
        app.close()

        let other = try TestServer()
        _ = try await other.http.send("POST", "/api/v1/sessions", bytes: whole)
        #expect(try await other.http.get(path).json()["title"] == "The crash")
    }

    @Test("Sessions are found by header, title, nickname and bookmark, with any characters in the query")
    func search() throws {
        let archive = try TestArchive()
        let names = ["SESSION-0001", "SESSION-0002", "SESSION-0003"]
        let sessions = try names.enumerated().map { index, name in
            try archive.record(
                Sample.counting(to: 3),
                Sample.header(name, device: "device-\(index)", labels: ["quote": "a \"b\" 100% *\(index)"]))
        }
        func found(_ text: String) throws -> [String] {
            var query = SessionQuery()
            query.text = text
            return try archive.archive.sessions(query).sessions.map(\.id).sorted()
        }
        let place = Bookmark.Content(seq: 1, text: "It \"crashed\" at 50% — Ünïcode", author: nil)
        #expect(try archive.archive.mark(sessions[0].row, place, made: 0, most: 9)?.number == 1)
        try archive.archive.edit(sessions[1].row, title: "The 2nd bug", labels: nil, kept: nil)
        _ = try archive.archive.name(device: "device-2", "Ana's own", most: 9)
        for (text, expected) in [
            ("CRASHED", [0]), ("\"crashed\"", [0]), ("50%", [0]), ("0%", [0, 1, 2]), ("t \"", [0]), ("t%", []),
            ("— Ü", [0]), ("50", [0]), ("2ND", [1]), ("nd", [1]), ("ana's own", [2]), ("*2", [2]), ("*1", [1]),
            ("device-1", [1]), ("SESSION-0003", [2]), ("crashed*", []), ("crashed OR bug", []), ("NEAR(", []),
            ("text:crashed", []), ("\0", []), ("cra\0shed", []), ("\"", [0, 1, 2]), ("'", [0, 1, 2]), ("_", []),
            ("labels", []), ("\\", []), ("-", [0, 1, 2]), ("crash OR", []), ("é", []),
        ] {
            #expect(try found(text) == expected.map { names[$0] }, "\(text)")
        }
        #expect(try archive.archive.unmark(sessions[0].row, number: 1))
        #expect(try found("crashed").isEmpty)
    }
}
