import StateTape
import TapeEngine
import TapeFormat

/// The values that a test supplies for secrets that the tape lacks.
struct SuppliedSecrets: Sendable {
    /// An action that holds a secret for which the test supplies no value.
    struct Lack {
        let line: EventLine
        let places: [Pointer]
    }

    private struct Value {
        let text: String
        let pattern: PathPattern
        let value: JSON
        /// Whether it leads to a secret of the tape.
        var isUsed = false
    }

    private var values: [Value] = []
    /// Whether an action whose secrets are not supplied may be skipped.
    var isSkippingAllowed = false
    /// Why the first unusable value can't be supplied, as a sentence.
    private(set) var problem: String?

    mutating func supply(_ text: String, _ value: some Encodable) {
        do throws(FormatError) {
            let pattern = try PathPattern(text)
            values.append(Value(text: text, pattern: pattern, value: try JSON(plain: value)))
        } catch {
            problem = problem ?? "The secret at “\(text)” can't be supplied: \(error.message)"
        }
    }

    /// A value with the supplied values in the place of its secrets. The value that was supplied last counts.
    mutating func fill(_ json: JSON) -> JSON {
        guard !values.isEmpty else { return json }
        var filled = json
        for place in json.secretPlaces() {
            let matching = values.indices.filter { values[$0].pattern.matches(place.tokens) }
            for index in matching { values[index].isUsed = true }
            guard let last = matching.last else { continue }
            filled = (try? Patch([.replace(place, values[last].value)]).applied(to: filled)) ?? filled
        }
        return filled
    }

    /// The supplied values that nothing has asked for, as a sentence; nil if there are none.
    var unused: String? {
        let unused = values.filter { !$0.isUsed }.map { ".secret(\"\($0.text)\", …)" }
        guard !unused.isEmpty else { return nil }
        return "The tape has no secret at the place of \(unused.joined(separator: ", "))"
    }

    /// Why actions that lack secrets fail the test, with what to do.
    func report(_ lacking: [Lack]) -> String {
        let shown = lacking.prefix(20).map { lack in
            let places = lack.places.map(\.description).joined(separator: ", ")
            return "  event \(lack.line.seq), “\(lack.line.type ?? "")”: \(places)"
        }
        var places: [String] = []
        for place in lacking.flatMap(\.places).map(\.description) where !places.contains(place) { places.append(place) }
        let supplied = places.prefix(5).map { ".secret(\"\($0)\", …)" }.joined()
        let head =
            lacking.count == 1
            ? "The tape lacks a secret of an action, so the replay can't run the action:"
            : "The tape lacks secrets of \(lacking.count) actions, so the replay can't run these actions:"
        let rest = lacking.count > shown.count ? ["  … and \(lacking.count - shown.count) more"] : []
        let ways = [
            "Supply the value\(places.count == 1 ? "" : "s"): \(supplied)\(places.count > 5 ? " …" : "")",
            "Or skip such actions, so that the recorded state after each counts: .skippingSecrets()",
        ]
        return ([head] + shown + rest + (unused.map { [$0] } ?? []) + ways).joined(separator: "\n")
    }
}
