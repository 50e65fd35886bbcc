import TapeFormat

@testable import StateCapture
@testable import StateTape

/// The patterns of a slice.
struct SlicePatterns: CustomStringConvertible {
    private var only: [Pointer] = []
    private var except: [Pointer] = []

    /// Nil if the slice is everything.
    func slice(at place: Place? = nil) -> Slice? { Slice(only: only, except: except, place: place) }

    var description: String { "only \(only), except \(except)" }

    /// Usually no patterns; otherwise some that fit the tree.
    static func random(in tree: JSON, _ random: inout Seeded) -> SlicePatterns {
        var patterns = SlicePatterns()
        guard random.once(in: 4) else { return patterns }
        for _ in 0..<random.below(3) { patterns.only.append(pattern(in: tree, &random)) }
        for _ in 0..<random.below(3) { patterns.except.append(pattern(in: tree, &random)) }
        return patterns
    }

    private static func pattern(in tree: JSON, _ random: inout Seeded) -> Pointer {
        var (pattern, tree) = (Pointer(), tree)
        repeat {
            if let object = tree.object, !object.isEmpty {
                let member = random.one(of: object.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
                pattern.tokens.append(random.once(in: 3) ? "*" : member.key)
                tree = member.value
            } else if let elements = tree.array, !elements.isEmpty {
                pattern.tokens.append("*")
                tree = random.one(of: elements)
            } else {
                break
            }
        } while !random.once(in: 3)
        return pattern
    }
}

extension JSON {
    /// The value as it is captured: without the parts outside a slice, and with secrets redacted.
    func captured(_ slice: Slice?, _ redactor: Redactor) -> JSON {
        switch self {
        case .object(let object):
            var siblings = SiblingNaming()
            let values = object.enumerated().map { index, member in
                let part = slice?.member(member.key) ?? .all
                let meaning = redactor.meaning(of: member.key).inDictionary(member.key)
                let kept = member.value.captured(part, redactor)
                let value = kept.map { meaning.contains(.secret) ? Redacted.json : $0 }
                if meaning.contains(.name) {
                    // A name counts although the slice leaves it out.
                    siblings.add(
                        redactor.naming(of: value ?? member.value.captured(nil, redactor)),
                        at: value == nil ? -1 : index)
                }
                return value
            }
            return .object(
                Object(
                    object.enumerated().compactMap { index, member in
                        guard let value = values[index] else { return nil }
                        let isNamed =
                            redactor.meaning(of: member.key).inDictionary(member.key).contains(.value)
                            && siblings[index].isSecret(value.text.utf8.first)
                        return (member.key, isNamed ? Redacted.json : value)
                    }))
        case .array(let elements):
            return .array(elements.compactMap { $0.captured(slice?.element ?? .all, redactor) })
        default: return redactor.redacted(self)
        }
    }

    private func captured(_ part: Slice.Part, _ redactor: Redactor) -> JSON? {
        switch part {
        case .all: captured(nil, redactor)
        case .none: nil
        case .redacted: Redacted.json
        case .some(let slice): captured(slice, redactor)
        }
    }

    /// The value redacted by the words, for arrays of keys and values without a secret key.
    func redacted(_ redactor: Redactor) -> JSON {
        switch self {
        case .object(let object):
            .object(
                Object(object.map { ($0.key, redactor.isSecret($0.key) ? Redacted.json : $0.value.redacted(redactor)) })
            )
        case .array(let elements): .array(elements.map { $0.redacted(redactor) })
        default: self
        }
    }

    /// The place where a patch reveals a secret of the redaction's words; nil if none.
    func secret(_ redactor: Redactor) -> String? {
        for operation in array ?? [] {
            guard let path = operation["path"]?.string, let tokens = (try? Pointer(parsing: path))?.tokens else {
                continue
            }
            let value = operation["value"]
            if tokens.dropLast().contains(where: redactor.isSecret) { return path }
            if let last = tokens.last, redactor.isSecret(last), let value, !value.isRedacted { return path }
            if let value, value.redacted(redactor) != value { return path }
            if operation["op"] == "splice", tokens.last.map(redactor.isSecret) == true { return path }
        }
        return nil
    }
}
