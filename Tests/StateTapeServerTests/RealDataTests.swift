import Foundation
import Logging
import StateTape
import StateTapeStore
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive
@testable import TapeEngine

/// Streams real recordings through an app and reads them back from the archive. The files are next to the
/// repository; without them the tests are skipped with a message.
@Suite("Real data")
struct RealDataTests {
    @Test(
        "Eighteen thousand keystrokes are read back from the archive state by state",
        .enabled(
            if: RealData.has("sveltecomponent.json.gz"), "sveltecomponent.json.gz is not beside the repository"))
    func keystrokes() async throws {
        let trace = try JSON(parsing: RealData.read("sveltecomponent.json.gz", with: "gzip"))
        let edits = (trace["txns"]?.array ?? []).flatMap { $0["patches"]?.array ?? [] }.map(Edit.init)
        #expect(edits.count > 18_000)
        var text: [Unicode.Scalar] = []
        let originals = edits.enumerated().map { index, edit in
            text.replaceSubrange(edit.position..<edit.position + edit.removed, with: edit.inserted.unicodeScalars)
            var scalars = String.UnicodeScalarView()
            scalars.append(contentsOf: text)
            return Editor(
                document: .init(text: String(scalars)), cursor: edit.position + edit.inserted.unicodeScalars.count,
                revision: index + 1)
        }
        #expect(originals.last?.document.text == trace["endContent"]?.string)
        try await RealData.record(Editor(), edits, originals) { $0.apply($1) }
    }

    @Test(
        "A feed of fires of 230 KB is read back from the archive state by state",
        .enabled(if: RealData.has("ca-fires-150.jsonl.xz"), "ca-fires-150.jsonl.xz is not beside the repository"))
    func fires() async throws {
        let lines = try RealData.read("ca-fires-150.jsonl.xz", with: "xz").split(separator: UInt8(ascii: "\n"))
        let states = try lines.map { Feed(content: try #require(try JSON(parsing: $0)["state"])) }
        #expect(states.count == 150)
        let updates = states.dropFirst().indices.map { FeedAction.update($0) }
        try await RealData.record(states[0], updates, Array(states.dropFirst())) { state, action in
            if case .update(let index) = action { state = states[index] }
        }
    }
}

private enum RealData {
    /// Next to the repository, where its tests are run.
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../shared/data").standardizedFileURL

    static func has(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path)
    }

    static func read(_ name: String, with tool: String) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [tool, "-dc", folder.appendingPathComponent(name).path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return [UInt8](data)
    }

    /// Dispatches every action into a recorded store, then requests the state after each from the archive.
    static func record<State: Codable & Sendable, Action: Codable & Sendable>(
        _ initial: State, _ actions: [Action], _ originals: [State],
        _ reducer: @escaping @Sendable (inout State, Action) -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("real-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = Configuration(data: folder)
        configuration.port = 0
        let server = try Server(configuration, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let recorder = Recorder(.test(url: server.pageURL.absoluteString, allowRelease: true))
        let track = recorder.track(initial, Action.self)
        let store = Store(initial: track.start, reducer: reducer, middleware: [track.middleware])
        track.connect(state: { store.state })
        for (index, action) in actions.enumerated() {
            store.dispatch(action)
            // Real users are slower. Without pauses, states that can't be encoded in time would be skipped.
            if index % 100 == 99 { recorder.settle() }
        }
        #expect(recorder.finish(timeout: .seconds(60)))
        server.stop()

        let archive = try Engine.sqlite.open(folder, sync: .full)
        let session = try #require(try archive.sessions(.init()).sessions.first)
        let tape = Tapes(archive) { Issue.record("a patch doesn't apply at \($1.seq)") }[session]
        let states = States()
        let encoder = JSONEncoder()
        for (index, original) in originals.enumerated() {
            let archived = try states.state(of: tape, store: "main", after: index + 1)
            let expected = try JSON(parsing: encoder.encode(original))
            guard case .state(let state) = archived, try state.json() == expected else {
                let (read, original) = (String(describing: archived).prefix(300), expected.text.prefix(300))
                Issue.record("the state after event \(index + 1) differs from the original: \(read), \(original)")
                return
            }
        }
    }
}

private struct Edit: Codable {
    var position: Int
    var removed: Int
    var inserted: String

    init(_ json: JSON) {
        position = json[0]?.int ?? 0
        removed = json[1]?.int ?? 0
        inserted = json[2]?.string ?? ""
    }
}

private struct Editor: Codable {
    struct Document: Codable {
        var text = ""
    }

    var document = Document()
    var cursor = 0
    var revision = 0

    mutating func apply(_ edit: Edit) {
        let scalars = document.text.unicodeScalars
        let start = scalars.index(scalars.startIndex, offsetBy: edit.position)
        let end = scalars.index(start, offsetBy: edit.removed)
        document.text.unicodeScalars.replaceSubrange(start..<end, with: edit.inserted.unicodeScalars)
        cursor = edit.position + edit.inserted.unicodeScalars.count
        revision += 1
    }
}

private enum FeedAction: Codable {
    case update(Int)
}

/// A state of any shape.
private struct Feed: Codable {
    let content: JSON

    init(content: JSON) {
        self.content = content
    }

    init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(
            .init(codingPath: decoder.codingPath, debugDescription: "never read back"))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Value(content))
    }

    private struct Value: Encodable {
        let json: JSON

        init(_ json: JSON) {
            self.json = json
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch json {
            case .null: try container.encodeNil()
            case .bool(let value): try container.encode(value)
            case .number(let value):
                if let int = value.int { try container.encode(int) } else { try container.encode(value.double) }
            case .string(let value): try container.encode(value)
            case .array(let elements): try container.encode(elements.map(Value.init))
            case .object(let object):
                try container.encode(
                    Dictionary(object.map { ($0.key, Value($0.value)) }, uniquingKeysWith: { $1 }))
            }
        }
    }
}
