import DispatchContext
import TapeFormat

/// Writes the call stacks of actions. A recorder that records none has no writer.
///
/// Most actions have the call stack of an earlier one. Those name that event, which takes 20 bytes in place of 1 KB.
struct CallStackWriter {
    /// From the event with the functions on. So what a reader lacks when the oldest events were dropped ends soon.
    static let reach = 256

    private let demand = CallStack.Demand()
    private var names = FunctionNames()
    /// The functions so far. Call stacks that differ in what began their thread have the same ones.
    private var lists: [[String]] = []
    private var numbers: [[String]: Int] = [:]
    private var numbersOfStacks: [CallStack: Int] = [:]
    /// The last events that have functions, by number.
    private var written: [Int: Int] = [:]
    private var isLimitTold = false

    /// The member `stack` of an event; nil if it has none.
    mutating func member(of stack: CallStack, at seq: Int) -> JSON? {
        guard stack != .none, stack != .notKept else { return nil }
        let number = number(of: stack)
        if let earlier = written[number], seq - earlier < Self.reach { return ["seq": .number(JSON.Number(earlier))] }
        return lists[number].isEmpty ? nil : .array(lists[number].map(JSON.string))
    }

    private mutating func number(of stack: CallStack) -> Int {
        if let known = numbersOfStacks[stack] { return known }
        let functions = names.functions(at: stack.addresses)
        let number = numbers[functions] ?? lists.count
        if number == lists.count {
            lists.append(functions)
            numbers[functions] = number
        }
        numbersOfStacks[stack] = number
        return number
    }

    /// Notes that an event was written.
    mutating func wrote(_ member: JSON?, of stack: CallStack, at seq: Int) {
        if member?.array != nil { written[number(of: stack)] = seq }
    }

    /// Writes all functions again, because a reader may lack the events before.
    mutating func forget() { written = [:] }

    /// Whether this is the first call stack that isn't kept.
    mutating func isFirstNotKept(_ stack: CallStack) -> Bool {
        guard stack == .notKept, !isLimitTold else { return false }
        isLimitTold = true
        return true
    }
}
