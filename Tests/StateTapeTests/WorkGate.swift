import StateTape
import TapeFormat

/// Work that goes on until the test lets it end.
final class WorkGate: Sendable {
    private struct State {
        var begun: [String] = []
        var isOpen: Set<String> = []
        var working: [String: CheckedContinuation<Void, Never>] = [:]
        var watching: [(name: String, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Locked(State())

    /// The work that has begun, in order.
    var begun: [String] { state.withLock { $0.begun } }

    /// Does the work.
    func work(_ name: String) async {
        await withCheckedContinuation { continuation in
            let ready = state.withLock { state in
                state.begun.append(name)
                let watching = state.watching.filter { $0.name == name }.map(\.continuation)
                state.watching.removeAll { $0.name == name }
                if state.isOpen.contains(name) { return watching + [continuation] }
                state.working[name] = continuation
                return watching
            }
            for continuation in ready { continuation.resume() }
        }
    }

    /// Lets work end, now or when it begins.
    func open(_ name: String) {
        state.withLock { state in
            state.isOpen.insert(name)
            return state.working.removeValue(forKey: name)
        }?.resume()
    }

    /// Waits until work has begun.
    func begins(_ name: String) async {
        await withCheckedContinuation { continuation in
            let isBegun = state.withLock { state in
                if state.begun.contains(name) { return true }
                state.watching.append((name, continuation))
                return false
            }
            if isBegun { continuation.resume() }
        }
    }
}
