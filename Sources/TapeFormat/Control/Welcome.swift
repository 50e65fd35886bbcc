/// The server's answer to `hello`.
public struct Welcome: Sendable, Equatable {
    /// The launch state of an app.
    public struct Start: Sendable, Equatable {
        /// How an app launches.
        public struct Mode: WireWord {
            /// In one state.
            public static let state = Mode("state")
            /// In a state, with recorded actions that follow.
            public static let replay = Mode("replay")
            /// In the last state of the app's last session.
            public static let latest = Mode("latest")

            public let rawValue: String

            public init(rawValue: String) {
                self.rawValue = rawValue
            }
        }

        public var id: String
        public var mode: Mode
        /// The states by store.
        public var states: [String: JSON]

        /// Whether the server then sends recorded actions to replay.
        public var isReplay: Bool { mode == .replay }

        public init(id: String, mode: Mode, states: [String: JSON]) {
            self.id = id
            self.mode = mode
            self.states = states
        }
    }

    public var session: String
    /// The server has all events before this seq.
    public var have: Int
    /// The name and version of the server.
    public var server: String
    /// The id of the server's archive. Servers that share a database, and copies of an archive, have the same one.
    public var archive: String?
    /// Whether the server belongs to one command, such as `statetape run`: it takes no recordings that were made for
    /// another archive.
    public var isPrivate: Bool
    /// The maximum size of a message that the server accepts, in bytes.
    public var maxMessage: Int
    public var recording: Bool
    public var locked: Bool
    /// The accepted method of `hello.compress`; nil: no compression.
    public var compress: String?
    /// The launch state; only for a fresh launch of which the server has no events.
    public var start: Start?

    public init(
        session: String, have: Int, server: String, archive: String? = nil, isPrivate: Bool = false,
        maxMessage: Int = Limits.line, recording: Bool = true, locked: Bool = false, compress: String? = nil,
        start: Start? = nil
    ) {
        self.session = session
        self.have = have
        self.server = server
        self.archive = archive
        self.isPrivate = isPrivate
        self.maxMessage = maxMessage
        self.recording = recording
        self.locked = locked
        self.compress = compress
        self.start = start
    }

    init(_ members: Members) throws(FormatError) {
        session = try members.string("session")
        have = try members.count("have")
        server = try members.optionalString("server") ?? ""
        archive = try members.optionalString("archive")
        isPrivate = try members.optionalBool("private") ?? false
        maxMessage = try members.optionalCount("maxMessage") ?? Limits.line
        recording = try members.optionalBool("recording") ?? true
        locked = try members.optionalBool("locked") ?? false
        compress = try members.optionalString("compress")
        start = try members.optional("start", "an object") { $0 }.map { (json) throws(FormatError) in
            try Start(Members(json, "“start” of “welcome”"))
        }
    }

    var json: JSON {
        .members(
            ("session", .string(session)), ("have", .int(have)), ("server", .string(server)),
            ("archive", archive.map(JSON.string)), ("private", isPrivate ? true : nil),
            ("maxMessage", .int(maxMessage)), ("recording", .bool(recording)), ("locked", .bool(locked)),
            ("compress", compress.map(JSON.string)), ("start", start?.json))
    }
}

extension Welcome.Start {
    fileprivate init(_ members: Members) throws(FormatError) {
        id = try members.string("id")
        mode = Mode(try members.string("mode"))
        let object = try members.optional("states", "an object", \.object) ?? JSON.Object()
        states = Dictionary(object.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    }

    fileprivate var json: JSON {
        .members(("id", .string(id)), ("mode", .string(mode.rawValue)), ("states", Header.sorted(states)))
    }
}
