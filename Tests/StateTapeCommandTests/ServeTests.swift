import Foundation
import Testing

@testable import StateTapeCommand

@Suite("serve", .timeLimit(.minutes(1)))
struct ServeTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private func serve(_ options: [String]) throws -> CommandProcess.Result {
        try CommandProcess.run(["serve"] + options) { $0.currentDirectoryURL = folder.url }
    }

    @Test("A server that can't start leaves no folder behind that it has made, and keeps those that were there")
    func noFolder() throws {
        let other = try ServerProcess()
        let (taken, free) = (["--listen", "127.0.0.1:\(other.port)"], ["--listen", "127.0.0.1:0"])
        let text = try folder.write("text", Data("no certificate".utf8))
        for failing in [
            taken, ["--listen", "192.0.2.1:0"], free + ["--tls-cert", text, "--tls-key", text],
            free + ["--database", "postgres://nobody@127.0.0.1:1/none"],
        ] {
            for data in [[], ["--data", "a/b/c"]] {
                let result = try serve(failing + data)
                #expect(result.status == 1, "\(failing): \(result)")
                #expect(try folder.names(".") == ["text"], "\(failing): \(result)")
            }
        }
        try folder.write("a/mine", Data())
        #expect(try serve(taken + ["--data", "a/b/c"]).status == 1)
        #expect(try folder.names("a") == ["mine"])
        #expect(try serve(taken + ["--data", "a"]).status == 1)
        #expect(try folder.names("a").contains("mine"))
    }

    @Test("The article Storage lists the files that a server leaves behind, and the log is empty then")
    func files() throws {
        let server = try ServerProcess()
        try SampleTape.make(5).write(to: server.file("a.tape"))
        #expect(try server.run("import", server.file("a.tape").path).status == 0)
        server.stop()
        let names = try FileManager.default.contentsOfDirectory(atPath: server.file("data").path)
        let article = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/StateTapeServer/StateTapeServer.docc/Storage.md")
        let rows = try String(contentsOf: article, encoding: .utf8).split(separator: "\n")
        let cells = rows.filter { $0.hasPrefix("| `") }.compactMap { $0.split(separator: "|").first }
        let listed = cells.flatMap { $0.matches(of: /`([^`]+)`/).map { String($0.1) } }
        #expect(Set(names).isSubset(of: listed), "\(names)")
        #expect(try Data(contentsOf: server.file("data/archive.sqlite-wal")).isEmpty)
    }
}
