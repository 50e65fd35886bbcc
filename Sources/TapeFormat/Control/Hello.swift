/// The app's first line: the header, and what the link needs beside it.
public struct Hello: Sendable, Equatable {
    public var header: Header
    /// 128 random bits made with the session: whoever shows the same may go on with it.
    public var key: String
    /// The lowest seq that the app still holds, or the next that it will assign.
    public var next: Int
    /// Not yet welcomed, and launched less than 5 s ago: only such a run is given a start.
    public var fresh: Bool
    /// The longest message that the app can receive, in bytes.
    public var maxMessage: Int?
    public var token: String?
    /// The session of a process that died, sent by the next launch: no start, push or control for it.
    public var recovered: Bool
    /// Counts the session's connections: of two, the one with the higher number is the newer, whichever comes first.
    public var attempt: Int?
    /// How the app can compress what it sends, e.g. `deflate`.
    public var compress: [String]

    public init(
        header: Header, key: String, next: Int, fresh: Bool, maxMessage: Int? = nil, token: String? = nil,
        recovered: Bool = false, attempt: Int? = nil, compress: [String] = []
    ) {
        self.header = header
        self.key = key
        self.next = next
        self.fresh = fresh
        self.maxMessage = maxMessage
        self.token = token
        self.recovered = recovered
        self.attempt = attempt
        self.compress = compress
    }

    init(_ json: JSON) throws(FormatError) {
        let members = try Members(json, "“hello”")
        var header = members.object
        for member in Hello.members { header[member] = nil }
        self.header = try Header(.object(header))
        key = try members.string("key")
        next = try members.count("next")
        fresh = try members.optionalBool("fresh") ?? false
        maxMessage = try members.optionalCount("maxMessage")
        token = try members.optionalString("token")
        recovered = try members.optionalBool("recovered") ?? false
        attempt = try members.optionalCount("attempt")
        compress = try members.strings("compress")
    }

    private static let members = [
        "key", "next", "fresh", "maxMessage", "token", "recovered", "attempt", "compress",
    ]

    var json: JSON {
        var object = header.json.object ?? JSON.Object()
        object["key"] = .string(key)
        object["next"] = .int(next)
        object["fresh"] = .bool(fresh)
        object["maxMessage"] = maxMessage.map(JSON.int)
        object["token"] = token.map(JSON.string)
        if recovered { object["recovered"] = true }
        object["attempt"] = attempt.map(JSON.int)
        if !compress.isEmpty { object["compress"] = .strings(compress) }
        return .object(object)
    }
}
