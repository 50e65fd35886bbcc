import TapeFormat

/// Values in a few words.
enum PreviewText {
    /// The maximum lengths, in Unicode scalars.
    private static let (maxText, maxPath) = (60, 200)
    /// The number of an object's members that are tried.
    private static let maxMembers = 32
    /// How many containers a text shows inside each other.
    private static let maxDepth = 2
    /// Members by which people know a thing.
    private static let titles = ["title", "name", "label", "text", "message", "query", "email"]
    private static let names = titles + ["id", "_0"]

    /// The most telling value of a payload; nil if it has none.
    static func payload(_ payload: JSON) -> String? {
        let payload = unwrapped(payload)
        guard let object = payload.object, !isRedacted(object), !isUnencodable(object) else { return value(payload) }
        if let title = title(object)
            ?? members(object).lazy.compactMap({ unwrapped($0.value).object.flatMap(title) }).first
        {
            return value(title)
        }
        guard let member = telling(object) else { return nil }
        return names.contains(member.key) ? value(member.value) : "\(clipped(member.key)): \(value(member.value))"
    }

    static func value(_ value: JSON) -> String {
        text(value, maxDepth)
    }

    static func path(_ path: String) -> String {
        clipped(path, maxPath)
    }

    private static func text(_ value: JSON, _ depth: Int) -> String {
        switch unwrapped(value) {
        case .null: return "null"
        case .bool(let value): return value ? "true" : "false"
        case .number(let number): return clipped(number.text)
        case .string(let text): return "\"" + clipped(text) + "\""
        case .array(let elements):
            guard let first = elements.first else { return "[]" }
            guard depth > 0 else { return "[…]" }
            return "[\(text(first, depth - 1))\(elements.count > 1 ? ", +\(elements.count - 1)" : "")]"
        case .object(let object):
            if object.isEmpty { return "{}" }
            if isRedacted(object) { return "secret" }
            if isUnencodable(object) { return "not encodable" }
            guard depth > 0, let member = telling(object) else { return "{…}" }
            return "{\(clipped(member.key)): \(text(member.value, depth - 1))\(object.count > 1 ? ", …" : "")}"
        }
    }

    /// The member that says most about an object: a name, else a scalar, else any.
    private static func telling(_ object: JSON.Object) -> JSON.Object.Member? {
        let members = members(object)
        let scalars = members.filter { isScalar($0.value) }
        return names.lazy.compactMap { name in scalars.first { $0.key == name } }.first
            ?? scalars.first ?? members.first { !$0.value.isNull } ?? members.first
    }

    /// The value by which people know an object, without its id.
    private static func title(_ object: JSON.Object) -> JSON? {
        let members = members(object)
        return titles.lazy.compactMap { name in members.first { $0.key == name && isScalar($0.value) }?.value }.first
    }

    private static func members(_ object: JSON.Object) -> [JSON.Object.Member] {
        Array(object.lazy.filter { !isIndex($0.key) }.prefix(maxMembers))
    }

    /// The value inside an enum case's only, unnamed value.
    private static func unwrapped(_ value: JSON) -> JSON {
        var value = value
        while let object = value.object, object.count == 1, object[0].key == "_0" { value = object[0].value }
        return value
    }

    private static func isScalar(_ value: JSON) -> Bool {
        value.array == nil && value.object == nil && !value.isNull
    }

    private static func isRedacted(_ object: JSON.Object) -> Bool {
        object.count == 1 && object[0].key == "$redacted"
    }

    private static func isUnencodable(_ object: JSON.Object) -> Bool {
        object.count == 1 && object[0].key == "$unencodable" && object[0].value.string != nil
    }

    private static func isIndex(_ key: String) -> Bool {
        !key.isEmpty && key.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }

    /// The start of a text, in one line.
    private static func clipped(_ text: String, _ most: Int = maxText) -> String {
        let start = text.unicodeScalars.prefix(most + 1)
        let line = start.prefix(most).map { $0.value < 0x20 || $0.value == 0x7F ? " " : String($0) }
        return line.joined() + (start.count > most ? "…" : "")
    }
}
