import Foundation

extension [SwiftSource] {
    /// What to do about the types, of a store's state and actions, that are not `Codable`, as far as the sources say.
    func uncodable(_ types: [String]) -> [String] {
        let names = types.filter { isCodable($0) == false }.map { "`\($0)`" }
        guard !names.isEmpty else { return [] }
        let (verb, them) = names.count == 1 ? ("isn't", "it") : ("aren't", "them")
        return [
            "\(names.joined(separator: " and ")) \(verb) Codable. Make \(them) Codable, and the types inside, so that the page can"
                + " apply states and dispatch actions. What can't be is only viewed, with `track(reflecting:)`."
        ]
    }

    /// Nil if no source declares the type, or several do.
    private func isCodable(_ name: String) -> Bool? {
        let name = name.split(separator: ".").last.map(String.init) ?? name
        guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else { return nil }
        let declared = parents(#"\b(?:struct|enum|class|actor)\s+\#(name)\b(?:<[^{]*>)?\s*(:[^{]*)?\{"#)
        guard declared.count == 1 else { return nil }
        let all = (declared + parents(#"\bextension\s+(?:\w+\.)*\#(name)\b\s*(:[^{]*)?\{"#)).joined(separator: " ")
        // A protocol of the app's may bring it.
        let others = all.matches(of: /\w+/).map { String($0.0) }.filter { other in
            contains { !$0.matches(#"\bprotocol\s+\#(other)\b"#).isEmpty }
        }
        if !others.isEmpty { return nil }
        return all.contains(/\bCodable\b/) || all.contains(/\bEncodable\b/) && all.contains(/\bDecodable\b/)
    }

    private func parents(_ pattern: String) -> [String] {
        flatMap { source in source.matches(pattern).map { $0.groups[0].map(source.code) ?? "" } }
    }
}
