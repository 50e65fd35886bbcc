import Foundation
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeEngine

/// Answers queries about tape files, with the paths of the HTTP API.
struct CorpusAnswers {
    private let folder: URL
    private let states = States()
    private var opened: [String: OpenedTape] = [:]

    init(_ folder: URL) throws {
        self.folder = folder
    }

    /// - Parameter path: The path below the session's, with the query.
    mutating func answer(_ name: String, _ path: String) throws -> (status: Int, body: JSON) {
        let url = try #require(URLComponents(string: path))
        let query = (url.queryItems ?? []).map { (name: $0.name, value: $0.value ?? "") }
        func value(_ name: String) -> Int? { query.first { $0.name == name }.flatMap { Int($0.value) } }
        let parts = url.path.split(separator: "/").map(String.init)
        let tape = try tape(name)
        switch parts[0] {
        case "events" where parts.last == "causes":
            let seq = Int(parts[1]) ?? 0
            var tree = try CauseTree(tape, of: seq)
            var scan = EventScan(tape, from: seq + 1)
            try scan.run { head, _ in
                tree.take(head)
                return !tree.isFull
            }
            return (200, .object(JSON.Object(tree.members(next: scan.isAtEnd ? nil : scan.next))))
        case "events":
            var scan = try scan(tape, query, from: value("from"))
            var (heads, limit) = ([JSON](), value("limit") ?? .max)
            let isPreview = query.contains { $0 == ("fields", "preview") }
            try scan.run { head, scan in
                heads.append(isPreview ? Preview(try EventLine(parsing: Array(scan.line(head)))).json : head.json)
                limit -= 1
                return limit > 0
            }
            return (200, .array(heads))
        case "matches":
            var scan = try scan(tape, query, from: nil)
            var seqs: [JSON] = []
            try scan.run { head, _ in
                seqs.append(.number(.init(head.seq)))
                return true
            }
            return (200, .array(seqs))
        case "histogram":
            let duration = Int((tape.duration * 1_000).rounded())
            var histogram = Histogram(buckets: value("buckets") ?? 200, duration: duration)
            var scan = try scan(tape, query, from: nil)
            try scan.run { head, _ in
                histogram.take(head)
                return true
            }
            return (200, .object(JSON.Object(histogram.members)))
        case "activity":
            var activity = Activity()
            var scan = EventScan(tape, from: value("from") ?? 0)
            try scan.run { head, _ in
                guard head.seq <= value("to") ?? .max else { return false }
                activity.take(head)
                return true
            }
            let pause = (value("pause") ?? 2_000) * 1_000
            return (200, .object(JSON.Object(activity.members(buckets: value("buckets") ?? 200, pause: pause))))
        case "overview":
            var overview = Overview()
            var scan = EventScan(tape)
            try scan.run { head, _ in
                overview.take(head)
                return true
            }
            return (200, overview.json(duration: tape.duration, states: try states.latest(of: tape)))
        case "states":
            let store = query.first { $0.name == "store" }?.value ?? "main"
            return try state(tape, store, Int(parts[1]) ?? 0)
        case "tape":
            let part = (value("from") ?? 0)..<(value("to") ?? tape.seqs.upperBound - 1) + 1
            var export = try TapeExport(tape, part, states)
            var bytes: [UInt8] = []
            while let piece = try export.piece() { bytes += piece }
            return (200, .array(try bytes.lines.map { try JSON(parsing: $0) }))
        case "diff":
            var difference = TapeDifference(tape, try self.tape(parts[1]), states)
            return (200, try difference.answer())
        default: throw EventFilter.Failure(description: "no such question: \(path)")
        }
    }

    /// A state; nil if it isn't known.
    mutating func state(_ name: String, _ store: String, after seq: Int) throws -> JSON? {
        let (status, state) = try state(tape(name), store, seq)
        return status == 200 ? state : nil
    }

    private func scan(
        _ tape: OpenedTape, _ query: [(name: String, value: String)], from seq: Int?
    ) throws -> EventScan {
        EventScan(tape, from: seq ?? 0, try EventFilter(query) { try RegularExpression($0) })
    }

    private func state(_ tape: OpenedTape, _ store: String, _ seq: Int) throws -> (Int, JSON) {
        func nearest(_ before: Int?, _ after: Int?) -> JSON {
            [
                "before": before.map { .number(.init($0)) } ?? .null,
                "after": after.map { .number(.init($0)) } ?? .null,
            ]
        }
        switch try states.state(of: tape, store: store, after: seq) {
        case .state(let state): return (200, try state.json())
        case .absent: return (404, .null)
        case .skipped(let before, let after), .broken(let before, let after): return (409, nearest(before, after))
        }
    }

    private mutating func tape(_ name: String) throws -> OpenedTape {
        if let tape = opened[name] { return tape }
        let file = try FileHandle(forReadingFrom: folder.appendingPathComponent("\(name).tape"))
        let tape = try OpenedTape(file, key: Int64(opened.count)) { _ in "" }
        opened[name] = tape
        return tape
    }
}
