#if Server
    import Foundation
    import TapeFormat

    extension ChildProcess {
        /// Starts a command in a group of its own, and passes its output on, line by line.
        ///
        /// - Parameter line: Called on another thread with each line.
        /// - Returns: The process, and a task that ends with its output.
        static func start(
            _ command: [String], _ environment: [String: String], inherited: InheritedDescriptors,
            line: @escaping @Sendable (String) -> Void
        ) throws -> (process: ChildProcess, lines: Task<Void, Never>) {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { throw Failure("No pipe: \(String(cString: strerror(errno)))") }
            let (input, output) = (ends[0], ends[1])
            _ = fcntl(input, F_SETFD, FD_CLOEXEC)
            defer { close(output) }
            let process: ChildProcess
            do {
                process = try ChildProcess(command, environment, output: output, inherited: inherited)
            } catch {
                close(input)
                throw error
            }
            let (endings, continuation) = AsyncStream.makeStream(of: Void.self)
            Thread.detachNewThread {
                read(input, line)
                close(input)
                continuation.finish()
            }
            return (process, Task { for await _ in endings {} })
        }

        private static func read(_ input: Int32, _ line: (String) -> Void) {
            var rest: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 16 << 10)
            while true {
                let count = Foundation.read(input, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                rest += buffer[..<count]
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    line(String(decoding: rest[..<end], as: UTF8.self))
                    rest.removeSubrange(...end)
                }
            }
            if !rest.isEmpty { line(String(decoding: rest, as: UTF8.self)) }
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

    /// Lines that another thread reads.
    final class Lines: Sendable {
        private let lines = Locked<[String]>([])

        var all: [String] { lines.withLock { $0 } }

        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }
#endif
