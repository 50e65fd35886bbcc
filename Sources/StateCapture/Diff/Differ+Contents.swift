// Compares the contents that `encode(to:)` wrote on both sides.
extension Differ {
    /// - Parameter value: The value of the new contents, for writing it in full.
    func compareContents<Value: Encodable>(
        _ old: Contents, _ new: Contents, _ value: Value, _ slice: Slice?
    ) throws {
        switch (old.kind, new.kind) {
        case (.none, .none): break
        case (.keyed, .keyed): try compareMembers(old, new, value, slice)
        case (.unkeyed, .unkeyed): try compareElements(old, new, value, slice)
        case (.single, .single):
            guard let before = old.entries.first?.value, let now = new.entries.first?.value else {
                return try replace(with: value, slice)
            }
            try compareAny(before, now, slice)
        default: try replace(with: value, slice)
        }
    }

    private func compareMembers<Value: Encodable>(
        _ old: Contents, _ new: Contents, _ value: Value, _ slice: Slice?
    ) throws {
        try old.redactSiblings()
        try new.redactSiblings()
        let (before, now) = (old.entries, new.entries)
        if !new.hasKeys(of: old) {
            let mark = patch.mark
            var isShared = before.isEmpty || now.isEmpty
            for index in before.indices {
                let key = before[index].key
                guard new.index(of: key, guess: index) == nil else {
                    isShared = true
                    continue
                }
                if case .none? = slice?.member(key) { continue }
                patch.remove(.key(key))
            }
            // No shared member, as when an enum has changed its case: one operation is shorter.
            guard isShared else {
                patch.takeBack(to: mark)
                return try replace(with: value, slice)
            }
        }
        // A value that is the same may be redacted on one side, by another member.
        for index in now.indices where !now[index].isSame || now[index].isRedacted != before[index].isRedacted {
            let key = now[index].key
            let part = slice?.member(key) ?? .all
            if case .none = part { continue }
            let place = old.index(of: key, guess: index)
            try compareMember(key, place.map { before[$0].value }, now[index].value, part.slice)
        }
    }

    func compareMember(_ key: String, _ old: (any Encodable)?, _ new: any Encodable, _ slice: Slice?) throws {
        guard let old else {
            return try patch.add(.key(key)) { try encoder.encode(new, slice: slice, to: patch.output) }
        }
        try path.at(.key(key)) { try compareAny(old, new, slice) }
    }

    /// Compares elements whose types may differ: by position, between the equal ends.
    private func compareElements<Value: Encodable>(
        _ before: Contents, _ now: Contents, _ value: Value, _ slice: Slice?
    ) throws {
        let part = slice?.element ?? .all
        if case .none = part { return }
        let (old, new) = (before.entries, now.entries)
        let shorter = min(old.count, new.count)
        let prefix = new.firstIndex { !$0.isSame } ?? shorter
        let most = shorter - prefix
        let suffix =
            (0..<most).first { offset in
                let index = new.count - 1 - offset
                if old.count == new.count { return !new[index].isSame }
                return !areSame(old[old.count - 1 - offset].value, new[index].value)
            } ?? most
        let common = shorter - prefix - suffix
        guard patch.spend(2 * suffix * (old.count + new.count - 2 * shorter)) else {
            return try replace(with: value, slice)
        }
        for index in (prefix + common..<old.count - suffix).reversed() { patch.remove(.index(index)) }
        for index in prefix..<prefix + common where !new[index].isSame {
            try path.at(.index(index)) { try compareAny(old[index].value, new[index].value, part.slice) }
        }
        for index in prefix + common..<new.count - suffix {
            try patch.add(.index(index)) { try encoder.encode(new[index].value, slice: part.slice, to: patch.output) }
        }
    }

    private func areSame(_ old: any Encodable, _ new: any Encodable) -> Bool {
        func compared<Value: Encodable>(_ new: Value) -> Bool { isSame(old, new) }
        return compared(new)
    }
}

// Values whose name is another member's value.
extension Differ {
    /// How far a member's value is a secret's name. One that can't be read may be.
    func naming(of value: any Encodable, _ part: Slice.Part) throws -> Naming {
        try encoder.aside {
            switch part {
            case .redacted: .none
            case .none: (try? text(of: value).withUnsafeBytes { encoder.names.naming(json: $0) }) ?? .whole
            case .all, .some: try text(of: value, part.slice).withUnsafeBytes { encoder.names.naming(json: $0) }
            }
        }
    }

    /// The first byte of a value's JSON text.
    func firstByte(of value: any Encodable, _ slice: Slice?) throws -> UInt8? {
        value is String ? UInt8(ascii: "\"") : try text(of: value, slice).first
    }
}

extension Slice.Part {
    /// The slice below; nil for everything.
    var slice: Slice? {
        if case .some(let slice) = self { slice } else { nil }
    }
}
