import Foundation

extension StoreTape {
    /// What is left of a state for the recorder's thread.
    ///
    /// A state that holds class instances is encoded here, on the dispatching thread: what they are when the recorder's
    /// thread comes to them may not be what they were, and reading them there would be a data race.
    func snapshot(of state: State) -> Snapshot<State> {
        guard let instance else { return .value(state) }
        let began = session.now
        do {
            let text = try states.text(of: state, slice)
            warn(of: instance, bytes: text.count, took: session.now - began)
            return .json(text)
        } catch {
            return .failed(error)
        }
    }

    /// Says once what it costs, of the first state after the initial one, which has found everything warm.
    private func warn(of instance: String, bytes: Int, took: Duration) {
        let isSecond = shared.withLock { shared in
            shared.encoded += 1
            return shared.encoded == 2
        }
        guard isSecond else { return }
        let cost = String(format: "%.2f ms for %d bytes", took.milliseconds, bytes)
        let text = """
            The state of “\(name)” holds class instances (\(instance)): every action encodes all of it where it is \
            dispatched, \(cost) now. A type that is a value all the same can be named with trust(_:).
            """
        session.submit(Step { $0.note(text, level: "warning") })
    }
}
