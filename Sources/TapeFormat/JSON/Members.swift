/// Reads the members of an object; its errors name the object and the member.
struct Members {
    let object: JSON.Object
    let name: String

    init(_ json: JSON?, _ name: String) throws(FormatError) {
        guard let object = json?.object else { throw FormatError("\(name) must be an object") }
        self.object = object
        self.name = name
    }

    func required<Value>(
        _ member: String, _ what: String, _ read: (JSON) -> Value?
    ) throws(FormatError) -> Value {
        guard let value = try optional(member, what, read) else { throw .missing(member, in: name) }
        return value
    }

    /// Reads a member that may be missing or null.
    func optional<Value>(
        _ member: String, _ what: String, _ read: (JSON) -> Value?
    ) throws(FormatError) -> Value? {
        guard let json = object[member], !json.isNull else { return nil }
        guard let value = read(json) else { throw .expected(what, for: member, in: name) }
        return value
    }

    func string(_ member: String) throws(FormatError) -> String { try required(member, "a string", \.string) }
    func optionalString(_ member: String) throws(FormatError) -> String? { try optional(member, "a string", \.string) }
    func optionalBool(_ member: String) throws(FormatError) -> Bool? { try optional(member, "true or false", \.bool) }

    func count(_ member: String) throws(FormatError) -> Int {
        try required(member, "a whole number, 0 or more", Members.whole)
    }

    func optionalCount(_ member: String) throws(FormatError) -> Int? {
        try optional(member, "a whole number, 0 or more", Members.whole)
    }

    func strings(_ member: String) throws(FormatError) -> [String] {
        try optional(member, "an array of strings") { json in
            guard let elements = json.array else { return nil }
            let strings = elements.compactMap(\.string)
            return strings.count == elements.count ? strings : nil
        } ?? []
    }

    private static func whole(_ json: JSON) -> Int? {
        // The seq after the last possible event is valid, too.
        json.int.flatMap { 0...Limits.seq + 1 ~= $0 ? $0 : nil }
    }
}

extension JSON {
    /// Makes an object from the members whose values aren't nil.
    static func members(_ members: (String, JSON?)...) -> JSON {
        .object(JSON.Object(members.compactMap { name, value in value.map { (name, $0) } }))
    }

    static func int(_ value: Int) -> JSON { .number(Number(value)) }

    static func strings(_ values: [String]) -> JSON { .array(values.map(JSON.string)) }
}
