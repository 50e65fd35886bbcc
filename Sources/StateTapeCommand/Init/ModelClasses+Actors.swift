import Foundation

extension ModelClasses {
    /// The members by which an actor becomes a `TapedActor` if its own have other names, or do more.
    func bridge(_ model: Model, hasCallSite: Bool) -> [String] {
        let method = model.method
        var members: [String] = []
        if model.state != "state" {
            members.append("var state: \(model.type) { get { \(model.state) } set { \(model.state) = newValue } }")
        }
        let isDirect = method.name == "send" && method.label == nil && !method.isAsync && !method.canThrow
        guard !isDirect || !hasCallSite else { return members }
        let label = method.label.map { "\($0): " } ?? ""
        let callSite = hasCallSite && !method.isAsync ? ", fileID: fileID, line: line" : ""
        let call =
            "\(method.canThrow ? "try? " : "")\(method.isAsync ? "await " : "")\(method.name)(\(label)action\(callSite))"
        members.append(
            "func send(_ action: \(method.action), fileID: StaticString, line: UInt) { "
                + (method.isAsync ? "Task { \(call) } }" : "\(call) }"))
        return members
    }

    /// The type of a model's actions, and for a protocol the argument that names those that can be decoded.
    func actions(of model: Model) -> (type: String, decoding: String) {
        let action = model.method.action
        let name = action.split(separator: " ").last.map(String.init) ?? action
        guard
            action.hasPrefix("any ") || source.imports("ReSwift") && name == "Action"
                || all.contains(where: { !$0.matches(#"\bprotocol\s+\#(name)\b"#).isEmpty })
        else { return (action, "") }
        let types = all.flatMap { $0.actions(for: source, of: name) }.sorted().map { "\($0).self" }
        return ("any \(name)", ", decoding: [\(types.joined(separator: ", "))]")
    }

    static func metatype(_ type: String) -> String { type.hasPrefix("any ") ? "(\(type))" : type }
}

extension ModelClasses.Model {
    /// The words that keep a state from others, which an actor's must not have.
    var opening: [SourceEdit] { stateWords.map { [SourceEdit($0, "")] } ?? [] }

    /// The closure that dispatches the server's actions.
    var dispatching: String {
        let label = method.label.map { "\($0): " } ?? ""
        let attempt = method.canThrow ? "try? " : ""
        guard method.isAsync else { return "{ [weak self] in \(attempt)self?.\(method.name)(\(label)$0) }" }
        return "{ [weak self] action in Task { \(attempt)await self?.\(method.name)(\(label)action) } }"
    }
}

extension SwiftSource {
    /// Whether the type whose body begins here is marked.
    func isOnMainActor(_ body: Int) -> Bool {
        let start = code(0..<body).range(of: #"\b(?:class|actor)\b[^{}]*\{$"#, options: .regularExpression)
        guard let start else { return false }
        let before = code(0..<body)[..<start.lowerBound].split(omittingEmptySubsequences: false) { "{};".contains($0) }
            .last
        return before?.contains("@MainActor") ?? false
    }
}
