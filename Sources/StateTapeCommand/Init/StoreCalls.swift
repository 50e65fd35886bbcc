import Foundation

/// Finds stores that a call makes: `let store = Store(…)`.
struct StoreCalls {
    let source: SwiftSource
    let all: [SwiftSource]

    init(_ source: SwiftSource, in all: [SwiftSource]) {
        (self.source, self.all) = (source, all)
    }

    /// A call, and the statement that it stands in.
    struct Call {
        /// From the name of the type on.
        let range: Range<Int>
        let name: String
        /// The generic arguments of the call or of the declared type.
        let types: [String]
        let arguments: [SwiftSource.Argument]
        /// Whether a closure follows the arguments.
        let trailing: Range<Int>?
        /// The beginning of `let store = …`; nil for another statement.
        let declaration: Int?

        subscript(label: String) -> SwiftSource.Argument? { arguments.first { $0.label == label } }
    }

    func stores() -> [FoundStore] {
        let pattern =
            #"(?:\b((?:let|var)\s+)|\b(?:self\.))?(\w+)\s*(?::\s*(?:\w+\.)?\w+\s*<([^<>(){}=]*)>\s*)?=\s*((?:\w+\.)?(?:Store|StateStore|StoreOf)\b\s*(?:<([^<>(){}=]*)>)?\s*)([({])"#
        return source.matches(pattern).compactMap { match in
            guard let name = match.groups[1], let type = match.groups[3], let open = match.groups[5] else {
                return nil
            }
            let isCall = source.code(open) == "("
            guard isCall, let close = source.closing(open.lowerBound) else { return nil }
            let types = (match.groups[4] ?? match.groups[2]).map(source.code)
            var trailing: Range<Int>?
            let rest = source.trimmedCode(from: close + 1)
            if let rest, source.code(rest..<rest + 1) == "{", let end = source.closing(rest) {
                trailing = rest..<end + 1
            }
            return found(
                Call(
                    range: type.lowerBound..<(trailing?.upperBound ?? close + 1), name: source.code(name),
                    types: types?.split(separator: ",").map { $0.trimmed } ?? [],
                    arguments: source.arguments(open.lowerBound), trailing: trailing,
                    declaration: match.groups[0]?.lowerBound),
                source.code(type))
        }
    }

    private func found(_ call: Call, _ type: String) -> FoundStore? {
        let type = type.prefix { $0 != "<" }.split(separator: ".").last?.trimmed
        func store(_ kind: FoundStore.Kind, _ outcome: FoundStore.Outcome) -> FoundStore {
            let name = kind.rawValue
            let note =
                "The tape will not say which line dispatched an action: `send` under “\(name)” in the recipes adds that."
            return FoundStore(
                kind: kind, name: call.name, source: source, line: source.lineNumber(call.range.lowerBound),
                outcome: outcome, notes: kind == .own ? [] : [note], types: codable(call, kind),
                lines: lines(call, kind))
        }
        if type == "StateStore", source.imports("Puredux") { return store(.puredux, puredux(call)) }
        guard type == "Store" || type == "StoreOf" else { return nil }
        if source.imports("ComposableArchitecture"), call["initialState"] != nil {
            return store(.composable, .byHand("Its reducer needs the type `Taped` from the recipe."))
        }
        if source.imports("ReSwift"), call["reducer"] != nil { return store(.reSwift, reSwift(call)) }
        guard source.imports("StateTapeStore"), call["initial"] != nil, call["reducer"] != nil else { return nil }
        return store(.own, own(call))
    }
}

extension SwiftSource {
    /// The types that are actions of a protocol, and that another file can name.
    func actions(for other: SwiftSource, of name: String = "Action") -> [String] {
        let isOwn = target == other.target
        let module = target.split(separator: "/").last.map(String.init) ?? ""
        guard isOwn || other.imports(module) else { return [] }
        let pattern =
            #"(?:\b(\w+)\s+)?(?:final\s+)?\b(?:struct|class|enum)\s+(\w+)\s*:\s*([^{]*\b\#(name)\b[^{]*)\{"#
        return matches(pattern).compactMap { match in
            guard let name = match.groups[1], let parents = match.groups[2],
                // Only what can be decoded is played back.
                code(parents).contains("Codable")
            else { return nil }
            let access = match.groups[0].map(code) ?? ""
            guard isOwn ? path == other.path || !access.hasSuffix("private") : access == "public" else {
                return nil
            }
            return scope(at: name.lowerBound).map { ($0 + [code(name)]).joined(separator: ".") }
        }
    }

    /// The names of the types around a place; nil inside of anything else.
    private func scope(at offset: Int) -> [String]? {
        var names: [String?] = []
        for match in matches(
            #"(?:\b(?:struct|class|enum|extension|actor)\s+(\w+(?:\s*\.\s*\w+)*)[^{};]*)?\{|\}"#, in: 0..<offset)
        {
            guard match.range.upperBound <= offset else { break }
            if code(match.range) == "}" { _ = names.popLast() } else { names.append(match.groups[0].map(code)) }
        }
        return names.allSatisfy { $0 != nil } ? names.compactMap { $0 } : nil
    }

    /// The offset of the next code on the same line.
    func trimmedCode(from offset: Int) -> Int? {
        let rest = code(offset..<lineEnd(offset))
        let space = rest.utf8.prefix { $0 == UInt8(ascii: " ") || $0 == 9 }.count
        return space < rest.utf8.count ? offset + space : nil
    }
}

extension StringProtocol {
    var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }

    /// Each line but the first with this space before it.
    func indented(_ indent: String) -> String { replacingOccurrences(of: "\n", with: "\n\(indent)") }
}
