import Foundation
import StateTapeStore
import TapeFormat

/// A state that shows each action that was lost, doubled, or out of its order.
struct Ledger: Codable, Equatable, Sendable {
    var value = 1
    /// The numbers of the actions that were reduced.
    var seen: [Int] = []

    /// The same as a self-reducing action, and as an enum's case.
    mutating func reduce(_ action: LedgerAction) {
        switch action {
        case .add(let id, let number):
            value = value &+ number
            seen.append(id)
        case .times(let id, let number):
            value = (value &* number) % 1_000_003
            seen.append(id)
        case .tick: value = (value &* 31 &+ 7) % 1_000_003
        }
    }

    func reduced(_ actions: some Sequence<LedgerAction>) -> Ledger {
        actions.reduce(into: self) { $0.reduce($1) }
    }

    var json: JSON {
        ["value": .number(JSON.Number(value)), "seen": .array(seen.map { .number(JSON.Number($0)) })]
    }
}

enum LedgerAction: Codable, Equatable, Sendable {
    case add(id: Int, number: Int)
    case times(id: Int, number: Int)
    /// Equal to each other one.
    case tick

    /// Actions whose numbers begin at 10 000 times the producer's.
    static func random(_ count: Int, producer: Int = 0, _ random: inout Seeded) -> [LedgerAction] {
        (0..<count).map { index in
            let id = producer * 10_000 + index
            return switch random.below(5) {
            case 0: .tick
            case 1: .times(id: id, number: 2 + random.below(5))
            default: .add(id: id, number: random.below(100))
            }
        }
    }

    /// Nil if the action on the tape is none of these.
    init?(_ json: JSON?) {
        let (id, number) = (json?["payload"]?["id"]?.int, json?["payload"]?["number"]?.int)
        switch (json?["type"]?.string?.split(separator: ".").last?.lowercased(), id, number) {
        case ("tick", _, _): self = .tick
        case ("add", let id?, let number?): self = .add(id: id, number: number)
        case ("times", let id?, let number?): self = .times(id: id, number: number)
        default: return nil
        }
    }

    var reducing: any SelfReducing<Ledger> {
        switch self {
        case .add(let id, let number): Add(id: id, number: number)
        case .times(let id, let number): Times(id: id, number: number)
        case .tick: Tick()
        }
    }

    static var selfReducing: [any Codable.Type] { [Add.self, Times.self, Tick.self] }

    private struct Add: SelfReducing, Codable {
        let id: Int
        let number: Int
        func reduce(_ state: inout Ledger) { state.reduce(.add(id: id, number: number)) }
    }

    private struct Times: SelfReducing, Codable {
        let id: Int
        let number: Int
        func reduce(_ state: inout Ledger) { state.reduce(.times(id: id, number: number)) }
    }

    private struct Tick: SelfReducing, Codable {
        func reduce(_ state: inout Ledger) { state.reduce(.tick) }
    }
}
