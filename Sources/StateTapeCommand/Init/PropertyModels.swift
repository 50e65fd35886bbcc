import Foundation

/// Finds classes and actors whose actions change properties of theirs, which no struct holds together: a recorder records
/// one value.
extension ModelClasses {
    func propertyModels() -> [FoundStore] {
        source.matches(#"\b(?:class|actor)\s+(\w+)[^{};()]*\{"#).compactMap { match in
            guard let name = match.groups[0], let end = source.closing(match.range.upperBound - 1) else { return nil }
            let body = match.range.upperBound..<end
            let properties = storedProperties(in: body)
            let bodies = [Body(source: source, range: body)] + extensions(of: source.code(name))
            for place in bodies {
                for method in ModelClasses(place.source, in: all).methods(in: place) where asksForAction(method) {
                    let changed = changed(properties, in: method)
                    if changed.isEmpty { continue }
                    return found(source.code(name), changed, method, source.lineNumber(name.lowerBound))
                }
            }
            return nil
        }
    }

    private func found(
        _ name: String, _ properties: [StoredProperty], _ method: Method, _ line: Int
    ) -> FoundStore {
        let names = properties.map { "`\($0.name)`" }.inSentence
        let (type, isWhole) = (
            "\(name)State", properties.allSatisfy { $0.value != nil || $0.type?.hasSuffix("?") == true }
        )
        let published = properties.contains { $0.words.contains("@Published") } ? "@Published " : ""
        let one = properties.count == 1
        return FoundStore(
            kind: .model, name: name, source: source, line: line,
            outcome: .byHand(
                "A recorder records one value, and `\(method.name)` changes the \(one ? "property" : "properties") \(names): move"
                    + " \(one ? "it" : "them") into a struct as these lines do, and run init again."),
            lines: [
                "struct \(type): Codable { \(properties.map(\.declaration).joined(separator: "; ")) }  // outside of `\(name)`",
                "\(published)var state\(isWhole ? " = \(type)()" : ": \(type)")  // in `\(name)`, in place of \(names)",
                "\(example(properties, method))  // with `state.` before \(one ? "its name" : "each of these names")",
            ], isAddition: false)
    }

    /// The first line of a method that changes properties, as it reads once a struct holds them.
    private func example(_ properties: [StoredProperty], _ method: Method) -> String {
        let source = method.source
        let places = properties.flatMap { changes(of: $0.name, in: method) }.map(\.lowerBound).sorted()
        let lines = places.map { source.text(source.lineStart($0)..<source.lineEnd($0)).trimmed }
        let isClosed = { (line: String) in line.count { "{(".contains($0) } == line.count { "})".contains($0) } }
        var line = lines.first(where: isClosed) ?? lines[0]
        for name in properties.map(\.name) {
            // A name without `self.` beside one with it is another variable.
            let own = line.contains("self.\(name)") ? #"\bself\.\#(name)\b"# : #"(?<![\w.])\#(name)\b(?!\s*:)"#
            line = line.replacingOccurrences(of: own, with: "state.\(name)", options: .regularExpression)
        }
        return line
    }
}
