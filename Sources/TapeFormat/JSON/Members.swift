/// Reads the members of an object into values, with errors that name object and member.
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

    /// A member that may be missing or null.
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
        // Up to the position behind the last that there may be.
        json.int.flatMap { 0...Limits.seq + 1 ~= $0 ? $0 : nil }
    }
}

extension JSON {
    /// An object of the members that are not nil.
    static func members(_ members: (String, JSON?)...) -> JSON {
        .object(JSON.Object(members.compactMap { name, value in value.map { (name, $0) } }))
    }

    /// An integer.
    static func int(_ value: Int) -> JSON { .number(Number(value)) }

    static func strings(_ values: [String]) -> JSON { .array(values.map(JSON.string)) }
}
