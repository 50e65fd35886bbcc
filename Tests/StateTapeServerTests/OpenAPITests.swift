#if Server
    import Foundation
    import TapeFormat
    import TapeSockets
    import Testing

    @testable import StateTapeServer

    @Suite(.timeLimit(.minutes(1))) struct OpenAPITests {
        @Test("The description and the server name the same methods and paths")
        func routes() async throws {
            let server = try TestServer()
            let answer = try await server.http.get("/openapi.json")
            #expect(answer.status == 200 && answer.headers["content-type"] == "application/json")
            let paths = try #require(try answer.json()["paths"]?.object)
            var described: Set<String> = []
            for path in paths {
                for operation in path.value.object ?? JSON.Object() where operation.key != "parameters" {
                    described.insert("\(operation.key.uppercased()) \(Self.nameless(path.key))")
                }
            }
            let served = Set(server.server.routes.entries.map { "\($0.method) \(Self.nameless($0.pattern))" })
            #expect(served.subtracting(described).sorted() == [], "served, and not described in openapi.json")
            #expect(described.subtracting(served).sorted() == [], "described, and not served")
        }

        /// What a path's parameters are called doesn't matter.
        private static func nameless(_ path: String) -> String {
            path.replacing(/\{[^}]*\}/, with: "{}")
        }
    }
#endif
