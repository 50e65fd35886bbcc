import Foundation

/// The arrays in the states of a store, each of which is shared with the app or compared with elements of the recorder's own.
///
/// An array that is shared is copied by the app's next change. One that is compared is left out of the sample, which says
/// only at which state the recorder's thread finds it.
// Unchecked: one thread at a time looks, and the recorder's thread alone follows; between them is a log with a lock.
final class StateArrays: @unchecked Sendable {
    /// What became of a state's arrays.
    struct Look {
        /// The state's number.
        let position: Int
        /// A bit for each array that the recorder has as elements of its own.
        var own: UInt32 = 0
        /// Bytes that are kept for the state.
        var cost = 0
    }

    private let arrays: [StateArray]
    private let lock = NSLock()
    private var position = 0

    /// Nil for states without arrays.
    init?(in type: Any.Type, _ layouts: Layouts, _ policy: ArrayHabit.Policy = .init()) {
        let places = layouts.arrays(in: type)
        if places.isEmpty { return nil }
        arrays = places.map { StateArray.make($0, layouts, policy) }
    }

    /// Begins to look at a state; the end is when its sample was left, so that changes and samples have one order.
    ///
    /// - Returns: False while another thread does, or this one further out: that state is shared whole.
    func begin() -> Bool { lock.try() }

    func end() { lock.unlock() }

    func look<State>(at state: State) -> Look {
        position += 1
        var look = Look(position: position)
        withUnsafePointer(to: state) { state in
            let start = UnsafeRawPointer(state)
            for (index, array) in arrays.enumerated() {
                let (isOwn, cost) = array.look(at: start + array.offset, position: position)
                if isOwn { look.own |= 1 << UInt32(index) }
                look.cost += cost
            }
        }
        return look
    }

    /// Leaves the arrays out of a state that the recorder has as elements of its own.
    func clear<State>(_ look: Look, in state: inout State) {
        withUnsafeMutablePointer(to: &state) { state in
            let start = UnsafeMutableRawPointer(state)
            for (index, array) in arrays.enumerated() where look.own & 1 << UInt32(index) != 0 {
                array.clear(start + array.offset)
            }
        }
    }

    /// Puts the arrays in that were left out; on the recorder's thread, in the order of the samples.
    func fill<State>(_ look: Look, in state: inout State) {
        withUnsafeMutablePointer(to: &state) { state in
            let start = UnsafeMutableRawPointer(state)
            for (index, array) in arrays.enumerated() {
                array.follow(to: look.position)
                if look.own & 1 << UInt32(index) != 0 { array.fill(start + array.offset) }
            }
        }
    }

    /// Nothing is recorded any more: every array is shared; on the recorder's thread.
    func close() { for array in arrays { array.close() } }

    /// What the arrays have in common with those of the state before; on the recorder's thread.
    var ends: [ArrayEnds] { arrays.compactMap(\.ends) }
}
