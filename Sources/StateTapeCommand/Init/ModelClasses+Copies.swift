import Foundation

extension ModelClasses {
    /// What reduces a copy of the state that becomes the state; nil if nothing does.
    func copying(_ body: Range<Int>, _ word: String, _ state: String, _ action: String) -> Reduction? {
        oneStatement(body, word, state, action) ?? statements(body, word, state, action)
            ?? ofOwnMethod(body, word, action)
    }

    /// `var next = state`, `reduce(&next, action)`, `state = next`, or `let next = reduce(state, action)`, `state = next`.
    private func oneStatement(_ body: Range<Int>, _ word: String, _ state: String, _ action: String) -> Reduction? {
        let (end, type) = (#"[ \t]*[;\n]\s*"#, #"(?:\s*:\s*[\w.]+)?"#)
        let back = #"\#(word)\s*=\s*\1\b"#
        let forms = [
            (#"\bvar\s+(\w+)\#(type)\s*=\s*\#(word)\#(end)([^\n;{}]+?)\#(end)\#(back)"#, true),
            (#"\blet\s+(\w+)\#(type)\s*=\s*([^\n;{}]+?)\#(end)\#(back)"#, false),
        ]
        for (pattern, isVariable) in forms {
            guard let match = source.matches(pattern, in: body).first, let copy = match.groups[0].map(source.code),
                let statement = match.groups[1].map(source.code)
            else { continue }
            let replaced = isVariable ? #"(?<![\w.])\#(copy)\b"# : word
            let text = statement.replacingOccurrences(of: replaced, with: #"\$0"#, options: .regularExpression)
            let rest =
                source.code(body.lowerBound..<match.range.lowerBound)
                + source.code(match.range.upperBound..<body.upperBound)
            guard text != statement, statement.contains(action), !statement.contains(/\b(?:await|return|try)\b/),
                rest.range(of: #"\b\#(copy)\b"#, options: .regularExpression) == nil
            else { continue }
            let edit = "track.record(\(action), &\(state)) { \(isVariable ? "" : "$0 = ")\(text) }"
            return Reduction(edits: [SourceEdit(match.range, edit)], doesMore: match.range != source.trimmed(body))
        }
        return nil
    }

    /// The same with more between the copy and its return, such as a `switch`: all of it is recorded.
    private func statements(_ body: Range<Int>, _ word: String, _ state: String, _ action: String) -> Reduction? {
        let first = #"\b(?:var|let)\s+(\w+)(?:\s*:\s*[\w.]+)?\s*=[^\n;=]*\#(word)"#
        for match in source.matches(first, in: body) {
            guard let copy = match.groups[0].map(source.code),
                let back = source.matches(#"\#(word)\s*=\s*\#(copy)\b"#, in: body).last?.range,
                back.lowerBound >= match.range.upperBound
            else { continue }
            var end = back.upperBound
            while let open = openBrace(match.range.lowerBound..<end), let close = source.closing(open) {
                end = close + 1
            }
            let block = match.range.lowerBound..<end
            let before = source.code(body.lowerBound..<block.lowerBound)
            guard end <= body.upperBound,
                source.code(block).range(of: #"\b\#(action)\b"#, options: .regularExpression) != nil
            else { continue }
            if source.code(end..<body.upperBound).range(of: #"\b\#(copy)\b"#, options: .regularExpression) != nil {
                return Reduction(
                    edits: [], doesMore: true,
                    obstacle: "uses its copy `\(copy)` after it has set the state: use `\(state)` there")
            }
            let rest = [body.lowerBound..<block.lowerBound, end..<body.upperBound]
            let changes = rest.flatMap { source.matches(word + #"[^\n=]*(?:[^=!<>]=[^=]|\.\w+\()"#, in: $0) }
            return Reduction(
                edits: [SourceEdit(block, wrapped(block, state, action))], doesMore: block != source.trimmed(body),
                block: block,
                changesMore: !changes.isEmpty || before.count { $0 == "{" } != before.count { $0 == "}" })
        }
        return nil
    }

    /// A body that looks at its action in another way, such as by `if case`: all of it is recorded.
    func whole(_ method: Method, _ state: String) -> Reduction? {
        let (block, action) = (method.source.trimmed(method.body), method.parameter)
        guard asksForAction(method), !changes(of: state, in: method).isEmpty else { return nil }
        return Reduction(
            edits: [SourceEdit(block, wrapped(block, state, action))], doesMore: false, block: block)
    }

    /// Whether a method looks at its parameter, which is an action by its name or its type.
    func asksForAction(_ method: Method) -> Bool {
        let asks = #"\b(?:if|guard|switch|while)\b[^{}]*\b\#(method.parameter)\b"#
        return !method.source.matches(asks, in: method.body).isEmpty
            && (method.parameter == "action"
                || method.action.contains(#/(?:Action|Event|Intent|Message|Msg|Mutation)$/#))
    }

    /// `state = next(action)`, which reads the state itself.
    private func ofOwnMethod(_ body: Range<Int>, _ word: String, _ action: String) -> Reduction? {
        let pattern = #"\#(word)\s*=\s*(?:self\.)?(\w+)\(\s*(?:\w+\s*:\s*)?\#(action)\s*\)"#
        guard let name = source.matches(pattern, in: body).first?.groups[0].map(source.code) else { return nil }
        return Reduction(
            edits: [], doesMore: true,
            obstacle:
                "sets the state to what `\(name)` makes of it: pass it the state, as in `\(name)(state, action)`, and use that"
                + " parameter in it")
    }

    /// The first brace in some code that isn't closed there.
    private func openBrace(_ range: Range<Int>) -> Int? {
        var open: [Int] = []
        for place in range {
            let character = source.code(place..<place + 1)
            if character == "{" { open.append(place) }
            if character == "}" { _ = open.popLast() }
        }
        return open.first
    }
}
