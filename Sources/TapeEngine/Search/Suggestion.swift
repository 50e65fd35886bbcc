/// What someone may have meant by a name that doesn't exist.
package struct Suggestion {
    private static let most = 3

    /// The names that are nearest, at most three; empty if none is near.
    package let names: [String]

    /// - Parameters:
    ///   - wrong: The name that was given: whole, or the beginning of one.
    ///   - known: The names that exist.
    package init(_ wrong: String, among known: [String]) {
        let letters = Array(wrong.lowercased())
        // A name of a few letters is near to everything.
        let limit = min(3, letters.count / 4)
        var nearest: (distance: Int, names: [String]) = (limit, [])
        for name in known where !letters.isEmpty && !nearest.names.contains(name) {
            let other = Array(name.lowercased())
            // The beginning of an id stands for the id.
            let distance = min(
                Self.distance(letters, other), Self.distance(letters, Array(other.prefix(letters.count))))
            if distance < nearest.distance {
                nearest = (distance, [name])
            } else if distance == nearest.distance {
                nearest.names.append(name)
            }
        }
        names = Array(nearest.names.prefix(Self.most))
    }

    /// “Did you mean A, B or C?” after a sentence, with a space before it; empty if there is nothing to suggest.
    package var question: String {
        guard let last = names.last else { return "" }
        let others = names.dropLast().joined(separator: ", ")
        return " Did you mean \(others.isEmpty ? last : "\(others) or \(last)")?"
    }

    /// The number of letters to insert, remove or replace (Levenshtein).
    private static func distance(_ one: [Character], _ two: [Character]) -> Int {
        var row = Array(0...two.count)
        for (index, letter) in one.enumerated() {
            var corner = row[0]
            row[0] = index + 1
            for (place, other) in two.enumerated() {
                let replaced = corner + (letter == other ? 0 : 1)
                corner = row[place + 1]
                row[place + 1] = min(replaced, corner + 1, row[place] + 1)
            }
        }
        return row[two.count]
    }
}
