import Dispatch
import TapeFormat

@testable import StateTape

extension Recorder {
    /// Keeps the recorder's thread busy while `body` runs: it encodes the state of a store named `roadblock`.
    func whileBusy<Output>(_ body: () throws -> Output) rethrows -> Output {
        let gate = Roadblock.Gate()
        let track = track(Roadblock(gate), Roadblock.Act.self, name: "roadblock")
        track.connect()
        gate.reached.wait()
        defer { gate.opened.signal() }
        return try body()
    }
}

/// A state whose encoding waits until its gate opens.
private struct Roadblock: Codable {
    final class Gate: Sendable {
        let reached = DispatchSemaphore(value: 0)
        let opened = DispatchSemaphore(value: 0)
    }

    enum Act: Codable { case go }

    private static let gates = Locked<[Gate]>([])
    private let number: Int

    /// The state itself holds no object.
    init(_ gate: Gate) {
        number = Self.gates.withLock { gates in
            gates.append(gate)
            return gates.count - 1
        }
    }

    func encode(to encoder: any Encoder) throws {
        let gate = Self.gates.withLock { $0[number] }
        gate.reached.signal()
        gate.opened.wait()
        // It stays open, because the state may be encoded again.
        gate.opened.signal()
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}
