import Foundation
import StateCapture
import TapeFormat

extension StoreRecorder {
    /// Makes the event for the recorder's thread, with the state.
    ///
    /// - Parameter arrays: The state's arrays, if the event may leave them out. No other thread may look at them until
    ///   the event is submitted.
    func makeEvent(
        _ kind: StoreEvent.Kind, at: Duration, _ state: UnsafePointer<State>, cause: JSON? = nil,
        answer: PushAnswer? = nil, arrays: StateArrays? = nil
    ) -> StoreEvent {
        if isLarge, ThreadStack.free < room(copies: atOnce == nil ? 2 : 8) {
            let failure = TooLarge(bytes: MemoryLayout<State>.size, free: ThreadStack.free)
            return StoreEvent(self, kind, at: at, text: .failure(failure), cause: cause, answer: answer)
        }
        guard let atOnce else {
            let event = eventType.init(self, kind, at: at, state: state, cause: cause, answer: answer)
            if let arrays {
                let look = arrays.look(at: UnsafeRawPointer(state))
                if look.own != 0 { arrays.clear(look, in: &event.state) }
                (event.look, event.cost) = (look, look.cost)
            }
            return event
        }
        // The app's values are released outside of the lock.
        let before = latest.withLockUnchecked { latest in
            defer { if latest.isKept { latest.state = KeptState(state.pointee) } }
            return latest.state
        }
        withExtendedLifetime(before) {}
        let began = session.now
        let text = text(of: state, atOnce)
        let event = StoreEvent(self, kind, at: at, text: text, cause: cause, answer: answer)
        event.encoding = session.now - began
        return event
    }

    /// How many bytes of the stack must be free to hold the state several times.
    private func room(copies: UInt) -> UInt {
        ThreadStack.reserve + copies * UInt(MemoryLayout<State>.size)
    }

    /// The event's state; nil if it was skipped.
    func snapshot(of event: StoreEvent, in session: isolated RecordingSession) -> Snapshot<State>? {
        switch event.text {
        case .success(let text): .json(text)
        case .failure(let error): .failed(error)
        case nil: (event as? StateEvent<State>).map { .value(state(of: $0, in: session)) }
        }
    }

    private func state(of event: StateEvent<State>, in session: isolated RecordingSession) -> State {
        let own = own(in: session)
        if let arrays, let look = event.look {
            arrays.fill(look, in: &event.state)
            event.look = nil
            own.writer.expect(arrays.ends)
        } else {
            own.writer.expect([])
        }
        return event.state
    }

    /// Encodes a state that can't wait, on the dispatching thread. Class instances may change before the recorder's
    /// thread reads them, and reading them there would be a data race.
    private func text(of state: UnsafePointer<State>, _ atOnce: AtOnce) -> Result<[UInt8], any Error> {
        let began = session.now
        do {
            let encoder = DirectEncoder(session.redactor)
            let text = try EncodingMark.set { try states.text(of: state.pointee, slice, encoder) }
            tell(encoder.takeUnencodable(), isAction: false)
            warn(of: atOnce, bytes: text.count, took: session.now - began)
            return .success(text)
        } catch {
            return .failure(error)
        }
    }

    /// Notes values that could not be encoded, once for each place.
    func tell(_ found: Set<Unencodable>, isAction: Bool) {
        guard !found.isEmpty else { return }
        let what = "\(isAction ? "an action" : "the state") of “\(name)”"
        for value in found.sorted(by: { $0.place < $1.place }) {
            let isNew = shared.withLock { shared in
                shared.unencodable.count < DirectEncoder.maxUnencodable
                    && shared.unencodable.insert("\(isAction) \(value.place)").inserted
            }
            if isNew { session.submit(Job(isDroppable: true) { $0.note(value.note(of: what), level: "warning") }) }
        }
    }

    /// Warns once about the cost, at the first state after the initial one: by then all caches are warm.
    private func warn(of atOnce: AtOnce, bytes: Int, took: Duration) {
        let isSecond = shared.withLock { shared in
            shared.encoded += 1
            return shared.encoded == 2
        }
        let cost = String(format: "%.2f ms for %d bytes", took.milliseconds, bytes)
        guard isSecond, let text = atOnce.warning(store: name, cost: cost) else { return }
        session.submit(Job { $0.note(text, level: "warning") })
    }
}
