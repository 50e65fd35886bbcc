/// The first line of a tape: describes the app, the device and the session.
public struct Header: Sendable, Equatable {
    /// The app that ran.
    public struct App: Sendable, Equatable {
        /// The bundle identifier.
        public var id: String
        public var name: String?
        public var version: String?
        public var build: String?

        public init(id: String, name: String? = nil, version: String? = nil, build: String? = nil) {
            self.id = id
            self.name = name
            self.version = version
            self.build = build
        }
    }

    /// The device that the app ran on.
    public struct Device: Sendable, Equatable {
        /// An id that the recorder makes once per installation.
        public var id: String?
        public var name: String?
        public var model: String?
        public var os: String?
        /// The name that people gave the device on a server, in an exported tape.
        public var nickname: String?

        public init(
            id: String? = nil, name: String? = nil, model: String? = nil, os: String? = nil, nickname: String? = nil
        ) {
            self.id = id
            self.name = name
            self.model = model
            self.os = os
            self.nickname = nickname
        }
    }

    /// The Swift types of a store, with their modules, as source code has them: `Shop.Cart<Swift.Int>.State`, and
    /// `any Shop.Action` for a protocol. In `Shop.(private).State`, `(private)` stands for a file or a function that hides
    /// the type.
    public struct StoreTypes: Sendable, Equatable {
        public var state: String
        public var action: String
        /// The types of the actions, if they are behind a protocol.
        public var decoding: [String]

        public init(state: String, action: String, decoding: [String] = []) {
            self.state = state
            self.action = action
            self.decoding = decoding
        }

        /// - Returns: Nil for other JSON, which other recorders may have under the same name.
        package init?(_ json: JSON) {
            guard let state = json["state"]?.string, let action = json["action"]?.string else { return nil }
            self.init(state: state, action: action, decoding: json["decoding"]?.array?.compactMap(\.string) ?? [])
        }

        package var json: JSON {
            .members(
                ("state", .string(state)), ("action", .string(action)),
                ("decoding", decoding.isEmpty ? nil : .strings(decoding)))
        }
    }

    /// The version of the format; this module supports only 1.
    public var tape = 1
    /// The session's id: 10 to 64 letters, digits, `-` and `_`. A recorder makes a ULID at launch.
    public var session: String
    public var app: App
    public var device: Device?
    /// The time of the launch in ISO 8601, by the device's clock.
    public var started: String
    /// The stores that the app expects to attach, as a hint.
    public var stores: [String]
    /// The types of the stores that were attached when the recorder wrote the header. A later one has them on its `init`.
    public var types: [String: StoreTypes] = [:]
    /// The module that a test of the app imports.
    public var target: String?
    public var labels: [String: String]
    /// The name and version of the recorder.
    public var recorder: String?
    /// The name that people gave the session on a server, in an exported tape.
    public var title: String?
    /// The first seq, for a part of a longer tape.
    public var from: Int?
    /// The stores' states before the first event, for a part of a longer tape.
    public var states: [String: JSON]?
    /// Members that this version doesn't know, unchanged.
    private var others = JSON.Object()

    public init(
        session: String, app: App, device: Device? = nil, started: String, stores: [String] = [],
        labels: [String: String] = [:], recorder: String? = nil, from: Int? = nil, states: [String: JSON]? = nil
    ) {
        self.session = session
        self.app = app
        self.device = device
        self.started = started
        self.stores = stores
        self.labels = labels
        self.recorder = recorder
        self.from = from
        self.states = states
    }

    /// Parses a header.
    ///
    /// - Throws: `FormatError` with the member.
    public init(_ json: JSON) throws(FormatError) {
        let members = try Members(json, "the header")
        tape = try members.count("tape")
        guard tape == 1 else { throw FormatError("the tape is of format version \(tape), and only 1 is known here") }
        session = try members.required("session", "10 to 64 letters, digits, “-” and “_”", Header.session)
        app = try App(Members(members.required("app", "an object") { $0 }, "“app” of the header"))
        device = try members.optional("device", "an object") { $0 }.map { (json) throws(FormatError) in
            try Device(Members(json, "“device” of the header"))
        }
        started = try members.string("started")
        stores = try members.strings("stores")
        labels = try members.optional("labels", "an object of strings", Header.labels) ?? [:]
        recorder = try members.optionalString("recorder")
        // Other recorders may use the name for something else, which stays as it is.
        title = members.object["title"]?.string
        target = members.object["target"]?.string
        types = members.object["types"].flatMap(Header.types) ?? [:]
        from = try members.optionalCount("from")
        states = try members.optional("states", "an object", \.object).map {
            Dictionary($0.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        }
        let known = ["tape", "session", "app", "device", "started", "stores", "labels", "recorder", "from", "states"]
        others = JSON.Object(members.object.filter { !known.contains($0.key) }.map { ($0.key, $0.value) })
        if title != nil { others["title"] = nil }
        if target != nil { others["target"] = nil }
        if !types.isEmpty { others["types"] = nil }
    }

    public var json: JSON {
        var object = JSON.Object()
        object["tape"] = .int(tape)
        object["session"] = .string(session)
        object["app"] = app.json
        object["device"] = device?.json
        object["started"] = .string(started)
        if !stores.isEmpty { object["stores"] = .strings(stores) }
        if !types.isEmpty { object["types"] = Header.sorted(types.mapValues(\.json)) }
        object["target"] = target.map(JSON.string)
        if !labels.isEmpty { object["labels"] = Header.sorted(labels.mapValues(JSON.string)) }
        object["recorder"] = recorder.map(JSON.string)
        object["title"] = title.map(JSON.string)
        object["from"] = from.map(JSON.int)
        object["states"] = states.map(Header.sorted)
        for member in others where object[member.key] == nil { object[member.key] = member.value }
        return .object(object)
    }

    static func sorted(_ members: [String: JSON]) -> JSON {
        .object(JSON.Object(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
    }

    private static func session(_ json: JSON) -> String? {
        json.string.flatMap { isSession($0) ? $0 : nil }
    }

    /// Whether a text is a valid session id.
    public static func isSession(_ text: String) -> Bool {
        10...64 ~= text.utf8.count
            && text.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    private static func types(_ json: JSON) -> [String: StoreTypes]? {
        guard let object = json.object else { return nil }
        var types: [String: StoreTypes] = [:]
        for member in object {
            guard let type = StoreTypes(member.value) else { return nil }
            types[member.key] = type
        }
        return types
    }

    private static func labels(_ json: JSON) -> [String: String]? {
        guard let object = json.object else { return nil }
        var labels: [String: String] = [:]
        for member in object {
            guard let text = member.value.string else { return nil }
            labels[member.key] = text
        }
        return labels
    }
}

extension Header.App {
    fileprivate init(_ members: Members) throws(FormatError) {
        id = try members.string("id")
        name = try members.optionalString("name")
        version = try members.optionalString("version")
        build = try members.optionalString("build")
    }

    fileprivate var json: JSON {
        .members(
            ("id", .string(id)), ("name", name.map(JSON.string)), ("version", version.map(JSON.string)),
            ("build", build.map(JSON.string)))
    }
}

extension Header.Device {
    fileprivate init(_ members: Members) throws(FormatError) {
        id = try members.optionalString("id")
        name = try members.optionalString("name")
        model = try members.optionalString("model")
        os = try members.optionalString("os")
        nickname = members.object["nickname"]?.string
    }

    fileprivate var json: JSON {
        .members(
            ("id", id.map(JSON.string)), ("name", name.map(JSON.string)), ("model", model.map(JSON.string)),
            ("os", os.map(JSON.string)), ("nickname", nickname.map(JSON.string)))
    }
}
