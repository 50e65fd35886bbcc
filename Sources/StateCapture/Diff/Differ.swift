import TapeFormat

/// Writes the changes from one value to the next, visiting only the parts that differ.
///
/// The earlier value stays alive, so a part of the later one with the same stored bytes is the same: Swift copies
/// storage before it changes storage that other code still holds. The differ skips such a part with everything in it.
/// For a part that differs, it compares the contents of both sides in turn.
///
/// Used on one thread at a time.
final class Differ {
    /// Bytes of storage that the later value doesn't share with the earlier one, as far as the differ has looked.
    private(set) var touched = 0

    /// Known common ends of arrays in the next two values.
    var ends: [ArrayEnds] = []
    let path = Path()
    let encoder: DirectEncoder
    private let layouts: Layouts
    private let slice: Slice?
    private var large: [Large] = []
    private var clean = CleanTexts()
    private var plans: [ObjectIdentifier: Plan] = [:]
    private typealias Recent = (id: ObjectIdentifier?, plan: Plan?)
    private var recent: (Recent, Recent) = ((nil, nil), (nil, nil))
    private(set) var patch: PatchWriter
    private var depth = 0 {
        didSet { encoder.state.pointee.outerDepth = depth }
    }
    /// The calling thread's stack.
    var stack = ThreadStack()
    /// What the value whose contents are collected did that no encoder can write.
    var misuse: (any Error)?
    /// Text that is compared and then discarded.
    let scratch = ByteBuffer()

    init(layouts: Layouts, slice: Slice? = nil, _ redactor: Redactor = .standard) {
        encoder = DirectEncoder(redactor)
        self.layouts = layouts
        self.slice = slice
        patch = PatchWriter(scratch, path: path)
    }

    /// Appends the patch as JSON text; after a throw the output is unchanged.
    ///
    /// - Returns: The number of operations.
    /// - Throws: Errors from the app's `encode(to:)`, and `EncodingError` for values that can't be written.
    @discardableResult
    func difference<Value: Encodable>(
        from old: Value, to new: Value, to output: ByteBuffer
    ) throws -> Int {
        let start = output.count
        touched = 0
        depth = 0
        path.reset()
        patch = PatchWriter(output, path: path)
        do {
            try compare(old, new, slice)
        } catch {
            output.truncate(to: start)
            throw error
        }
        patch.end()
        return patch.count
    }

    func compare<Value: Encodable>(_ old: Value, _ new: Value, _ slice: Slice?) throws {
        if Value.self == Contents.self, let old = old as? Contents, let new = new as? Contents {
            depth += 1
            defer { depth -= 1 }
            return try compareContents(old, new, new, slice)
        }
        let plan = plan(of: Value.self)
        if plan.layout.areSame(old, new) { return }
        try path.check()
        // A value that is another's only content adds nothing to the path.
        depth += 1
        defer { depth -= 1 }
        guard depth <= 2 * DirectEncoder.depthLimit else { throw path.tooDeep }
        // Comparing takes more of the stack than encoding, for which half of a queue's stack is left.
        if stack.isNearlyFull(4 * ThreadStack.reserve) { return try replace(with: new, slice) }
        switch plan.kind {
        case .text: try compareTexts(old as? String ?? "", new as? String ?? "")
        case .scalar: try compareScalars(old, new)
        case .array(let isContiguous): try compareArrays(old, new, isContiguous, plan, slice)
        case .dictionary(let shape): try compareDictionaries(old, new, shape, slice)
        case .set: try compareSets(old, new, slice)
        case .contents:
            let before = try takeLarge(old) ?? contents(of: old, slice)
            let now = try contents(of: new, slice, after: before)
            keep(now, of: new)
            try compareContents(before, now, new, slice)
        }
    }

    /// Compares two values of which only `Encodable` is known.
    func compareAny(_ old: any Encodable, _ new: any Encodable, _ slice: Slice?) throws {
        func compared<Value: Encodable>(_ old: Value) throws {
            if let new = new as? Value, type(of: new) == Value.self { return try compare(old, new, slice) }
            // The types differ: null and a value, or a number and a text.
            try replace(with: new, slice)
        }
        try compared(old)
    }

    func plan<Value: Encodable>(of type: Value.Type) -> Plan {
        let id = ObjectIdentifier(type)
        // Usually the type is one of the last two, for example with alternating keys and values.
        if recent.0.id == id, let plan = recent.0.plan { return plan }
        if recent.1.id == id, let plan = recent.1.plan {
            recent = (recent.1, recent.0)
            return plan
        }
        let plan = plans[id] ?? Plan(type, layouts)
        plans[id] = plan
        recent = ((id, plan), recent.0)
        return plan
    }

    func layout(of type: Any.Type) -> Layout { layouts.layout(of: type) }

    /// Whether two values are surely the same.
    func isSame<Value: Encodable>(_ old: any Encodable, _ new: Value) -> Bool {
        if Value.self == Reflected.self, let old = old as? Reflected, let new = new as? Reflected {
            return isSame(reflected: old.value, new.value)
        }
        // Opened in place: taking the value out would copy it.
        func compared<Other: Encodable>(_ old: Other) -> Bool {
            guard Other.self == Value.self else { return false }
            return plan(of: Value.self).layout.areSame(old, new)
        }
        return compared(old)
    }

    private func isSame(reflected old: Any, _ new: Any) -> Bool {
        func compared<Old>(_ old: Old) -> Bool {
            func with<New>(_ new: New) -> Bool {
                Old.self == New.self && layout(of: Old.self).areSame(old, new)
            }
            return _openExistential(new, do: with)
        }
        return _openExistential(old, do: compared)
    }

    func touch(_ bytes: Int) { touched += bytes }

    /// The contents that a value writes, with secrets as ``Redacted``.
    ///
    /// - Throws: Errors from the value's `encode(to:)`; `EncodingError` for containers of two kinds for one value, or
    ///   that nest too deep.
    func contents<Value: Encodable>(
        of value: Value, _ slice: Slice?, after before: Contents? = nil
    ) throws -> Contents {
        let contents = Contents(
            of: self, slice, encoder.leaves[Value.self], after: before)
        misuse = nil
        try value.encode(to: Collector(contents: contents))
        contents.finish()
        if let misuse { throw misuse }
        return contents
    }

    /// Notes that a value can't be encoded which another one overwrites: an encoder writes both.
    func checkOverwritten(_ value: any Encodable, _ slice: Slice?) {
        do { _ = try text(of: value, slice) } catch { misuse = error }
    }
}

// MARK: Large contents

extension Differ {
    /// A value whose contents are kept for the next comparison.
    typealias Large = (value: any Encodable, contents: Contents)

    /// Drops all kept contents: the next value is unrelated to the previous ones.
    func forget() {
        large = []
        clean.forget()
    }

    /// Removes and returns the kept contents of a value.
    private func takeLarge<Value: Encodable>(_ value: Value) -> Contents? {
        large.firstIndex { isSame($0.value, value) }.map { large.remove(at: $0).contents }
    }

    /// Keeps the contents of a container with many entries: collecting them all costs more than comparing them.
    private func keep<Value: Encodable>(_ contents: Contents, of value: Value) {
        guard contents.entries.count >= 256, plan(of: Value.self).layout.isValue else { return }
        if large.count == 4 { large.removeFirst() }
        large.append((value, contents))
    }
}

// MARK: Values without parts

extension Differ {
    func replace<Value: Encodable>(with new: Value, _ slice: Slice?) throws {
        try patch.replace { try encoder.encode(new, slice: slice, to: patch.output) }
    }

    private func compareScalars<Value: Encodable>(_ old: Value, _ new: Value) throws {
        // The same number or date may be stored as other bytes.
        if try text(of: old) != text(of: new) { try replace(with: new, nil) }
    }

    func text<Value: Encodable>(of value: Value, _ slice: Slice? = nil) throws -> [UInt8] {
        scratch.truncate(to: 0)
        try encoder.encode(value, slice: slice, to: scratch)
        return scratch.array(from: 0)
    }

    private func compareTexts(_ old: String, _ new: String) throws {
        touch(new.utf8.count)
        var (old, new) = (old, new)
        let change = old.withUTF8 { old in
            new.withUTF8 { new in
                Splice(from: old, to: new).map { ($0, String(decoding: new[$0.inserted], as: UTF8.self)) }
            }
        }
        guard let (splice, insert) = change else { return }
        guard clean.areClean(&old, &new, splice, encoder.redactor) else { return try compareScalars(old, new) }
        // The full new text may be shorter.
        if old.utf8.count >= 64, insert.utf8.count < new.utf8.count, patch.spend(old.utf8.count) {
            patch.splice(at: splice.at, remove: splice.removed, insert: insert)
        } else {
            try replace(with: new, nil)
        }
    }
}
