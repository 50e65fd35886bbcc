#if Server
    import CPostgres
    import Foundation

    /// Servers with one database, each in a process of its own, behind HAProxy.
    final class ServerFleet {
        static let count = 3

        /// HAProxy's port with a connection for each server in turn, and its ports for one server each.
        let port: Int
        let ports: [Int]
        private(set) var servers: [BenchProcess] = []
        private let database: String
        private let schema = "bench_\(UInt32.random(in: 0...(.max)))"
        private let folder = try? ArchiveFolder()
        private let proxy = Process()

        private var address: String {
            database + (database.contains("?") ? "&" : "?") + "options=-csearch_path%3D\(schema)"
        }

        init(_ database: String, listens: Bool = true) throws {
            self.database = database
            let first = Int.random(in: 20_000..<50_000)
            port = first
            ports = (1...Self.count).map { first + $0 }
            for _ in 0..<Self.count { servers.append(try BenchProcess(.server, database: address, listens: listens)) }
            try startProxy()
        }

        private func startProxy() throws {
            guard let file = folder?.url.appendingPathComponent("haproxy.cfg") else {
                throw Lost(description: "no folder")
            }
            func part(_ port: Int, _ servers: [BenchProcess]) -> String {
                "listen from\(port)\n    bind 127.0.0.1:\(port)\n    balance roundrobin\n    option redispatch\n"
                    + servers.map { "    server s\($0.port) 127.0.0.1:\($0.port) check inter 200ms\n" }.joined()
            }
            var text = """
                defaults
                    mode http
                    timeout connect 5s
                    timeout client 1m
                    timeout server 1m
                    timeout tunnel 1h

                """
            text += part(port, servers)
            for (port, server) in zip(ports, servers) { text += part(port, [server]) }
            try Data(text.utf8).write(to: file)
            proxy.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            proxy.arguments = ["haproxy", "-db", "-f", file.path]
            proxy.environment = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]
            proxy.standardError = FileHandle.nullDevice
            try proxy.run()
            let deadline = Date(timeIntervalSinceNow: 10)
            while (try? Relay.connected(to: port)).map({ close($0) }) == nil {
                guard proxy.isRunning, deadline > .now else {
                    throw Lost(description: "HAProxy doesn't start: install Debian's package haproxy")
                }
                Thread.sleep(forTimeInterval: 0.05)
            }
        }

        /// Kills a server and starts it again.
        func crash(_ number: Int) throws {
            let port = servers[number].port
            servers[number].kill()
            servers[number] = try BenchProcess(.server, database: address, port: port)
        }

        /// Ends the connections on which the servers listen.
        func cutListeners() throws {
            try sql(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'statetape'
                    AND (query LIKE 'LISTEN%' OR query LIKE '%FROM news%' OR query LIKE '%FROM app a%')
                """)
        }

        func stop() {
            proxy.terminate()
            proxy.waitUntilExit()
            for server in servers { server.stop() }
            try? sql("DROP SCHEMA \(schema) CASCADE")
        }

        private func sql(_ text: String) throws {
            guard let connection = PQconnectdb(database) else { throw Lost(description: "no memory") }
            defer { PQfinish(connection) }
            let result = PQexec(connection, "SET client_min_messages = warning; \(text)")
            defer { PQclear(result) }
            guard [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(result)) else {
                throw Lost(description: PQerrorMessage(connection).map { String(cString: $0) } ?? "")
            }
        }
    }
#endif
