import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer
@testable import TapeArchive

@Suite struct StartStateTests {
    private func state(
        _ id: String, app: String = "com.example.todo", device: String? = nil, labels: [String: String] = [:]
    ) -> LaunchState {
        LaunchState(
            id: id, app: app, device: device, labels: labels, mode: .state, session: "s", seq: 1, once: false)
    }

    @Test("The most specific launch state that matches wins: a device beats labels, more labels beat fewer")
    func narrowest() {
        let run = Sample.header(device: "phone", labels: ["branch": "main", "build": "7"])
        let all = state("all")
        let one = state("one", labels: ["branch": "main"])
        let two = state("two", labels: ["branch": "main", "build": "7"])
        let device = state("device", device: "phone")
        #expect(LaunchState.match([device, two, one, all], run)?.id == "device")
        #expect(LaunchState.match([all, two, one], run)?.id == "two")
        #expect(LaunchState.match([one, all], run)?.id == "one")
        #expect(LaunchState.match([all, state("newer")], run)?.id == "newer")
    }

    @Test("Another app, device or label doesn't match, and a run labelled ci never matches")
    func noMatch() {
        let run = Sample.header(device: "phone", labels: ["branch": "main"])
        let others = [
            state("a", app: "other"), state("b", device: "tablet"), state("c", labels: ["branch": "x"]),
            state("d", labels: ["none": ""]),
        ]
        #expect(LaunchState.match(others, run) == nil)
        #expect(LaunchState.match([state("all")], Sample.header(labels: ["ci": "true"])) == nil)
    }
}
