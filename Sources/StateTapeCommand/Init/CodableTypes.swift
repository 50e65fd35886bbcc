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
        var (made, open, obstacles): ([TypeDeclaration], [String], [String]) = ([], [], [])
        for type in types where sources.isCodable(type) == false {
            do {
                made = try sources.uncodable(inside: type, besides: made)
            } catch {
                open.append("`\(type)`")
                if let member = error.member, !obstacles.contains(member) { obstacles.append(member) }
            }
        }
        for source in sources {
            let own = made.filter { $0.source.path == source.path }.map(\.conformance)
            if !own.isEmpty { edits.append((source, own)) }
        }
        if !made.isEmpty {
            let names = made.map { "`\($0.name)`" }.inSentence
            notes.append(
                "\(names) become\(made.count == 1 ? "s" : "") Codable, so that the page can apply states and dispatch actions."
            )
        }
        guard !open.isEmpty else { return }
        let reason = obstacles.isEmpty ? "" : " What stands in the way: \(obstacles.joined(separator: ", "))."
        notes.append(
            "The package doesn't compile until \(open.inSentence) \(open.count == 1 ? "is" : "are") Codable, and"
                + " the types inside.\(reason) To only view what can't be, write `track(reflecting:)`.")
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

    /// A type and those inside of it that must become `Codable`, after those that are found already.
    ///
    /// - Throws: Where the compiler can't write what that takes.
    func uncodable(
        inside type: String, besides found: [TypeDeclaration]
    ) throws(CodableObstacle) -> [TypeDeclaration] {
        let name = type.split(separator: ".").last.map(String.init) ?? type
        // Also a type that holds others of its own kind.
        if found.contains(where: { $0.name == name }) { return found }
        guard let declaration = TypeDeclaration(name, in: self) else { throw CodableObstacle(member: nil) }
        var all = found + [declaration]
        for (place, types) in try declaration.members() {
            for type in types.flatMap(identified) {
                switch isCodable(type) {
                case true?: continue
                case false?:
                    do {
                        all = try uncodable(inside: type, besides: all)
                    } catch {
                        throw CodableObstacle(member: error.member ?? place)
                    }
                case nil:
                    guard TypeDeclaration.isKnown(type), !declares(type) else { throw CodableObstacle(member: place) }
                }
            }
        }
        return all
    }

    /// The types that `Song.ID` stands for; the type itself, if it is another one or the sources don't say.
    private func identified(_ type: String) -> [String] {
        let parts = type.split(separator: ".").map(String.init)
        guard parts.count > 1, parts.last == "ID" else { return [type] }
        return TypeDeclaration(parts[parts.count - 2], in: self)?.identifierTypes ?? [type]
    }

    private func declares(_ name: String) -> Bool {
        contains { !$0.matches(#"\b(?:struct|enum|class|actor|typealias|associatedtype)\s+\#(name)\b"#).isEmpty }
    }

    private func parents(_ pattern: String) -> [String] {
        flatMap { source in source.matches(pattern).map { $0.groups[0].map(source.code) ?? "" } }
    }
}

/// What keeps a type from becoming `Codable` by an edit.
struct CodableObstacle: Error {
    /// A member with its type, as text; nil if it is the type itself.
    let member: String?
}
