// Checks all shapes, for builds in which tests don't run: `swift run -c release StateShapesCheck [SEED]`.
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

let seed = CommandLine.arguments.dropFirst().first.flatMap(UInt64.init) ?? UInt64.random(in: 0..<1_000_000)
var found: [String] = []
for shape in StateShapes.all { found += try failures(of: shape, seed: seed) }
for shape in UncodedShapes.all { found += try shape.failures() }
for failure in found { print(failure) }
print("\(StateShapes.all.count + UncodedShapes.all.count) shapes with seed \(seed): \(found.count) failures")
exit(found.isEmpty ? 0 : 1)
