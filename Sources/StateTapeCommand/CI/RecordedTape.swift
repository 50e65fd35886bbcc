import Foundation
import TapeEngine
import TapeFormat

/// A tape of the run, and how its test ended.
struct RecordedTape {
    enum Outcome: String {
        case passed
        case failed
        /// The process ended in the test.
        case crashed
        /// The file can't be opened.
        case unreadable
    }

    let file: URL
    /// Nil if the file can't be opened.
    let header: Header?
    let events: Int
    let outcome: Outcome
    /// The first error note, or why the file can't be opened.
    let error: String?
    /// The line of the first error in the test's source, as `Module/File.swift:12`; nil if the tape lacks it.
    let callSite: String?
    /// The event of the first error, or the last one.
    let errorSeq: Int?
    let lastAction: String?

    init(_ file: URL) {
        self.file = file
        var scan = Scan()
        do {
            let tape = try Self.open(file)
            try tape.each(in: tape.seqs) { line in
                scan.take(line)
                return true
            }
            header = tape.header
            events = tape.seqs.count
            outcome = scan.outcome(tape.header.labels["outcome"])
            error = scan.error ?? (outcome == .crashed ? Self.withoutEnd(tape.header) : nil)
            errorSeq = scan.errorSeq ?? (tape.seqs.isEmpty ? nil : tape.seqs.upperBound - 1)
            (lastAction, callSite) = (scan.lastAction, scan.callSite)
        } catch {
            (header, events, outcome, errorSeq, lastAction, callSite) = (nil, 0, .unreadable, nil, nil, nil)
            self.error = "The tape can't be read: \(error)"
        }
    }

    private static func withoutEnd(_ header: Header) -> String {
        header.labels["test"] == nil
            ? "The tape has no end: the process died, or is still running." : "The process ended in the test."
    }

    /// Opens the tape's file, which may have been moved. Each open tape takes a descriptor, so that none is kept.
    static func open(_ file: URL, key: Int64 = 0) throws -> OpenedTape {
        try TapeName.open(InputFile(file.path), name: file.lastPathComponent, key: key, notesCut: false)
    }

    /// What the events of a tape say about its test.
    private struct Scan {
        var error: String?
        var errorSeq: Int?
        var callSite: String?
        var lastAction: String?
        var hasEnd = false
        var isCrash = false

        mutating func take(_ line: EventLine) {
            switch line.kind {
            case .action:
                let error = line["error"]?.string.map { " (its reducer threw \(Markup.short($0.oneLine, 200)))" }
                let place = line["unfinished"]?.bool == true ? " (its reducer did not return)" : error ?? ""
                lastAction = "#\(line.seq) \(line.type ?? "")\(place)"
            case .note where error == nil && line["level"]?.string == "error":
                error = line["text"]?.string ?? "An error without text."
                (errorSeq, callSite) = (line.seq, line["caller"]?.string)
            case .end:
                hasEnd = true
                isCrash = line["reason"]?.string == "crashed"
            default: break
            }
        }

        func outcome(_ label: String?) -> Outcome {
            switch label {
            case "failed": .failed
            case "passed": .passed
            default: !hasEnd || isCrash ? .crashed : error == nil ? .passed : .failed
            }
        }
    }

    private var labels: [String: String] { header?.labels ?? [:] }

    var session: String? { header?.session }
    var test: String? { labels["test"] }
    var suite: String? { labels["suite"] }

    /// The test's name; for a tape of another process, the app's name; for an unreadable one, the file's.
    var name: String { test ?? header?.app.name ?? header?.app.id ?? file.lastPathComponent }

    /// The suite and the test, on one line.
    var title: String {
        Markup.short([suite, name].compactMap { $0 }.joined(separator: "/").oneLine, 200)
    }

    /// A safe name for files, without their ending.
    var fileName: String {
        let text = [suite, name].compactMap { $0 }.joined(separator: "-")
            .replacing(/\.tape(\.gz)?$/, with: "")
        let name = text.fileName(separator: "-", merges: true)
        return name.isEmpty ? "test" : name
    }
}

extension String {
    /// The text on one line, without control characters.
    var oneLine: String {
        split(whereSeparator: \.isNewline).joined(separator: " ").replacing("\t", with: " ").onOneLine
    }
}
