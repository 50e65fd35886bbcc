import Foundation
import TapeArchive
import TapeArchivePostgres
import TapeFormat

/// The server's metrics in Prometheus' text format. Only the archive's size needs a query.
struct Metrics: Sendable {
    let archive: any Archive
    let broker: any Broker
    let core: ServerCore
    let refusals: RefusedConnections
    let wrongTokens: WrongTokens
    private let started = ContinuousClock.now

    func text() throws -> String {
        let (committed, waiting) = core.committer.counts
        let (apps, viewers) = core.wait { ($0.apps.count, $0.fanOut.count) } ?? (0, 0)
        let engine = archive.engine
        let archive = try archive.diskUse()
        var text = Exposition()
        text.add(
            "build_info", .gauge, "Always 1; the label has the version.", 1,
            labels: "{version=\"\(Release.version)\"}")
        text.add(
            "uptime_seconds", .gauge, "Seconds since the start.", (ContinuousClock.now - started) / .seconds(1))
        if let bytes = Self.residentBytes {
            text.add("resident_memory_bytes", .gauge, "Resident memory of the process in bytes.", Double(bytes))
        }
        text.add("apps_connected", .gauge, "Connected apps.", Double(apps))
        text.add("viewers_connected", .gauge, "Connected pages.", Double(viewers))
        text.add("sessions", .gauge, "Sessions in the archive.", Double(archive.sessions))
        text.add("archive_size_bytes", .gauge, "Size of the archive on disk in bytes.", Double(archive.bytes))
        text.add("archive_free_bytes", .gauge, "Bytes of the archive in free pages.", Double(archive.freeBytes))
        text.add("events_committed_total", .counter, "Events committed.", Double(committed.events))
        text.add("bytes_committed_total", .counter, "Bytes of the committed event lines.", Double(committed.bytes))
        text.add("commit_queue_bytes", .gauge, "Bytes of event lines queued for a commit.", Double(waiting))
        text.add("commit_failures_total", .counter, "Commits that failed.", Double(committed.failures))
        text.add("commit_seconds_max", .gauge, "Duration of the longest commit in seconds.", committed.longest)
        text.histogram(
            "commit_seconds", "Commit times in seconds.", bounds: CommitCounts.bounds, counts: committed.counts,
            sum: committed.seconds, label: "engine=\"\(engine)\"")
        if engine == PostgresArchive.engine { addServers(&text) }
        text.add("wrong_tokens_total", .counter, "Requests with a wrong token.", Double(wrongTokens.count))
        text.begin("refusals_total", .counter, "Refused connections and requests, by reason.")
        for (code, count) in refusals.counts.sorted(by: { $0.key < $1.key }) {
            text.sample("refusals_total", Double(count), labels: "{reason=\"\(code)\"}")
        }
        return text.text
    }

    /// What servers with the same database tell each other.
    private func addServers(_ text: inout Exposition) {
        let counts = broker.counts
        text.add("wakeups_sent_total", .counter, "Messages to the other servers.", Double(counts.sent))
        text.add("wakeups_received_total", .counter, "Messages of other servers.", Double(counts.received))
        text.add("news_polls_total", .counter, "Readings of news without a wake-up.", Double(counts.polls))
        text.add("listening", .gauge, "1 while the database wakes the server.", counts.isListening ? 1 : 0)
        text.add(
            "leader", .gauge, "1 on the server that does what only one server must do, such as retention.",
            broker.isLeader ? 1 : 0)
        text.add("apps_elsewhere", .gauge, "Apps connected to other servers.", Double(broker.apps.live.count))
        text.add("requests_passed_total", .counter, "Requests passed to other servers.", Double(counts.passed))
        text.add(
            "requests_unanswered_total", .counter, "Passed requests without an answer in time.",
            Double(counts.unanswered))
        text.add("requests_answered_total", .counter, "Answered requests of others.", Double(counts.answered))
        text.begin("news_lag_seconds", .gauge, "Age of the last news when they arrived, by server.")
        for (server, lag) in counts.lags.sorted(by: { $0.key < $1.key }) {
            text.sample("news_lag_seconds", lag, labels: "{server=\"\(server)\"}")
        }
    }

    private static var residentBytes: Int? {
        #if os(Linux)
            let pages = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")[1]
            return pages.flatMap { Int($0) }.map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
        #else
            return nil
        #endif
    }
}

/// Writes Prometheus' text format.
private struct Exposition {
    enum Kind: String { case gauge, counter, histogram }

    private(set) var text = ""

    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double, labels: String = "") {
        begin(name, kind, help)
        sample(name, value, labels: labels)
    }

    mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        text += "# HELP statetape_\(name) \(help)\n# TYPE statetape_\(name) \(kind.rawValue)\n"
    }

    mutating func sample(_ name: String, _ value: Double, labels: String = "") {
        let whole = Int(exactly: value).map { String($0) }
        text += "statetape_\(name)\(labels) \(whole ?? String(value))\n"
    }

    /// - Parameters:
    ///   - counts: The count of each bucket alone, one more than bounds.
    ///   - label: A label of all samples.
    mutating func histogram(
        _ name: String, _ help: String, bounds: [Double], counts: [Int], sum: Double, label: String
    ) {
        begin(name, .histogram, help)
        var total = 0
        for (bound, count) in zip(bounds.map { String($0) } + ["+Inf"], counts) {
            total += count
            sample(name + "_bucket", Double(total), labels: "{\(label),le=\"\(bound)\"}")
        }
        sample(name + "_sum", sum, labels: "{\(label)}")
        sample(name + "_count", Double(total), labels: "{\(label)}")
    }
}
