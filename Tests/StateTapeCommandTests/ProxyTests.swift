import Foundation
import Testing

@testable import StateTapeCommand

@Suite("Proxies and addresses", .timeLimit(.minutes(2)))
struct ProxyTests {
    private static let variables = [
        "http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
    ]

    private static func environment(_ proxy: ConnectionCounter) -> [String: String] {
        Dictionary(uniqueKeysWithValues: variables.map { ($0, "http://127.0.0.1:\(proxy.port)") })
    }

    /// Runs a command with each variable that names a proxy.
    private static func run(
        _ arguments: [String], _ proxy: ConnectionCounter, server: String, _ more: [String: String] = [:]
    ) throws -> CommandProcess.Result {
        try CommandProcess.run(arguments, server: server) { process in
            process.environment?.merge(environment(proxy)) { $1 }
            process.environment?.merge(more) { $1 }
        }
    }

    @Test(
        "No command sends a request to this machine to a proxy, by whatever name",
        arguments: ["127.0.0.1", "localhost", "127.0.0.2"])
    func loopback(_ host: String) throws {
        let proxy = try ConnectionCounter()
        let server = try ServerProcess("--listen", "0.0.0.0:0", "--token", "control=secret-token", "--allow-host", host)
        let url = "http://\(host):\(server.port)/#token=secret-token"
        let tape = server.file("a.tape").path
        try SampleTape.make(5).write(to: server.file("a.tape"))
        let id = SampleTape.session
        for (arguments, expected) in [
            (["import", tape], "\(id) 5 new events"), (["sessions"], String(id.prefix(10))),
            (["export", id, "-o", "-"], "\"event\""), (["diff", id, tape], "No difference"),
            (["start-state", "list"], "SESSION"),
            (["start-state", "set", "\(id)@2"], "\n"), (["start-state", "clear", "--all"], ""),
            (["export", String(id.prefix(12)), "-o", "-"], "\"event\""),
        ] {
            let result = try Self.run(arguments, proxy, server: url)
            #expect(
                result.status == 0 && (expected.isEmpty || result.output.contains(expected)),
                "\(arguments): \(result.output)\(result.errors)")
        }
        let push = try Self.run(["push", id, "--seq", "2"], proxy, server: url)
        #expect(push.status == 1 && push.errors.contains("The server refused: "), "\(push.errors)")
        #expect(proxy.count == 0)
    }

    @Test("ci finds the tapes of its private server, and uploads them to a server on this machine")
    func continuousIntegration() throws {
        let (proxy, server, scene) = (try ConnectionCounter(), try ServerProcess(), try CIScene())
        try scene.leave(
            "failed.tape", CIScene.tape("FAILED-000001", test: "pays", .outcome("failed"), errors: ["no"]))
        let post = """
            curl -sS --noproxy '*' -o /dev/null -H "Authorization: Bearer $STATETAPE_TOKEN" \
            --data-binary @other.tape "${STATETAPE_URL%%#*}api/v1/sessions"; exit 1
            """
        try scene.folder.write(
            "other.tape", CIScene.tape("OTHER-0000001", test: "ships", .outcome("failed"), errors: ["late"]))
        let result = try scene.run(["--archive", server.url], script: post, environment: Self.environment(proxy))
        #expect(result.status == 1)
        #expect(try scene.output().contains { $0.contains("ships") }, "\(result.errors)")
        #expect(try server.run("sessions").output.contains("com.example.shop"), "\(result.errors)")
        #expect(proxy.count == 0)
    }

    @Test("A request to another machine uses the proxy, unless no_proxy names it")
    func others() throws {
        let proxy = try ConnectionCounter()
        let url = "http://tapes.example.invalid/"
        let result = try Self.run(["sessions"], proxy, server: url)
        #expect(result.status == 1 && proxy.count > 0, "\(result.errors)")
        let before = proxy.count
        let direct = try Self.run(["sessions"], proxy, server: url, ["no_proxy": "example.invalid"])
        #expect(direct.status == 1 && proxy.count == before, "\(direct.errors)")
    }

    @Test("Commands reach a server at an IPv6 address")
    func six() throws {
        let server = try ServerProcess("--listen", "[::1]:0")
        let url = "http://[::1]:\(server.port)/"
        let tape = server.file("a.tape").path
        try SampleTape.make(5).write(to: server.file("a.tape"))
        let proxy = try ConnectionCounter()
        let imported = try Self.run(["import", tape], proxy, server: url)
        #expect(imported.output == "\(SampleTape.session) 5 new events\n", "\(imported.errors)")
        for arguments in [["sessions"], ["export", SampleTape.session, "-o", "-"], ["start-state", "list"]] {
            let result = try Self.run(arguments, proxy, server: url)
            #expect(result.status == 0, "\(arguments): \(result.errors)")
        }
        #expect(proxy.count == 0)
        let absent = try CommandProcess.run(["sessions"], server: "http://[::1]:1/")
        #expect(
            absent.errors.contains("Can't reach the server at http://[::1]:1: Connection refused."),
            "\(absent.errors)")
    }

    @Test("An IPv6 address that can't be reached says what to use instead")
    func unreachable() throws {
        let secure = try CommandProcess.run(["sessions"], server: "https://[::1]:1/")
        #expect(secure.status == 1 && secure.errors.contains("Use a host name"), "\(secure.errors)")
        let proxy = try ConnectionCounter()
        let proxied = try Self.run(["sessions"], proxy, server: "http://[2001:db8::1]:1/")
        #expect(proxied.status == 1 && proxied.errors.contains("add 2001:db8::1 to no_proxy"), "\(proxied.errors)")
    }

    @Test("A request with TLS to this machine goes past the proxy, too")
    func secure() throws {
        let proxy = try ConnectionCounter()
        let result = try Self.run(["sessions"], proxy, server: "https://127.0.0.1:1/")
        #expect(result.status == 1 && proxy.count == 0, "\(result.errors)")
    }
}
