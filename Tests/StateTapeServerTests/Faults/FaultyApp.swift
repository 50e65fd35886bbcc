import Dispatch
import StateTape
import TapeFormat

/// An app whose store can't do what time travel and replays need.
final class FaultyApp: Sendable {
    private struct Shared {
        var count = 0
        var watchers: [(count: Int, resume: CheckedContinuation<Void, Never>)] = []
        /// Nil once the store is gone.
        var act: (@Sendable () -> Void)?
        var isHeld: (@Sendable () -> Bool)?
        var hasError: (@Sendable () -> Bool)?
    }

    private let recorder: Recorder
    private let fault: PlayFaultTests.PlayFault
    private let shared = Locked(Shared())
    private let isFree = DispatchSemaphore(value: 0)

    init(_ fault: PlayFaultTests.PlayFault, _ port: Int) {
        self.fault = fault
        recorder = Recorder(.test(url: "http://127.0.0.1:\(port)/"))
        switch fault {
        case .undecodable: attach(UndecodableState())
        case .reflected:
            let track = recorder.track(reflecting: .state, initial: ReflectedState(), FaultyAction.self, name: "app")
            attach(ReflectedState(), track)
        case .noState:
            attach(
                FaultyState(),
                recorder.track(
                    FaultyState(), FaultyAction.self, name: "app", capture: .sampled(every: .seconds(3_600))))
        default: attach(FaultyState())
        }
    }

    private func attach<State: CountedState & Codable>(_ initial: State) {
        attach(initial, recorder.track(initial, FaultyAction.self, name: "app"))
    }

    private func attach<State: CountedState>(_ initial: State, _ track: Track<State, FaultyAction>) {
        let state = Locked(initial)
        let act: @Sendable () -> Void = { [weak self] in
            let count = state.withLock { state in
                track.record(.add, &state) { $0.count += 1 }
                return state.count
            }
            self?.changed(to: count)
        }
        shared.withLock { shared in
            shared.act = act
            shared.isHeld = { !track.gate.isOpen }
            shared.hasError = { state.withLock { ($0 as? FaultyState)?.failed.error != nil } }
        }
        track.connect(
            state: fault == .noState || fault == .blind ? nil : { state.withLock { $0 } },
            dispatch: { [weak self] _ in
                self?.act()
                if self?.fault == .detached { self?.detach() }
            },
            play: fault == .noPlay
                ? nil
                : { [weak self] played in
                    if self?.fault == .stuck, let isFree = self?.isFree {
                        isFree.wait()
                        // Once it is free, it stays so.
                        isFree.signal()
                    }
                    state.withLock { $0 = played }
                    self?.changed(to: played.count)
                }, isolation: nil)
    }

    /// Whether the state still has what can't be encoded.
    var hasError: Bool { shared.withLock { $0.hasError }?() ?? false }

    var count: Int { shared.withLock { $0.count } }

    /// Adds 1, as the app would.
    func act() {
        if let act = shared.withLock({ $0.act }) { return act() }
        changed(to: count + 1)
    }

    /// The store is gone; its app goes on without a recorder.
    func detach() {
        let gone = shared.withLock { shared in
            defer { (shared.act, shared.isHeld) = (nil, nil) }
            return (shared.act, shared.isHeld)
        }
        withExtendedLifetime(gone) {}
    }

    /// Lets `play:` return.
    func release() { isFree.signal() }

    private func changed(to count: Int) {
        let ready = shared.withLock { shared in
            shared.count = count
            let ready = shared.watchers.filter { $0.count == count }
            shared.watchers.removeAll { $0.count == count }
            return ready
        }
        for watcher in ready { watcher.resume.resume() }
    }

    /// Waits until the state has this count.
    func has(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let has = shared.withLock { shared in
                if shared.count == count { return true }
                shared.watchers.append((count, continuation))
                return false
            }
            if has { continuation.resume() }
        }
    }

    /// Waits until the app's actions are no longer queued.
    func isUnlocked() async throws {
        while shared.withLock({ $0.isHeld })?() == true {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}

protocol CountedState: Sendable {
    var count: Int { get set }
}

enum FaultyAction: Codable { case add }

/// As a state with an `Effect.State` of Puredux: an error is in it that can't be encoded.
struct FaultyState: CountedState, Codable {
    struct Failed: Codable {
        var text = ""
        var error: (any Error)?
        enum CodingKeys: String, CodingKey { case text }
    }

    var count = 0
    var failed = Failed(text: "none", error: CancellationError())
}

struct UndecodableState: CountedState, Codable {
    var count = 0
    init() {}
    init(from decoder: any Decoder) throws { throw FormatError("not today") }
}

struct ReflectedState: CountedState {
    var count = 0
}
