import Foundation
import Testing

@testable import TodoExample

@Suite(.timeLimit(.minutes(1))) struct TodoExampleCommandTests {
    private static func file(_ script: String) throws -> URL {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).todo")
        try script.write(to: file, atomically: true, encoding: .utf8)
        return file
    }

    @Test("The app runs a script, prints each state as a plain frame, and exits with 0")
    func script() throws {
        let file = try Self.file("add Buy milk #home due:tomorrow\ndone 1\nsync\nwait-for sync\nfilter open\n")
        defer { try? FileManager.default.removeItem(at: file) }
        let (status, output) = try TodoProcess(["--script", file.path]).end()
        #expect(status == 0)
        let frames = output.components(separatedBy: "--- frame ").dropFirst()
        #expect(frames.count == 6)
        #expect(frames.last?.contains("   2 ○ Buy milk             #home   tomorrow\n") == true)
        #expect(frames.last?.contains("synced 12:00: 3 sent, 0 received\n") == true)
        #expect(!output.contains("\u{1b}"))
    }

    @Test("An invalid script fails with its line number and exit code 64")
    func wrongScript() throws {
        let file = try Self.file("sync\nfoo\n")
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try TodoProcess(["--script", file.path]).end().status == 64)
    }

    @Test("The app reads commands from a pipe, and quits at its end")
    func pipe() throws {
        let app = try TodoProcess([])
        app.type("add From a pipe\nhlep\n")
        app.shows("Did you mean: help")
        app.type("add Without a newline")
        try app.closeInput()
        let (status, output) = app.end()
        #expect(status == 0)
        #expect(output.contains("   3 ○ From a pipe"))
        #expect(output.contains("   4 ○ Without a newline"))
    }

    @Test("After stay, a signal quits the app with exit code 0", arguments: [SIGTERM, SIGINT])
    func stay(signal: Int32) throws {
        let file = try Self.file("add Last one\nstay\n")
        defer { try? FileManager.default.removeItem(at: file) }
        let app = try TodoProcess(["--script", file.path])
        app.shows("Last one")
        app.signal(signal)
        #expect(app.end().status == 0)
    }

    @Test("In a terminal the app reads keys, redraws the prompt, and restores the terminal")
    func terminal() throws {
        let terminal = try PseudoTerminal()
        let app = try TodoProcess([], on: terminal)
        app.shows("›")
        #expect(!terminal.isCooked)
        app.type("add Tea\u{7f}ll Ana #phone\r")
        let shown = app.shows("Tell Ana")
        #expect(shown.contains("\u{1b}[H"))
        app.shows("#phone\u{1b}[0m")
        app.type("\u{3}")
        #expect(app.end().status == 0)
        #expect(terminal.isCooked)
    }

    @Test("The demo runs until a signal ends it")
    func demo() throws {
        let app = try TodoProcess(["--demo"])
        app.shows("Call Ana about Friday")
        app.signal(SIGTERM)
        #expect(app.end().status == 0)
    }
}
