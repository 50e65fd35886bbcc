import Foundation

/// What makes the types of a store's state and actions `Codable`, without which the edited package doesn't compile.
struct CodableTypes {
    /// The edits of the types that the compiler can encode and decode by itself, by file.
    private(set) var edits: [(source: SwiftSource, edits: [SourceEdit])] = []
    /// What was done, and what is left to do, as sentences.
    private(set) var notes: [String] = []

    /// - Parameters:
    ///   - types: The state's type and that of the actions.
    ///   - sources: The files that may declare them.
    init(_ types: [String], in sources: [SwiftSource]) {
        var (made, open): ([TypeDeclaration], [String]) = ([], [])
        for type in types where sources.isCodable(type) == false {
            if let all = sources.uncodable(inside: type, besides: made) { made = all } else { open.append("`\(type)`") }
        }
        for source in sources {
            let own = made.filter { $0.source.path == source.path }.map(\.conformance)
            if !own.isEmpty { edits.append((source, own)) }
        }
        if !made.isEmpty {
            let names = made.map { "`\($0.name)`" }.joined(separator: ", ")
            notes.append(
                "\(names) become\(made.count == 1 ? "s" : "") Codable, so that the page can apply states and dispatch actions."
            )
        }
        guard !open.isEmpty else { return }
        notes.append(
            "The package doesn't compile until \(open.joined(separator: " and ")) \(open.count == 1 ? "is" : "are") Codable, and"
                + " the types inside. To only view what can't be, write `track(reflecting:)`.")
    }
}

extension [SwiftSource] {
    /// Whether a type is `Codable`; nil if no source declares it, or several do.
    func isCodable(_ name: String) -> Bool? {
        let name = name.split(separator: ".").last.map(String.init) ?? name
        guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else { return nil }
        let declared = parents(#"\b(?:struct|enum|class|actor)\s+\#(name)\b(?:<[^{]*>)?\s*(:[^{]*)?\{"#)
        guard declared.count == 1 else { return nil }
        let all = (declared + extensions(of: name)).joined(separator: " ")
        // A protocol of the app's may bring it.
        let others = all.matches(of: /\w+/).map { String($0.0) }.filter { other in
            contains { !$0.matches(#"\bprotocol\s+\#(other)\b"#).isEmpty }
        }
        if !others.isEmpty { return nil }
        return all.contains(/\bCodable\b/) || all.contains(/\bEncodable\b/) && all.contains(/\bDecodable\b/)
    }

    /// What the extensions of a type inherit from.
    func extensions(of name: String) -> [String] { parents(#"\bextension\s+(?:\w+\.)*\#(name)\b\s*(:[^{]*)?\{"#) }

    /// A type and those inside of it that must become `Codable`, after those that are found already; nil if the
    /// compiler can't write what that takes.
    func uncodable(inside type: String, besides found: [TypeDeclaration]) -> [TypeDeclaration]? {
        let name = type.split(separator: ".").last.map(String.init) ?? type
        // Also a type that holds others of its own kind.
        if found.contains(where: { $0.name == name }) { return found }
        guard let declaration = TypeDeclaration(name, in: self), let members = declaration.storedTypes else {
            return nil
        }
        var all = found + [declaration]
        for member in members {
            switch isCodable(member) {
            case true?: continue
            case false?:
                guard let more = uncodable(inside: member, besides: all) else { return nil }
                all = more
            case nil: guard TypeDeclaration.isKnown(member), !declares(member) else { return nil }
            }
        }
        return all
    }

    private func declares(_ name: String) -> Bool {
        contains { !$0.matches(#"\b(?:struct|enum|class|actor|typealias|associatedtype)\s+\#(name)\b"#).isEmpty }
    }

    private func parents(_ pattern: String) -> [String] {
        flatMap { source in source.matches(pattern).map { $0.groups[0].map(source.code) ?? "" } }
    }
}
