import Foundation

/// The CPU times of a process, in seconds on all cores.
struct ProcessTimes {
    let name: String
    let parent: Int32
    let own: Double
    /// Those of its children that have ended.
    let ended: Double

    init?(_ process: Int32) {
        guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let open = stat.firstIndex(of: "("), let close = stat.lastIndex(of: ")")
        else { return nil }
        name = String(stat[stat.index(after: open)..<close])
        // The parent is field 4; from 14 on are the times in ticks.
        let fields = stat[stat.index(after: close)...].split(separator: " ").map { Double($0) ?? 0 }
        guard fields.count > 14 else { return nil }
        let second = Double(sysconf(Int32(_SC_CLK_TCK)))
        parent = Int32(fields[1])
        own = (fields[11] + fields[12]) / second
        ended = (fields[13] + fields[14]) / second
    }
}

/// The processes of a PostgreSQL server on this machine.
struct DatabaseProcesses {
    private let main: Int32

    /// - Returns: Nil if the server runs elsewhere.
    init?(of schema: DatabaseSchema) {
        guard
            let text = try? schema.run("SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'")
                .first,
            let times = Int32(text).flatMap(ProcessTimes.init), times.name == "postgres"
        else { return nil }
        main = times.parent
    }

    /// The CPU time in seconds, including that for other databases of the same server.
    var cpu: Double {
        guard let times = ProcessTimes(main) else { return .nan }
        let all = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
        let children = all.compactMap(ProcessTimes.init).filter { $0.parent == main }
        return times.own + times.ended + children.map(\.own).reduce(0, +)
    }
}
