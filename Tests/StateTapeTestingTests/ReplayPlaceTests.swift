import Foundation
import TapeFormat
import Testing

@testable import StateTapeTesting

@Suite("Where the tape of a failed replay goes")
struct ReplayPlaceTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    @Test(
        "It goes to the tapes of its run, with the labels of its test, which need not be taped",
        arguments: ["%s", "run"])
    func collected(_ name: String) {
        let place = ReplayPlace("Tapes/undo.tape", module: "Tests", pattern: scene.path("\(name).tape"))
        #expect(place.file.deletingLastPathComponent().path == scene.folder.path)
        #expect(place.file.lastPathComponent == "ReplayPlaceTests-collected-undo-\(place.session).tape")
        let labels = place.labels
        #expect(labels["test"] == "collected" && labels["suite"] == "ReplayPlaceTests")
        #expect(labels["module"] == "StateTapeTestingTests" && labels["outcome"] == "failed")
    }

    @Test("Without STATETAPE_FILE it goes to a temporary folder", arguments: [nil, ""])
    func temporary(_ pattern: String?) {
        let place = ReplayPlace("undo.tape", module: nil, pattern: pattern)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("statetape")
        #expect(place.file.deletingLastPathComponent().path == folder.path)
    }

    @Test("The tape of the run has the failure as a note before its end, with the line of the test")
    func note() throws {
        let tape = scene.record([.add(name: "tea", price: 2), .clear])
        let text = failure { Replay(tape).verify(Cart.self, CartAction.self) { _, _ in } }
        let made = try #require(text.split(separator: "\n").first { $0.hasPrefix("The tape of this run: ") })
        let path = String(made.dropFirst("The tape of this run: ".count))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropFirst()
            .map { try EventLine(parsing: Array($0.utf8)) }
        #expect(lines.map(\.seq) == Array(0...4) && lines.suffix(2).map(\.kind) == [.note, .end])
        let note = lines[3]
        #expect(note["level"] == "error")
        #expect(note["text"]?.string?.hasPrefix("cart.tape: first difference after event 1, “add”") == true)
        #expect(note["caller"]?.string?.hasPrefix("StateTapeTestingTests/ReplayPlaceTests.swift:") == true)
    }
}
