import Foundation
package import StateTape
import TapeFormat

/// Records a changing state, and compares each state on the tape with the output of `JSONEncoder`.
package struct ShapeRun {
    private struct Step: Codable { var number: Int }

    /// How the recorder compares states.
    package var comparison = Comparison.automatic
    package var steps = 60
    /// Whether the recorder compares each array with its own copy of the elements.
    package var ownsArrays = false

    package init() {}

    /// - Returns: The failures, one line each.
    package func failures<State: Shape>(of shape: State.Type, seed: UInt64) throws -> [String] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).tape")
        defer { try? FileManager.default.removeItem(at: file) }
        let tape = Recorder(
            .test(
                allowRelease: true, file: file.path, comparison: comparison, ownsArrays: ownsArrays))
        let track = tape.track(State(), Step.self)
        var (dice, state) = (Dice(seed), track.start)
        var expected = [try? tree(of: state)]
        for number in 1...steps {
            track.record(Step(number: number), &state) { state in
                // Sometimes nothing changes, or only the storage.
                for _ in 0..<dice.below(3) { state.change(&dice) }
            }
            expected.append(try? tree(of: state))
        }
        guard tape.finish(timeout: .seconds(60)) else { return ["\(shape): the tape was not written"] }
        return try compare(lines(of: file), expected, shape)
    }

    private func tree(of state: some Encodable) throws -> JSON {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try JSON(parsing: encoder.encode(state))
    }

    private func lines(of file: URL) throws -> [JSON] {
        try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map { try JSON(parsing: $0) }
    }

    /// Whether each state is encoded whole, whatever its type.
    private var encodesAll: Bool {
        let variable = ProcessInfo.processInfo.environment["STATETAPE_COMPARISON"]
        return comparison == .encoded || comparison == .automatic && variable == "encoded"
    }

    private func compare<State: Shape>(_ lines: [JSON], _ expected: [JSON?], _ shape: State.Type) throws -> [String] {
        var (failures, notes, found, kept): ([String], [String], [JSON?], JSON) = ([], [], [], .null)
        var (patches, states) = (0, 0)
        for line in lines {
            switch line["event"]?.string {
            case "init", "action":
                if let state = line["state"] {
                    kept = state
                    states += 1
                }
                if let patch = line["patch"] {
                    try Patch(patch).apply(to: &kept)
                    patches += 1
                }
                found.append(line["skipped"] == nil ? kept : nil)
            case "note": notes.append(line["text"]?.string ?? "")
            default: break
            }
        }
        for (index, expected) in expected.enumerated() {
            let state = index < found.count ? found[index] : nil
            guard state != expected else { continue }
            // What JSONEncoder can't encode has a marker.
            if expected == nil, state?.text.contains(#""$unencodable":"#) == true { continue }
            failures.append("\(shape), state \(index): \(state?.text ?? "none"), expected \(expected?.text ?? "none")")
        }
        let isValue = !notes.contains { $0.contains("encoded whole where it is dispatched") }
        if !encodesAll, isValue != State.isValue {
            failures.append("\(shape) is \(isValue ? "" : "not ")taken for a value")
        }
        // Only a value that catches an error of its parts, or writes none, has to be encoded whole again.
        if isValue, states > patches { failures.append("\(shape): \(states) whole states beside \(patches) patches") }
        return Array(failures.prefix(3))
    }
}
