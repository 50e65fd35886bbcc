import Foundation

/// A variable that a class keeps.
struct StoredProperty {
    let name: String
    /// What stands before `var`, such as `private(set)`.
    let words: String
    let type: String?
    let value: String?

    /// Whether it may be a part of the app's state; not a task, say, or a closure.
    var canBeState: Bool {
        !words.contains(#/\b(?:lazy|weak|unowned)\b/#)
            && !(type ?? value ?? "").contains(#/->|Cancellable|Subscription|\bTask\b|Continuation|Timer/#)
    }

    /// As a member of a struct.
    var declaration: String { "var \(name)\(type.map { ": \($0)" } ?? "")\(value.map { " = \($0)" } ?? "")" }
}

extension ModelClasses {
    /// The variables that a class keeps and that may be a part of its state.
    func storedProperties(in body: Range<Int>) -> [StoredProperty] {
        let pattern =
            #"((?:(?:@[\w.]+(?:\([^)\n]*\))?|\w+(?:\(set\))?)[ \t\n]+)*)\bvar\s+(\w+)[ \t]*(?::\s*([^=\n{};]+))?(=[^\n{};]*)?"#
        return source.members(pattern, body).compactMap { match in
            let words = match.groups[0].map(source.code) ?? ""
            guard let name = match.groups[1], !words.contains(#/\b(?:static|class)\b/#) else { return nil }
            let value = match.groups[3].map { source.text($0).dropFirst().trimmed }
            if value == nil, let block = block(after: match.range), !block.isObserver { return nil }
            let property = StoredProperty(
                name: source.code(name), words: words, type: match.groups[2].map { source.code($0).trimmed },
                value: value)
            return property.canBeState ? property : nil
        }
    }

    /// The properties among some that a method changes.
    func changed(_ properties: [StoredProperty], in method: Method) -> [StoredProperty] {
        properties.filter { !changes(of: $0.name, in: method).isEmpty }
    }

    /// The places where a method assigns a property or calls what changes a collection or a number.
    func changes(of name: String, in method: Method) -> [Range<Int>] {
        let calls = "append|insert|remove|sort|reverse|shuffle|swapAt|toggle|merge|formUnion|subtract|pop|update"
        let pattern =
            #"(?<!\blet )(?<!\bvar )(?<![\w.])(?:self\.)?\b\#(name)\b(?:\[[^\]\n]*\]|\.\w+|[?!])*(?:\s*[-+*/%|&^]?=(?!=)|\.(?:\#(calls))\w*\()"#
        return method.source.matches(pattern, in: method.body).map(\.range)
    }
}
