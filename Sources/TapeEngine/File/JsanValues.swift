import TapeFormat

/// Resolves what the library jsan writes in place of values that JSON can't hold. The Redux DevTools use it if the app sets
/// `serialize`, and for states with cycles.
///
/// `{"$jsan":"$.a[0]"}` refers to another place of the same text, `{"$jsan":"d1700000000000"}` is a date; an app's own member
/// `$jsan` is written `{"$jsan":[value]}`. The result is what `JSON.stringify` would make of the app's values.
struct JsanValues {
    private struct Resolved {
        /// Nil for undefined.
        var json: JSON?
        /// The approximate size of the JSON text, in bytes.
        var size = 0
        /// Levels of nesting, and of references to references.
        var height = 0

        /// Takes an inner value, with the bytes that it needs beside its own.
        mutating func take(_ inner: Resolved, _ more: Int) {
            // References to references may double it each time.
            size = min(size + inner.size + more, maxBytes + 1)
            height = max(height, inner.height + 1)
        }
    }

    /// The places that are open: the value at the first `base` tokens of `path`, and everything between.
    private struct Segment {
        let base: Int
        var path: [String]
    }

    static let key = "$jsan"
    /// Levels of nesting; a line of the tape adds two.
    private static let maxDepth = Limits.nesting - 2
    /// The approximate maximum size of all values, in bytes: each of a thousand states may refer to the same large value.
    private static let maxBytes = 256 << 20
    /// The maximum number of values that references lead to.
    private static let maxSteps = 16_000_000

    private let root: JSON
    private let isUsed: Bool
    private var segments: [Segment] = []
    /// The targets of references, by their pointers.
    private var known: [UTF8Text: Resolved] = [:]
    /// Find the members of large objects, by the objects' pointers.
    private var finders: [UTF8Text: (String) -> Int?] = [:]
    private var isTooDeep = false
    private var bytes = 0
    private var steps = 0
    /// A value that JSON can't hold.
    private(set) var lost: String?
    /// A reference that stays as it is.
    private(set) var kept: String?

    /// - Parameter root: The whole text, to which references refer.
    init(_ root: JSON) {
        self.root = root
        isUsed = Self.isUsed(in: root)
    }

    private static func isUsed(in json: JSON) -> Bool {
        switch json {
        case .array(let elements): elements.contains(where: isUsed)
        case .object(let object): object.contains { $0.key.hasSameUTF8(as: key) || isUsed(in: $0.value) }
        default: false
        }
    }

    /// The value of a place in the text; nil for undefined.
    ///
    /// - Throws: ``TooLarge`` if the references lead to too many or too large values.
    mutating func value(_ json: JSON, at path: [String]) throws -> JSON? {
        guard isUsed else { return json }
        segments = [Segment(base: path.count, path: path)]
        let result = try resolve(json, 0)
        isTooDeep = false
        bytes += result.size
        guard bytes <= Self.maxBytes else {
            throw TooLarge("With its references resolved, the file has more than \(Self.maxBytes >> 20) MiB of states.")
        }
        return result.json
    }

    private mutating func resolve(_ json: JSON, _ depth: Int) throws -> Resolved {
        steps += 1
        guard steps <= Self.maxSteps else {
            throw TooLarge("The references in the file lead to more than \(Self.maxSteps) values.")
        }
        guard depth < Self.maxDepth || segments.count == 1 else {
            isTooDeep = true
            return Self.leaf(.null)
        }
        switch json {
        case .array(let elements):
            var (result, values) = (Resolved(size: 2), [JSON]())
            values.reserveCapacity(elements.count)
            for (index, element) in elements.enumerated() {
                let inner = try resolve(element, below: String(index), depth)
                values.append(inner.json ?? .null)
                result.take(inner, 1)
            }
            result.json = .array(values)
            return result
        case .object(let object):
            if object.count == 1, let code = object[Self.key]?.string { return try coded(code, json, depth) }
            var (result, members) = (Resolved(size: 2), [(String, JSON)]())
            members.reserveCapacity(object.count)
            for member in object {
                let inner = try resolve(Self.unescaped(member), below: member.key, depth)
                guard let value = inner.json else { continue }
                members.append((member.key, value))
                result.take(inner, member.key.utf8.count + 4)
            }
            result.json = .object(JSON.Object(members))
            return result
        default: return Self.leaf(json)
        }
    }

    private mutating func resolve(_ json: JSON, below token: String, _ depth: Int) throws -> Resolved {
        let last = segments.count - 1
        segments[last].path.append(token)
        let result = try resolve(json, depth + 1)
        segments[last].path.removeLast()
        return result
    }

    private static func leaf(_ json: JSON) -> Resolved {
        let size =
            switch json {
            case .string(let text): text.utf8.count + 2
            case .number(let number): number.text.utf8.count
            default: 4
            }
        return Resolved(json: json, size: size)
    }

    private static func unescaped(_ member: JSON.Object.Member) -> JSON {
        guard member.key.hasSameUTF8(as: key), case .array(let one) = member.value, one.count == 1 else {
            return member.value
        }
        return one[0]
    }

    // MARK: Members of that name

    /// Whether JSON text may have such a member.
    static func isUsed(in text: ArraySlice<UInt8>) -> Bool {
        let name = Array("\"$jsan\"".utf8)
        return text.indices.dropLast(name.count - 1).contains { text[$0] == name[0] && text[$0...].starts(with: name) }
    }

    /// The value with each member `$jsan` as jsan writes an app's own.
    static func escaped(_ json: JSON) -> JSON {
        switch json {
        case .array(let elements): .array(elements.map(escaped))
        case .object(let object):
            .object(
                JSON.Object(
                    object.map { member in
                        let value = escaped(member.value)
                        return (member.key, member.key.hasSameUTF8(as: key) ? .array([value]) : value)
                    }))
        default: json
        }
    }

    // MARK: Codes

    private mutating func coded(_ code: String, _ json: JSON, _ depth: Int) throws -> Resolved {
        let rest = code.utf8.dropFirst()
        switch code.utf8.first {
        case UInt8(ascii: "$"): return try reference(code, json, depth)
        case UInt8(ascii: "d"):
            if rest.elementsEqual("NaN".utf8) { return Self.leaf(.null) }
            // More digits than a time has make an `Int` of another text.
            guard let time = Int(Substring(rest)), String(time).utf8.elementsEqual(rest) else { return Self.leaf(json) }
            return Self.leaf(JavaScriptDate.text(time).map(JSON.string) ?? .null)
        case UInt8(ascii: "u") where rest.isEmpty: return Resolved()
        case UInt8(ascii: "n") where rest.isEmpty,
            UInt8(ascii: "i") where rest.isEmpty,
            UInt8(ascii: "y") where rest.isEmpty:
            addLost()
            return Self.leaf(.null)
        case UInt8(ascii: "f"), UInt8(ascii: "s"), UInt8(ascii: "g"):
            addLost()
            return Resolved()
        case UInt8(ascii: "e"),
            UInt8(ascii: "r") where rest.contains(UInt8(ascii: ",")),
            UInt8(ascii: "m") where rest.first == UInt8(ascii: "["),
            UInt8(ascii: "l") where rest.first == UInt8(ascii: "["):
            addLost()
            return Resolved(json: [:], size: 2)
        default: return Self.leaf(json)
        }
    }

    private mutating func reference(_ code: String, _ json: JSON, _ depth: Int) throws -> Resolved {
        steps += segments.count
        guard let path = Self.path(code), let target = find(path), !isOpen(path) else { return keep(json) }
        let name = UTF8Text(Pointer(path).description)
        if known[name] == nil {
            segments.append(Segment(base: path.count, path: path))
            let result = try resolve(target, depth + 1)
            segments.removeLast()
            if isTooDeep {
                isTooDeep = false
                return keep(json)
            }
            known[name] = result
        }
        guard var result = known[name], depth + 1 + result.height < Self.maxDepth else { return keep(json) }
        result.height += 1
        return result
    }

    /// Whether the place contains this one.
    private func isOpen(_ path: [String]) -> Bool {
        segments.contains { segment in
            segment.base <= path.count && path.count <= segment.path.count
                && zip(path, segment.path).allSatisfy { $0.hasSameUTF8(as: $1) }
        }
    }

    private mutating func find(_ path: [String]) -> JSON? {
        var (value, place) = (root, "")
        for token in path {
            switch value {
            case .array(let elements):
                guard let index = Int(token), String(index) == token, elements.indices.contains(index) else {
                    return nil
                }
                value = elements[index]
            case .object(let object):
                let find = finders[UTF8Text(place)] ?? object.finder()
                if object.count > 16 { finders[UTF8Text(place)] = find }
                guard let position = find(token) else { return nil }
                value = Self.unescaped(object[position])
            default: return nil
            }
            place += "/" + Pointer.escape(token)
        }
        return value
    }

    /// The tokens of a path such as `$.todos[0]["a key"]`; nil for another text.
    static func path(_ text: String) -> [String]? {
        var rest = text.utf8.dropFirst()
        var tokens: [String] = []
        func isWord(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "_") || isDigit(byte) || 97...122 ~= byte | 0x20 }
        func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
        while let first = rest.popFirst() {
            var token = rest.prefix(while: first == UInt8(ascii: ".") ? isWord : isDigit)
            var end = token.endIndex
            switch first {
            case UInt8(ascii: "."): break
            case UInt8(ascii: "["):
                if token.isEmpty {
                    guard let string = string(rest) else { return nil }
                    (token, end) = (string, string.endIndex)
                }
                guard end < rest.endIndex, rest[end] == UInt8(ascii: "]") else { return nil }
                end = rest.index(after: end)
            default: return nil
            }
            guard let name = token.first == UInt8(ascii: "\"") ? try? JSON(parsing: token).string : String(token),
                !token.isEmpty, tokens.count < Limits.nesting
            else { return nil }
            tokens.append(name)
            rest = rest[end...]
        }
        return tokens
    }

    /// The JSON string at the beginning, with its quotes.
    private static func string(_ text: Substring.UTF8View) -> Substring.UTF8View? {
        guard text.first == UInt8(ascii: "\"") else { return nil }
        var index = text.index(after: text.startIndex)
        while index < text.endIndex {
            let byte = text[index]
            index = text.index(after: index)
            if byte == UInt8(ascii: "\"") { return text[..<index] }
            if byte == UInt8(ascii: "\\"), index < text.endIndex { index = text.index(after: index) }
        }
        return nil
    }

    // MARK: Notes

    private mutating func keep(_ json: JSON) -> Resolved {
        kept = least(kept)
        return Self.leaf(json)
    }

    private mutating func addLost() {
        lost = least(lost)
    }

    /// The place here, or an earlier one in the order of the text: the page may meet them in another order.
    private func least(_ other: String?) -> String {
        let here = Pointer(segments.last?.path ?? []).description
        return other.map { $0.utf16.lexicographicallyPrecedes(here.utf16) ? $0 : here } ?? here
    }
}
