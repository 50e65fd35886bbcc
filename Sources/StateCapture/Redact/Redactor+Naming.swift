import TapeFormat

// Names that are values: what a member `key`, `name` or `field` says.
extension Redactor {
    /// The longest name in bytes, and the most spaces in it: a longer text is prose.
    private static let (longestName, mostSpaces) = (128, 3)
    /// The longest key path, and the longest object or array that may be a name, in bytes of JSON.
    private static let (longestPath, longestTree) = (4_096, 1_024)
    /// The most members or elements of one that is a name, such as an enum's case or a path.
    private static let mostParts = 16

    /// How far a value, as JSON text, is a secret's name: a text, an enum's case, or a few of them.
    func naming(json text: UnsafeRawBufferPointer) -> Naming {
        guard let first = text.first else { return .none }
        return text.withMemoryRebound(to: UInt8.self) { text in
            switch first {
            case UInt8(ascii: "\""):
                let inner = UnsafeBufferPointer(rebasing: text[1..<text.count - 1])
                if inner.count > Self.longestPath { return .none }
                if !inner.contains(UInt8(ascii: "\\")) { return naming(text: inner) }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard text.count <= Self.longestTree,
                    words.word(in: text) != nil || text.contains(where: { $0 >= 0x80 })
                else { return .none }
            default: return .none
            }
            return (try? JSON(parsing: [UInt8](text))).map { parts(of: $0) } ?? .none
        }
    }

    func naming(of text: String) -> Naming {
        var text = text
        return text.withUTF8(naming(text:))
    }

    func naming(of value: JSON) -> Naming {
        switch value {
        case .string(let text): naming(of: text)
        case .object, .array: value.text.utf8.count <= Self.longestTree ? parts(of: value) : .none
        case .null, .bool, .number: .none
        }
    }

    private func parts(of value: JSON) -> Naming {
        switch value {
        case .string(let text): naming(of: text)
        // An enum's case is its object's only member. The members of others have values of their own.
        case .object(let object) where object.count <= Self.mostParts:
            object.reduce(.none) { max($0, object.count == 1 ? naming(of: $1.key) : .none, parts(of: $1.value)) }
        case .array(let elements) where elements.count <= Self.mostParts:
            elements.reduce(.none) { max($0, parts(of: $1)) }
        case .null, .bool, .number, .object, .array: .none
        }
    }

    private func naming(text: UnsafeBufferPointer<UInt8>) -> Naming {
        let isPath = text.first == UInt8(ascii: "\\") && text.count <= Self.longestPath
        guard isPath || text.count <= Self.longestName, !text.isUUID else { return .none }
        let naming = naming(of: text)
        // Usually it isn't a secret's.
        guard naming != .none, !isPath else { return naming }
        let isProse =
            text.count { $0 == UInt8(ascii: " ") } > Self.mostSpaces || text.contains(UInt8(ascii: "\n"))
        return isProse ? .none : naming
    }
}

extension Naming {
    /// Whether a value goes by such a name. A number may only count something: `{"key":"tokenCount","value":5}`.
    ///
    /// - Parameter first: The first byte of the value's JSON text.
    func isSecret(_ first: UInt8?) -> Bool {
        guard let first else { return false }
        return switch first {
        // A Boolean and null tell nothing.
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): false
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): self == .whole
        default: self != .none
        }
    }
}

/// What the members of one object say of each other: a member may name another, not itself.
struct SiblingNaming {
    private var first: (index: Int, naming: Naming) = (-1, .none)
    private var second = Naming.none

    var isNone: Bool { first.naming == .none }

    mutating func add(_ naming: Naming, at index: Int) {
        if naming > first.naming {
            (first, second) = ((index, naming), first.naming)
        } else {
            second = max(second, naming)
        }
    }

    /// How far the others name the member at an index.
    subscript(index: Int) -> Naming { index == first.index ? second : first.naming }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether it looks like a UUID, as ids often do.
    fileprivate var isUUID: Bool {
        count == 36 && [8, 13, 18, 23].allSatisfy { self[$0] == UInt8(ascii: "-") }
    }
}
