/// A value or a nested container that is being written.
struct DirectFrame {
    typealias Pointer = UnsafeMutablePointer<DirectFrame>

    /// The kind of the value so far.
    enum Kind: UInt8 {
        case nothing
        case scalar
        case keyed
        case unkeyed
    }

    /// A position to return to when a value throws.
    struct Mark {
        var count: Int
        var entries: Int
        var elements: Int
        var written: Int
        var lastPiece: Pointer?
    }

    /// A member's key, which stays at its address while the member's value is encoded.
    struct Key {
        private let address: UnsafeRawPointer
        private let type: any CodingKey.Type

        @inline(__always)
        init<Known: CodingKey>(at address: UnsafePointer<Known>) {
            self.address = UnsafeRawPointer(address)
            type = Known.self
        }

        var codingKey: any CodingKey { type.key(at: address) }
    }

    /// Distinguishes the nodes of this use of the frame from those that outlived an earlier one; 0 while none may
    /// write.
    var serial = 0
    private(set) var page: UnsafeMutablePointer<DirectPage>
    private(set) var parent: Pointer?
    /// The key of a value, or the own key of a nested container, which outlives the call with the key; nil in an array.
    var key: Key?
    var ownKey: (any CodingKey)?
    /// The index among the parent's elements, and the depth among all values.
    var index = 0
    var depth = 0
    var kind = Kind.nothing
    /// Whether the value is a `Set` or a `Dictionary`, whose elements are sorted, or may be alternating keys and
    /// values.
    var collection = Leaf.none
    /// Whether a single value was encoded into it. After that, only a container may continue it.
    var isFull = false
    /// Whether a key may repeat, and whether a key has an escape.
    var mayRepeatKeys = false
    var hasEscapedKeys = false
    /// What the members written so far mean: a name and a value are a pair.
    private(set) var meanings: Redactor.Meaning = []
    /// Whether the slice left out the latest member although its value may be another's name; and what those left out
    /// so far say.
    var isNameLeftOut = false
    private(set) var leftOutNaming = Naming.none
    /// Where its bytes and its entries start.
    var start = 0
    private(set) var firstEntry = 0
    /// The number of encoded elements, and the number of written members and elements.
    var count = 0
    var written = 0
    /// Where the latest key starts, among alternating keys and values.
    private var keyStart = 0
    /// A bit for each written key, by its hash.
    private var seen: UInt64 = 0
    var slice: Slice?
    /// The slice of the latest member or element.
    private(set) var below: Slice?

    /// The detached frames of nested containers and superclasses, in the order of their places.
    var firstPiece: Pointer?
    var lastPiece: Pointer?
    /// Whether values that throw are written as markers: the value whose frame this is doesn't catch their errors.
    var writesMarkers = false

    /// As a piece: the next piece, the place where the parent's bytes are cut for it, and whether a slice leaves it
    /// out.
    var isPiece = false
    var next: Pointer?
    var place = 0
    var isLeftOut = false
    /// Whether a piece that is left out may be another member's name.
    var isLeftOutName = false

    init(page: UnsafeMutablePointer<DirectPage>) {
        self.page = page
    }

    /// Begins a new use. Field by field: most of them cost nothing.
    mutating func begin(_ serial: Int, page: UnsafeMutablePointer<DirectPage>, parent: Pointer?) {
        self.serial = serial
        self.page = page
        self.parent = parent
        kind = .nothing
        collection = .none
        isFull = false
        mayRepeatKeys = false
        hasEscapedKeys = false
        meanings = []
        isNameLeftOut = false
        leftOutNaming = .none
        start = page.pointee.bytes.count
        firstEntry = page.pointee.entryCount
        count = 0
        written = 0
        seen = 0
        firstPiece = nil
        lastPiece = nil
        next = nil
        depth = 0
        key = nil
        writesMarkers = false
        isPiece = false
        if slice != nil { slice = nil }
        guard let parent else { return }
        depth = parent.pointee.depth &+ 1
        index = parent.pointee.count &- 1
        if parent.pointee.slice != nil { slice = parent.pointee.below }
    }

    /// Begins a container.
    mutating func open(_ kind: Kind) {
        self.kind = kind
        page.pointee.bytes.append(kind == .keyed ? UInt8(ascii: "{") : UInt8(ascii: "["))
    }

    /// Notes the type of a container's keys.
    @inline(__always)
    mutating func sortMembers(by key: ObjectIdentifier, _ state: UnsafeMutablePointer<DirectEncoder.State>) {
        if key == state.pointee.dictionaryKey {
            collection = .dictionary
        } else if collection == .dictionary, state.pointee.dictionaryKey == nil {
            state.pointee.dictionaryKey = key
        }
    }

    /// Begins a member; the caller appends its value next.
    /// - Returns: Nil if a slice leaves the member out, if it is secret and already written as ``Redacted``, or if the
    ///   text is over its limit.
    @inline(__always)
    mutating func member(_ key: String) -> BorrowedBytes? {
        var isSecret = false
        if let slice, !admits(slice.member(key), &isSecret) {
            noteLeftOut(key)
            return nil
        }
        let bytes = page.pointee.bytes
        if bytes.isOverLimit { return nil }
        if written > 0 { bytes.append(UInt8(ascii: ",")) }
        written &+= 1
        let start = bytes.count
        bytes.append(quoted: key)
        let meaning = note(key, at: start)
        meanings.formUnion(meaning)
        if !meaning.isDisjoint(with: [.secret, .escaped]) {
            if meaning.contains(.secret) { isSecret = true } else { escape(key, at: start) }
        }
        bytes.append(UInt8(ascii: ":"))
        return isSecret ? redacted() : bytes
    }

    /// Begins an element; the caller appends its value next.
    /// - Returns: Nil if a slice leaves the element out, if it is secret and already written as ``Redacted``, or if the
    ///   text is over its limit.
    @inline(__always)
    mutating func element() -> BorrowedBytes? {
        count &+= 1
        var isSecret = false
        if let slice, !admits(slice.element, &isSecret) { return nil }
        let bytes = page.pointee.bytes
        if bytes.isOverLimit { return nil }
        if written > 0 { bytes.append(UInt8(ascii: ",")) }
        written &+= 1
        if collection != .none, noteElement() { isSecret = true }
        return isSecret ? redacted() : bytes
    }

    /// Notes a member that the slice leaves out.
    @inline(never)
    private mutating func noteLeftOut(_ key: String) {
        var meaning = page.pointee.names.meaning(ofBare: key)
        if collection == .dictionary { meaning = meaning.inDictionary(key) }
        isNameLeftOut = meaning.contains(.name)
        meanings.formUnion(meaning.intersection(.name))
    }

    mutating func noteLeftOut(_ naming: Naming) { leftOutNaming = max(leftOutNaming, naming) }

    private mutating func admits(_ part: Slice.Part, _ isSecret: inout Bool) -> Bool {
        switch part {
        case .all: below = nil
        case .none: return false
        case .redacted: isSecret = true
        case .some(let slice): below = slice
        }
        return true
    }

    @inline(never)
    private mutating func redacted() -> BorrowedBytes? {
        isNameLeftOut = false
        page.pointee.bytes.append(Redacted.text)
        return nil
    }

    /// Rewrites the latest key in the escaped form of the tape.
    @inline(never)
    private mutating func escape(_ key: String, at start: Int) {
        page.pointee.bytes.truncate(to: start)
        page.pointee.bytes.append(quoted: Redacted.escaped(key))
        page.pointee.endKey(at: page.pointee.bytes.count)
    }

    @inline(__always)
    private mutating func note(_ key: String, at start: Int) -> NameTable.Meaning {
        let bytes = page.pointee.bytes
        let end = bytes.count
        let hash = bytes.withBytes(start..<end) { Self.hash($0) }
        page.pointee.append(DirectPage.Entry(start: start, keyEnd: end, end: end, hash: hash))
        if end &- start != key.utf8.count &+ 2 { hasEscapedKeys = true }
        // Sorting compares a dictionary's members.
        guard collection != .dictionary else { return page.pointee.names.meaning(of: key).inDictionary(key) }
        let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: hash >> 58)
        if seen & bit != 0, !mayRepeatKeys { mayRepeatKeys = written > 64 || page.pointee.hasTwice(hash, firstEntry) }
        seen |= bit
        return bytes.withBytes(start..<end) { page.pointee.names.meaning(of: key, as: $0, hash: hash) }
    }

    /// - Returns: Whether the element is the value of a key that names a secret.
    private mutating func noteElement() -> Bool {
        let bytes = page.pointee.bytes
        let start = bytes.count
        if collection != .set, written & 1 == 0 {
            if collection == .dictionary { page.pointee.endKey(at: start &- 1) }
            return bytes.withBytes(keyStart..<start &- 1) {
                (collection != .named || $0.first == UInt8(ascii: "\"")) && page.pointee.names.isSecret(json: $0)
            }
        }
        keyStart = start
        if collection != .pairs, collection != .named {
            page.pointee.append(DirectPage.Entry(start: start, keyEnd: start, end: start, hash: 0))
        }
        return false
    }

    /// The hash of a key between quotes. It only affects how often keys are compared.
    @inline(__always)
    static func hash(_ key: UnsafeRawBufferPointer) -> UInt64 {
        let (first, last): (UInt64, UInt64) =
            switch key.count {
            case 8...: (key.word(at: 0, UInt64.self), key.word(at: key.count &- 8, UInt64.self))
            case 4...: (key.word(at: 0, UInt32.self), key.word(at: key.count &- 4, UInt32.self))
            default: (key.word(at: 0, UInt16.self), 0)
            }
        let mixed = (first &* 0x9e37_79b9_7f4a_7c15) ^ (last &+ UInt64(truncatingIfNeeded: key.count))
        return (mixed ^ (mixed >> 32)) &* 0xd6e8_feb8_6659_fd93
    }
}

// On the pointer, because `pointee`'s own getters would receive a copy of the whole frame.
extension DirectFrame.Pointer {
    @inline(__always) var bytes: BorrowedBytes { pointee.page.pointee.bytes }

    /// The frame's current position.
    @inline(__always) var mark: DirectFrame.Mark {
        DirectFrame.Mark(
            count: bytes.count, entries: pointee.page.pointee.entryCount, elements: pointee.count,
            written: pointee.written, lastPiece: pointee.lastPiece)
    }

    /// The keys that lead to the frame's value.
    var path: [any CodingKey] {
        var path: [any CodingKey] = []
        var frame = self
        while let parent = frame.pointee.parent {
            path.append(frame.pointee.key?.codingKey ?? frame.pointee.ownKey ?? DirectKey(index: frame.pointee.index))
            frame = parent
        }
        return path.reversed()
    }
}

extension CodingKey {
    fileprivate static func key(at address: UnsafeRawPointer) -> any CodingKey {
        address.assumingMemoryBound(to: Self.self).pointee
    }
}

extension UnsafeRawBufferPointer {
    @inline(__always)
    fileprivate func word<Word: FixedWidthInteger & BitwiseCopyable>(at offset: Int, _: Word.Type) -> UInt64 {
        UInt64(truncatingIfNeeded: loadUnaligned(fromByteOffset: offset, as: Word.self))
    }
}

/// The key of an array's element or of a superclass, named as in Foundation's encoder.
struct DirectKey: CodingKey {
    static let superclass = DirectKey("super")

    let stringValue: String
    let intValue: Int?

    init(index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }

    private init(_ text: String) {
        stringValue = text
        intValue = nil
    }

    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { self.init(index: intValue) }
}
