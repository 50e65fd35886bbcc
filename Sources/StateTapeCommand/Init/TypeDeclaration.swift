import Foundation

/// A struct or an enum in a package's sources.
struct TypeDeclaration {
    let name: String
    let source: SwiftSource
    /// What makes it `Codable`.
    let conformance: SourceEdit
    private let isEnum: Bool
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
        // Naming a part of it twice would be an error.
        let all = parents + sources.extensions(of: name).joined()
        let lacking =
            all.contains(/\bEncodable\b/) ? "Decodable" : all.contains(/\bDecodable\b/) ? "Encodable" : "Codable"
        let last = match.groups[2].map { source.trimmed($0).upperBound }
        conformance = SourceEdit(last ?? place.upperBound, "\(last == nil ? ":" : ",") \(lacking)")
    }

    /// The types of all that it stores; nil if it isn't plain that the compiler can encode and decode them by itself.
    var storedTypes: [String]? {
        let code = source.code(body)
        let others = /\bCodingKeys\b|\binit\s*\(\s*from\b|\bfunc\s+encode\s*\(\s*to\b|#if\b/
        guard !code.contains(others) else { return nil }
        return isEnum ? payloads : properties
    }

    // MARK: Properties

    private var properties: [String]? {
        let all = source.members(#"\b(?:var|let)\b"#, body)
        let pattern =
            #"((?:(?:@[\w.]+(?:\([^)\n]*\))?|\w+(?:\(set\))?)[ \t\n]+)*)\b(var|let)\s+\w+[ \t]*(?::\s*([^=\n{};]+))?(=\s*[^\n{};]+)?"#
        let named = source.members(pattern, body)
        guard all.count == named.count else { return nil }
        var types: [String] = []
        for property in named {
            let words = property.groups[0].map(source.code) ?? ""
            if words.contains(/\bstatic\b/) { continue }
            guard !words.contains(/@|\b(?:lazy|weak|unowned)\b/) else { return nil }
            let value = property.groups[3].map { source.text($0).dropFirst().trimmed }
            if value == nil, isComputed(after: property.range.upperBound) { continue }
            // Decoding would leave a constant as it is.
            if value != nil, property.groups[1].map(source.code) == "let" { return nil }
            let type = property.groups[2].map { source.code($0).trimmed } ?? value.flatMap(Self.type)
            guard let names = type.flatMap(Self.names) else { return nil }
            types += names
        }
        return types
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

    private var payloads: [String]? {
        let raw = parents.matches(of: /\w+/).map { String($0.0) }
        if raw.contains(where: { $0 == "String" || $0.contains(/^U?Int\d*$/) }) { return [] }
        var (names, types): (Set<String>, [String]) = ([], [])
        for match in source.members(#"\bcase\b"#, body) {
            var place = match.range.upperBound
            repeat {
                let rest = source.code(place..<body.upperBound)
                guard let name = rest.prefixMatch(of: #/[\s,]*`?(\w+)`?[ \t]*/#), names.insert(String(name.1)).inserted
                else { return nil }
                place += name.0.utf8.count
                if place < body.upperBound, source.code(place..<place + 1) == "(" {
                    guard let close = source.closing(place) else { return nil }
                    for argument in source.arguments(place) {
                        let type = source.code(argument.value).prefix { $0 != "=" }.trimmed
                        guard let found = Self.names(type) else { return nil }
                        types += found
                    }
                    place = close + 1
                }
                let next = source.code(place..<body.upperBound)
                guard next.prefixMatch(of: /\s*=/) == nil else { return nil }
                if next.prefixMatch(of: /\s*,/) == nil { break }
            } while true
        }
        return types
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
