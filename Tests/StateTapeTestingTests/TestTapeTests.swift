import Foundation
import StateTape
import Testing

@testable import StateTapeTesting

@Suite("The tape of a test")
struct TestTapeTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    private func tape(_ file: String) -> TestTape { TestTape(TestLabels(test: "pays", suite: "Cart/../x"), file: file) }

    private func record(_ tape: TestTape) {
        let track = tape.recorder.track(Cart(), CartAction.self)
        var state = track.start
        track.record(.clear, &state) { reduce(&$0, .clear) }
    }

    private var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: scene.folder.path)) ?? [] }

    @Test("The tape of a passing test is deleted, that of a failing one is kept with its labels")
    func kept() throws {
        let passing = tape(scene.path("%s.tape"))
        record(passing)
        #expect(passing.end().isEmpty && files.isEmpty)
        let failing = tape(scene.path("%s.tape"))
        record(failing)
        failing.fail("it is wrong", at: "Cart/Tests.swift:12")
        let kept = try #require(failing.end().first)
        let text = try String(contentsOf: kept, encoding: .utf8)
        #expect(kept.lastPathComponent.hasPrefix("Cart____x-pays-"))
        #expect(text.contains(#""outcome":"failed""#) && text.contains(#""test":"pays""#))
        #expect(text.contains(#""text":"it is wrong","level":"error","caller":"Cart/Tests.swift:12""#))
    }

    @Test("A device, and a link with its target, are not deleted")
    func foreign() throws {
        let target = scene.path("target.tape")
        try FileManager.default.createSymbolicLink(atPath: scene.path("link.tape"), withDestinationPath: target)
        for path in ["/dev/null", scene.path("link.tape")] {
            let passing = tape(path)
            record(passing)
            #expect(passing.end().isEmpty)
        }
        #expect(FileManager.default.fileExists(atPath: "/dev/null"))
        #expect(files.sorted() == ["link.tape", "target.tape"])
    }

    @Test("A file that is no tape stays, and nothing of it is deleted")
    func diary() throws {
        try Data("a diary".utf8).write(to: URL(fileURLWithPath: scene.path("diary.txt")))
        let failing = tape(scene.path("diary.txt"))
        record(failing)
        failing.fail("wrong", at: nil)
        #expect(failing.end().isEmpty)
        #expect(try String(contentsOfFile: scene.path("diary.txt"), encoding: .utf8) == "a diary")
    }

    @Test("A recorder that is made after the test has ended is off")
    func late() {
        let ended = tape(scene.path("%s.tape"))
        record(ended)
        _ = ended.end()
        TestRecordings.$current.withValue(ended.recordings) { #expect(!Recorder().isOn) }
        #expect(files.isEmpty)
    }

    @Test("Several recorders of a test write a tape each, in one file name too")
    func several() {
        let failing = tape(scene.path("run.tape"))
        record(failing)
        TestRecordings.$current.withValue(failing.recordings) {
            let own = Recorder()
            #expect(own.isOn)
            let track = own.track(Cart(), CartAction.self)
            _ = track.start
        }
        failing.fail("wrong", at: nil)
        #expect(failing.end().map(\.lastPathComponent).sorted() == ["run-2.tape", "run.tape"])
    }
}
