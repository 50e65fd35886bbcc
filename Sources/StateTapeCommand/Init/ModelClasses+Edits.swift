import Foundation

extension ModelClasses {
    /// Protocols that ask nothing of a store. Of other names behind the colon only the compiler knows what they are.
    static let plainParents = ["ObservableObject", "Observable", "Sendable", "@unchecked Sendable", "Identifiable"]

    /// What connects a class to a recorder.
    ///
    /// - Parameter recording: The edits of its method.
    func outcome(
        _ model: Model, _ parents: [String], _ recording: [SourceEdit], hasCallSite: Bool
    ) -> FoundStore.Outcome {
        let (method, isSplit) = (model.method, model.method.source.path != source.path)
        let words = model.extensions.map { $0.source.code($0.range) } + [source.code(model.body)]
        if words.contains(where: { $0.contains(#/\btrack\b/#) }) {
            return .byHand("It has a member or a variable `track` already.")
        }
        if isSplit, method.isPrivate {
            return .byHand("`\(method.name)` is private to \(method.source.path).")
        }
        if !model.uncodable.isEmpty {
            let names = model.uncodable.map { "`\($0)`" }.joined(separator: " and ")
            let constrained = model.uncodable.map { "\($0): Codable" }.joined(separator: ", ")
            return .byHand(
                "\(names) may be a type that isn't Codable: write `\(model.name)<\(constrained)>` and try again, or, to only"
                    + " view what can't be Codable, write `track(reflecting:)` as in “A store of your own” in the recipes."
            )
        }
        if let initial = model.initial, initial.isEmpty || initial.contains("{") || !Self.isClosed(initial) {
            return .byHand("The initial value of `\(model.state)` isn't one simple line.")
        }
        if let reason = obstacle(model) { return .byHand(reason) }
        if method.isAsync, !model.isActor, !source.isOnMainActor(model.body.lowerBound) {
            return .byHand(
                "`\(method.name)` is `async`, and the class isn't marked `@MainActor`: write that before it, and try again."
            )
        }
        let inits = source.members(#"\b(convenience\s+)?init\s*[?!]?\s*\([^{]*\)[^{]*\{"#, model.body)
        let designated = inits.filter { $0.groups[0] == nil }
        guard designated.count <= 1 else { return .byHand("It has several initializers.") }
        let indent = source.indent(model.stateEnd)
        let bridge = model.isActor ? bridge(model, hasCallSite: hasCallSite) : []
        // An extension in another file needs it, too.
        let track = isSplit ? "let track" : "private let track"
        /// These edits, and those of the method.
        func connected(_ edits: [SourceEdit]) -> FoundStore.Outcome {
            let edits = edits + (model.isActor ? [model.conformance] + model.opening : [])
            return isSplit
                ? .edits(edits, elsewhere: (method.source, recording)) : .edits(recording + edits)
        }
        func connecting(_ indent: String) -> String {
            if model.isActor { return "track.attach(self)" }
            return """
                track.connect(
                    state: { [weak self] in self?.\(model.state) },
                    dispatch: \(model.dispatching),
                    play: { [weak self] in self?.\(model.state) = $0 })
                """.indented(indent)
        }
        let (action, decoding) = actions(of: model)
        let created = "Recorder().track(\(model.initial ?? ""), \(Self.metatype(action)).self\(decoding))"
        let more = bridge.map { "\n\n\(indent)\($0)" }.joined()
        guard let start = designated.first else {
            // A class without a superclass has `init()`.
            guard parents.allSatisfy(Self.plainParents.contains) else {
                return .byHand("It has no initializer, and may have a superclass.")
            }
            guard model.initial != nil else {
                return .byHand("It has neither an initializer nor an initial state.")
            }
            let inner = indent + "    "
            return connected([
                SourceEdit(model.stateEnd, "\n\(indent)\(track) = \(created)"),
                SourceEdit(
                    endOfProperties(model),
                    "\n\n\(indent)init() {\n\(inner)\(model.state) = track.start\n"
                        + "\(inner)\(connecting(inner))\n\(indent)}\(more)"),
            ])
        }
        guard let end = source.closing(start.range.upperBound - 1) else {
            return .byHand("The end of its initializer can't be found.")
        }
        let body = start.range.upperBound..<end
        let assignments = source.matches(
            #"(?:self\.|(?<![\w.]))\#(model.state)\s*=\s*([^\n;=][^\n;]*)"#, in: body)
        let inner = indent + "    "
        let close = source.lineStart(end)
        let isOneLine = close < body.lowerBound
        func last(_ lines: String) -> [SourceEdit] {
            guard isOneLine else { return [SourceEdit(close, "\(inner)\(lines)\n")] }
            // What stands between the braces gets a line of its own.
            let code = source.trimmed(body)
            let last = "\n\(inner)\(lines)\n\(indent)"
            guard !code.isEmpty else { return [SourceEdit(body, last)] }
            return [
                SourceEdit(body.lowerBound..<code.lowerBound, "\n\(inner)"),
                SourceEdit(code.upperBound..<body.upperBound, last),
            ]
        }
        let behind = more.isEmpty ? [] : [SourceEdit(end + 1, more)]
        if let initial = model.initial, !initial.isEmpty {
            guard assignments.isEmpty else { return .byHand("It sets its state twice.") }
            return connected(
                [SourceEdit(model.stateEnd, "\n\(indent)\(track) = \(created)")]
                    + last("\(model.state) = track.start\n\(inner)\(connecting(inner))") + behind)
        }
        guard assignments.count == 1, let match = assignments.first, let group = match.groups[0] else {
            return .byHand("Its initializer doesn't set `\(model.state)` exactly once.")
        }
        let value = source.trimmed(group.lowerBound..<min(group.upperBound, end))
        let edits = [
            SourceEdit(model.stateEnd, "\n\(indent)\(track): Track<\(model.type), \(action)>"),
            SourceEdit(
                match.range.lowerBound..<value.upperBound,
                "track = Recorder().track(\(source.text(value)), \(Self.metatype(action)).self\(decoding))\n"
                    + "\(inner)\(source.code(match.range.lowerBound..<value.lowerBound))track.start"),
        ]
        return connected(edits + last(connecting(inner)) + behind)
    }

    /// The end of the properties that follow the state, where an initializer can stand.
    private func endOfProperties(_ model: Model) -> Int {
        let rest = model.stateEnd..<model.body.upperBound
        let others = #"\b(?:func|init|deinit|subscript|struct|class|enum|extension|typealias|#if)\b"#
        let stop = source.members(others, model.body).map(\.range.lowerBound).first { $0 > model.stateEnd }
        let properties = source.members(#"\b(?:var|let)\s+\w+"#, model.body).map(\.range.lowerBound)
        guard
            let last = properties.last(where: { property in
                let line = source.code(property..<source.lineEnd(property))
                return rest.contains(property) && property < stop ?? .max && Self.isClosed(line)
                    && (!line.contains("{") || line.contains(#/=\s*\{[^{}]*\}\s*$/#))
            })
        else { return model.stateEnd }
        return source.lineEnd(last)
    }

    /// Whether a text closes the brackets that it opens.
    private static func isClosed(_ text: String) -> Bool {
        text.count { "([".contains($0) } == text.count { ")]".contains($0) }
    }

    /// Why a block can't stand inside `record`; nil if it can.
    private func obstacle(_ model: Model) -> String? {
        let (reduction, name, source) = (model.method.reduction, model.method.name, model.method.source)
        if let obstacle = reduction.obstacle { return "`\(name)` \(obstacle)." }
        guard let block = reduction.block else { return nil }
        let words = #"\b(await|Task|self(?!\.\#(model.state)\b)|async\#(reduction.doesMore ? "|return" : ""))\b"#
        if reduction.changesMore || !source.matches(words, in: block).isEmpty {
            return "`\(name)` does more than change its state: put `track.record` around the changes only."
        }
        let bodies = [Body(source: self.source, range: model.body)] + model.extensions
        let own = bodies.flatMap { body in
            body.source.members(#"\bfunc\s+(\w+)"#, body.range).compactMap { $0.groups[0].map(body.source.code) }
        }
        let calls = source.matches(#"(?<![\w.])(\w+)\("#, in: block).compactMap { $0.groups[0].map(source.code) }
        // It may change the state, which the recorder has lent to the block.
        guard let call = calls.first(where: own.contains) else { return nil }
        return "`\(name)` calls `\(call)`, which may change the state: put `track.record` around the changes only."
    }
}
