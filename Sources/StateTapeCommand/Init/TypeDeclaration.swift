import Foundation

/// A struct or an enum in a package's sources.
struct TypeDeclaration {
    let name: String
    let source: SwiftSource
    /// What makes it `Codable`.
    let conformance: SourceEdit
    private let isEnum: Bool
    private let isIdentifiable: Bool
    /// What stands behind its colon.
    private let parents: String
    /// Between its braces.
    private let body: Range<Int>

    /// Nil if no source declares the type, or in a way that more than its name and its members matters.
    init?(_ name: String, in sources: [SwiftSource]) {
        let pattern = #"\b(struct|enum)\s+(\#(name))\b\s*(:[^{]*)?\{"#
        let found = sources.flatMap { source in source.matches(pattern).map { (source, $0) } }
        guard found.count == 1, let (source, match) = found.first, let keyword = match.groups[0],
            let place = match.groups[1], let end = source.closing(match.range.upperBound - 1)
        else { return nil }
        // The conformance would belong to the actor.
        let line = source.lineStart(keyword.lowerBound)
        let before = source.code(source.lineStart(max(0, line - 1))..<keyword.lowerBound)
        guard !before.contains("@MainActor"), match.groups[2].map({ !source.code($0).contains("~") }) ?? true else {
            return nil
        }
        self.name = name
        self.source = source
        isEnum = source.code(keyword) == "enum"
        parents = match.groups[2].map(source.code) ?? ""
        body = match.range.upperBound..<end
        let all = parents + sources.extensions(of: name).joined()
        isIdentifiable = all.contains(/\bIdentifiable\b/)
        // Naming a part of it twice would be an error.
        let lacking =
            all.contains(/\bEncodable\b/) ? "Decodable" : all.contains(/\bDecodable\b/) ? "Encodable" : "Codable"
        let last = match.groups[2].map { source.trimmed($0).upperBound }
        conformance = SourceEdit(last ?? place.upperBound, "\(last == nil ? ":" : ",") \(lacking)")
    }

    /// A member as the user reads it, and the types in it.
    typealias Member = (place: String, types: [String])

    /// All that it stores.
    ///
    /// - Throws: If it isn't plain that the compiler can encode and decode it by itself.
    func members() throws(CodableObstacle) -> [Member] {
        let code = source.code(body)
        let others = /\bCodingKeys\b|\binit\s*\(\s*from\b|\bfunc\s+encode\s*\(\s*to\b|#if\b/
        guard !code.contains(others) else { throw CodableObstacle(member: nil) }
        return isEnum ? try cases() : try properties()
    }

    /// The types in its `ID`: that of its `id`, if it is `Identifiable`; nil if that isn't plain.
    var identifierTypes: [String]? {
        if let alias = source.members(#"\btypealias\s+ID\s*=\s*([^\n;{}]+)"#, body).first {
            return alias.groups[0].map(source.code).flatMap(Self.names)
        }
        guard isIdentifiable,
            let id = source.members(#"\b(?:var|let)\s+id\b[ \t]*(?::\s*([^=\n{};]+))?(=[^\n{};]*)?"#, body).first
        else { return nil }
        let value = id.groups[1].map { source.text($0).dropFirst().trimmed }
        return (id.groups[0].map(source.code) ?? value.flatMap(Self.type)).flatMap(Self.names)
    }

    /// A member as the user reads it: its name, and what declares it.
    private func place(_ name: String, _ declaration: String) -> String {
        let text = declaration.split { $0.isWhitespace }.joined(separator: " ")
        return "`\(self.name).\(name)` (`\(Markup.short(text, 80))`)"
    }

    // MARK: Properties

    private func properties() throws(CodableObstacle) -> [Member] {
        let all = source.members(#"\b(?:var|let)\b"#, body)
        let pattern =
            #"((?:(?:@[\w.]+(?:\([^)\n]*\))?|\w+(?:\(set\))?)[ \t\n]+)*)\b(var|let)\s+(\w+)[ \t]*(?::\s*([^=\n{};]+))?(=[^\n{};]*)?"#
        let named = source.members(pattern, body)
        guard all.count == named.count else { throw CodableObstacle(member: nil) }
        var members: [Member] = []
        for property in named {
            let words = property.groups[0].map(source.code) ?? ""
            if words.contains(/\bstatic\b/) { continue }
            let place = place(property.groups[2].map(source.code) ?? "", source.text(property.range))
            guard !words.contains(/@|\b(?:lazy|weak|unowned)\b/) else { throw CodableObstacle(member: place) }
            let value = property.groups[4].map { source.text($0).dropFirst().trimmed }
            if value == nil, isComputed(after: property.range.upperBound) { continue }
            // Decoding would leave a constant as it is.
            if value != nil, property.groups[1].map(source.code) == "let" { throw CodableObstacle(member: place) }
            let type = property.groups[3].map { source.code($0).trimmed } ?? value.flatMap(Self.type)
            guard let names = type.flatMap(Self.names) else { throw CodableObstacle(member: place) }
            members.append((place, names))
        }
        return members
    }

    /// Whether a property's block does anything but observe it.
    private func isComputed(after end: Int) -> Bool {
        guard let open = source.trimmedCode(from: end), source.code(open..<open + 1) == "{",
            let close = source.closing(open)
        else { return false }
        return !source.code(open + 1..<close).trimmed.contains(#/^(?:willSet|didSet)\b/#)
    }

    /// The type of a value that says it.
    private static func type(_ value: String) -> String? {
        switch value {
        case "true", "false": "Bool"
        case _ where value.contains(#/^-?\d[\d_]*$/#): "Int"
        case _ where value.contains(#/^-?\d[\d_]*\.\d+$/#): "Double"
        case _ where value.contains(#/^"[^"]*"$/#): "String"
        default:
            (value.wholeMatch(of: /([A-Z]\w*)\([^()]*\)/) ?? value.wholeMatch(of: /(\[.+\]|Set<.+>)\(\)/))
                .map { String($0.1) }
        }
    }

    // MARK: Cases

    private func cases() throws(CodableObstacle) -> [Member] {
        let raw = parents.matches(of: /\w+/).map { String($0.0) }
        if raw.contains(where: { $0 == "String" || $0.contains(/^U?Int\d*$/) }) { return [] }
        var (names, members): (Set<String>, [Member]) = ([], [])
        for match in source.members(#"\bcase\b"#, body) {
            var start = match.range.upperBound
            repeat {
                let rest = source.code(start..<body.upperBound)
                guard let found = rest.prefixMatch(of: #/[\s,]*`?(\w+)`?[ \t]*/#) else {
                    throw CodableObstacle(member: nil)
                }
                let (name, open) = (String(found.1), start + found.0.utf8.count)
                let isCall = open < body.upperBound && source.code(open..<open + 1) == "("
                guard let end = isCall ? source.closing(open).map({ $0 + 1 }) : open else {
                    throw CodableObstacle(member: nil)
                }
                let place = place(name, "case \(name)\(source.text(open..<end))")
                guard names.insert(name).inserted else { throw CodableObstacle(member: place) }
                for argument in isCall ? source.arguments(open) : [] {
                    let type = source.code(argument.value).prefix { $0 != "=" }.trimmed
                    guard let types = Self.names(type) else { throw CodableObstacle(member: place) }
                    members.append((place, types))
                }
                start = end
                let next = source.code(start..<body.upperBound)
                guard next.prefixMatch(of: /\s*=/) == nil else { throw CodableObstacle(member: place) }
                if next.prefixMatch(of: /\s*,/) == nil { break }
            } while true
        }
        return members
    }

    // MARK: Types

    private static let known: Set<String> = [
        "Bool", "Data", "Date", "Decimal", "Double", "Float", "Int", "Int8", "Int16", "Int32", "Int64", "String",
        "UInt",
        "UInt8", "UInt16", "UInt32", "UInt64", "URL", "UUID",
    ]

    static func isKnown(_ name: String) -> Bool { known.contains(name) }

    /// The names in a type such as `[String: [Item]?]`; nil for one of another form, such as a closure.
    private static func names(_ type: String) -> [String]? {
        let type = type.trimmed
        if type.hasSuffix("?") { return names(String(type.dropLast())) }
        let inside =
            type.wholeMatch(of: /\[(.+)\]/)?.1
            ?? type.wholeMatch(of: /(?:Array|Dictionary|Optional|Set)<(.+)>/)?.1
        guard let inside else { return type.wholeMatch(of: /[A-Z][\w.]*/) == nil ? nil : [type] }
        var (parts, depth) = ([""], 0)
        for character in inside {
            depth += "[<(".contains(character) ? 1 : "]>)".contains(character) ? -1 : 0
            if depth == 0, ":,".contains(character) {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        let found = parts.map(names)
        return found.contains { $0 == nil } ? nil : found.flatMap { $0 ?? [] }
    }
}
