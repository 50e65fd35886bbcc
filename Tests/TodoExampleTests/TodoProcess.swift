import Foundation
import Testing

/// A running `todo-example`.
// Unchecked: the condition protects the output.
final class TodoProcess: @unchecked Sendable {
    private let process = Process()
    private let input: FileHandle
    private let condition = NSCondition()
    private var output: [UInt8] = []
    private var isClosed = false

    /// Starts the app.
    ///
    /// - Parameters:
    ///   - arguments: The arguments; `--today` is added.
    ///   - terminal: The terminal to run in; without one, input and output are pipes.
    init(_ arguments: [String], on terminal: PseudoTerminal? = nil) throws {
        process.executableURL = Self.products.appendingPathComponent("todo-example")
        process.arguments = ["--today", "2026-11-21"] + arguments
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("STATETAPE") }
        let source: FileHandle
        if let terminal {
            process.standardInput = terminal.app
            process.standardOutput = terminal.app
            process.standardError = terminal.app
            (source, input) = (terminal.person, terminal.person)
        } else {
            let (typed, printed) = (Pipe(), Pipe())
            process.standardInput = typed
            process.standardOutput = printed
            (source, input) = (printed.fileHandleForReading, typed.fileHandleForWriting)
        }
        try process.run()
        Thread.detachNewThread { [self] in
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = read(source.fileDescriptor, &buffer, buffer.count)
                guard count > 0 else { break }
                took(buffer[..<count])
            }
            close()
        }
    }

    /// The build folder, which contains the test bundle.
    private static var products: URL {
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        return (bundle ?? URL(fileURLWithPath: CommandLine.arguments[0])).deletingLastPathComponent()
    }

    private func took(_ bytes: ArraySlice<UInt8>) {
        condition.withLock {
            output += bytes
            condition.broadcast()
        }
    }

    private func close() {
        condition.withLock {
            isClosed = true
            condition.broadcast()
        }
    }

    /// The output so far; call it with the lock held.
    private var shown: String { String(decoding: output, as: UTF8.self) }

    /// Waits for a text in the output.
    ///
    /// - Returns: The output so far; the test fails if the app exits without the text.
    @discardableResult
    func shows(_ text: String) -> String {
        condition.withLock {
            while !shown.contains(text), !isClosed { condition.wait() }
            if !shown.contains(text) { Issue.record("“\(text)” was never shown:\n\(shown)") }
            return shown
        }
    }

    func type(_ text: String) {
        input.write(Data(text.utf8))
    }

    func closeInput() throws {
        try input.close()
    }

    func signal(_ number: Int32) {
        kill(process.processIdentifier, number)
    }

    /// Waits until the app exits.
    ///
    /// - Returns: The exit status and the output.
    func end() -> (status: Int32, output: String) {
        process.waitUntilExit()
        return condition.withLock {
            while !isClosed, process.standardOutput is Pipe { condition.wait() }
            return (process.terminationStatus, shown)
        }
    }
}

/// A pseudo terminal: the test reads the app's output.
struct PseudoTerminal {
    let person: FileHandle
    let app: FileHandle

    init(columns: UInt16 = 80, rows: UInt16 = 24) throws {
        var primary: Int32 = -1
        var secondary: Int32 = -1
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        try #require(openpty(&primary, &secondary, nil, nil, &size) == 0)
        person = FileHandle(fileDescriptor: primary, closeOnDealloc: true)
        app = FileHandle(fileDescriptor: secondary, closeOnDealloc: true)
    }

    /// Whether the terminal echoes keys and edits lines, as a shell sets it up.
    var isCooked: Bool {
        var settings = termios()
        tcgetattr(app.fileDescriptor, &settings)
        let flags = tcflag_t(ICANON | ECHO | ISIG)
        return settings.c_lflag & flags == flags
    }
}
