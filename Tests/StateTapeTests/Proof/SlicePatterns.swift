import TapeFormat

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
    /// The value without the parts outside a slice.
    func sliced(_ slice: Slice?) -> JSON {
        guard let slice else { return self }
        switch self {
        case .object(let object):
            return .object(
                Object(
                    object.compactMap { member in member.value.sliced(slice.member(member.key)).map { (member.key, $0) }
                    }))
        case .array(let elements): return .array(elements.compactMap { $0.sliced(slice.element) })
        default: return self
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

    private func sliced(_ part: Slice.Part) -> JSON? {
        switch part {
        case .all: self
        case .none: nil
        case .redacted: Redacted.json
        case .some(let slice): sliced(slice)
        }
    }
}
