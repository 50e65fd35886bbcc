import Foundation
import Testing

@testable import StateTapeCommand

@Suite("Child processes", .timeLimit(.minutes(1))) struct ChildProcessTests {
    private let environment = ["PATH": "/usr/bin:/bin"]

    @Test("Nothing of a group is left after the end, also if it ignores SIGTERM or is stopped")
    func group() async throws {
        for script in [
            "sleep 1000 & echo ready; wait", "(trap '' TERM; echo ready; sleep 1000) & wait",
            "trap '' TERM; sleep 1000 & echo ready; wait; wait",
            "sleep 1000 & echo ready; kill -STOP $$",
        ] {
            let (ready, continuation) = AsyncStream.makeStream(of: String.self)
            let (process, lines) = try ChildProcess.start(
                ["/bin/sh", "-c", script], environment, inherited: InheritedDescriptors()
            ) { continuation.yield($0) }
            for await line in ready where line == "ready" { break }
            _ = await process.end(grace: .milliseconds(200))
            // The output ends once no process of the group has it.
            await lines.value
            #expect(process.hasEnded)
        }
    }

    @Test("Its output is read line by line, also a last one without an end")
    func output() async {
        let text = await ChildProcess.output(of: ["/bin/sh", "-c", "echo a; echo b >&2; printf c"], environment)
        #expect(text == "a\nb\nc")
        #expect(await ChildProcess.output(of: ["/bin/sh", "-c", "exit 1"], environment) == nil)
        #expect(await ChildProcess.output(of: ["/no/such"], environment) == nil)
    }

    @Test("Its output ends with it, although what it left holds the output open, or goes on writing")
    func left() async throws {
        for left in ["sleep 1000", "yes"] {
            let lines = Lines()
            let (process, reading) = try ChildProcess.start(
                ["/bin/sh", "-c", "\(left) & echo ready; exit 3"], environment, inherited: InheritedDescriptors()
            ) { lines.add($0) }
            await reading.value
            #expect(await process.ending == .exited(3))
            #expect(lines.all.contains("ready"))
            kill(-process.id, SIGKILL)
        }
    }

    @Test("Of a long line its beginning is kept, and it is read once")
    func longLine() async {
        let script = "head -c 300000000 /dev/zero | tr '\\0' x; echo; echo end"
        let text = await ChildProcess.output(of: ["/bin/sh", "-c", script], environment)
        let start = String(repeating: "x", count: LineSplitter.limit)
        #expect(text == "\(start)… (\(300_000_000 - LineSplitter.limit) more bytes)\nend")
    }

    @Test("Of a long output the first and the last lines are kept")
    func longOutput() {
        let lines = Lines(limit: 1_000)
        for number in 0..<10_000 { lines.add("line \(number)") }
        #expect(lines.all.first == "line 0" && lines.all.last == "line 9999")
        #expect(lines.all.reduce(0) { $0 + $1.utf8.count } <= 1_100)
    }

    @Test("An ending names its signal")
    func endings() async throws {
        let process = try ChildProcess(
            ["/bin/sh", "-c", "kill -KILL $$"], environment, inherited: InheritedDescriptors())
        let ending = await process.ending
        #expect(ending == .signalled(SIGKILL) && ending.code == 137 && ending.text == "signal 9 (SIGKILL)")
        #expect(Ending.exited(3).text == "exit code 3")
    }
}
