import SampleTapes
import TapeFormat

/// A tape with events of every kind and realistic states.
struct CorpusTape {
    private static let words = [
        "Milk", "bread", "MILK", "Äpfel", "naïve", "a/b", "~tilde", "say \"hi\"", "back\\slash", "😀 face", "two\nlines",
        "patch", "7", "1.0", "", "e\u{301}", "<b>", "action",
    ]
    private static let numbers = ["0", "1", "1.0", "-2.5", "1e3", "0.1", "12345678901234567890.10", "42", "-0"]
    private static let types = ["todos/add", "todos/Remove", "todos", "sync/start", "Ä/b", "text.edit", "*", "a/b/c"]
    private static let stores = ["main", "side", "Café/x"]

    private var chance: Chance
    /// Apart from the other chances, so that causes change nothing else.
    private var causes: Chance
    private var errors: Chance
    private var seq = -1
    private var at = 0.0
    private var states: [String: JSON] = [:]

    init(seed: UInt64) {
        chance = Chance(seed)
        causes = Chance(seed &+ 2_000)
        errors = Chance(seed &+ 3_000)
    }

    mutating func next() -> EventLine {
        at += Double(chance.below(400)) * (chance.once(in: 40) ? 25.5 : 0.125)
        seq += 1
        let store = Self.stores[chance.below(10) < 7 ? 0 : chance.below(3)]
        guard let state = states[store] else {
            let state = fresh()
            states[store] = state
            return line(.`init`, store, [("state", state)])
        }
        switch chance.below(100) {
        case 0..<2:
            states[store] = nil
            return line(.detach, store, [])
        case 2..<4:
            let count = 1 + chance.below(4)
            seq += count - 1
            // After a gap no state is known until the next full one.
            states = [:]
            return EventLine(seq: seq, at: at, kind: .gap, count: count, members: [("reason", "overflow")])
        case 4..<8:
            let level = ["info", "warning", "error"][chance.below(3)]
            return line(.note, "main", [("text", .string("note " + word())), ("level", .string(level))])
        case 8..<10: return line(.action, store, [("action", action()), ("skipped", true)])
        case 10..<12:
            // This patch applies to no state of the tape.
            states[store] = nil
            return line(.action, store, [("action", action()), ("patch", [["op": "remove", "path": "/none/at"]])])
        case 12..<15:
            states[store] = fresh()
            return line(.replace, store, [("state", states[store] ?? .null), ("cause", ["push": .string(word())])])
        default: return changed(state, store)
        }
    }

    private mutating func changed(_ state: JSON, _ store: String) -> EventLine {
        var new = state
        for _ in 0...chance.below(2) { new = edited(new) }
        states[store] = new
        let patch = Patch.between(state, new).json
        let outcome: (String, JSON) = chance.once(in: 12) ? ("state", new) : ("patch", patch)
        var members = [("action", action()), outcome]
        if chance.once(in: 2) { members.append(("took", number(chance.below(2_000)))) }
        if chance.once(in: 9) {
            members.append(("cause", ["push": .string("p\(seq)")]))
        } else if causes.once(in: 2) {
            members.append(("cause", cause()))
        }
        if chance.once(in: 5) { members.append(("caller", .string("App.swift:\(seq)"))) }
        if chance.once(in: 5) { members.append(("dispatch", number(seq))) }
        if errors.once(in: 12) { members.append(("error", error())) }
        return line(.action, store, members)
    }

    /// Mostly a text; sometimes a long one, or another value, which is no error.
    private mutating func error() -> JSON {
        switch errors.below(6) {
        case 0: .string(String(repeating: "Declined 😀 ", count: 40))
        case 1: [.null, 5, ["code": 7], false, ""][errors.below(5)]
        default: .string("CartError." + Self.words[errors.below(Self.words.count)])
        }
    }

    /// Mostly an event shortly before; sometimes in another notation, or none that can be a cause.
    private mutating func cause() -> JSON {
        let near = max(0, seq - 1 - causes.below(12))
        let odd = [
            "\(seq)", "\(seq + 2)", "9007199254740992", "9007199254740993", "-1", "-0", "0.0", "1.5", "1e400", "1e1",
            "\(near).0", "\(near).\(String(repeating: "0", count: 20))1", "\(Double(near) / 10)e1",
        ]
        switch causes.below(20) {
        case 0: return ["seq": .string("\(near)")]
        case 1: return [["seq": number(near)], .null, .string("seq")][causes.below(3)]
        case 2: return ["by": "effect", "cause": ["seq": number(0)]]
        case 3: return ["by": "effect", "seq": number(near)]
        case 4, 5: return ["seq": JSON.Number(odd[causes.below(odd.count)]).map(JSON.number) ?? .null]
        default: return ["seq": number(near)]
        }
    }

    private func line(_ kind: EventKind, _ store: String, _ members: [(String, JSON)]) -> EventLine {
        EventLine(seq: seq, at: at, kind: kind, store: store, members: members)
    }

    private func number(_ value: Int) -> JSON { .number(.init(value)) }

    private mutating func word() -> String { Self.words[chance.below(Self.words.count)] }

    private mutating func number() -> JSON {
        JSON.Number(Self.numbers[chance.below(Self.numbers.count)]).map(JSON.number) ?? 0
    }

    private mutating func action() -> JSON {
        var action = JSON.Object([("type", .string(Self.types[chance.below(Self.types.count)]))])
        if chance.once(in: 2) { action["payload"] = ["title": .string(word()), "n": number()] }
        if chance.once(in: 8) { action["payload"] = ["list": .string(word()), "item": ["name": .string(word())]] }
        return .object(action)
    }

    private mutating func item() -> JSON {
        ["id": number(chance.below(90)), "title": .string(word()), "done": .bool(chance.once(in: 2))]
    }

    private mutating func fresh() -> JSON {
        let items = (0..<chance.below(9)).map { _ in item() }
        let text = (0..<chance.below(6)).map { _ in word() }.joined(separator: " ")
        return [
            "items": .array(items), "byName": .object(JSON.Object([(word(), number()), ("k", number())])),
            "text": .string(text), "n": number(), "list": .array((0..<chance.below(6)).map { _ in number() }),
        ]
    }

    private mutating func edited(_ state: JSON) -> JSON {
        guard var root = state.object else { return fresh() }
        var items = root["items"]?.array ?? []
        var list = root["list"]?.array ?? []
        switch chance.below(12) {
        case 0: items.insert(item(), at: chance.below(items.count + 1))
        case 1 where !items.isEmpty: items.remove(at: chance.below(items.count))
        case 2 where items.count > 1:
            let moved = items.remove(at: chance.below(items.count))
            items.insert(moved, at: chance.below(items.count + 1))
        case 3: items.shuffle(using: &chance)
        case 4 where !items.isEmpty:
            let place = chance.below(items.count)
            var one = items[place].object ?? JSON.Object()
            one["title"] = .string(word())
            items[place] = .object(one)
        case 5: root["n"] = number()
        case 6:
            var text = root["text"]?.string ?? ""
            text.insert(contentsOf: word(), at: text.index(text.startIndex, offsetBy: chance.below(text.count + 1)))
            root["text"] = .string(text)
        case 7: root[word()] = number()
        case 8: root["byName"] = .object(JSON.Object([(word(), item()), ("k", number())]))
        case 9: list.append(number())
        case 10: list.shuffle(using: &chance)
        default: root["flag"] = [.null, true, false, [], [:]][chance.below(5)]
        }
        root["items"] = .array(items)
        root["list"] = .array(list)
        return .object(root)
    }
}
