import Foundation

/// HAProxy before some servers. It ends with this process, however that ends.
final class LoadBalancer {
    /// The port with a connection for each server in turn, and a port for each server alone.
    let port: Int
    let ports: [Int]
    private let folder: ArchiveFolder
    private let process = Process()
    private let input = Pipe()

    init(before servers: [BenchProcess]) throws {
        let program = try Self.program()
        let free = try Self.freePorts(servers.count + 1)
        (port, ports) = (free[0], Array(free.dropFirst()))
        folder = try ArchiveFolder()
        let parts = [(port, servers)] + zip(ports, servers).map { ($0, [$1]) }
        let file = folder.url.appendingPathComponent("haproxy.cfg")
        try Data((Self.defaults + parts.map(Self.section).joined()).utf8).write(to: file)
        let log = folder.url.appendingPathComponent("log")
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [
            "-c", #""$1" -db -f "$2" > "$3" 2>&1 & read -r _; kill $!"#, "sh", program, file.path, log.path,
        ]
        process.standardInput = input
        try process.run()
        let deadline = Date(timeIntervalSinceNow: 10)
        while (try? Relay.connected(to: port)).map({ close($0) }) == nil {
            guard deadline > .now else {
                stop()
                let reason = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
                throw Lost(description: "HAProxy doesn't listen: \(reason)")
            }
            sched_yield()
        }
    }

    func stop() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Ends with a sentence if HAProxy isn't installed.
    @discardableResult
    static func program() throws -> String {
        // Debian has it in a folder that is only on the PATH of root.
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":") + ["/usr/sbin"]
        let files = folders.map { "\($0)/haproxy" }
        guard let file = files.first(where: FileManager.default.isExecutableFile) else {
            throw Lost(description: "HAProxy isn't installed: install Debian's package haproxy.")
        }
        return file
    }

    private static let defaults = """
        defaults
            mode http
            timeout connect 5s
            timeout client 1m
            timeout server 1m
            timeout tunnel 1h

        """

    private static func section(_ port: Int, _ servers: [BenchProcess]) -> String {
        "listen from\(port)\n    bind 127.0.0.1:\(port)\n    balance roundrobin\n    option redispatch\n"
            + servers.map { "    server s\($0.port) 127.0.0.1:\($0.port) check inter 200ms\n" }.joined()
    }

    /// Ports that nobody listens on.
    private static func freePorts(_ count: Int) throws -> [Int] {
        let listeners = try (0..<count).map { _ in try Relay.listen() }
        for listener in listeners { close(listener.socket) }
        return listeners.map(\.port)
    }
}
