import Foundation

/// Finds stores of an app's own: classes and actors with a state and a method that reduces an action, such as `send(_:)`,
/// which may stand in an extension.
struct ModelClasses {
    let source: SwiftSource
    /// The files that may extend the types of this one.
    let all: [SwiftSource]

    init(_ source: SwiftSource, in all: [SwiftSource]) {
        (self.source, self.all) = (source, all.filter { $0.target == source.target })
    }

    /// What stands between the braces of a type or of an extension.
    struct Body {
        let source: SwiftSource
        let range: Range<Int>
        var isPrivate = false
    }

    /// A class, and what of it matters.
    struct Model {
        let name: String
        /// Between its braces.
        let body: Range<Int>
        let extensions: [Body]
        var isActor = false
        /// Behind its name or its last parent, where another parent can stand.
        var conformance = SourceEdit(0, "")
        /// The state's name and type.
        let state: String
        let type: String
        /// The value that the state is declared with.
        let initial: String?
        /// What keeps an actor's state from others, such as `private(set)`.
        var stateWords: Range<Int>?
        /// After the state's last line.
        let stateEnd: Int
        let method: Method
        /// The generic parameters in the types of the state and the actions that nothing makes Codable.
        var uncodable: [String] = []
    }

    struct Method {
        /// The file that has it.
        let source: SwiftSource
        /// Whether other files can't call it.
        let isPrivate: Bool
        let name: String
        let label: String?
        let parameter: String
        let action: String
        /// Between its parentheses.
        let parameters: Range<Int>
        /// Between its braces.
        let body: Range<Int>
        let isAsync: Bool
        let canThrow: Bool
        var reduction = Reduction(edits: [], doesMore: false)
    }

    /// What a method does with an action.
    struct Reduction {
        /// What makes it record.
        let edits: [SourceEdit]
        /// Whether the method does more than reduce the state.
        let doesMore: Bool
        /// What stands inside `record`, if it is more than one call.
        var block: Range<Int>?
        /// Whether the state may change outside of the block.
        var changesMore = false
        /// Why it must be changed by hand, behind the method's name.
        var obstacle: String?
    }

    func stores() -> [FoundStore] {
        models("class|actor").map { model, parents, line in
            let named = namingCallSite(model.method, of: parents)
            let recording = named ?? trying(model.method)
            return FoundStore(
                kind: .model, name: model.name, source: source, line: line,
                outcome: outcome(model, parents, recording, hasCallSite: named != nil),
                notes: notes(model, hasCallSite: named != nil), types: [model.type, model.method.action],
                lines: lines(model))
        }
    }

    /// What the edit leaves to do.
    private func notes(_ model: Model, hasCallSite: Bool) -> [String] {
        let name = model.method.name
        var notes: [String] = []
        if !hasCallSite {
            notes.append(
                "The tape will not say which line dispatched an action, as others rely on the type of `\(name)`, or it uses"
                    + " `line` or `fileID`: “A store of your own” in the recipes shows how to add that.")
        }
        if model.method.reduction.doesMore {
            notes.append(
                "`\(name)` does more than reduce the state. While the server locks the app, effects must not start: see"
                    + " “Effects while the app is locked” in the recipes.")
            notes.append(
                model.isActor
                    ? "The page only sets `\(model.state)`. If `\(name)` then tells your views, write `func replace(_ state: \(model.type))`"
                        + " that does both."
                    : "`play:` only sets `\(model.state)`. If `\(name)` then tells your views, as in `onChange(\(model.state))`, call"
                        + " that in `play:`, too.")
        }
        let others = storedProperties(in: model.body).map(\.name).filter { $0 != model.state }
        if !others.isEmpty {
            let names = others.map { "`\($0)`" }.inSentence
            notes.append(
                "The recorder records `\(model.state)`. Outside of it, \(names) \(others.count == 1 ? "is" : "are") not recorded"
                    + " and not set by the page: move what belongs to the state into `\(model.type)`.")
        }
        return notes
    }

    /// Structs with a state and a method that reduces an action: stores, or parts of a state.
    func structs() -> [FoundStore] {
        models("struct").map { model, _, line in
            let label = model.method.label.map { "\($0): " } ?? ""
            return FoundStore(
                kind: .model, name: model.name, source: source, line: line,
                outcome: .byHand(
                    "It is a struct, of which each variable has a copy: see “A reducer in a loop” in the recipes."),
                lines: FoundStore.loopLines(
                    initial: "\(model.name)()", reducer: "{ $0.\(model.method.name)(\(label)$1) }"))
        }
    }

    private func models(_ keywords: String) -> [(model: Model, parents: [String], line: Int)] {
        let pattern = #"\b(\#(keywords))\s+(\w+)\s*(<[^{<>]*(?:<[^{<>]*>[^{<>]*)*>)?\s*(:[^{]*?)?(\bwhere\b[^{]*)?\{"#
        return source.matches(pattern).compactMap { match in
            guard let keyword = match.groups[0], let name = match.groups[1],
                let end = source.closing(match.range.upperBound - 1)
            else {
                return nil
            }
            let parents =
                match.groups[3].map { source.code($0).dropFirst().split(separator: ",").map(\.trimmed) } ?? []
            guard var model = model(source.code(name), match.range.upperBound..<end) else { return nil }
            model.isActor = source.code(keyword) == "actor"
            let head = match.groups[3].map(source.trimmed) ?? match.groups[2] ?? name
            model.conformance = SourceEdit(head.upperBound, parents.isEmpty ? ": TapedActor" : ", TapedActor")
            if let generics = match.groups[2] {
                let clause = match.groups[4].map { source.code($0).dropFirst("where".count) } ?? ""
                model.uncodable = uncodable(
                    source.code(generics).dropFirst().dropLast(), clause, in: [model.type, model.method.action])
            }
            return (model, parents, source.lineNumber(name.lowerBound))
        }
    }

    /// The generic parameters in types that no constraint makes Codable.
    private func uncodable(_ parameters: Substring, _ clause: Substring, in types: [String]) -> [String] {
        let words = Set(types.flatMap { $0.matches(of: /\w+/).map { String($0.0) } })
        let constraints = (parameters.split(separator: ",") + clause.split(separator: ",")).map {
            $0.split(separator: ":", maxSplits: 1).map(\.trimmed)
        }
        let names = parameters.split(separator: ",").compactMap { $0.firstMatch(of: /\w+/).map { String($0.0) } }
        return names.filter(words.contains).filter { name in
            let bounds = constraints.filter { $0.first == name }.compactMap(\.last).joined(separator: " ")
            let isCodable = { (text: String) in
                text.contains(/\bCodable\b/) || text.contains(/\bEncodable\b/) && text.contains(/\bDecodable\b/)
            }
            // A protocol of the app's may bring it.
            return !isCodable(bounds)
                && !bounds.matches(of: /\w+/).contains { bound in
                    all.contains { file in
                        file.matches(#"\bprotocol\s+\#(bound.0)\b\s*(:[^{]*)\{"#).contains { match in
                            match.groups[0].map { isCodable(file.code($0)) } ?? false
                        }
                    }
                }
        }
    }

    /// The extensions of a type.
    func extensions(of name: String) -> [Body] {
        let pattern = #"(\b(?:private|fileprivate)\s+)?\bextension\s+(?:\w+\s*\.\s*)*\#(name)\b\s*(?:[:w][^{]*)?\{"#
        return all.flatMap { source in
            source.matches(pattern).compactMap { match in
                source.closing(match.range.upperBound - 1).map {
                    Body(source: source, range: match.range.upperBound..<$0, isPrivate: match.groups[0] != nil)
                }
            }
        }
    }

    private func model(_ name: String, _ body: Range<Int>) -> Model? {
        let states = source.members(#"\bvar\s+(\w+)\s*(?::\s*([\w.]+(?:<[\w., ]*>)?))?\s*(=[^\n;{]*)?"#, body)
        guard !states.isEmpty else { return nil }
        let extensions = extensions(of: name)
        for place in [Body(source: source, range: body)] + extensions {
            for state in states {
                guard let stateName = state.groups[0] else { continue }
                let block = block(after: state.range)
                let value = state.groups[2].map { group in
                    // What follows a value and observes nothing belongs to it.
                    let value = block.map { $0.isObserver ? group : group.lowerBound..<$0.end } ?? group
                    return source.text(value).dropFirst().trimmed
                }
                let one = source.code(stateName)
                guard let type = state.groups[1].map(source.code) ?? value.flatMap(Self.type),
                    let method = ModelClasses(place.source, in: all).method(in: place, reducing: one)
                else { continue }
                // Properties beside a number or a text are the state, too.
                let others = storedProperties(in: body).filter { $0.name != one }
                if TypeDeclaration.isKnown(type), !changed(others, in: method).isEmpty { return nil }
                return Model(
                    name: name, body: body, extensions: extensions, state: one, type: type, initial: value,
                    stateWords: stateWords(before: state.range.lowerBound),
                    stateEnd: source.lineEnd(block?.end ?? stateName.upperBound), method: method)
            }
        }
        return nil
    }

    /// The method that reduces an action into a state.
    private func method(in body: Body, reducing state: String) -> Method? {
        let methods = methods(in: body)
        let reductions = methods.map { reducing($0.body, state, $0.parameter) } + methods.map { whole($0, state) }
        for (var method, reduction) in zip(methods + methods, reductions) {
            guard let reduction else { continue }
            method.reduction = reduction
            return method
        }
        return nil
    }

    /// The methods that take one value, which may be an action.
    func methods(in body: Body) -> [Method] {
        let pattern =
            #"((?:\w+(?:\(\w+\))?[ \t]+)*)\bfunc\s+(\w+)\s*\(\s*(?:(\w+)\s+)?(\w+)\s*:\s*((?:any\s+)?[\w.]+)\s*(?:,[^()]*=[^()]*)?\)\s*(async\b\s*)?(throws\b(?:\([^()]*\))?\s*)?\{"#
        return source.members(pattern, body.range).compactMap { match in
            guard let words = match.groups[0], let method = match.groups[1], let parameter = match.groups[3],
                let action = match.groups[4], let end = source.closing(match.range.upperBound - 1),
                let open = (method.upperBound..<match.range.upperBound).first(where: { source.code($0..<$0 + 1) == "(" }
                ),
                let close = source.closing(open)
            else { return nil }
            let label = match.groups[2].map(source.code)
            return Method(
                source: source, isPrivate: body.isPrivate || source.code(words).contains("private"),
                name: source.code(method), label: label == "_" ? nil : label ?? source.code(parameter),
                parameter: source.code(parameter), action: source.code(action), parameters: open + 1..<close,
                body: match.range.upperBound..<end, isAsync: match.groups[5] != nil,
                canThrow: match.groups[6] != nil)
        }
    }

    private func stateWords(before place: Int) -> Range<Int>? {
        let line = source.lineStart(place)..<place
        return source.matches(#"\b(?:file)?private(?:\(set\))?[ \t]+"#, in: line).first?.range
    }

    /// The block that follows a property on its line, such as its observers.
    func block(after property: Range<Int>) -> (end: Int, isObserver: Bool)? {
        guard let open = source.trimmedCode(from: property.upperBound), source.code(open..<open + 1) == "{",
            let end = source.closing(open)
        else { return nil }
        return (end, source.code(open + 1..<end).trimmed.contains(#/^(?:willSet|didSet)\b/#))
    }

    /// The type that an expression such as `AppState()` makes.
    private static func type(_ value: String) -> String? {
        value.firstMatch(of: /^([A-Z][\w.]*(?:<[\w., ]*>)?)\(/).map { String($0.1) }
    }

    /// How a method reduces an action; nil if it reduces nothing.
    private func reducing(_ body: Range<Int>, _ state: String, _ action: String) -> Reduction? {
        let word = #"(?:self\.)?\b\#(state)\b(?!\s*:)"#
        let code = source.trimmed(body)
        let calls = [
            // `reduce(&state, action)`
            (
                #"(?m)(?<![\w.=])[\w.]+\(\s*(?:\w+\s*:\s*)?&\#(word)\s*,\s*(?:\w+\s*:\s*)?\#(action)\s*\)"#,
                "&\(word)", #"&\$0"#
            ),
            // `state.reduce(action)`
            (#"\#(word)\.(?:reduce|apply|handle)\w*\(\s*(?:\w+\s*:\s*)?\#(action)\s*\)"#, "^\(word)", #"\$0"#),
        ]
        for (pattern, before, after) in calls {
            let found = source.matches(pattern, in: body)
            guard found.count == 1, let call = found.first, isStatement(call.range) else { continue }
            let isTried = isTried(call.range)
            let text =
                (isTried ? "try " : "")
                + source.code(call.range).replacingOccurrences(of: before, with: after, options: .regularExpression)
            return Reduction(
                edits: [SourceEdit(call.range, "track.record(\(action), &\(state)) { \(text) }")],
                doesMore: !isAll(call.range, code))
        }
        // `state = reduce(state, action)`, `state = state.reduced(by: action)`
        let (one, other) = (#"(?:\w+\s*:\s*)?\#(word)"#, #"(?:\w+\s*:\s*)?\#(action)\b"#)
        let assignments = source.matches(
            #"\#(word)\s*=\s*([\w.]+\(\s*(?:\#(one)\s*,\s*\#(other)|\#(other)\s*,\s*\#(one))\s*\)|\#(word)\.\w+\(\s*\#(other)\s*\))"#,
            in: body)
        if assignments.count == 1, let match = assignments.first, let value = match.groups[0] {
            let text = source.code(value).replacingOccurrences(of: word, with: #"\$0"#, options: .regularExpression)
            return Reduction(
                edits: [SourceEdit(match.range, "track.record(\(action), &\(state)) { $0 = \(text) }")],
                doesMore: match.range != code)
        }
        if let copy = copying(body, word, state, action) { return copy }
        // `switch action { … }`, in which the state may be changed.
        let switches = source.matches(#"\bswitch\s+\#(action)\s*\{"#, in: body)
        let changes = source.matches(word + #"[^\n=]*(?:[^=!<>]=[^=]|\.\w+\()"#, in: body)
        for match in switches {
            guard let end = source.closing(match.range.upperBound - 1) else { continue }
            let block = match.range.lowerBound..<end + 1
            guard changes.contains(where: { block.contains($0.range.lowerBound) }) else { continue }
            let before = source.code(body.lowerBound..<block.lowerBound)
            return Reduction(
                edits: [SourceEdit(block, wrapped(block, state, action))], doesMore: block != code, block: block,
                changesMore: !isStatement(match.range) || before.count { $0 == "{" } != before.count { $0 == "}" }
                    || changes.contains { !block.contains($0.range.lowerBound) })
        }
        return nil
    }

    /// A block inside `record`, where the state's name means the state that the recorder lends.
    func wrapped(_ code: Range<Int>, _ state: String, _ action: String) -> String {
        let indent = source.indent(code.lowerBound)
        let text = String(decoding: source.bytes[code], as: UTF8.self)
            .replacingOccurrences(of: "\r\n", with: "\n")
            .replacingOccurrences(of: #"\bself\.\#(state)\b"#, with: state, options: .regularExpression)
        // The lines of a long string must stay as they are.
        let isIndented = !text.contains("\"\"\"")
        let inner =
            isIndented
            ? text.replacingOccurrences(of: "\n", with: "\n    ").replacing("\n    \n", with: "\n\n") : text
        return
            "track.record(\(action), &\(state)) { \(state) in\n\(indent)\(isIndented ? "    " : "")\(inner)\n\(indent)}"
    }

    /// Whether a call is a statement by itself, whose result nobody takes.
    func isStatement(_ range: Range<Int>) -> Bool {
        let before = source.code(source.lineStart(range.lowerBound)..<range.lowerBound).trimmed
        let rest = isTried(range) ? before.dropLast("try".count).trimmed : before
        return rest.last.map { "{;".contains($0) } ?? true
    }

    private func isTried(_ range: Range<Int>) -> Bool { source.code(..<range.lowerBound).trimmed.hasSuffix("try") }

    /// Whether a statement is all of some code.
    private func isAll(_ statement: Range<Int>, _ code: Range<Int>) -> Bool {
        let before = code.lowerBound..<max(code.lowerBound, statement.lowerBound)
        return statement.upperBound == code.upperBound && ["", "try"].contains(source.code(before).trimmed)
    }
}

extension SwiftSource {
    /// The matches that are members of a type, not of something in it.
    func members(_ pattern: String, _ body: Range<Int>) -> [(range: Range<Int>, groups: [Range<Int>?])] {
        matches(pattern, in: body).filter { match in
            let before = code(body.lowerBound..<match.range.lowerBound)
            return before.count { $0 == "{" } == before.count { $0 == "}" }
        }
    }

    fileprivate func code(_ range: PartialRangeUpTo<Int>) -> String { code(0..<range.upperBound) }
}
