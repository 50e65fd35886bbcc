import Foundation

/// The arrays in the states of a store. Each is shared with the app, or compared with the recorder's own copy.
///
/// The app's next change copies a shared array. A compared array is left out of the event. The event only has the
/// number of the state at which the recorder's thread finds the array.
///
/// That is why it is worth its lines: an action that changes one element of 1 MB takes 30 µs with it and 280 µs without
/// (`statetape-bench dispatch`, `every/1MB`).
// Unchecked: one thread at a time looks at arrays, and only the recorder's thread follows them. A locked log connects
// the two.
package final class StateArrays: @unchecked Sendable {
    /// What the recorder did with a state's arrays.
    package struct Look {
        /// The state's number.
        let position: Int
        /// A bit for each array of which the recorder has its own copy.
        package var own: UInt32 = 0
        /// Bytes that the recorder keeps for the state.
        package var cost = 0
    }

    private let arrays: [StateArray]
    private let lock = NSLock()
    private var position = 0

    /// Nil if the states have no arrays.
    package init?(in type: Any.Type, _ layouts: Layouts, _ policy: ArrayHabit.Policy = .standard) {
        let places = layouts.arrays(in: type)
        if places.isEmpty { return nil }
        arrays = places.map { StateArray.make($0, layouts, policy) }
    }

    /// Begins to look at a state. The look ends when the state's event was submitted, so that changes and events have
    /// one order.
    ///
    /// - Returns: False while another thread looks, or an outer call on this thread: that state is shared whole.
    package func begin() -> Bool { lock.try() }

    package func end() { lock.unlock() }

    /// Looks at a state's arrays, one after the other.
    ///
    /// - Parameter start: The state's address.
    package func look(at start: UnsafeRawPointer) -> Look {
        position += 1
        var look = Look(position: position)
        for (index, array) in arrays.enumerated() {
            let (isOwn, cost) = array.look(at: start + array.offset, position: position)
            if isOwn { look.own |= 1 << UInt32(index) }
            look.cost += cost
        }
        return look
    }

    /// Removes from a state the arrays of which the recorder has its own copy.
    package func clear<State>(_ look: Look, in state: inout State) {
        withUnsafeMutablePointer(to: &state) { state in
            let start = UnsafeMutableRawPointer(state)
            for (index, array) in arrays.enumerated() where look.own & 1 << UInt32(index) != 0 {
                array.clear(start + array.offset)
            }
        }
    }

    /// Restores the removed arrays; on the recorder's thread, in the order of the events.
    package func fill<State>(_ look: Look, in state: inout State) {
        withUnsafeMutablePointer(to: &state) { state in
            let start = UnsafeMutableRawPointer(state)
            for (index, array) in arrays.enumerated() {
                array.follow(to: look.position)
                if look.own & 1 << UInt32(index) != 0 { array.fill(start + array.offset) }
            }
        }
    }

    /// Recording has ended, and every array is shared; on the recorder's thread.
    package func close() { for array in arrays { array.close() } }

    /// The ends that the arrays share with those of the previous state; on the recorder's thread.
    package var ends: [ArrayEnds] { arrays.compactMap(\.ends) }
}
