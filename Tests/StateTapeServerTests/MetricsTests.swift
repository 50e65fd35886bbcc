import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive

@Suite(.timeLimit(.minutes(1))) struct MetricsTests {
    @Test("Connections, commits and the archive's size are exported in Prometheus' format")
    func metrics() async throws {
        let server = try TestServer()
        let lines = Sample.counting(to: 5)
        let app = try await server.recorded(lines)
        let answer = try await server.http.get("/metrics")
        #expect(answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
        var values: [String: Double] = [:]
        var types: [String: String] = [:]
        for line in answer.text.split(separator: "\n") {
            if let type = line.wholeMatch(of: /# TYPE (\S+) (\S+)/) {
                types[String(type.1)] = String(type.2)
            } else if !line.hasPrefix("# HELP ") {
                let sample = try #require(line.wholeMatch(of: /(\w+(?:\{[^}]*\})?) (\S+)/), "\(line)")
                values[String(sample.1)] = Double(sample.2)
            }
        }
        #expect(values["statetape_apps_connected"] == 1 && values["statetape_viewers_connected"] == 0)
        #expect(values["statetape_sessions"] == 1 && values["statetape_events_committed_total"] == 5)
        let bytes = lines.reduce(0) { $0 + $1.bytes.count + 1 }
        #expect(values["statetape_bytes_committed_total"] == Double(bytes))
        let commits = try #require(values["statetape_commit_seconds_count{engine=\"\(Engine.chosen)\"}"])
        #expect(
            commits >= 2
                && values["statetape_commit_seconds_bucket{engine=\"\(Engine.chosen)\",le=\"+Inf\"}"] == commits)
        let longest = try #require(values["statetape_commit_seconds_max"])
        #expect(
            longest > 0
                && longest <= values["statetape_commit_seconds_sum{engine=\"\(Engine.chosen)\"}", default: 0])
        #expect(values["statetape_archive_size_bytes", default: 0] > 4_096)
        #expect(values["statetape_archive_free_bytes"] != nil && values["statetape_commit_queue_bytes"] != nil)
        #expect(values["statetape_resident_memory_bytes", default: 0] > 1_000_000)
        #expect(types["statetape_commit_seconds"] == "histogram" && types["statetape_sessions"] == "gauge")
        for (name, type) in types { #expect(name.hasSuffix("_total") == (type == "counter"), "\(name)") }
        app.close()
    }

    @Test("A commit is counted in the first bucket that it fits")
    func buckets() {
        var counts = CommitCounts()
        for took in [1, 3, 30, 30, 2_000] { counts.add(events: 2, bytes: 10, took: .milliseconds(took)) }
        #expect(counts.counts == [1, 0, 1, 0, 0, 2, 0, 0, 0, 0, 1])
        #expect(counts.events == 10 && counts.bytes == 50 && counts.longest == 2)
        #expect(abs(counts.seconds - 2.064) < 1e-9)
    }
}
