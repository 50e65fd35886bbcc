import Foundation
import StateCapture
import StateTape
import TapeEngine
import TapeFormat

/// Compares a recorded state with that of the replay.
struct StateComparison: Sendable {
    /// A place where they differ.
    struct Difference: Equatable {
        let path: String
        /// Nil if the state lacks the place.
        let recorded: JSON?
        let replayed: JSON?
    }

    /// How many differences are worth reading.
    private static let maxDifferences = 20

    private var ignored: [PathPattern] = []
    private var shuffled: [PathPattern] = []
    var tolerance = 0.0
    /// What is wrong with the first invalid pattern, as a sentence.
    private(set) var problem: String?

    mutating func ignore(_ patterns: [String]) { ignored += patterns.compactMap { pattern($0) } }

    mutating func unordered(_ patterns: [String]) { shuffled += patterns.compactMap { pattern($0) } }

    /// The same comparison, in which the order of all arrays counts.
    var ordered: StateComparison {
        var copy = self
        copy.shuffled = []
        return copy
    }

    private mutating func pattern(_ text: String) -> PathPattern? {
        do throws(FormatError) {
            return try PathPattern(text)
        } catch {
            problem = problem ?? "“\(text)” is not a path: \(error.message)"
            return nil
        }
    }

    /// The places where two states differ; the first ones if there are many.
    func differences(_ recorded: JSON, _ replayed: JSON) -> [Difference] {
        var found: [Difference] = []
        compare(recorded, replayed, at: [], &found)
        return found
    }

    private func compare(_ old: JSON?, _ new: JSON?, at place: [String], _ found: inout [Difference]) {
        guard found.count < Self.maxDifferences, old != new, old?.isMarker != true,
            !ignored.contains(where: { $0.matches(place) })
        else { return }
        switch (old, new) {
        case (.object(let left), .object(let right)):
            for member in left { compare(member.value, right[member.key], at: place + [member.key], &found) }
            for member in right where left[member.key] == nil {
                compare(nil, member.value, at: place + [member.key], &found)
            }
        case (.array(let left), .array(let right)):
            if shuffled.contains(where: { $0.matches(place) }) {
                compareSets(left, right, at: place, &found)
            } else {
                for index in 0..<max(left.count, right.count) {
                    compare(
                        index < left.count ? left[index] : nil, index < right.count ? right[index] : nil,
                        at: place + ["\(index)"], &found)
                }
            }
        case (.number(let left), .number(let right)) where isClose(left, right): break
        default: found.append(Difference(path: Pointer(place).description, recorded: old, replayed: new))
        }
    }

    private func isClose(_ left: JSON.Number, _ right: JSON.Number) -> Bool {
        // Without a tolerance, 64-bit numbers that are one `Double` differ.
        tolerance > 0 && abs(left.double - right.double) <= tolerance
    }

    /// Matches equal elements in any order, and reports the rest.
    private func compareSets(_ left: [JSON], _ right: [JSON], at place: [String], _ found: inout [Difference]) {
        // Most are equal as they are: only the others are compared with each other.
        var counts = right.reduce(into: [JSON: Int]()) { $0[$1, default: 0] += 1 }
        var unmatched: [(Int, JSON)] = []
        for (index, element) in left.enumerated() {
            if let count = counts[element], count > 0 {
                counts[element] = count - 1
            } else {
                unmatched.append((index, element))
            }
        }
        var rest = right.filter { element in
            guard let count = counts[element], count > 0 else { return false }
            counts[element] = count - 1
            return true
        }
        for (index, element) in unmatched {
            let place = place + ["\(index)"]
            let match = rest.firstIndex { candidate in
                var differences: [Difference] = []
                compare(element, candidate, at: place, &differences)
                return differences.isEmpty
            }
            if let match {
                rest.remove(at: match)
            } else if found.count < Self.maxDifferences {
                found.append(Difference(path: Pointer(place).description, recorded: element, replayed: nil))
            }
        }
        for element in rest.prefix(max(0, Self.maxDifferences - found.count)) {
            found.append(Difference(path: Pointer(place + ["-"]).description, recorded: nil, replayed: element))
        }
    }
}

extension StateComparison.Difference: CustomStringConvertible {
    var description: String {
        switch (recorded, replayed) {
        case (let recorded?, let replayed?): "\(path): recorded \(Self.text(recorded)), now \(Self.text(replayed))"
        case (let recorded?, nil): "\(path): recorded \(Self.text(recorded)), now missing"
        default: "\(path): new, \(replayed.map(Self.text) ?? "")"
        }
    }

    /// A value, shortened to what fits a line.
    static func text(_ json: JSON) -> String {
        let text = json.text
        return text.count <= 120 ? text : text.prefix(120) + "… (\(text.utf8.count) bytes)"
    }
}
