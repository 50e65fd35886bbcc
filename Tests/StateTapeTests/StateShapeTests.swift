import Foundation
import StateShapes
import TapeFormat
import Testing

@testable import StateCapture
@testable import StateTape

@Suite("States of every shape")
struct StateShapeTests {
    @Test("Each recorded state equals JSONEncoder's", arguments: StateShapes.all.indices)
    func recorded(index: Int) throws {
        func failures<State: Shape>(of shape: State.Type) throws -> [String] {
            try ShapeRun().failures(of: shape, seed: UInt64(index))
        }
        for failure in try failures(of: StateShapes.all[index]) { Issue.record("\(failure)") }
    }

    @Test(
        "With the recorder's own copies of arrays, each recorded state equals JSONEncoder's",
        arguments: StateShapes.all.indices)
    func ownArrays(index: Int) throws {
        func failures<State: Shape>(of shape: State.Type) throws -> [String] {
            var run = ShapeRun()
            run.ownsArrays = true
            return try run.failures(of: shape, seed: UInt64(index))
        }
        for failure in try failures(of: StateShapes.all[index]) { Issue.record("\(failure)") }
    }

    @Test(
        "With encoded states compared, each recorded state equals JSONEncoder's", arguments: StateShapes.all.indices
    )
    func encoded(index: Int) throws {
        func failures<State: Shape>(of shape: State.Type) throws -> [String] {
            var run = ShapeRun()
            run.comparison = .encoded
            run.steps = 20
            return try run.failures(of: shape, seed: UInt64(index))
        }
        for failure in try failures(of: StateShapes.all[index]) { Issue.record("\(failure)") }
    }

    @Test("A recorded state decodes as with JSONDecoder", arguments: StateShapes.all.indices)
    func playedBack(index: Int) throws {
        func check<State: Shape>(_ shape: State.Type) throws {
            guard !(shape is any WriteOnlyShape.Type) else { return }
            var (dice, state) = (Dice(UInt64(index)), State())
            let decoder = JSONDecoder()
            decoder.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
            for _ in 0..<50 {
                state.change(&dice)
                guard let tree = try? StateCodec<State>().tree(of: state) else { continue }
                let read = try Overlay.decode(State.self, from: tree, over: nil).value
                let expected = try decoder.decode(State.self, from: Data(tree.bytes))
                #expect(try StateCodec<State>().tree(of: read) == StateCodec<State>().tree(of: expected), "\(shape)")
            }
        }
        try check(StateShapes.all[index])
    }
}
