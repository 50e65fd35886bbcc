import Foundation
import TapeFormat
import Testing

@testable import StateTape

@Suite("A recorder that is off")
struct OffTests {
    private struct Refusal: Error, Equatable {}

    /// A store's chain of middleware, and whether it keeps the track.
    private func chain(_ recorder: Recorder) -> (run: (TestAction, inout TestState) -> Void, keepsTrack: Bool) {
        weak var kept: Track<TestState, TestAction>?
        let run = {
            let track = recorder.track(TestState(), TestAction.self)
            kept = track
            return track.middleware { action, state in reduce(&state, action) }
        }()
        return (run, kept != nil)
    }

    private func recorder(_ environment: [String: String] = [:], _ connect: @escaping @Sendable () -> Void) -> Recorder
    {
        Recorder(
            .test(
                launch: Launch(environment: environment, arguments: ["/bin/app"]),
                log: { _ in },
                transport: {
                    connect()
                    throw Refusal()
                }))
    }

    @Test("It installs nothing: no connection and no middleware in the store's chain")
    func middleware() {
        let connections = Locked(0)
        let off = chain(recorder { connections.withLock { $0 += 1 } })
        #expect(!off.keepsTrack)
        var state = TestState()
        off.run(.increment, &state)
        #expect(state.count == 1)
        #expect(connections.withLock { $0 } == 0)
        let on = recorder(["STATETAPE_FILE": "/dev/null"]) {}
        #expect(chain(on).keepsTrack)
        on.finish()
    }

    @Test(
        "Without a closure for messages, a recorder says that it is off only if an address or a file is set",
        arguments: [
            ([:], true, false), (["STATETAPE_URL": "http://[::1]:1/"], true, true),
            (["STATETAPE_FILE": "/dev/null"], true, true), ([:], false, false),
            (["STATETAPE_URL": "no address"], false, true),
        ])
    func asked(environment: [String: String], isRelease: Bool, isTold: Bool) {
        let logged = Locked<[String]>([])
        var configuration = Recorder.Configuration()
        configuration.launch = Launch(environment: environment, isRelease: isRelease)
        configuration.systemLog = { text in logged.withLock { $0.append(text) } }
        let recorder = Recorder(configuration)
        #expect(!recorder.isOn)
        #expect(logged.withLock { $0.contains { $0.hasPrefix("StateTape is off") } } == isTold)
    }

    @Test("Reductions run unchanged")
    func record() {
        let recorder = recorder {}
        let track = recorder.track(TestState(filter: "mine"), TestAction.self)
        var state = track.start
        let count = track.record(.increment, &state) { state in
            state.count += 1
            return state.count
        }
        #expect(throws: Refusal()) { try track.set(&state) { _ in throw Refusal() } }
        track.connect(state: { TestState(count: 9) })
        #expect(track.start.count == 0)
        #expect(count == 1 && state == TestState(count: 1, filter: "mine") && !recorder.isOn)
        #expect(recorder.finish())
    }
}
