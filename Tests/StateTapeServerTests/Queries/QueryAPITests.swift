import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer

@Suite(.timeLimit(.minutes(1))) struct QueryAPITests {
    private let path = TestServer.session

    @Test("Events are listed by every filter; a limit of 0 lists none, and one above the maximum is refused")
    func events() async throws {
        let server = try TestServer()
        let add = Sample.action(
            10, store: "lists", type: "todos/add",
            ("patch", [["op": "add", "path": "/todos/0", "value": ["title": "Milk"]]]))
        let lines = Sample.counting(to: 10) + [add, Sample.gap(14, count: 4), Sample.full(15, ["n": 1])]
        let app = try await server.recorded(lines)
        func found(_ query: String) async throws -> [[UInt8]] {
            try await server.http.get(path + "/events?" + query).lines
        }
        #expect(try await found("value=Milk&path=%2Ftodos&re=%22Mi..%22") == [add.bytes])
        #expect(try await found("-type=counter&-store=lists") == [lines[0], lines[11], lines[12]].map(\.bytes))
        #expect(try await found("-type=counter&-type=todos&-q=gap&from=1") == [lines[12].bytes])
        let none = try await server.http.get(path + "/events?limit=0&from=3")
        #expect(none.status == 200 && none.body.isEmpty && none.headers["statetape-next"] == "3")
        for limit in ["10001", "999999999999", "99999999999999999999"] {
            #expect(try await server.http.get(path + "/events?limit=" + limit).status == 400)
        }
        let bad = try await server.http.get(path + "/events?re=(")
        #expect(try bad.status == 400 && bad.json()["detail"]?.string?.contains("“re”") == true)
        let past = try await server.http.get(path + "/events?q=x&from=99")
        #expect(past.body.isEmpty && past.headers["statetape-next"] == "16")
        app.close()
    }

    @Test("Matches are seqs, continued with their cursor and the remaining offset")
    func matches() async throws {
        let server = try TestServer()
        let app = try await server.recorded(Sample.counting(to: 300) + [Sample.gap(309, count: 10)])
        func matches(_ query: String) async throws -> JSON {
            try await server.http.get(path + "/matches?" + query).json()
        }
        let all = try await matches("type=counter")
        #expect(all["committed"] == 310 && all["offset"] == 0 && all["next"] == .null)
        #expect(all["seqs"]?.array == (1...299).map { .number(.init($0)) })
        #expect(try await matches("q=gap&from=300")["seqs"] == [309])
        let some = try await matches("type=counter&limit=3&offset=10&from=5")
        #expect(some["seqs"] == [15, 16, 17] && some["next"] == 18 && some["offset"] == 0)
        let none = try await matches("type=counter&offset=400&from=298")
        #expect(none["seqs"] == [] && none["next"] == .null && none["offset"] == 398)
        #expect(try await matches("limit=0")["next"] == 0)
        #expect(try await matches("from=305")["seqs"] == [309])
        app.close()
    }

    @Test("A slow request ends early and says where to continue, until all is returned")
    func parts() async throws {
        let server = try TestServer { $0.timing.scan = .zero }
        let lines = Sample.counting(to: 60)
        let app = try await server.recorded(lines)
        for filter in ["", "&type=counter", "&q=/n"] {
            let wanted = lines.dropFirst(filter.isEmpty ? 0 : 1)
            var (found, seqs, answers) = ([[UInt8]](), [Int](), 0)
            for next in ["events", "matches"] {
                var from = 0
                while from < lines.count {
                    let answer = try await server.http.get("\(path)/\(next)?from=\(from)\(filter)")
                    let goesOn: Int?
                    if next == "events" {
                        found += answer.lines
                        goesOn = answer.headers["statetape-next"].flatMap { Int($0) }
                    } else {
                        let part = try answer.json()
                        seqs += part["seqs"]?.array?.compactMap(\.int) ?? []
                        goesOn = part["next"] == .null ? lines.count : part["next"]?.int
                    }
                    answers += 1
                    let past = try #require(goesOn)
                    try #require(past > from)
                    from = past
                }
            }
            #expect(found == wanted.map(\.bytes) && seqs == wanted.map(\.seq), "\(filter)")
            #expect(answers >= 2 * (lines.count / 16), "\(filter)")
        }
        app.close()
    }

    @Test("A histogram has the requested number of buckets, and counts the matching events")
    func histogram() async throws {
        let server = try TestServer()
        let app = try await server.recorded(Sample.counting(to: 101))
        func histogram(_ query: String) async throws -> JSON {
            try await server.http.get(path + "/histogram" + query).json()
        }
        let all = try await histogram("")
        #expect(all["counts"]?.array?.count == 200 && all["duration"] == 100 && all["committed"] == 101)
        #expect(all["next"] == .null)
        #expect(try await histogram("?buckets=2")["counts"] == [50, 51])
        #expect(try await histogram("?buckets=2&re=value%22:9")["counts"] == [1, 10])
        #expect(try await histogram("?buckets=1&type=none")["counts"] == [0])
        app.send([Array(#"{"seq":101,"at":1e300,"event":"note","text":"x"}"#.utf8)])
        try await app.acknowledged(102)
        #expect(try await histogram("?buckets=2")["counts"] == [101, 1])
        for buckets in ["0", "2001", "x"] {
            #expect(try await server.http.get(path + "/histogram?buckets=" + buckets).status == 400)
        }
        #expect(try await server.http.get(path + "/histogram?re=*").status == 400)
        app.close()
    }

    @Test("An overview grows with its session")
    func overview() async throws {
        let server = try TestServer()
        let app = try await server.recorded(Sample.counting(to: 5))
        let first = try await server.http.get(path + "/overview").json()
        #expect(first["committed"] == 5 && first["actions"]?["count"] == 4)
        #expect(first["stores"]?["main"]?["last"] == ["seq": 4, "bytes": 7])
        app.send([Sample.count(5, to: 50).bytes])
        try await app.acknowledged(6)
        let second = try await server.http.get(path + "/overview").json()
        #expect(second["committed"] == 6 && second["actions"]?["count"] == 5)
        #expect(second["stores"]?["main"]?["last"] == ["seq": 5, "bytes": 8])
        app.close()
    }

    @Test("A comparison reports the first difference, with the patch between the states there")
    func diff() async throws {
        let server = try TestServer()
        let lines = Sample.counting(to: 50)
        let app = try await server.recorded(lines)
        let other = try await server.recorded(
            Array(lines[..<40]) + [Sample.count(40, to: 7)], Sample.hello(Sample.header("OTHER-SESSION")))
        let found = try await server.http.get(path + "/diff/OTHER-SESS").json()
        #expect(found["same"] == false && found["kind"] == "state" && found["store"] == "main")
        #expect(found["a"]?["seq"] == 40 && found["b"]?["type"] == "counter/add" && found["compared"] == 41)
        #expect(found["patch"] == [["op": "replace", "path": "/n", "value": 7]])
        let same = try await server.http.get(path + "/diff/" + Sample.header().session).json()
        #expect(same == ["same": true, "compared": 50, "unknown": 0])
        #expect(try await server.http.get(path + "/diff/NO-SUCH-SESSION").code == "session-absent")
        #expect(try await server.http.get(path + "/diff/OTHER").code == "session-absent")
        app.close()
        other.close()
    }
}
