extension Patch {
    /// Computes the patch from `old` to `new`.
    ///
    /// Array elements are matched by their member `id` if all have one, otherwise by position between the common prefix
    /// and suffix. Strings of 64 bytes or more are spliced. An array or string is replaced if readers would refuse the
    /// patch otherwise, because it moves too many elements.
    public static func between(_ old: JSON, _ new: JSON) -> Patch {
        var difference = Difference()
        difference.compare(old, new)
        return Patch(difference.operations)
    }
}

private struct Difference {
    var operations: [Patch.Operation] = []
    private var path = Pointer()
    private var work = 0

    /// Deeper values are replaced as a whole, because each level of arrays compares all deeper values again.
    private static let maxDepth = 64

    mutating func compare(_ old: JSON, _ new: JSON) {
        switch (old, new) {
        case _ where path.tokens.count == Self.maxDepth: if old != new { operations.append(.replace(path, new)) }
        case (.object(let old), .object(let new)): compare(old, new)
        case (.array(let old), .array(let new)): compare(old, new)
        case (.string(let old), .string(let new)) where old.utf8.count >= 64: compare(old, new)
        default: if old != new { operations.append(.replace(path, new)) }
        }
    }

    /// Counts the work of the next operations.
    ///
    /// - Returns: False if the patch would exceed its maximum.
    private mutating func spend(_ amount: Int) -> Bool {
        guard work + amount <= Patch.maxWork else { return false }
        work += amount
        return true
    }

    private mutating func at(_ token: String, _ body: (inout Difference) -> Void) {
        path.tokens.append(token)
        body(&self)
        path.tokens.removeLast()
    }

    private mutating func compare(_ old: JSON.Object, _ new: JSON.Object) {
        let findNew = new.finder()
        for member in old where findNew(member.key) == nil { operations.append(.remove(path.appending(member.key))) }
        let findOld = old.finder()
        for member in new {
            if let position = findOld(member.key) {
                at(member.key) { $0.compare(old[position].value, member.value) }
            } else {
                operations.append(.add(path.appending(member.key), member.value))
            }
        }
    }

    private mutating func compare(_ old: [JSON], _ new: [JSON]) {
        let shorter = min(old.count, new.count)
        let prefix = (0..<shorter).first { old[$0] != new[$0] } ?? shorter
        let suffix =
            (0..<shorter - prefix).first { old[old.count - 1 - $0] != new[new.count - 1 - $0] } ?? shorter - prefix
        let oldMiddle = old[prefix..<old.count - suffix]
        let newMiddle = new[prefix..<new.count - suffix]
        let isWritten =
            if let oldIDs = ids(oldMiddle), let newIDs = ids(newMiddle) {
                compareByID(oldMiddle, oldIDs, newMiddle, newIDs, suffix: suffix)
            } else {
                compareByPosition(oldMiddle, newMiddle, suffix: suffix)
            }
        if !isWritten { operations.append(.replace(path, .array(new))) }
    }

    /// - Returns: False if the patch would exceed its maximum work; nothing is written then.
    private mutating func compareByPosition(
        _ old: ArraySlice<JSON>, _ new: ArraySlice<JSON>, suffix: Int
    ) -> Bool {
        let common = min(old.count, new.count)
        guard spend(2 * suffix * (old.count + new.count - 2 * common)) else { return false }
        for index in old.startIndex..<old.startIndex + common {
            at(String(index)) { $0.compare(old[index], new[index]) }
        }
        for index in (old.startIndex + common..<old.endIndex).reversed() {
            operations.append(.remove(path.appending(index)))
        }
        for index in new.startIndex + common..<new.endIndex {
            operations.append(.add(path.appending(index), new[index]))
        }
        return true
    }

    /// The elements' `id`s; nil unless all have one and they are distinct.
    private func ids(_ elements: ArraySlice<JSON>) -> [JSON]? {
        var seen: Set<JSON> = []
        var ids: [JSON] = []
        for element in elements {
            guard let id = element["id"], seen.insert(id).inserted else { return nil }
            ids.append(id)
        }
        return ids
    }

    /// - Returns: As for ``compareByPosition(_:_:suffix:)``.
    private mutating func compareByID(
        _ old: ArraySlice<JSON>, _ oldIDs: [JSON], _ new: ArraySlice<JSON>, _ newIDs: [JSON], suffix: Int
    ) -> Bool {
        let positions = Dictionary(zip(oldIDs, old.indices), uniquingKeysWith: { first, _ in first })
        let first = old.startIndex
        let origins = newIDs.map { positions[$0].map { $0 - first } }
        // If many elements moved, a comparison by position is shorter and faster.
        guard let steps = Reordering(origins: origins, oldCount: old.count) else {
            return compareByPosition(old, new, suffix: suffix)
        }
        guard spend(steps.work(at: first, in: first + old.count + suffix)) else { return false }
        operations += steps.removals.map { .remove(path.appending(first + $0)) }
        operations += steps.moves.map {
            .move(from: path.appending(first + $0.from), to: path.appending(first + $0.to))
        }
        operations += steps.additions.map { .add(path.appending(first + $0), new[first + $0]) }
        for (offset, origin) in origins.enumerated() {
            guard let origin else { continue }
            at(String(first + offset)) { $0.compare(old[first + origin], new[first + offset]) }
        }
        return true
    }

    private mutating func compare(_ old: String, _ new: String) {
        var (old, new) = (old, new)
        let change = old.withUTF8 { old in
            new.withUTF8 { new in
                Splice(from: old, to: new).map { ($0, String(decoding: new[$0.inserted], as: UTF8.self)) }
            }
        }
        guard let (splice, insert) = change else { return }
        guard spend(old.utf8.count) else { return operations.append(.replace(path, .string(new))) }
        operations.append(.splice(path, at: splice.at, remove: splice.removed, insert: insert))
    }
}
