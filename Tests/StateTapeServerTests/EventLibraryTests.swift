import InMemoryLogging
import Logging
import SampleTapes
import TapeSockets
import Testing

@testable import StateTapeServer

@Suite(.timeLimit(.minutes(1))) struct EventLibraryTests {
    @Test(
        "A server uses libuv; without it, it logs that once and works",
        arguments: [
            EventLibrary.libuv, .poll,
        ])
    func missing(library: EventLibrary) async throws {
        let folder = TemporaryFolder()
        var configuration = Configuration(data: folder.url)
        configuration.port = 0
        configuration.eventLibrary = library
        let log = InMemoryLogHandler()
        let server = try Server(configuration, logger: Logger(label: "test") { _ in log })
        defer { server.stop() }
        #expect(server.eventLibrary == library)
        let said = log.entries.filter { $0.message.description.contains("libwebsockets-evlib-uv is missing") }
        #expect(said.count == (library == .poll ? 1 : 0))
        #expect(try await HTTPClient(port: server.port).get("/healthz").status == 200)
    }
}
