import Foundation

extension ChildProcess {
    /// What a pipe holds.
    private static let pipeSize = 64 << 10

    /// Starts a command in a group of its own, and passes its output on, line by line.
    ///
    /// - Parameter line: Called on another thread with each line.
    /// - Returns: The process, and a task that ends once what the process had written when it ended has been read. What
    ///   others write to the output later, such as a server that a build has started, is read and dropped.
    static func start(
        _ command: [String], _ environment: [String: String], inherited: InheritedDescriptors,
        line: @escaping @Sendable (String) -> Void
    ) throws -> (process: ChildProcess, lines: Task<Void, Never>) {
        let (input, output) = try pipe()
        defer { close(output) }
        let ended: (input: Int32, output: Int32)
        do {
            ended = try pipe()
        } catch {
            close(input)
            throw error
        }
        let process: ChildProcess
        do {
            process = try ChildProcess(command, environment, output: output, inherited: inherited)
        } catch {
            for file in [input, ended.input, ended.output] { close(file) }
            throw error
        }
        Task {
            _ = await process.ending
            close(ended.output)
        }
        let (endings, continuation) = AsyncStream.makeStream(of: Void.self)
        Thread.detachNewThread {
            read(input, until: ended.input, line)
            continuation.finish()
            // Without a reader, those who still write would be ended.
            drop(input)
            close(input)
            close(ended.input)
        }
        return (process, Task { for await _ in endings {} })
    }

    private static func pipe() throws -> (input: Int32, output: Int32) {
        var ends: [Int32] = [-1, -1]
        guard Foundation.pipe(&ends) == 0 else { throw Failure("No pipe: \(String(cString: strerror(errno)))") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// - Parameter ended: Readable once the process has ended.
    private static func read(_ input: Int32, until ended: Int32, _ line: (String) -> Void) {
        var splitter = LineSplitter()
        var buffer = [UInt8](repeating: 0, count: pipeSize)
        var files = [
            pollfd(fd: input, events: Int16(POLLIN), revents: 0),
            pollfd(fd: ended, events: Int16(POLLIN), revents: 0),
        ]
        // What may still come from the process once it has ended.
        var rest: Int?
        while rest.map({ $0 > 0 }) ?? true {
            if rest == nil {
                if poll(&files, 2, -1) < 0, errno == EINTR { continue }
                if files[1].revents != 0 {
                    rest = pipeSize
                    _ = fcntl(input, F_SETFL, O_NONBLOCK)
                }
            }
            let count = Foundation.read(input, &buffer, min(buffer.count, rest ?? .max))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            rest = rest.map { $0 - count }
            buffer.withUnsafeBytes { splitter.add(UnsafeRawBufferPointer(rebasing: $0[..<count]), line) }
        }
        splitter.end(line)
    }

    private static func drop(_ input: Int32) {
        _ = fcntl(input, F_SETFL, 0)
        var buffer = [UInt8](repeating: 0, count: pipeSize)
        var count: Int
        repeat {
            count = Foundation.read(input, &buffer, buffer.count)
        } while count > 0 || count < 0 && errno == EINTR
    }

    /// What a command prints on standard output and error; nil if it fails or isn't installed.
    static func output(of command: [String], _ environment: [String: String]) async -> String? {
        let lines = Lines()
        guard
            let (process, reading) = try? start(
                command, environment, inherited: InheritedDescriptors(), line: { lines.add($0) })
        else { return nil }
        await reading.value
        return await process.ending == .exited(0) ? lines.all.joined(separator: "\n") : nil
    }
}
