import TapeFormat

/// Finds what a member's name means by the name's text, for an encoder.
///
/// It holds no counted references, which would cost too much here: the encoder keeps redactor and memory alive.
struct NameTable {
    typealias Meaning = Redactor.Meaning

    /// A name between quotes.
    private struct Slot {
        static let capacity = 32
        var text: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        var count: UInt8 = 0
        var meaning: Meaning = []
    }

    private struct State {
        /// Allocated only after some names: a table for a single action would not pay off.
        var slots: UnsafeMutablePointer<Slot>?
        /// The same for names without quotes.
        var bareSlots: UnsafeMutablePointer<Slot>?
        var asked = 0
        let redactor: Unmanaged<Redactor>
    }

    private static let count = 512
    private let state: UnsafeMutablePointer<State>

    /// - Parameter redactor: Must live as long as the table.
    init(_ redactor: Redactor) {
        state = .allocate(capacity: 1)
        state.initialize(to: State(redactor: Unmanaged.passUnretained(redactor)))
    }

    func deallocate() {
        state.pointee.slots?.deallocate()
        state.pointee.bareSlots?.deallocate()
        state.deallocate()
    }

    /// - Parameters:
    ///   - name: The member's.
    ///   - text: The name as it was written, between quotes.
    ///   - hash: Any number that depends on the text alone.
    @inline(__always)
    func meaning(of name: String, as text: UnsafeRawBufferPointer, hash: UInt64) -> Meaning {
        guard let slots = state.pointee.slots else { return first(name) }
        let slot = slots + Int(truncatingIfNeeded: hash & UInt64(Self.count &- 1))
        if Int(slot.pointee.count) == text.count, text.isStart(of: UnsafeRawPointer(slot)) {
            return slot.pointee.meaning
        }
        return ask(name, text, slot)
    }

    /// The meaning of a name that is one of very many, such as a dictionary's key.
    func meaning(of name: String) -> Meaning {
        state.pointee.redactor._withUnsafeGuaranteedRef { $0.meaning(of: name) }
    }

    /// The meaning of a name that is not written.
    func meaning(ofBare name: String) -> Meaning {
        let slots = state.pointee.bareSlots ?? Self.makeSlots()
        state.pointee.bareSlots = slots
        var name = name
        let (slot, found) = name.withUTF8 { text in
            let text = UnsafeRawBufferPointer(text)
            guard text.count > 1 else { return (slots, Meaning?.none) }
            let slot = slots + Int(truncatingIfNeeded: DirectFrame.hash(text) & UInt64(Self.count &- 1))
            let isKnown = Int(slot.pointee.count) == text.count && text.isStart(of: UnsafeRawPointer(slot))
            return (slot, isKnown ? slot.pointee.meaning : nil)
        }
        if let found { return found }
        let copy = name
        return name.withUTF8 { ask(copy, UnsafeRawBufferPointer($0), slot) }
    }

    /// The meaning of a name that was written before.
    func meaning(ofWritten text: UnsafeRawBufferPointer, hash: UInt64) -> Meaning {
        let name = text.contains(UInt8(ascii: "\\")) ? (try? JSON(parsing: text))?.string : nil
        return meaning(
            of: name ?? String(decoding: text[1..<text.count - 1], as: UTF8.self), as: text, hash: hash)
    }

    /// How far a member's value, as JSON text, is a secret's name.
    func naming(json text: UnsafeRawBufferPointer) -> Naming {
        state.pointee.redactor._withUnsafeGuaranteedRef { $0.naming(json: text) }
    }

    /// Whether the JSON text of a dictionary's key is a secret's name, or a short object or array with one.
    func isSecret(json text: UnsafeRawBufferPointer) -> Bool {
        guard text.count > 2 else { return false }
        guard text[0] == UInt8(ascii: "\"") else {
            guard text[0] == UInt8(ascii: "{") || text[0] == UInt8(ascii: "[") else { return false }
            if naming(json: text) != .none { return true }
            // What is below a secret name is redacted. No string holds this text, as its quotes are escaped.
            return text.contains(Redacted.text) && (try? JSON(parsing: text)).map(hasSecretCase) ?? false
        }
        let name = text.contains(UInt8(ascii: "\\")) ? (try? JSON(parsing: text))?.string : nil
        return state.pointee.redactor._withUnsafeGuaranteedRef {
            $0.isSecret(name ?? String(decoding: text[1..<text.count - 1], as: UTF8.self))
        }
    }

    /// Whether a key holds an enum's case with a secret name, which is an object's only member. The members of other
    /// structs name values of their own.
    private func hasSecretCase(_ key: JSON) -> Bool {
        switch key {
        case .object(let object):
            if object.count == 1, let only = object.first, only.value.isRedacted {
                return state.pointee.redactor._withUnsafeGuaranteedRef { $0.isSecret(only.key) }
            }
            return object.contains { hasSecretCase($0.value) }
        case .array(let elements): return elements.contains { hasSecretCase($0) }
        case .null, .bool, .number, .string: return false
        }
    }

    /// The meaning of a name while the table is not allocated yet.
    @inline(never)
    private func first(_ name: String) -> Meaning {
        state.pointee.asked += 1
        if state.pointee.asked > 64 {
            state.pointee.slots = Self.makeSlots()
        }
        return meaning(of: name)
    }

    private static func makeSlots() -> UnsafeMutablePointer<Slot> {
        let slots = UnsafeMutablePointer<Slot>.allocate(capacity: count)
        slots.initialize(repeating: Slot(), count: count)
        return slots
    }

    @inline(never)
    private func ask(_ name: String, _ text: UnsafeRawBufferPointer, _ slot: UnsafeMutablePointer<Slot>) -> Meaning {
        let meaning = meaning(of: name)
        guard text.count <= Slot.capacity else { return meaning }
        var new = Slot(count: UInt8(text.count), meaning: meaning)
        withUnsafeMutableBytes(of: &new.text) { $0.copyMemory(from: text) }
        slot.pointee = new
        return meaning
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func contains(_ part: StaticString) -> Bool {
        part.withUTF8Buffer { part in
            count >= part.count
                && (0...count - part.count).contains { start in
                    self[start] == part[0] && self[start..<start + part.count].elementsEqual(part)
                }
        }
    }

    /// Whether the bytes at an address begin with these. It compares eight at a time; the last eight may overlap those
    /// before.
    @inline(__always)
    fileprivate func isStart(of other: UnsafeRawPointer) -> Bool {
        func differ<Word: FixedWidthInteger & BitwiseCopyable>(at offset: Int, _: Word.Type) -> Bool {
            loadUnaligned(fromByteOffset: offset, as: Word.self)
                != other.loadUnaligned(fromByteOffset: offset, as: Word.self)
        }
        switch count {
        case 8...:
            var offset = 0
            while offset < count &- 8 {
                if differ(at: offset, UInt64.self) { return false }
                offset &+= 8
            }
            return !differ(at: count &- 8, UInt64.self)
        case 4...: return !differ(at: 0, UInt32.self) && !differ(at: count &- 4, UInt32.self)
        default: return !differ(at: 0, UInt16.self) && !differ(at: count &- 2, UInt16.self)
        }
    }
}
