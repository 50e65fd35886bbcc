import SampleTapes
import TapeFormat
import TapeSockets
import Testing

@testable import StateTapeServer

@Suite(.timeLimit(.minutes(1))) struct QueryParameterTests {
    private let path = TestServer.session

    @Test("An unknown or repeated parameter is 400 with its name")
    func unknown() async throws {
        let server = try TestServer()
        let app = try await server.recorded(Sample.counting(to: 3))
        for place in [
            "/api/v1/sessions", path + "/events", path + "/events/1", path + "/states/1", path + "/matches",
            path + "/histogram", path + "/tape", "/api/v1/connect",
        ] {
            let answer = try await server.http.get(place + "?tyop=1")
            #expect(answer.code == "bad-query" && answer.text.contains("“tyop”"), "\(place) \(answer.text)")
        }
        for query in [
            "/events?from=0&from=2", "/tape?to=1&to=2", "/matches?limit=1&limit=2", "/states/1?store=a&store=b",
        ] {
            #expect(try await server.http.get(path + query).code == "bad-query", "\(query)")
        }
        let upload = try await server.http.send("POST", "/api/v1/sessions?lable=a:b", bytes: [10])
        #expect(upload.code == "bad-query")
        #expect(try await server.http.send("DELETE", "/api/v1/start-states?id=a&id=b").code == "bad-query")
        app.close()
    }

    @Test("No endpoint accepts an unknown parameter; those without parameters change nothing")
    func everywhere() async throws {
        let server = try TestServer()
        let app = try await server.recorded(Sample.counting(to: 3))
        let before = try await server.http.get(path).json()
        for (method, pattern) in server.server.routes.entries where pattern.hasPrefix("/api/") {
            var place = pattern.replacing("{seq}", with: "1").replacing("{n}", with: "1")
            place = place.replacing("{device}", with: "phone")
            for name in ["{id}", "{other}"] { place = place.replacing(name, with: Sample.header().session) }
            for query in ["tyop=1", "/", "="] {
                // The body is not read any more, whether or not it is valid.
                let body = method == "GET" ? [] : Array(#"{"title":"changed"}"#.utf8)
                let answer = try await server.http.send(method, "\(place)?\(query)", bytes: body)
                #expect(
                    answer.status == 400 && answer.code == "bad-query",
                    "\(method) \(place)?\(query): \(answer.status) \(answer.text.prefix(200))")
            }
        }
        #expect(try await server.http.get(path + "?").json() == before)
        app.close()
    }

    @Test("A number out of its bounds, and an unknown word, are 400")
    func bounds() async throws {
        let server = try TestServer()
        let app = try await server.recorded(Sample.counting(to: 3))
        for query in [
            "/api/v1/sessions?limit=1001", "/api/v1/sessions?limit=0", "/api/v1/sessions?live=yes",
            "/api/v1/sessions?live=", "\(path)/events?limit=10001", "\(path)/matches?limit=100001",
            "\(path)/events?fields=tail", "\(path)/histogram?buckets=2001", "\(path)/tape?from=9&to=3",
            "\(path)/tape?format=redux-devtools&from=2&to=1", "\(path)/tape?format=x", "\(path)/tape?format=",
            "/api/v1/connect?format=png", "/api/v1/sessions?label=x",
        ] {
            let answer = try await server.http.get(query)
            #expect(answer.status == 400 && answer.code == "bad-query", "\(query): \(answer.status)")
        }
        for query in [
            "/api/v1/sessions?limit=1000&live=true", "\(path)/events?limit=10000", "\(path)/tape?from=2&to=2",
        ] {
            #expect(try await server.http.get(query).status == 200, "\(query)")
        }
        app.close()
    }
}
