import CCallStack
import Foundation

/// The call stack of a dispatch: a number, since a dispatch passes it on many times, and most dispatches have the call
/// stack of an earlier one.
package struct CallStack: Sendable, Hashable {
    /// No recorder wanted it, or this platform has none.
    package static let none = CallStack(number: 0)
    /// The process has dispatched actions from more places than are kept.
    package static let notKept = CallStack(number: .max)
    /// The most return addresses of one call stack.
    package static let longest = 48

    let number: UInt32

    /// That of the caller, if a recorder wants it.
    @inline(__always)
    package static func here() -> CallStack { isWanted ? take() : none }

    /// Whether a recorder wants the call stacks.
    @inline(__always)
    static var isWanted: Bool { call_stacks_are_on() }

    @inline(never)
    private static func take() -> CallStack {
        withUnsafeTemporaryAllocation(of: UInt.self, capacity: longest) { addresses in
            let count = Int(call_stack_take(addresses.baseAddress, Int32(longest)))
            return count == 0 ? none : CallStackTable.shared.insert(UnsafeBufferPointer(rebasing: addresses[..<count]))
        }
    }

    /// The return addresses, the innermost first.
    package var addresses: [UInt] { CallStackTable.shared[self] }

    /// Whether this platform has call stacks.
    package static var isKnown: Bool { call_stack_is_known() }

    /// As long as it exists, dispatches have their call stacks.
    package final class Demand: Sendable {
        package init() { call_stack_count(1) }
        deinit { call_stack_count(-1) }
    }
}

/// Call stacks, each one once.
package struct CallStackTable {
    /// Those of this process: about 1 MB at most, for more places than an app dispatches from.
    fileprivate static let shared = SharedCallStacks(CallStackTable(limit: 4_096))

    private let limit: Int
    private var all: [[UInt]] = []
    private var numbers: [UInt64: UInt32] = [:]

    package init(limit: Int) {
        self.limit = limit
    }

    package mutating func insert(_ addresses: UnsafeBufferPointer<UInt>) -> CallStack {
        // FNV-1a, a word at a time. Two call stacks of one hash have neighbouring places.
        var hash = addresses.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
        while let number = numbers[hash] {
            if all[Int(number) - 1].elementsEqual(addresses) { return CallStack(number: number) }
            hash &+= 1
        }
        guard all.count < limit else { return .notKept }
        all.append(Array(addresses))
        numbers[hash] = UInt32(all.count)
        return CallStack(number: UInt32(all.count))
    }

    /// The return addresses, the innermost first; none if it isn't kept.
    package subscript(stack: CallStack) -> [UInt] {
        let index = Int(stack.number) - 1
        return all.indices.contains(index) ? all[index] : []
    }
}

/// A table that all threads use.
// Unchecked: the lock protects the table.
private final class SharedCallStacks: @unchecked Sendable {
    private let lock = NSLock()
    private var table: CallStackTable

    init(_ table: CallStackTable) {
        self.table = table
    }

    func insert(_ addresses: UnsafeBufferPointer<UInt>) -> CallStack { lock.withLock { table.insert(addresses) } }

    subscript(stack: CallStack) -> [UInt] { lock.withLock { table[stack] } }
}
