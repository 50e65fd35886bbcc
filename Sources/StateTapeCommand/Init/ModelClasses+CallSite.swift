import Foundation

extension ModelClasses {
    /// The edits of the method that also name the line that called it, and that action's cause; nil if its signature or its
    /// words don't allow it.
    func namingCallSite(_ method: Method, of parents: [String]) -> [SourceEdit]? {
        let (source, name) = (method.source, method.name)
        let parameters = source.code(method.parameters)
        let hasBoth = parameters.contains("#fileID") && parameters.contains("#line")
        let taken = #/\b(?:fileID|line)\b/#
        guard hasBoth || !parameters.contains(taken) && !source.code(method.body).contains(taken),
            parents.allSatisfy(Self.plainParents.contains), !isFixed(method)
        else { return nil }
        // A method whose name is passed on, as in `map(model.send)`, must keep its type; so must a protocol's.
        let passed = #"(?:\.|[(,:=]\s*)\#(name)\b(?!\s*[(:])"#
        let overridden = #"\boverride\b[^\n{}]*\bfunc\s+\#(name)\b"#
        guard all.allSatisfy({ $0.matches(passed).isEmpty && $0.matches(overridden).isEmpty }),
            !all.contains(where: { $0.hasProtocol(with: name) }),
            let wrapping = method.isAsync ? naming(trying(method)) : wrapping(method)
        else { return nil }
        let more = hasBoth ? [] : [SourceEdit(method.parameters.upperBound, Self.callSite)]
        return more + wrapping
    }

    private static let callSite = ", fileID: StaticString = #fileID, line: UInt = #line"

    /// `dispatch` can't wait for what an async method does: only the reduction names the call site.
    private func naming(_ edits: [SourceEdit]) -> [SourceEdit]? {
        edits.map { edit in
            guard let end = edit.text.range(of: ") {") else { return edit }
            return SourceEdit(
                edit.range, edit.text.replacingCharacters(in: end, with: ", fileID: fileID, line: line) {"))
        }
    }

    /// Whether a word before the method says that others rely on its type.
    private func isFixed(_ method: Method) -> Bool {
        let source = method.source
        let line = source.lineStart(method.parameters.lowerBound)
        let before = source.code(source.lineStart(max(0, line - 1))..<method.parameters.lowerBound)
        return before.contains(#/\boverride\b|@objc\b|@IB|@discardableResult/#)
    }

    private static var throwing: Regex<Substring> { #/\b(?:try\b(?![?!])|throw\b)/# }

    /// A method's edits, with `try` before what may throw now.
    func trying(_ method: Method) -> [SourceEdit] {
        method.reduction.edits.map { edit in
            let isTried = method.source.code(0..<edit.range.lowerBound).trimmed.hasSuffix("try")
            let throwsNow = edit.text.hasPrefix("track.record(") && edit.text.contains(Self.throwing)
            return method.canThrow && !isTried && throwsNow ? SourceEdit(edit.range, "try " + edit.text) : edit
        }
    }

    /// The edits that put a method's body inside `dispatch`.
    private func wrapping(_ method: Method) -> [SourceEdit]? {
        let (source, body, edits) = (method.source, method.body, trying(method))
        let code = source.trimmed(body)
        let isTried = method.canThrow && source.code(body).contains(Self.throwing)
        let open = "\(isTried ? "try " : "")track.dispatch(fileID: fileID, line: line) {"
        let end = source.lineStart(body.upperBound)
        if end <= body.lowerBound {
            return [SourceEdit(code.lowerBound, open + " ")] + edits + [SourceEdit(code.upperBound, " }")]
        }
        let start = source.lineEnd(body.lowerBound)
        // Code stands on lines of its own.
        guard source.code(body.lowerBound..<start).trimmed.isEmpty, source.code(end..<body.upperBound).trimmed.isEmpty,
            let first = source.nextLine(start), first < end
        else { return nil }
        let indent = source.indent(code.lowerBound)
        let outer = SourceEdit(first, "\(indent)\(open)\n")
        let close = SourceEdit(end, "\(indent)}\n")
        // The lines of a long string must stay as they are.
        guard !source.text(body).contains("\"\"\"") else { return [outer] + edits + [close] }
        let lines = sequence(first: first) { source.nextLine($0) }.prefix { $0 < end }.filter { line in
            source.lineEnd(line) > line && !edits.contains { $0.range.lowerBound < line && line < $0.range.upperBound }
        }
        let inner = edits.map { edit in
            SourceEdit(
                edit.range,
                edit.text.replacingOccurrences(of: "\n", with: "\n    ").replacing("\n    \n", with: "\n\n"))
        }
        return [outer] + lines.map { SourceEdit($0, "    ") } + inner + [close]
    }
}

extension SwiftSource {
    /// The offset of the next line; nil in the last one.
    func nextLine(_ offset: Int) -> Int? {
        bytes[offset...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
    }

    /// Whether a protocol demands a method of this name.
    fileprivate func hasProtocol(with name: String) -> Bool {
        matches(#"\bprotocol\s+\w+[^{]*\{"#).contains { match in
            guard let end = closing(match.range.upperBound - 1) else { return false }
            return !matches(#"\bfunc\s+\#(name)\b"#, in: match.range.upperBound..<end).isEmpty
        }
    }
}
