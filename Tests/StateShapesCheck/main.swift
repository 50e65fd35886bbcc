// Checks all shapes, for builds in which tests don't run: `swift run -c release StateShapesCheck [SEED]`. With `stack`
// in place of a seed, checks deep and large states on threads with small stacks.
import Foundation
import StateShapes

func failures(of shape: any Shape.Type, seed: UInt64) throws -> [String] {
    func run<State: Shape>(_ shape: State.Type, ownsArrays: Bool) throws -> [String] {
        var run = ShapeRun()
        run.ownsArrays = ownsArrays
        return try run.failures(of: shape, seed: seed)
    }
    return try run(shape, ownsArrays: false) + run(shape, ownsArrays: true)
}

func checkShapes(seed: UInt64) throws -> [String] {
    var found: [String] = []
    for shape in StateShapes.all { found += try failures(of: shape, seed: seed) }
    for shape in UncodedShapes.all { found += try shape.failures() }
    print("\(StateShapes.all.count + UncodedShapes.all.count) shapes with seed \(seed): \(found.count) failures")
    return found
}

/// Sets everything up on a large stack, as an app's main thread has.
func checkStacks() -> [String] {
    nonisolated(unsafe) var found: [String] = []
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
        do {
            // Written at once: a crash would lose what is buffered.
            found = try SmallStackRun().failures { FileHandle.standardError.write(Data(($0 + "\n").utf8)) }
        } catch {
            found = ["\(error)"]
        }
        done.signal()
    }
    thread.stackSize = 16 << 20
    thread.start()
    done.wait()
    print("small stacks: \(found.count) failures")
    return found
}

let argument = CommandLine.arguments.dropFirst().first
let found =
    argument == "stack"
    ? checkStacks() : try checkShapes(seed: argument.flatMap(UInt64.init) ?? UInt64.random(in: 0..<1_000_000))
for failure in found { print(failure) }
exit(found.isEmpty ? 0 : 1)
