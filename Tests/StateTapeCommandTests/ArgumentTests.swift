import ArgumentParser
import StateTapeServer
import Testing

import enum TapeFormat.JSON

@testable import StateTapeCommand

@Suite("Arguments")
struct ArgumentTests {
    @Test(
        "An address is a host and a port, IPv6 in brackets",
        arguments: [
            ("127.0.0.1:8080", "127.0.0.1", 8080), ("localhost:0", "localhost", 0), ("[::1]:80", "::1", 80),
            ("0.0.0.0:65535", "0.0.0.0", 65535),
        ])
    func addresses(_ text: String, _ host: String, _ port: Int) throws {
        let address = try #require(ListenAddress(argument: text))
        #expect(address.host == host)
        #expect(address.port == port)
        #expect(address.description == text)
    }

    @Test(
        "An invalid address is rejected", arguments: ["", "8080", "localhost", ":80", "::1:80", "a:65536", "a:-1"])
    func invalidAddresses(_ text: String) {
        #expect(ListenAddress(argument: text) == nil)
    }

    @Test("push needs exactly one of --seq, --state and --action")
    func push() throws {
        #expect(throws: (any Error).self) { try StateTapeCommand.parseAsRoot(["push", "0123456789"]) }
        #expect(throws: (any Error).self) {
            try StateTapeCommand.parseAsRoot(["push", "0123456789", "--seq", "1", "--state", "a.json"])
        }
        #expect(try StateTapeCommand.parseAsRoot(["push", "0123456789", "--seq", "1"]) is Push)
    }

    @Test("A token argument is a role and a value")
    func tokens() throws {
        #expect(try RoleToken(parsing: "control=abcdef=b").token == .init(.control, "abcdef=b"))
        #expect(try RoleToken(parsing: "app=abcdefgh").token.role == .app)
        for argument in ["reader=abcdefgh", "abcdefgh", "Control=abcdefgh"] {
            #expect(throws: ValidationError.self) { try RoleToken(parsing: argument) }
        }
        // `control=…` is what one copies from a text.
        for value in ["", "…", "abcdefg", "abcd efgh", "abcdefgé", "abcdefg\n", String(repeating: "a", count: 1_001)] {
            #expect(throws: ValidationError.self, "\(value)") { try RoleToken(parsing: "control=\(value)") }
        }
    }

    @Test("--tls-cert without --tls-key is rejected")
    func tls() {
        #expect(throws: (any Error).self) { try StateTapeCommand.parseAsRoot(["serve", "--tls-cert", "a.pem"]) }
    }

    @Test(
        "Options that contradict each other are rejected",
        arguments: [
            ["check", "--data", "a", "--database", "postgres://x/y"], ["check", "--data", "a", "b.tape"],
            ["check", "--database", "postgres://x/y", "b.tape"],
            ["run", "--data", "a", "--server", "http://127.0.0.1:1", "--", "swift", "run"],
            ["run", "--data", "a", "--token", "t", "--", "swift", "run"],
        ])
    func contradictions(_ arguments: [String]) {
        #expect(throws: (any Error).self) { try StateTapeCommand.parseAsRoot(arguments) }
    }

    @Test("diff prints the kind of the first difference, the events, and the patch between the states")
    func diff() throws {
        let answer: JSON = [
            "same": false, "compared": 41, "unknown": 2, "kind": "state", "store": "main",
            "a": ["seq": 40, "event": "action", "type": "counter/add"], "b": .null,
            "patch": [["op": "replace", "path": "/n", "value": 7]],
        ]
        #expect(
            Diff.lines(answer) == [
                "First difference in store main: the same action led to different states. Events compared: 41. "
                    + "States not compared, because one tape lacks them: 2.",
                "  first   #40 counter/add", "  second  -", "Patch from the first tape's state to the second's:",
                #"  {"op":"replace","path":"/n","value":7}"#,
            ])
        #expect(Diff.lines(["same": true, "compared": 3, "unknown": 0]) == ["No difference. Events compared: 3."])
        #expect(throws: (any Error).self) { try StateTapeCommand.parseAsRoot(["diff", "0123456789"]) }
    }

    @Test("A table aligns its columns, with control characters written out")
    func table() {
        let table = Table(
            [["APP", "N", ""], ["Todo\u{1b}[31m", "7", "live"], ["A", "1234", ""]], rightAligned: [1])
        #expect(table.lines == ["APP                N", "Todo\\u{1b}[31m     7  live", "A               1234"])
    }
}
