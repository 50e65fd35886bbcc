import TapeFormat

/// A dictionary, independent of its types.
protocol DictionaryShape {
    /// Entries that may differ between two dictionaries of this type. Each is a dictionary of its own; nil on the side
    /// that lacks the key.
    static func changes(
        from old: Any, to new: Any, layout: (Any.Type) -> Layout
    ) -> [(old: Any?, new: Any?)]

    /// Whether different keys surely have different texts. A custom coding may give two keys the same text.
    static var hasDistinctNames: Bool { get }
}

// Unconditional: the value's conformance may be isolated to an actor, and a lookup elsewhere would not find it.
extension Dictionary: DictionaryShape {
    static var hasDistinctNames: Bool { Key.self == String.self || Key.self == Int.self }

    static func changes(
        from old: Any, to new: Any, layout: (Any.Type) -> Layout
    ) -> [(old: Any?, new: Any?)] {
        guard let old = old as? Self, let new = new as? Self else { return [] }
        let (keys, values) = (layout(Key.self), layout(Value.self))
        var changes: [(old: Any?, new: Any?)] = []
        var kept = 0
        for (key, value) in new {
            guard let place = old.index(forKey: key) else {
                changes.append((nil, [key: value]))
                continue
            }
            kept += 1
            let before = old[place]
            // Compares the keys as well: keys that are equal in Swift may have different texts.
            guard !keys.areSame(before.key, key) || !values.areSame(before.value, value) else { continue }
            changes.append(([before.key: before.value], [key: value]))
        }
        guard kept < old.count else { return changes }
        for (key, value) in old where new.index(forKey: key) == nil { changes.append(([key: value], nil)) }
        return changes
    }
}

// Containers without an order.
extension Differ {
    func compareDictionaries<Value: Encodable>(
        _ old: Value, _ new: Value, _ shape: any DictionaryShape.Type, _ slice: Slice?
    ) throws {
        let changes = shape.changes(from: old, to: new, layout: layout(of:))
        touch(changes.count * 64)
        var members: [(key: String, old: (any Encodable)?, new: (any Encodable)?)] = []
        for change in changes {
            let before = try (change.old as? Value).map { try contents(of: $0, slice) }
            let now = try (change.new as? Value).map { try contents(of: $0, slice) }
            guard let some = now ?? before, some.kind == .keyed, let entry = some.entries.first else {
                // The keys are not strings, so the dictionary is an array of keys and values.
                return try comparePairs(contents(of: old, slice), contents(of: new, slice), new, slice)
            }
            guard shape.hasDistinctNames else {
                return try compareContents(contents(of: old, slice), contents(of: new, slice), new, slice)
            }
            // The value of `value` may be secret by that of `name`, which hasn't changed.
            if !entry.meaning.isDisjoint(with: .pair) { return try compareMembers(old, new, slice) }
            if let old = before?.entries.first, !old.key.hasSameUTF8(as: entry.key) {
                members += [(old.key, old.value, nil), (entry.key, nil, entry.value)]
            } else {
                members.append((entry.key, before?.entries.first?.value, now?.entries.first?.value))
            }
        }
        // A dictionary's order varies; a patch's order should not.
        for member in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            let part = slice?.member(member.key) ?? .all
            if case .none = part { continue }
            if let new = member.new {
                try compareMember(member.key, member.old, new, part.slice)
            } else {
                patch.remove(.key(member.key))
            }
        }
    }

    /// Compares all members of two dictionaries.
    private func compareMembers<Value: Encodable>(_ old: Value, _ new: Value, _ slice: Slice?) throws {
        let (old, now) = (try contents(of: old, slice), try contents(of: new, slice))
        old.sort()
        now.sort()
        try compareContents(old, now, new, slice)
    }

    /// Compares alternating keys and values, ordered by the keys' text.
    private func comparePairs<Value: Encodable>(
        _ old: Contents, _ new: Contents, _ value: Value, _ slice: Slice?
    ) throws {
        let part = slice?.element ?? .all
        if case .none = part { return }
        if case .redacted = part { return try compareContents(old, new, value, slice) }
        func pairs(_ contents: Contents) throws -> [(text: [UInt8], value: any Encodable)] {
            var pairs: [(text: [UInt8], value: any Encodable)] = []
            for index in stride(from: 0, to: contents.entries.count - 1, by: 2) {
                pairs.append(
                    (try text(of: contents.entries[index].value, part.slice), contents.entries[index + 1].value))
            }
            pairs.sort { $0.text.lexicographicallyPrecedes($1.text) }
            try sortEqualKeys(&pairs, part.slice)
            return pairs
        }
        let (before, now) = (try pairs(old), try pairs(new))
        let merged = Merge(before.map(\.text), now.map(\.text))
        // Twice as many operations as there are pairs, and each moves twice as many elements.
        guard patch.spend(4 * merged.work) else { return try replace(with: value, slice) }
        for index in merged.removals {
            patch.remove(.index(2 * index + 1))
            patch.remove(.index(2 * index))
        }
        for index in merged.additions {
            patch.add(.index(2 * index)) { now[index].text.withUnsafeBytes { patch.output.append($0) } }
            try patch.add(.index(2 * index + 1)) {
                try encoder.encode(now[index].value, slice: part.slice, to: patch.output)
            }
        }
        for (origin, index) in merged.kept {
            try path.at(.index(2 * index + 1)) {
                try compareAny(before[origin].value, now[index].value, part.slice)
            }
        }
    }

    /// Orders pairs with the same key text by the values' text.
    private func sortEqualKeys(_ pairs: inout [(text: [UInt8], value: any Encodable)], _ slice: Slice?) throws {
        var start = 0
        while start < pairs.count {
            let end = pairs[start...].firstIndex { $0.text != pairs[start].text } ?? pairs.count
            if end - start > 1 {
                var run: [(pair: (text: [UInt8], value: any Encodable), text: [UInt8])] = []
                for pair in pairs[start..<end] { run.append((pair, try text(of: pair.value, slice))) }
                run.sort { $0.text.lexicographicallyPrecedes($1.text) }
                pairs.replaceSubrange(start..<end, with: run.map { $0.pair })
            }
            start = end
        }
    }

    func compareSets<Value: Encodable>(_ old: Value, _ new: Value, _ slice: Slice?) throws {
        let part = slice?.element ?? .all
        if case .none = part { return }
        func texts(_ value: Value) throws -> [[UInt8]] {
            try contents(of: value, slice).entries.map { try text(of: $0.value, part.slice) }
                .sorted { $0.lexicographicallyPrecedes($1) }
        }
        let (before, now) = (try texts(old), try texts(new))
        touch(now.reduce(0) { $0 + $1.count })
        let merged = Merge(before, now)
        guard patch.spend(merged.work) else { return try replace(with: new, slice) }
        for index in merged.removals { patch.remove(.index(index)) }
        for index in merged.additions {
            patch.add(.index(index)) { now[index].withUnsafeBytes { patch.output.append($0) } }
        }
    }
}

extension Differ {
    /// Whether a dictionary's key names a secret.
    ///
    /// - Parameter isText: Whether only a text is a key.
    func isSecret(key: any Encodable, _ slice: Slice?, isText: Bool) throws -> Bool {
        func isSecret<Key: Encodable>(_ key: Key) throws -> Bool {
            if let name = key as? String {
                // A text with a secret in it is not a name.
                return encoder.redactor.isSecret(name) && encoder.redactor.redacted(name) == nil
            }
            if encoder.leaves[Key.self].isScalar { return false }
            return try text(of: key, slice).withUnsafeBytes {
                (!isText || $0.first == UInt8(ascii: "\"")) && encoder.names.isSecret(json: $0)
            }
        }
        return try isSecret(key)
    }
}

/// The differences between two sorted lists of texts.
private struct Merge {
    /// Indices in the old list, in descending order.
    private(set) var removals: [Int] = []
    /// Indices in the new list, in ascending order.
    private(set) var additions: [Int] = []
    private(set) var kept: [(old: Int, new: Int)] = []
    /// The work of the removals and additions, as `Patch.maxWork` limits it.
    private(set) var work = 0

    init(_ old: [[UInt8]], _ new: [[UInt8]]) {
        var (left, right) = (0, 0)
        while left < old.count || right < new.count {
            if left == old.count || (right < new.count && new[right].lexicographicallyPrecedes(old[left])) {
                additions.append(right)
                right += 1
            } else if right == new.count || old[left].lexicographicallyPrecedes(new[right]) {
                removals.append(left)
                left += 1
            } else {
                kept.append((left, right))
                (left, right) = (left + 1, right + 1)
            }
        }
        removals.reverse()
        var count = old.count
        for index in removals {
            count -= 1
            work += 2 * (count - index)
        }
        for index in additions {
            work += 2 * (count - index)
            count += 1
        }
    }
}
