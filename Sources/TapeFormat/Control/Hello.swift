/// The app's first line: the header, and parameters of the connection.
public struct Hello: Sendable, Equatable {
    public var header: Header
    /// 128 random bits, made with the session. Only a client with the same key may continue the session.
    public var key: String
    /// The lowest seq that the app still has, or the next one that it will assign.
    public var next: Int
    /// Whether the app launched less than 5 s ago and has received no `welcome`. Only then it gets a launch state.
    public var fresh: Bool
    /// The maximum size of a message that the app accepts, in bytes.
    public var maxMessage: Int?
    public var token: String?
    /// Whether the session is from a crashed process, and the next launch sends it. It gets no launch state, push or
    /// control line.
    public var recovered: Bool
    /// The number of the session's connection; the connection with the highest number is the newest.
    public var attempt: Int?
    /// The id of the archive that has recorded the session so far. A server with another one takes nothing.
    public var archive: String?
    /// The compression methods that the app supports, such as `deflate`.
    public var compress: [String]

    public init(
        header: Header, key: String, next: Int, fresh: Bool, maxMessage: Int? = nil, token: String? = nil,
        recovered: Bool = false, attempt: Int? = nil, archive: String? = nil, compress: [String] = []
    ) {
        self.header = header
        self.key = key
        self.next = next
        self.fresh = fresh
        self.maxMessage = maxMessage
        self.token = token
        self.recovered = recovered
        self.attempt = attempt
        self.archive = archive
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
        archive = try members.optionalString("archive")
        compress = try members.strings("compress")
    }

    private static let members = [
        "key", "next", "fresh", "maxMessage", "token", "recovered", "attempt", "archive", "compress",
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
        object["archive"] = archive.map(JSON.string)
        if !compress.isEmpty { object["compress"] = .strings(compress) }
        return .object(object)
    }
}
