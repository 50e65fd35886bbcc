/// Servers with one database, each in a process of its own, behind HAProxy.
final class ServerFleet {
    static let count = 3

    let schema: DatabaseSchema
    private(set) var servers: [BenchProcess] = []
    private let balancer: LoadBalancer
    private let processes: DatabaseProcesses?

    /// HAProxy's port with a connection for each server in turn, and its ports for one server each.
    var port: Int { balancer.port }
    var ports: [Int] { balancer.ports }
    /// The CPU time in seconds of all servers.
    var cpu: Double { servers.map(\.cpu).reduce(0, +) }
    /// That of the database; nil if it runs on another machine.
    var databaseCPU: Double? { processes?.cpu }

    init(_ database: String, listens: Bool = true) throws {
        // Before anything is started.
        try LoadBalancer.program()
        let schema = try DatabaseSchema(in: database)
        let servers = try (0..<Self.count).map { _ in
            try BenchProcess(.server, database: schema, listens: listens)
        }
        do {
            balancer = try LoadBalancer(before: servers)
        } catch {
            for server in servers { server.stop() }
            throw error
        }
        (self.schema, self.servers, processes) = (schema, servers, DatabaseProcesses(of: schema))
    }

    /// Kills a server and starts it again.
    func crash(_ number: Int) throws {
        servers[number] = try servers[number].crash()
    }

    func stop() {
        balancer.stop()
        for server in servers { server.stop() }
    }
}
