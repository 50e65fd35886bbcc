import Foundation
import TapeFormat
import Testing

@testable import StateCapture
@testable import StateTape

@Suite("How states are compared")
struct ComparisonTests {
    private func choose(
        _ code: Comparison = .automatic, _ text: String? = nil, isReadable: Bool = true, tested: String? = nil
    ) -> Comparison.Choice {
        Comparison.Choice(
            code, text.map { ["STATETAPE_COMPARISON": $0] } ?? [:],
            on: Platform(isReadable: { isReadable }, name: "version 27 of the system", tested: tested))
    }

    @Test("Code overrides the environment, and layouts are the default")
    func order() {
        #expect(choose().comparison == .layout)
        #expect(choose(.encoded).comparison == .encoded)
        #expect(choose(.automatic, "encoded").comparison == .encoded)
        #expect(choose(.layout, "encoded").comparison == .layout)
        #expect(choose(.encoded, "layout").comparison == .encoded)
        for choice in [choose(), choose(.encoded), choose(.automatic, "encoded"), choose(.automatic, "")] {
            #expect(choice.message == nil)
        }
    }

    @Test("If metadata can't be read, encoded states are compared, whatever is set")
    func unreadable() {
        for choice in [
            choose(isReadable: false), choose(.layout, isReadable: false),
            choose(.automatic, "layout", isReadable: false),
        ] {
            #expect(choice.comparison == .encoded)
            #expect(choice.message?.contains("can't be read on version 27 of the system") == true)
        }
        #expect(choose(.encoded, isReadable: false).message == nil)
    }

    @Test("On an untested newer system, layouts are compared only if that is set")
    func newer() {
        let choice = choose(tested: "version 26")
        #expect(choice.comparison == .encoded)
        #expect(choice.message?.contains("version 27 of the system is newer than what was tested (version 26)") == true)
        #expect(choose(.layout, tested: "version 26").comparison == .layout)
        #expect(choose(.automatic, "layout", tested: "version 26").comparison == .layout)
    }

    @Test("Metadata is not read if encoded states are set, or on an untested system with no setting")
    func untried() {
        let platform = Platform(
            isReadable: {
                Issue.record("metadata was read")
                return true
            }, name: "version 27 of the system", tested: "version 26")
        #expect(Comparison.Choice(.automatic, [:], on: platform).comparison == .encoded)
        #expect(Comparison.Choice(.encoded, [:], on: platform).comparison == .encoded)
        #expect(Comparison.Choice(.automatic, ["STATETAPE_COMPARISON": "encoded"], on: platform).comparison == .encoded)
    }

    @Test("Another word in the environment is ignored with a message")
    func unknown() {
        let choice = choose(.automatic, "bytes")
        #expect(choice.comparison == .layout)
        #expect(choice.message?.contains("“bytes”") == true)
    }

    @Test("A recorder says why it compares encoded states, once")
    func told() {
        let log = Locked<[String]>([])
        var launch = Launch(environment: ["STATETAPE_FILE": "/dev/null", "STATETAPE_COMPARISON": "bytes"])
        launch.folder = nil
        _ = Recorder(.test(launch: launch) { line in log.withLock { $0.append(line) } })
        #expect(log.withLock { $0.filter { $0.contains("STATETAPE_COMPARISON") }.count } == 1)
    }

    @Test("This process's metadata can be read, and this version was tested")
    func here() {
        #expect(Platform.current.isReadable())
        #expect(Metadata.isKnown)
        #expect(Platform.current.tested == nil)
    }
}
