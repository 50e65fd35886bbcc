import Foundation
import StateTape
import TapeFormat

/// Records states and actions that are deep or large, dispatched on a thread with a small stack, as the secondary
/// threads of Apple's systems have.
package struct SmallStackRun {
    /// In bytes.
    private static let stack = 512 << 10
    /// The deepest value that has to be recorded in full. Two values are around it.
    private static let deepest = 498

    /// What is deep or large.
    package enum Form: String, CaseIterable, Sendable {
        /// A state that is compared in the background.
        case state
        /// A state that holds a class instance, and is encoded where it is dispatched.
        case holder
        /// A state that is not Codable.
        case plain
        case action
        /// An action that holds a class instance, and is encoded where it is dispatched.
        case holdingAction
        /// An action that is not Codable.
        case plainAction
    }

    package init() {}

    /// - Parameter begin: Receives the name of each case before it runs.
    /// - Returns: The failures, one line each.
    package func failures(begin: (String) -> Void) throws -> [String] {
        var failures: [String] = []
        begin("a store of 45 KB is attached, and the app has used up a third of the stack")
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).tape")
        defer { try? FileManager.default.removeItem(at: file) }
        let (tape, large) = (
            Recorder(.test(allowRelease: true, file: file.path)), ValueBox(State<Kilobytes45>())
        )
        Self.onThread(withStack: Self.stack * 2 / 3) {
            let track = tape.track(large.value, Step.self)
            tape.settle()
            _ = track
        }
        if !tape.finish(timeout: .seconds(60)) { failures.append("the tape of a store of 45 KB was not written") }
        for form in Form.allCases {
            for depth in [1, 50, 150, 200, 498, 512, 513, 2_000] {
                begin("\(form), \(depth) deep")
                // The dispatching thread's stack decides how much of the other forms is recorded.
                let isWhole = [.state, .action].contains(form) ? depth <= Self.deepest : depth <= 50
                failures += try run(form, Nest(depth), PlainNest(depth), isWhole).map {
                    "\(form), \(depth) deep: \($0)"
                }
            }
            func sized<Value: Codable & Initial, Plain: Initial>(
                _ value: Value.Type, _ plain: Plain.Type, isWhole: Bool
            ) throws {
                let name = "\(form), \(MemoryLayout<Value>.size) bytes"
                begin(name)
                failures += try run(form, value.init(), plain.init(), isWhole).map { "\(name): \($0)" }
            }
            // In the background, and where the state is one instance, only the app itself has copies.
            let isBehind = form == .state || form == .action
            try sized(Eight<Eight<Two<Int>>>.self, PlainEight<PlainEight<Two<Int>>>.self, isWhole: true)
            try sized(
                Kilobytes16.self, PlainEight<PlainEight<Eight<Two<Two<Int>>>>>.self, isWhole: isBehind || form == .plain
            )
            try sized(Kilobytes45.self, PlainEight<PlainEight<Eight<Eleven<Int>>>>.self, isWhole: isBehind)
            try sized(Kilobytes64.self, PlainEight<PlainEight<Eight<Eight<Two<Int>>>>>.self, isWhole: isBehind)
            try sized(Kilobytes128.self, PlainEight<PlainEight<Eight<Eight<Two<Two<Int>>>>>>.self, isWhole: false)
        }
        return failures
    }

    private static func onThread(withStack size: Int, _ body: @escaping () -> Void) {
        let done = DispatchSemaphore(value: 0)
        let work = Unchecked(body)
        let thread = Thread {
            work.body()
            done.signal()
        }
        thread.stackSize = size & ~4_095
        thread.start()
        done.wait()
    }

    private func run<Value: Codable & Initial, Plain: Initial>(
        _ form: Form, _ value: Value, _ plain: Plain, _ isWhole: Bool
    ) throws -> [String] {
        switch form {
        case .state:
            let scene = Scene<State<Value>, Step>(State<Value>()) { $0.track($1, Step.self) }
            return try scene.failures(
                [
                    { track, holder in track.record(Step(number: 1), &holder.state) { $0.value = value } },
                    { track, holder in track.record(Step(number: 2), &holder.state) { $0.number += 1 } },
                    { track, holder in track.record(Step(number: 3), &holder.state) { $0.value = Value() } },
                ], isWhole)
        case .holder:
            let scene = Scene<Holding<Value>, Step>(Holding<Value>()) { $0.track($1, Step.self) }
            return try scene.failures(
                [
                    { track, holder in track.record(Step(number: 1), &holder.state) { $0.value = value } },
                    { track, holder in track.record(Step(number: 2), &holder.state) { $0.number += 1 } },
                    { track, holder in track.record(Step(number: 3), &holder.state) { $0.value = Value() } },
                ], isWhole)
        case .plain:
            let scene = Scene<PlainState<Plain>, Step>(PlainState<Plain>()) {
                $0.track(reflecting: .state, initial: $1, Step.self)
            }
            return try scene.failures(
                [
                    { track, holder in track.record(Step(number: 1), &holder.state) { $0.value = plain } },
                    { track, holder in track.record(Step(number: 2), &holder.state) { $0.number += 1 } },
                    { track, holder in track.record(Step(number: 3), &holder.state) { $0.value = Plain() } },
                ], false)
        case .action:
            let scene = Scene<Step, Large<Value>>(Step(number: 0)) { $0.track($1, Large<Value>.self) }
            let (large, small) = (ValueBox(Large(value: value)), ValueBox(Large(value: Value())))
            return try scene.failures(
                [
                    { track, holder in track.record(large.value, &holder.state) { $0.number += 1 } },
                    { track, holder in track.record(small.value, &holder.state) { $0.number += 1 } },
                ], isWhole)
        case .holdingAction:
            let scene = Scene<Step, Holding<Value>>(Step(number: 0)) { $0.track($1, Holding<Value>.self) }
            let action = ValueBox(Holding(value))
            return try scene.failures(
                [{ track, holder in track.record(action.value, &holder.state) { $0.number += 1 } }], isWhole)
        case .plainAction:
            let scene = Scene<Step, PlainState<Plain>>(Step(number: 0)) {
                $0.track(reflecting: .actions, initial: $1, PlainState<Plain>.self)
            }
            let action = ValueBox(PlainState(value: plain))
            return try scene.failures(
                [{ track, holder in track.record(action.value, &holder.state) { $0.number += 1 } }], false)
        }
    }

    /// One store, which dispatches on a small stack.
    private struct Scene<State, Action> {
        typealias Store = (Track<State, Action>, StateBox<State>)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).tape")
        let tape: Recorder
        let track: Track<State, Action>
        let holder: StateBox<State>

        init(_ initial: State, _ track: (Recorder, State) -> Track<State, Action>) {
            tape = Recorder(.test(allowRelease: true, file: file.path))
            self.track = track(tape, initial)
            holder = StateBox(self.track.start)
        }

        func failures(_ steps: [(Track<State, Action>, StateBox<State>) -> Void], _ isWhole: Bool) throws -> [String] {
            defer { try? FileManager.default.removeItem(at: file) }
            for step in steps { SmallStackRun.onThread(withStack: SmallStackRun.stack) { step(track, holder) } }
            guard tape.finish(timeout: .seconds(60)) else { return ["the tape was not written"] }
            return try check(steps.count, isWhole)
        }

        private func check(_ count: Int, _ isWhole: Bool) throws -> [String] {
            let lines = try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map { try JSON(parsing: $0) }
            var (failures, kept): ([String], JSON) = ([], .null)
            let actions = lines.filter { $0["event"] == "action" }
            if actions.count != count { failures.append("\(actions.count) actions of \(count)") }
            for line in lines {
                if let state = line["state"] { kept = state }
                if let patch = line["patch"] { try Patch(patch).apply(to: &kept) }
            }
            let last = actions.last
            if last?["skipped"] != nil, isWhole { failures.append("the last state is missing") }
            let notes = lines.compactMap { $0["event"] == "note" ? $0["text"]?.string : nil }
                .filter { !$0.contains("encoded whole where it is dispatched") }
            let parts = lines.contains { $0.text.contains(#"{"$unencodable":"#) || $0["skipped"] != nil }
            if isWhole, parts || !notes.isEmpty { failures.append("not recorded in full: \(notes)") }
            // Reflection has limits of its own, with markers of their own.
            if parts, notes.isEmpty { failures.append("parts are missing without a note") }
            return failures
        }
    }
}

/// What crosses threads here is used by one at a time.
private struct Unchecked: @unchecked Sendable {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
}

private final class StateBox<State> {
    var state: State
    init(_ state: State) { self.state = state }
}

private final class ValueBox<Value> {
    let value: Value
    init(_ value: Value) { self.value = value }
}

package protocol Initial { init() }
extension Int: Initial {}

private struct Step: Codable { var number: Int }

private struct State<Value: Codable & Initial>: Codable {
    var value = Value()
    var number = 0
}

private struct Holding<Value: Codable & Initial>: Codable {
    private final class Counter: Codable { var count = 0 }

    var value = Value()
    var number = 0
    private var counter = Counter()

    init(_ value: Value = Value()) { self.value = value }
}

private struct PlainState<Value: Initial> {
    var value = Value()
    var number = 0
}

private struct Large<Value: Codable>: Codable { var value: Value }

/// Values inside each other, one level of JSON each.
private indirect enum Nest: Codable, Initial {
    case end
    case next(Nest)

    private enum Key: CodingKey { case next }

    init() { self = .end }

    init(_ depth: Int) {
        self = .end
        for _ in 1..<depth { self = .next(self) }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self = container.contains(.next) ? .next(try container.decode(Nest.self, forKey: .next)) : .end
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        if case .next(let next) = self { try container.encode(next, forKey: .next) }
    }
}

private indirect enum PlainNest: Initial {
    case end
    case next(PlainNest)

    init() { self = .end }

    init(_ depth: Int) {
        self = .end
        for _ in 1..<depth { self = .next(self) }
    }
}

private typealias Kilobytes16 = Eight<Eight<Eight<Two<Two<Int>>>>>
private typealias Kilobytes45 = Eight<Eight<Eight<Eleven<Int>>>>
private typealias Kilobytes64 = Eight<Eight<Eight<Eight<Two<Int>>>>>
private typealias Kilobytes128 = Eight<Eight<Eight<Eight<Two<Two<Int>>>>>>

private struct Two<Part: Codable & Initial>: Codable, Initial { var a = Part(), b = Part() }

private struct Eight<Part: Codable & Initial>: Codable, Initial {
    var a = Part(), b = Part(), c = Part(), d = Part(), e = Part(), f = Part(), g = Part(), h = Part()
}

private struct PlainEight<Part: Initial>: Initial {
    var a = Part(), b = Part(), c = Part(), d = Part(), e = Part(), f = Part(), g = Part(), h = Part()
}

private struct Eleven<Part: Codable & Initial>: Codable, Initial {
    var a = Part(), b = Part(), c = Part(), d = Part(), e = Part(), f = Part(), g = Part(), h = Part(), i = Part()
    var j = Part(), k = Part()
}
