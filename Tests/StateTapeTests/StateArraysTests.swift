import Foundation
import TapeFormat
import Testing

@testable import StateCapture
@testable import StateTape

@Suite("Arrays that the recorder compares with its own copies", .comparesLayouts)
struct StateArraysTests {
    private struct Item: Codable, Equatable {
        var name = "a name that is longer than fifteen bytes"
        var isDone = false
        var number = 0
    }

    private struct Inner: Codable {
        var flag = true
        var items: [Item] = []
    }

    private struct State: Codable {
        var items = (0..<200).map { Item(number: $0) }
        var inner = Inner()
        var optional: [Item]? = []
        var named: [String: [Item]] = [:]
        var place: UInt { items.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
    }

    private enum Act: Codable { case go }

    /// The states on the tape, and the address of the app's array at each action.
    private func run(_ count: Int, _ change: (inout State, Int) -> Void) throws -> (states: [JSON], places: [UInt]) {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).tape")
        defer { try? FileManager.default.removeItem(at: file) }
        let tape = Recorder(.test(allowRelease: true, file: file.path))
        let track = tape.track(State(), Act.self)
        var (state, places) = (track.start, [UInt]())
        tape.whileBusy {
            for number in 0..<count {
                track.record(.go, &state) { change(&$0, number) }
                places.append(state.place)
            }
        }
        #expect(tape.finish(timeout: .seconds(60)))
        var (states, kept) = ([JSON](), JSON.null)
        for line in try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map({ try JSON(parsing: $0) }) {
            if let state = line["state"] { kept = state }
            if let patch = line["patch"] { try Patch(patch).apply(to: &kept) }
            if line["event"]?.string == "action" { states.append(line["skipped"] == nil ? kept : .null) }
        }
        return (states, places)
    }

    @Test("An array that changes often stays where it is, and each state has its own elements")
    func often() throws {
        let (states, places) = try run(20) { $0.items[$1].number += 1_000 }
        #expect(Set(places.suffix(12)).count == 1)
        #expect(states.count == 20)
        for (index, state) in states.enumerated() {
            let numbers = state["items"]?.array?.compactMap { $0["number"]?.int }
            #expect(numbers == (0..<200).map { $0 <= index ? $0 + 1_000 : $0 })
        }
    }

    @Test("Each state has its own inserted and removed elements")
    func splices() throws {
        var expected: [[Int]] = []
        let (states, _) = try run(60) { state, number in
            switch number % 6 {
            case 0: state.items.append(Item(number: 10_000 + number))
            case 1: state.items.remove(at: number)
            case 2: state.items.insert(Item(number: 20_000 + number), at: 2 * number)
            case 3: state.items.removeFirst(3)
            case 4 where number > 40: state.items.shuffle()
            default: state.items[number].isDone.toggle()
            }
            expected.append(state.items.map(\.number))
        }
        #expect(states.map { $0["items"]?.array?.compactMap { $0["number"]?.int } ?? [] } == expected)
    }

    @Test("Only arrays that a struct always has at one place are found")
    func places() throws {
        let layouts = Layouts()
        let offsets = [
            try #require(MemoryLayout<State>.offset(of: \.items)),
            try #require(MemoryLayout<State>.offset(of: \.inner.items)),
        ]
        #expect(layouts.arrays(in: State.self).map(\.offset) == offsets)
        #expect(layouts.arrays(in: [Item].self).map(\.offset) == [0])
        let none: [Any.Type] = [
            [Item]?.self, [String: [Item]].self, Set<[Int]>.self, [UnitLength].self, String.self, Data.self,
            Result<[Int], Never>.self,
        ]
        for type in none { #expect(layouts.arrays(in: type).isEmpty, "\(type)") }
        layouts.trust(Inner.self)
        #expect(layouts.arrays(in: State.self).map(\.offset) == offsets.dropLast())
        #expect(Layouts(.encoded).arrays(in: State.self).isEmpty)
    }

    @Test("A state captured during another's capture is shared whole")
    func nested() throws {
        let arrays = try #require(StateArrays(in: State.self, Layouts(), .always))
        let begun = [arrays.begin(), arrays.begin()]
        arrays.end()
        #expect(begun == [true, false])
        #expect(arrays.begin())
    }
}

@Suite("When an array is compared with the recorder's own copy")
struct ArrayHabitTests {
    private let policy = ArrayHabit.Policy()

    /// Whether a shared array is compared from now on.
    private func begins(_ habit: inout ArrayHabit, at address: UInt, bytes: Int = 1 << 20) -> Bool {
        let isChanged = habit.share(at: address)
        return isChanged && habit.begins(bytes: bytes)
    }

    @Test("Two changes in quick succession start it; a rare change does not")
    func begins() {
        var (long, short, seldom) = (ArrayHabit(policy), ArrayHabit(policy), ArrayHabit(policy))
        let found = [1, 2, 2, 3, 4].map { begins(&long, at: $0) }
        #expect(found == [false, false, false, false, true])
        let foundShort = (1...9).map { begins(&short, at: $0, bytes: 100) }
        #expect(!foundShort.contains(true))
        let foundSeldom = (4..<80).map { begins(&seldom, at: $0 / 4) }
        #expect(!foundSeldom.contains(true))
    }

    @Test("An array that no longer changes is shared again")
    func quiet() {
        var habit = ArrayHabit(policy)
        for address in 1...3 { _ = begins(&habit, at: UInt(address)) }
        let kept = (0...policy.maxQuiet).map { _ in habit.compare(at: 3, isChanged: false) }
        #expect(kept == [Bool](repeating: true, count: policy.maxQuiet) + [false])
    }

    @Test("An array that the app copies itself is shared, and retried less and less often")
    func copied() {
        var habit = ArrayHabit(policy)
        var (address, tries): (UInt, [Int]) = (1, [])
        for number in 0..<2_000 {
            address += 1
            guard begins(&habit, at: address) else { continue }
            tries.append(number)
            var steps = 0
            repeat {
                address += 1
                steps += 1
            } while habit.compare(at: address, isChanged: true)
            #expect(steps < 8)
        }
        let pauses = zip(tries.dropFirst(), tries).map { $0 - $1 }
        #expect(pauses.count >= 3)
        #expect(zip(pauses.dropFirst(), pauses).allSatisfy { $0 > $1 })
    }
}
