package import TapeFormat

/// The places of a state that are captured: a tree of pointer patterns, walked along with the value.
///
/// A pattern is a JSON pointer in which `*` matches every member or element. In an array only `*` matches: an index
/// would name another element after each insertion.
package struct Slice: Sendable {
    /// How to capture a member or an array's elements.
    enum Part: Sendable {
        case all
        case none
        /// Writes ``Redacted`` instead.
        case redacted
        case some(Slice)
    }

    /// The patterns below one token.
    private final class Node: Sendable {
        let members: [UTF8Text: Node]
        let any: Node?
        let isEnd: Bool

        init(_ patterns: [ArraySlice<String>]) {
            isEnd = patterns.contains { $0.isEmpty }
            var tails: [UTF8Text: [ArraySlice<String>]] = [:]
            var every: [ArraySlice<String>] = []
            for pattern in patterns {
                guard let token = pattern.first else { continue }
                if token == "*" {
                    every.append(pattern.dropFirst())
                } else {
                    tails[UTF8Text(token), default: []].append(pattern.dropFirst())
                }
            }
            any = every.isEmpty ? nil : Node(every)
            // A pattern for every member applies to a named one too.
            members = tails.mapValues { Node($0 + every) }
        }
    }

    /// Nil for everything that `except` doesn't name.
    private let only: Node?
    private let except: Node?
    /// The value's place, if the redaction depends on places.
    private let place: Place?

    /// - Parameters:
    ///   - only: Patterns of the places to capture, with everything below them; empty for everything.
    ///   - except: Patterns of the places to leave out.
    ///   - place: The root, if the redaction depends on places.
    /// - Returns: Nil if everything is captured.
    package init?(only: [Pointer], except: [Pointer], place: Place? = nil) {
        guard !only.isEmpty || !except.isEmpty || place != nil else { return nil }
        self.init(
            only: only.isEmpty ? nil : Node(only.map { $0.tokens[...] }), except: Node(except.map { $0.tokens[...] }),
            place: place)
    }

    private init(only: Node?, except: Node?, place: Place?) {
        self.only = only
        self.except = except
        self.place = place
    }

    /// The part for an object's member.
    func member(_ name: String) -> Part {
        let key = UTF8Text(name)
        return redacted(part { $0.members[key] ?? $0.any }, name)
    }

    /// The part for an array's elements.
    var element: Part { redacted(part { $0.any }, "*") }

    /// Applies the redaction to a part.
    private func redacted(_ part: Part, _ name: String) -> Part {
        guard let place else { return part }
        if case .none = part { return .none }
        guard let below = place.below(name) else { return .redacted }
        return .some(Slice(only: part.slice?.only, except: part.slice?.except, place: below))
    }

    /// The part that the patterns select.
    private func part(_ next: (Node) -> Node?) -> Part {
        let left = except.flatMap(next)
        if left?.isEnd == true { return .none }
        guard let only, !only.isEnd else { return left.map { .some(Slice(only: nil, except: $0, place: nil)) } ?? .all }
        guard let kept = next(only) else { return .none }
        if kept.isEnd { return left.map { .some(Slice(only: nil, except: $0, place: nil)) } ?? .all }
        return .some(Slice(only: kept, except: left, place: nil))
    }
}
