import Foundation
import TapeFormat

extension StoreRecorder {
    /// What is left of a state for the recorder's thread.
    ///
    /// - Parameter arrays: The state's, if these may be left out of it: until the sample is left nobody else may look.
    func sample(
        _ kind: StoreEvent.Kind, at: Duration, _ state: State, cause: JSON? = nil, answer: PushAnswer? = nil,
        arrays: StateArrays? = nil
    ) -> StoreEvent {
        guard let atOnce else {
            let sample = sampleType.init(self, kind, at: at, state: state, cause: cause, answer: answer)
            if let arrays {
                let look = arrays.look(at: state)
                if look.own != 0 { arrays.clear(look, in: &sample.state) }
                (sample.look, sample.cost) = (look, look.cost)
            }
            return sample
        }
        return StoreEvent(self, kind, at: at, text: text(of: state, atOnce), cause: cause, answer: answer)
    }

    /// What was left of a state; nil if it was skipped.
    func snapshot(in sample: StoreEvent) -> Snapshot<State>? {
        switch sample.text {
        case .success(let text): .json(text)
        case .failure(let error): .failed(error)
        case nil: (sample as? StateSample<State>).map { .value(state(of: $0)) }
        }
    }

    private func state(of sample: StateSample<State>) -> State {
        if let arrays, let look = sample.look {
            arrays.fill(look, in: &sample.state)
            sample.look = nil
            writer.expect(arrays.ends)
        } else {
            writer.expect([])
        }
        return sample.state
    }

    /// A state that can't wait is encoded here, on the dispatching thread: class instances may have changed when the
    /// recorder's thread comes to them, and reading them there would be a data race.
    private func text(of state: State, _ atOnce: AtOnce) -> Result<[UInt8], any Error> {
        let began = session.now
        do {
            let text = try EncodingMark.set { try states.text(of: state, slice, DirectEncoder(session.redactor)) }
            warn(of: atOnce, bytes: text.count, took: session.now - began)
            return .success(text)
        } catch {
            return .failure(error)
        }
    }

    /// Says once what it costs, of the first state after the initial one, which has found everything warm.
    private func warn(of atOnce: AtOnce, bytes: Int, took: Duration) {
        let isSecond = gate.withLock { gate in
            gate.encoded += 1
            return gate.encoded == 2
        }
        let cost = String(format: "%.2f ms for %d bytes", took.milliseconds, bytes)
        guard isSecond, let text = atOnce.warning(store: name, cost: cost) else { return }
        session.submit(Job { $0.note(text, level: "warning") })
    }
}
